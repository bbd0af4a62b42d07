// Reads the contacts that the trigger of a flow did not take, and why.
import type { MailerContext } from '../../ledger/context.ts'
import type { NotEnteredReason } from '../../ledger/event-rows.ts'
import type { NotEnteredRow } from '../../ledger/flow-rows.ts'

/** Which of them to list. */
export interface NotEnteredPage {
  readonly reason: NotEnteredReason
  /** `nextCursor` of the page before. */
  readonly after?: string
  /** Default 200, maximum 1000. */
  readonly limit?: number
}

const MAX_PAGE = 1000

/** A page of those of one reason, in the order of contacts. */
export async function listNotEntered(
  { collections }: Pick<MailerContext, 'collections'>,
  flowId: string,
  { reason, after = '', limit = 200 }: NotEnteredPage
): Promise<{ readonly rows: readonly NotEnteredRow[]; readonly nextCursor?: string }> {
  const size = Math.min(Math.max(Math.trunc(limit) || 1, 1), MAX_PAGE)
  const rows = await collections.notEntered
    .find({ flowId, reason, externalId: { $gt: after } })
    .sort({ externalId: 1 })
    .limit(size)
    .toArray()
  const last = rows.at(-1)
  return last === undefined || rows.length < size ? { rows } : { rows, nextCursor: last.externalId }
}
