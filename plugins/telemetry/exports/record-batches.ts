// All records that fit, newest first, page after page: what a file of them is written from.

import type { Reader } from '../queries/reader.ts'
import { readRecords } from '../queries/records.ts'
import { QueryError, type RecordsParams } from '../queries/types.ts'
import type { Envelope } from '../schemas/envelope.ts'

/** Records of one page. */
const PAGE = 1000
/** Records of one file. */
export const MAX_EXPORT = 1_000_000

/**
 * Never empty pages. What arrives meanwhile is not among them.
 *
 * @throws QueryError after the page with which there are more than a million.
 */
export async function* recordBatches(
  reader: Reader,
  scope: string,
  params: Omit<RecordsParams, 'cursor' | 'limit'>
): AsyncGenerator<readonly Envelope[]> {
  const paged = { ...reader, limits: { ...reader.limits, records: PAGE } }
  let cursor: string | null = null
  let count = 0
  do {
    const asked: RecordsParams = { ...params, ...(cursor !== null && { cursor }) }
    const page = await readRecords(paged, scope, asked)
    if (page.missing !== undefined) {
      throw new QueryError('some sealed records of the range cannot be read: narrow the range')
    }
    cursor = page.nextCursor
    count += page.items.length
    if (page.items.length > 0) yield page.items
    if (count >= MAX_EXPORT && cursor !== null) {
      throw new QueryError(`a file has at most ${MAX_EXPORT} records: narrow the range`)
    }
  } while (cursor !== null)
}
