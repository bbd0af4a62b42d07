// Mails that the queue set aside because every process that held them died: listed, never forgotten.
import { DURABLE } from '@keelson/sdk'
import type { MailerContext } from '../../ledger/context.ts'
import { STATUS_STAGE } from '../../ledger/send-status.ts'
import { sendUpdate } from './send-update.ts'

const LOST = 'Every process that held it ended before it was handed over.'

/** Gives parked mails an end that people see. Held mails stay parked. Called with each tick. */
export async function recoverParked({ collections }: MailerContext): Promise<void> {
  const { sends } = collections
  const isSending = { $eq: ['$handoff', 'sending'] }
  const handoff = { $cond: [isSending, 'unknown', '$handoff'] }
  await sends.updateMany(
    { handoff: { $in: ['sending', 'sent'] }, parkedAt: { $exists: true } },
    [{ $unset: 'parkedAt' }, { $set: { state: 'done', handoff } }, STATUS_STAGE],
    DURABLE
  )
  await sends.updateMany(
    { handoff: { $in: ['queued', 'deferred', 'failed'] }, parkedAt: { $exists: true } },
    [
      { $unset: 'parkedAt' },
      { $set: { state: 'done' } },
      ...sendUpdate({ handoff: 'failed', exitReason: 'workers_lost', errorMessage: LOST })
    ],
    DURABLE
  )
}
