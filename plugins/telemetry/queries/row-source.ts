// Where the read primitives find rows: documents alone, or documents and segments together.
import type { Collection, Document } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'
import { errors } from '../errors.ts'
import type { TimeRange } from './types.ts'

export const NEWEST_FIRST = { occurredAt: -1, _id: -1 } as const
export const OLDEST_FIRST = { occurredAt: 1, _id: 1 } as const

/** Milliseconds the database may work on one read. */
export const MAX_TIME_MS = 30_000

/** What a read found, and the times that it could not look at, because what was stored of them is damaged. */
export interface Found<T> {
  readonly items: readonly T[]
  readonly missing: readonly TimeRange[]
}

/** Groups of the newest rows up to a limit. */
export interface NewestGroups<T> extends Found<T> {
  /** The limit left out rows that fit. */
  readonly isCut: boolean
}

export interface FindOptions {
  readonly sort: typeof NEWEST_FIRST | typeof OLDEST_FIRST
  readonly limit: number
  /** Fields that are read; default all. */
  readonly projection?: Readonly<Record<string, 1>>
  readonly signal?: AbortSignal
}

export interface RowSource {
  /** Rows that fit, in order. */
  find(filter: Document, options: FindOptions): Promise<Found<StoredRow>>
  /** A pipeline that begins with `$match` and makes groups. */
  aggregate<T extends Document>(pipeline: Document[]): Promise<Found<T>>
  /** As `aggregate`, of the newest rows up to a `$limit` before the groups, each of which tells how many rows it is of. */
  aggregateNewest<T extends Document>(
    pipeline: Document[],
    rowsOf: (group: T) => number
  ): Promise<NewestGroups<T>>
  /** What `read` gives of the documents, when they are all that the filter may fit; undefined when there is more. */
  ofDocuments<T>(
    filter: Document,
    read: (rows: Collection<StoredRow>) => Promise<T>
  ): Promise<{ readonly value: T } | undefined>
}

const NONE: readonly TimeRange[] = []

export async function findDocuments(
  rows: Collection<StoredRow>,
  filter: Document,
  { sort, limit, ...given }: FindOptions
): Promise<Found<StoredRow>> {
  const options = { maxTimeMS: MAX_TIME_MS, ...given }
  return {
    items: await rows.find(filter, options).sort(sort).limit(limit).toArray(),
    missing: NONE
  }
}

export async function aggregateDocuments<T extends Document>(
  rows: Collection<StoredRow>,
  pipeline: Document[],
  given: Pick<FindOptions, 'signal'> = {}
): Promise<Found<T>> {
  const found = rows.aggregate<T>(pipeline, { maxTimeMS: MAX_TIME_MS, ...given })
  return { items: await found.toArray(), missing: NONE }
}

export async function aggregateNewestDocuments<T extends Document>(
  rows: Collection<StoredRow>,
  pipeline: Document[],
  rowsOf: (group: T) => number,
  given: Pick<FindOptions, 'signal'> = {}
): Promise<NewestGroups<T>> {
  const found = await aggregateDocuments<T>(rows, pipeline, given)
  const picked = pipeline.slice(
    0,
    pipeline.findIndex((stage) => '$group' in stage)
  )
  const limit: number = picked.find((stage) => '$limit' in stage)?.['$limit'] ?? Infinity
  const read = found.items.reduce((sum, group) => sum + rowsOf(group), 0)
  if (read < limit) return { ...found, isCut: false }
  // There may be just as many: then one more is not found.
  const one = picked.map((stage) => ('$limit' in stage ? { $limit: limit + 1 } : stage))
  const counted = [...one, { $group: { _id: null, rows: { $sum: 1 } } }]
  const { items } = await aggregateDocuments<{ rows: number }>(rows, counted, given)
  return { ...found, isCut: (items[0]?.rows ?? 0) > limit }
}

/** Rows that are all documents. */
export const documentRows = (rows: Collection<StoredRow>): RowSource => ({
  find: (filter, options) => findDocuments(rows, filter, options),
  aggregate: (pipeline) => aggregateDocuments(rows, pipeline),
  aggregateNewest: (pipeline, rowsOf) => aggregateNewestDocuments(rows, pipeline, rowsOf),
  ofDocuments: async (_filter, read) => ({ value: await read(rows) })
})

/** How an answer says what it is without. */
export const gapsOf = (
  missing: readonly TimeRange[]
): { readonly missing?: readonly TimeRange[] } => (missing.length === 0 ? {} : { missing })

/**
 * What was found, for a figure that must not be of less than all.
 *
 * @throws TEL_SEGMENT_MISSING when something could not be looked at.
 */
export function wholeOf<T>({ items, missing }: Found<T>): readonly T[] {
  const [first] = missing
  if (first !== undefined) throw errors.TEL_SEGMENT_MISSING({ from: first.from.toISOString() })
  return items
}
