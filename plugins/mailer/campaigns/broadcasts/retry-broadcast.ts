// Sends the failed mails of a broadcast again: the same rows of the same broadcast, so that no recipient gets two.

import { bringBack, FAILED } from '../../delivery/sends/bring-back.ts'
import { countEnded } from '../../delivery/sends/select-sends.ts'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { type Actor, type Change, changeBroadcast, type Refusal } from './change-broadcast.ts'
import { holdsMails } from './plan-pauses.ts'
import { type CountMismatch, owned } from './schedule-broadcast.ts'

/** What a retry answers. */
export type Retried =
  | { readonly ok: true; readonly broadcast: BroadcastRow; readonly retriedSends: number }
  | Refusal<'not_found' | 'draft_conflict' | 'not_retryable'>
  | CountMismatch

/**
 * Retries the recipients whose mail no provider has, those that an outage ended included. A broadcast that was
 * over sends again, so that its pauses and stop rules hold.
 */
export async function retryBroadcast(
  context: MailerContext,
  slug: string,
  { confirmedCount }: { readonly confirmedCount: number },
  by: Actor
): Promise<Retried> {
  const read = await context.collections.broadcasts.findOne({ slug })
  if (read === null) return { ok: false, code: 'not_found' }
  if (!isRetryable(read)) return { ok: false, code: 'not_retryable' }
  const expected = await countRetryable(context, read)
  if (expected !== confirmedCount) return { ok: false, code: 'count_mismatch', expected }
  const result = await changeBroadcast(context, { slug }, by, (row) => owned(decideRetry(row), by))
  if (!result.ok) return result
  const filter = { broadcastId: read._id }
  return {
    ok: true,
    broadcast: result.broadcast,
    retriedSends: await bringBack(context, FAILED, { filter })
  }
}

/** Failed mails of a broadcast that a retry would send. */
export function countRetryable(
  context: Pick<MailerContext, 'collections'>,
  { _id: broadcastId }: Pick<BroadcastRow, '_id'>
): Promise<number> {
  return countEnded(context, { broadcastId }, FAILED)
}

/** The part of a broadcast that a retry depends on. */
type Retryable = Pick<BroadcastRow, 'status' | 'pauseReason'>

/** The mails of a full wave leave; what else is paused is resumed first. A cancelled one stays as it is. */
const isRetryable = (broadcast: Retryable): boolean =>
  broadcast.status === 'paused'
    ? !holdsMails(broadcast)
    : broadcast.status === 'sending' || broadcast.status === 'sent'

/** Decides over a broadcast as it is now. Pure. */
function decideRetry(broadcast: Retryable): Change | Refusal<'not_retryable'> {
  if (!isRetryable(broadcast)) return { ok: false, code: 'not_retryable' }
  const again = { status: 'sending', finishedAt: undefined } as const
  const fields = broadcast.status === 'sent' ? again : {}
  return { ok: true, action: 'broadcast.retry', fields }
}
