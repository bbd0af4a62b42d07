// One page of a list, with the cursor of the next. Pure.
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

/** Clients that read the first page alone see a whole platform of ordinary size. */
const PER_PAGE = 100

/** A page of rows. */
export interface Page<Row> {
  readonly rows: Row[]
  readonly nextCursor?: string
}

/** @throws ProtocolError for a cursor that no page before gave */
export function pageOf<Row>(rows: readonly Row[], cursor: string | undefined): Page<Row> {
  const from = Number(cursor ?? 0)
  if (cursor !== undefined && !(/^[1-9]\d{0,8}$/.test(cursor) && from < rows.length))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is unknown.')
  const page = rows.slice(from, from + PER_PAGE)
  const next = from + page.length
  return next < rows.length ? { rows: page, nextCursor: String(next) } : { rows: page }
}
