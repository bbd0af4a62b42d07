// Reads rows newest first, in pages that new rows do not disturb.
import type { Collection, Filter, WithId } from 'mongodb'
import { errors } from '../errors.ts'

/** Which page to read. */
export interface NewestPage {
  readonly limit?: number
  /** `nextCursor` of the page before. */
  readonly cursor?: string
}

/** A page of rows. */
export interface PageOfRows<T> {
  readonly rows: readonly T[]
  /** Left out on the last page. */
  readonly nextCursor?: string
}

/** What orders the rows, and how long a page may be. */
export interface NewestOptions {
  /** A field with the time of each row; an index must end with it, descending. */
  readonly time: string
  readonly maxLimit: number
}

/**
 * A page of the rows that match, the newest first; rows of the same time by their id.
 *
 * @throws MLR_INPUT_INVALID for a cursor of another list
 */
export async function readNewest<T extends { readonly _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  { limit, cursor, time, maxLimit }: NewestPage & NewestOptions
): Promise<PageOfRows<WithId<T>>> {
  const wanted = Math.min(Math.max(Math.trunc(limit ?? maxLimit) || 1, 1), maxLimit)
  const after = cursor === undefined ? {} : rowsAfter(cursor, time)
  const found = await collection
    .find({ $and: [filter, after] } as Filter<T>)
    .sort({ [time]: -1, _id: -1 })
    .limit(wanted + 1)
    .toArray()
  const rows = found.slice(0, wanted)
  const last = rows.at(-1)
  if (found.length <= wanted || last === undefined) return { rows }
  const at = (last as Readonly<Record<string, unknown>>)[time] as Date
  return { rows, nextCursor: `${at.getTime()}.${last._id}` }
}

function rowsAfter(cursor: string, time: string): object {
  const [, text = '', id = ''] = /^(\d{1,15})\.(.{1,512})$/s.exec(cursor) ?? []
  if (text === '') {
    const problem = 'must be the nextCursor of an earlier page'
    throw errors.MLR_INPUT_INVALID({ operation: 'list', path: 'cursor', problem })
  }
  const at = new Date(Number(text))
  return { [time]: { $lte: at }, $or: [{ [time]: { $lt: at } }, { [time]: at, _id: { $lt: id } }] }
}
