// Reads which contacts of a segment got no mail of a broadcast, and why.
import {
  LEFT_OUT_REASONS,
  type LeftOutReason,
  type LeftOutRow
} from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'

/** How many, by reason. */
export type LeftOutCounts = Readonly<Record<LeftOutReason, number>>

/** Which of them to list. */
export interface LeftOutPage {
  /** Default: all. */
  readonly reason?: LeftOutReason
  /** `nextCursor` of the page before. */
  readonly after?: string
  /** Default 200, maximum 1000. */
  readonly limit?: number
}

const MAX_PAGE = 1000

/** Counts them, by an index alone. */
export async function countLeftOut(
  { collections }: Pick<MailerContext, 'collections'>,
  broadcastId: string
): Promise<LeftOutCounts> {
  const counts = await Promise.all(
    LEFT_OUT_REASONS.map((reason) =>
      collections.leftOut.countDocuments(
        { broadcastId, reason },
        { hint: { broadcastId: 1, reason: 1, externalId: 1 } }
      )
    )
  )
  const named = LEFT_OUT_REASONS.map((reason, at) => [reason, counts[at] ?? 0])
  return Object.fromEntries(named) as LeftOutCounts
}

/** A page of them, in the order of contacts. */
export async function listLeftOut(
  { collections }: Pick<MailerContext, 'collections'>,
  broadcastId: string,
  { reason, after = '', limit = 200 }: LeftOutPage = {}
): Promise<{ readonly rows: readonly LeftOutRow[]; readonly nextCursor?: string }> {
  const size = Math.min(Math.max(Math.trunc(limit) || 1, 1), MAX_PAGE)
  const [filter, order] =
    reason === undefined
      ? [idsAfter(broadcastId, after), '_id']
      : [{ broadcastId, reason, externalId: { $gt: after } }, 'externalId']
  const rows = await collections.leftOut
    .find(filter)
    .sort({ [order]: 1 })
    .limit(size)
    .toArray()
  const last = rows.at(-1)
  return last === undefined || rows.length < size ? { rows } : { rows, nextCursor: last.externalId }
}

/** Ids of one broadcast begin with its id; `;` comes behind `:`. */
const idsAfter = (broadcastId: string, after: string) => ({
  _id: { $gt: `${broadcastId}:${after}`, $lt: `${broadcastId};` }
})
