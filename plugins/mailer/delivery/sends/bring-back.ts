// Makes mails that are over due again: those that no provider has, or of which an operator says so.
import { DURABLE } from '@keelson/sdk'
import type { Filter } from 'mongodb'
import type { MailerContext } from '../../ledger/context.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { sendUpdate } from '../../ledger/send-update.ts'

/** Mails that ended without a provider having them. A bounce and what a provider dropped are none. */
export const FAILED = { status: 'failed', handoff: 'failed', state: 'done' } as const
/** Mails that a provider may or may not have, and that are not tried again. */
export const UNKNOWN = { status: 'unknown', handoff: 'unknown', state: 'done' } as const

type Ended = typeof FAILED | typeof UNKNOWN

/**
 * The rows themselves go on, so that no mail is sent twice. Three commands, whatever their number; after a
 * crash between them the tick takes the mails that it finds parked.
 *
 * @returns how many are due again
 */
export async function bringBack(
  { collections, queues, clock }: Pick<MailerContext, 'collections' | 'queues' | 'clock'>,
  ended: Ended,
  { filter = {}, key }: { readonly filter?: Filter<SendRow>; readonly key?: string }
): Promise<number> {
  const parkedAt = clock.now()
  const attempts = { $ifNull: ['$attempt.number', 0] }
  const named = key === undefined ? {} : { key: { $literal: key } }
  const { modifiedCount } = await collections.sends.updateMany(
    { $and: [filter, ended] },
    [
      { $set: { state: 'parked', parkedAt, retried: { at: parkedAt, attempts, ...named } } },
      { $unset: 'doneAt' },
      ...sendUpdate({ handoff: 'queued' }, ['errorMessage', 'exitReason', 'handedAt', 'hold'])
    ],
    DURABLE
  )
  if (modifiedCount === 0) return 0
  const parked = { handoff: 'queued', parkedAt }
  await queues.urgentSends.reschedule({ ...parked, lane: 'urgent' })
  await queues.bulkSends.reschedule({ ...parked, lane: 'bulk' })
  return modifiedCount
}
