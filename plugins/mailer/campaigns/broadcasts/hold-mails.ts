// Holds the waiting mails of a paused broadcast, and lets them go again.
import type { Document } from 'mongodb'
import type { MailerContext } from '../../ledger/context.ts'
import { sendUpdate } from '../../ledger/send-update.ts'

/** The cause beside mails that a paused broadcast holds; the hand-off writes the same. */
const CAUSE = 'broadcast_paused'
const MESSAGE = 'The broadcast is paused.'

/**
 * Holds what is due. Mails of a later time keep their time: the hand-off holds them when it comes. So it does
 * with mails that a worker has now.
 */
export async function holdMails(context: MailerContext, broadcastId: string): Promise<number> {
  const now = context.clock.now()
  const hold = { cause: CAUSE, message: MESSAGE, since: now }
  const due: Document = {
    broadcastId,
    status: { $in: ['queued', 'deferred', 'failed'] },
    dueAt: { $lte: now }
  }
  const { withdrawn } = await context.queues.bulkSends.withdraw(due, {
    state: 'parked',
    reason: CAUSE,
    update: sendUpdate({ handoff: 'held', hold })
  })
  return withdrawn
}

/** Lets held mails go. Repeat it: a worker that had a mail when the pause ended holds it later. */
export async function releaseMails(
  { queues }: MailerContext,
  broadcastId: string
): Promise<number> {
  const { rescheduled } = await queues.bulkSends.reschedule(
    { broadcastId, status: 'held', 'hold.cause': CAUSE },
    { update: sendUpdate({ handoff: 'queued' }, ['hold']) }
  )
  return rescheduled
}
