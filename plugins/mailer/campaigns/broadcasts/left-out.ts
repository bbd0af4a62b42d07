// Contacts of a segment that got no mail of a broadcast, and why.
import type { ClientSession } from 'mongodb'
import type { BroadcastRow, LeftOutReason, LeftOutRow } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'

/** How many, by reason. */
export type LeftOutCounts = Readonly<Record<LeftOutReason, number>>

/** Which of them to list. */
export interface LeftOutPage {
  readonly reason?: LeftOutReason
  /** `nextCursor` of the page before. */
  readonly after?: string
  /** Default 200, maximum 1000. */
  readonly limit?: number
}

const MAX_PAGE = 1000

/** Notes them in one command; who is noted already stays as noted. */
export async function recordLeftOut(
  { collections, clock }: Pick<MailerContext, 'collections' | 'clock'>,
  { _id: broadcastId }: Pick<BroadcastRow, '_id'>,
  {
    externalIds,
    reason
  }: { readonly externalIds: readonly string[]; readonly reason: LeftOutReason },
  session: ClientSession
): Promise<void> {
  if (externalIds.length === 0) return
  const at = clock.now()
  const operations = externalIds.map((externalId) => ({
    updateOne: {
      filter: { _id: `${broadcastId}:${externalId}` },
      update: { $setOnInsert: { broadcastId, externalId, reason, at } },
      upsert: true
    }
  }))
  await collections.leftOut.bulkWrite(operations, { session })
}

/** Counts them, by an index alone. */
export async function countLeftOut(
  { collections }: Pick<MailerContext, 'collections'>,
  broadcastId: string
): Promise<LeftOutCounts> {
  const reason = 'same_address'
  const filter = { broadcastId, reason } as const
  return {
    [reason]: await collections.leftOut.countDocuments(filter, { hint: 'broadcast_reason' })
  }
}

/** A page of them, in the order of contacts. */
export async function listLeftOut(
  { collections }: Pick<MailerContext, 'collections'>,
  broadcastId: string,
  { reason = 'same_address', after = '', limit = 200 }: LeftOutPage = {}
): Promise<{ readonly rows: readonly LeftOutRow[]; readonly nextCursor?: string }> {
  const size = Math.min(Math.max(Math.trunc(limit) || 1, 1), MAX_PAGE)
  const rows = await collections.leftOut
    .find({ broadcastId, reason, externalId: { $gt: after } })
    .sort({ externalId: 1 })
    .limit(size)
    .toArray()
  const last = rows.at(-1)
  return last === undefined || rows.length < size ? { rows } : { rows, nextCursor: last.externalId }
}
