// Reads rows newest first, in pages that new rows do not disturb.
import type { Collection, Document, Filter, WithId } from 'mongodb'
import { InvalidInput } from '../operation/input.ts'

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
  /** The fields that are read, `time` among them. Default: all. */
  readonly projection?: Document
}

/**
 * A page of the rows that match, the newest first; rows of the same time by their id.
 *
 * @throws InvalidInput for a cursor of another list
 */
export async function readNewest<T extends { readonly _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  { cursor, time, projection, ...size }: NewestPage & NewestOptions
): Promise<PageOfRows<WithId<T>>> {
  const wanted = sizeOf(size)
  const after = cursor === undefined ? {} : rowsAfter(cursor, time)
  const found = await collection
    .find({ $and: [filter, after] } as Filter<T>, { ...(projection && { projection }) })
    .sort({ [time]: -1, _id: -1 })
    .limit(wanted + 1)
    .toArray()
  return cut(found, wanted, time)
}

/**
 * The same of rows that match any of the filters, each of which has its own index: one query for all of them
 * could read neither in the order of the list.
 *
 * @throws InvalidInput for a cursor of another list
 */
export async function readNewestOfAny<T extends { readonly _id: string }>(
  collection: Collection<T>,
  filters: readonly Filter<T>[],
  options: NewestPage & NewestOptions
): Promise<PageOfRows<WithId<T>>> {
  const pages = await Promise.all(filters.map((filter) => readNewest(collection, filter, options)))
  const rows = new Map(pages.flatMap((page) => page.rows.map((row) => [String(row._id), row])))
  const { time } = options
  const inOrder = [...rows.values()].sort(
    (a, b) => timeOf(b, time) - timeOf(a, time) || (String(a._id) < String(b._id) ? 1 : -1)
  )
  const wanted = sizeOf(options)
  const page = cut(inOrder, wanted, time)
  const isFull = pages.some(({ nextCursor }) => nextCursor !== undefined)
  const last = page.rows.at(-1)
  return isFull && last !== undefined ? { ...page, nextCursor: cursorOf(last, time) } : page
}

const sizeOf = ({ limit, maxLimit }: NewestPage & Pick<NewestOptions, 'maxLimit'>): number =>
  Math.min(Math.max(Math.trunc(limit ?? maxLimit) || 1, 1), maxLimit)

function cut<R extends { readonly _id: unknown }>(
  found: readonly R[],
  wanted: number,
  time: string
): PageOfRows<R> {
  const rows = found.slice(0, wanted)
  const last = rows.at(-1)
  if (found.length <= wanted || last === undefined) return { rows }
  return { rows, nextCursor: cursorOf(last, time) }
}

const timeOf = (row: object, time: string): number =>
  ((row as Readonly<Record<string, unknown>>)[time] as Date).getTime()

const cursorOf = (row: { readonly _id: unknown }, time: string): string =>
  `${timeOf(row, time)}.${row._id}`

function rowsAfter(cursor: string, time: string): object {
  const [, text = '', id = ''] = /^(\d{1,15})\.(.{1,512})$/s.exec(cursor) ?? []
  if (text === '') {
    const message = 'must be the nextCursor of an earlier page'
    throw new InvalidInput('querystring', [{ path: 'cursor', message }])
  }
  const at = new Date(Number(text))
  return { [time]: { $lte: at }, $or: [{ [time]: { $lt: at } }, { [time]: at, _id: { $lt: id } }] }
}
