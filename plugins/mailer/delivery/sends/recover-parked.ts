// Mails that the queue set aside because every process that held them died: those that were in hand are listed, the others go on.
import { DURABLE } from '@keelson/sdk'
import type { MailerContext } from '../../ledger/context.ts'
import { STATUS_STAGE } from '../../ledger/send-status.ts'

/** Until a mail that no process lived to hand over is looked at again. */
const AGAIN_MS = 60_000

/** A mail that no provider has is due again. Held mails stay parked. Called with each tick. */
export async function recoverParked({ collections, queues, clock }: MailerContext): Promise<void> {
  const { sends } = collections
  const isSending = { $eq: ['$handoff', 'sending'] }
  const handoff = { $cond: [isSending, 'unknown', '$handoff'] }
  await sends.updateMany(
    { handoff: { $in: ['sending', 'sent'] }, parkedAt: { $exists: true } },
    [{ $unset: 'parkedAt' }, { $set: { state: 'done', handoff } }, STATUS_STAGE],
    DURABLE
  )
  await queues.urgentSends.reschedule(
    { handoff: { $in: ['queued', 'deferred', 'failed'] }, parkedAt: { $exists: true } },
    { dueAt: new Date(clock.now().getTime() + AGAIN_MS) }
  )
}
