// Cancels a broadcast with the mails of it that no provider has seen.

import { cancelSends } from '../../delivery/sends/cancel-sends.ts'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { noteStop } from '../note-stop.ts'
import { type Actor, type Change, changeBroadcast, type Refusal } from './change-broadcast.ts'

/** What a cancel answers. */
export type Cancelled =
  | { readonly ok: true; readonly broadcast: BroadcastRow; readonly cancelledSends: number }
  | Refusal<'not_found' | 'already_finished' | 'draft_conflict'>

/** Ends a broadcast for good. Held and queued mails are cancelled; a mail in hand-over finishes. */
export async function cancelBroadcast(
  context: MailerContext,
  slug: string,
  by: Actor
): Promise<Cancelled> {
  const finishedAt = context.clock.now()
  const result = await changeBroadcast(
    context,
    { slug },
    by,
    (broadcast): Change | Refusal<'already_finished'> => {
      if (['sent', 'cancelled', 'failed'].includes(broadcast.status))
        return { ok: false, code: 'already_finished' }
      const ending = broadcast.startedAt === undefined ? {} : { isEnding: true }
      const over = { pauses: undefined, pauseReason: undefined }
      const fields = { status: 'cancelled', finishedAt, ...ending, ...over } as const
      return { ok: true, action: 'broadcast.cancel', fields }
    }
  )
  if (!result.ok) return result
  const { broadcast } = result
  // Batches under way look again, and keep what no provider has.
  await noteStop(context)
  const mails = { broadcastId: broadcast._id }
  const cancelledSends = await cancelSends(context, mails, 'broadcast_cancelled')
  return { ok: true, broadcast, cancelledSends }
}
