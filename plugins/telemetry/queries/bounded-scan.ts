// Finds the newest rows that fit a filter, and looks at a limited number of rows for them: terms that no index serves
// are checked row by row, and few rows may fit.
import type { Collection, Document } from 'mongodb'
import { compareIds } from '../envelope/stored-id.ts'
import type { StoredRow } from '../envelope/stored-row.ts'
import { encodeKey } from '../field-keys.ts'
import type { Registry } from '../registry/types.ts'
import type { Position } from './cursor.ts'
import type { Reader } from './reader.ts'
import { MAX_TIME_MS, NEWEST_FIRST } from './row-source.ts'
import type { TimeRange } from './types.ts'

export interface FoundRows {
  /** One more than asked for, when there are more. */
  readonly found: readonly StoredRow[]
  /** The last row that was looked at, when the limit ended the scan before the range did. */
  readonly stoppedAt?: Position
  /** Times that could not be looked at. */
  readonly missing?: readonly TimeRange[]
}

/** Terms with an index in order of time, those with the fewest rows first. */
const SERVED = ['traceId', 'error.fingerprint', 'subjectKeys', 'name', 'rareKind'] as const
/** Scope, range and the position of a page: every index in order of time serves them. */
const BOUNDS: ReadonlySet<string> = new Set(['tenantId', 'occurredAt', '$or'])

/** The part of a filter of rows that one index serves in order of time. */
export function servedTerms(filter: Document, registry: Registry): Document {
  const term = SERVED.find((one) => filter[one] !== undefined)
  const served = new Set([...BOUNDS, ...(term === undefined ? [] : [term])])
  if (term === 'name' && filter['tenantId'] !== undefined) {
    const { indexedAttrs = [] } = registry.event(String(filter['name']))?.spec ?? {}
    const attr = indexedAttrs.map((key) => `attrs.${encodeKey(key)}`)
    const indexed = attr.find((field) => filter[field] !== undefined)
    if (indexed !== undefined) served.add(indexed)
  }
  return Object.fromEntries(Object.entries(filter).filter(([field]) => served.has(field)))
}

/** The newest rows that fit, among as many of the newest rows that an index serves as `cap` says. */
export const scanPipeline = (
  filter: Document,
  served: Document,
  { limit, cap }: { readonly limit: number; readonly cap: number }
): Document[] => [
  { $match: served },
  { $sort: NEWEST_FIRST },
  { $limit: cap },
  { $match: filter },
  { $limit: limit }
]

/** The newest `limit` rows and one more, of the newest rows that the reader's limit lets it look at. */
export async function findNewest(
  reader: Reader,
  filter: Document,
  limit: number
): Promise<FoundRows> {
  const scanned = await reader.rows.ofDocuments(filter, (rows) =>
    scanNewest(reader, rows, filter, limit)
  )
  if (scanned !== undefined) return scanned.value
  // Columns are looked through whole.
  const { items, missing } = await reader.rows.find(filter, {
    sort: NEWEST_FIRST,
    limit: limit + 1
  })
  return { found: items, missing }
}

async function scanNewest(
  reader: Reader,
  rows: Collection<StoredRow>,
  filter: Document,
  limit: number
): Promise<FoundRows> {
  const cap = reader.limits.distribution
  const options = { maxTimeMS: MAX_TIME_MS }
  const find = (wanted: Document) =>
    rows
      .find(wanted, options)
      .sort(NEWEST_FIRST)
      .limit(limit + 1)
      .toArray()
  const served = servedTerms(filter, reader.registry())
  const isServed = Object.keys(served).length === Object.keys(filter).length
  if (isServed || (await rows.estimatedDocumentCount(options)) <= cap) {
    return { found: await find(filter) }
  }
  const pipeline = scanPipeline(filter, served, { limit: limit + 1, cap })
  const found = await rows.aggregate<StoredRow>(pipeline, options).toArray()
  if (found.length > limit) return { found }
  // The last row that the limit let the scan look at; none where the range ended before.
  const [last] = await rows
    .find<Position>(served, { ...options, projection: { occurredAt: 1 } })
    .sort(NEWEST_FIRST)
    .skip(cap - 1)
    .limit(1)
    .toArray()
  if (last === undefined) return { found }
  // Rows may have come or gone between the two reads: the page is what is there from its start to that row.
  const until = { ...filter['occurredAt'], $gte: last.occurredAt }
  const whole = await find({ ...filter, occurredAt: until })
  if (whole.length > limit) return { found: whole }
  return { found: whole.filter((row) => isAtOrBefore(row, last)), stoppedAt: last }
}

/** Whether a list that is newest first shows the row no later than the position. */
const isAtOrBefore = (row: StoredRow, last: Position): boolean =>
  row.occurredAt > last.occurredAt || compareIds(row._id, last._id) >= 0
