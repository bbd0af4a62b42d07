// Cancels mails that no provider has seen yet.
import type { ClientSession, Document } from 'mongodb'
import type { MailerContext } from '../../ledger/context.ts'
import { sendUpdate } from '../../ledger/send-update.ts'

/** Handoffs before any provider has the mail. */
const WAITING = ['queued', 'deferred', 'held', 'failed'] as const

/**
 * Cancels the waiting mails that match. One that a worker holds at this moment may still leave. `reason` is
 * a code, kept as `exitReason`.
 *
 * @returns how many were cancelled
 */
export async function cancelSends(
  { queues }: MailerContext,
  filter: Document,
  reason: string,
  options: { readonly session?: ClientSession } = {}
): Promise<number> {
  // Both lanes share the collection: either queue withdraws for both.
  const { withdrawn } = await queues.urgentSends.withdraw(
    { $and: [filter, { handoff: { $in: WAITING } }] },
    {
      state: 'done',
      update: sendUpdate({ handoff: 'cancelled', exitReason: reason }, ['hold']),
      ...options
    }
  )
  return withdrawn
}
