// Records attempts before a provider sees them, and in the same command what became of earlier ones.
import type { HeldUpdate, ItemResult } from '@keelson/sdk'
import type { Document } from 'mongodb'
import { domainOf } from '../../ledger/address.ts'
import { groupedBy } from '../../ledger/grouped-by.ts'
import { STATUS_STAGE } from '../../ledger/send-status.ts'
import type { ReadyMail } from './ready-mail.ts'
import type { SendingBatch } from './sending-batch.ts'
import type { Step } from './step.ts'

/**
 * The mails that this batch still holds. A process that dies after this leaves mails whose outcome is unknown: those
 * recorded here, and those that were in hand meanwhile.
 */
export async function recordAttempts(
  batch: SendingBatch,
  mails: readonly ReadyMail[]
): Promise<Step<ReadyMail>> {
  if (mails.length === 0) return { go: [], settled: [] }
  const { results, unwritten } = batch
  const finished = [...unwritten]
  unwritten.clear()
  batch.own ??= batch.journal?.open()
  const held = await batch.run.update([
    ...finished.map(
      ({ _id }): HeldUpdate => ({ ids: [_id], update: results.get(_id)?.update ?? [] })
    ),
    ...attempts(batch, mails)
  ])
  const settled = finished.map((send) => {
    const { update: _written, ...result } = results.get(send._id) as ItemResult
    return { send, result }
  })
  return { go: mails.filter(({ send }) => held.has(send._id)), settled }
}

/** What the attempts of one provider and sender domain say differs in their ids alone, as a rule. */
function attempts({ context, own }: SendingBatch, mails: readonly ReadyMail[]): HeldUpdate[] {
  const now = context.clock.now()
  const groups = groupedBy(
    mails,
    (mail) => `${mail.provider} ${senderDomainOf(mail)} ${newAddressOf(mail) ?? ''}`
  )
  return [...groups.values()].map((group) => {
    const [first] = group as [ReadyMail]
    const ids = group.map(({ send }) => send._id)
    const update = attemptStages({
      at: now,
      provider: first.provider,
      domain: senderDomainOf(first),
      journal: own?.name
    })
    const email = newAddressOf(first)
    if (email === undefined) return { ids, update }
    const named = { emailAtSend: { $literal: email }, toDomain: { $literal: domainOf(email) } }
    return { ids, update: [{ $set: named }, ...update] }
  })
}

/** The contact policy finds deliveries in progress by their address. */
const newAddressOf = ({ send, mail }: ReadyMail): string | undefined =>
  send.emailAtSend === mail.record.to ? undefined : mail.record.to

export const senderDomainOf = ({ mail }: ReadyMail): string => domainOf(mail.record.from.email)

interface NewAttempt {
  readonly at: Date
  readonly provider: string
  readonly domain: string
  readonly journal: string | undefined
}

function attemptStages({ at, provider, domain, journal }: NewAttempt): Document[] {
  const number = { $add: [{ $ifNull: ['$attempt.number', 0] }, 1] }
  const tail = `@${domain}>`
  return [
    {
      $set: {
        handoff: 'sending',
        handedAt: at,
        firstAttemptAt: { $ifNull: ['$firstAttemptAt', at] },
        attempt: {
          number,
          at,
          provider: { $literal: provider },
          ...(journal !== undefined && { journal }),
          messageId: { $concat: ['<', '$_id', '.', { $toString: number }, { $literal: tail }] }
        }
      }
    },
    STATUS_STAGE
  ]
}
