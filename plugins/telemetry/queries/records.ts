// Pages of rows, traces and journeys.

import type { Document } from 'mongodb'
import { isRef, plainTraceId } from '../envelope/refs.ts'
import { compareIds, idText } from '../envelope/stored-id.ts'
import { type StoredRow, showRow } from '../envelope/stored-row.ts'
import { findReaches } from '../identity/find-links.ts'
import type { Reach } from '../identity/links.ts'
import type { StoredRollup } from '../rollups/update.ts'
import type { Envelope } from '../schemas/envelope.ts'
import type { JourneyResult, RecordsResult, TraceResult } from '../schemas/reads.ts'
import { findNewest } from './bounded-scan.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { clampLimit, type Reader } from './reader.ts'
import { rangeTerm, rowFilter, scopeFilter } from './row-filter.ts'
import { type Found, gapsOf, MAX_TIME_MS, NEWEST_FIRST, OLDEST_FIRST } from './row-source.ts'
import { showRollup } from './show-rollup.ts'
import { type JourneyParams, QueryError, type RecordsParams, type TimeRange } from './types.ts'

const MILESTONES = 100

/** One page, newest first; paged by position, so that rows that arrive meanwhile move nothing. */
export async function readRecords(
  reader: Reader,
  scope: string,
  params: RecordsParams
): Promise<RecordsResult> {
  const limit = clampLimit(params.limit, reader.limits.records)
  const filter = recordsFilter(scope, params)
  const { found, stoppedAt, missing = [] } = await findNewest(reader, filter, limit)
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : stoppedAt
  return {
    items: page.map(showRow),
    nextCursor: last === undefined ? null : writeCursor(last),
    truncated: stoppedAt !== undefined || missing.length > 0,
    ...gapsOf(missing),
    dataSource: 'raw'
  }
}

/** The filter of a page. The position bounds the index scan; only its ties are looked at twice. */
export function recordsFilter(scope: string, params: RecordsParams): Document {
  const filter = rowFilter(scope, params, params.filters)
  if (params.cursor === undefined) return filter
  const { occurredAt, _id } = readCursor(params.cursor)
  const before = occurredAt < params.to ? { $lte: occurredAt } : { $lt: params.to }
  return {
    ...filter,
    occurredAt: { $gte: params.from, ...before },
    $or: [{ occurredAt: { $lt: occurredAt } }, { _id: { $lt: _id } }]
  }
}

/** Everything with one trace id, oldest first. */
export async function readTrace(
  { rows, limits }: Reader,
  scope: string,
  traceId: string,
  limit?: number
): Promise<TraceResult> {
  if (typeof traceId !== 'string' || traceId === '') throw new QueryError('trace id required')
  const most = clampLimit(limit, limits.trace)
  const { items: found, missing } = await rows.find(
    { ...scopeFilter(scope), traceId: plainTraceId(traceId) },
    { sort: OLDEST_FIRST, limit: most + 1 }
  )
  const { items, truncated } = shown(found, most)
  return {
    items: [...items].sort(byNanos),
    truncated: truncated || missing.length > 0,
    ...gapsOf(missing),
    dataSource: 'raw'
  }
}

/** Within a millisecond spans keep the order of their nanoseconds. */
const byNanos = (a: Envelope, b: Envelope): number =>
  a.occurredAt.getTime() - b.occurredAt.getTime() || (a.nanos ?? 0) - (b.nanos ?? 0)

function shown(found: readonly StoredRow[], most: number) {
  return { items: found.slice(0, most).map(showRow), truncated: found.length > most }
}

/** Anonymous refs of one journey. */
const MOST_LINKED = 20

/**
 * A subject's rows in a range, newest first, and its milestones of all times: those of anonymous refs that
 * turned out to be the subject included, from the time they were.
 */
export async function readJourney(
  reader: Reader,
  scope: string,
  params: JourneyParams
): Promise<JourneyResult> {
  const { rollups, aliases, limits } = reader
  const { ref, limit } = params
  if (!isRef(ref)) throw new QueryError('subject ref required, as <type>:<id>')
  const most = clampLimit(limit, limits.journey)
  const linked = await findReaches(aliases, scope, ref)
  const newest = [...linked].sort((a, b) => b.to - a.to).slice(0, MOST_LINKED)
  const reaches: readonly Part[] = [{ ref, from: -Infinity, to: Infinity }, ...newest]
  const [milestones, found] = await Promise.all([
    rollups
      .find({
        ...scopeFilter(scope),
        dims: { $in: reaches.map((part) => part.ref) },
        lifetime: true
      })
      .sort({ firstAt: 1, _id: 1 })
      .limit(MILESTONES)
      .maxTimeMS(MAX_TIME_MS)
      .toArray(),
    Promise.all(reaches.map((part) => readPart(reader, scope, params, { part, most: most + 1 })))
  ])
  const missing = found.flatMap((part) => part.missing)
  const { items, truncated } = shown(newestOf(found.map((part) => part.items)), most)
  return {
    records: items,
    milestones: milestones.filter((one) => isOf(reaches, one)).map(showRollup),
    truncated: truncated || newest.length < linked.length || missing.length > 0,
    ...gapsOf(missing),
    dataSource: 'raw+rollups'
  }
}

/** A ref of a journey; its tenant when that is not the scope's. */
type Part = Pick<Reach, 'ref' | 'from' | 'to'> & { readonly tenantId?: string }

async function readPart(
  { rows }: Reader,
  scope: string,
  { from, to }: TimeRange,
  { part, most }: { readonly part: Part; readonly most: number }
): Promise<Found<StoredRow>> {
  const range = {
    from: new Date(Math.max(from.getTime(), part.from)),
    to: new Date(Math.min(to.getTime(), part.to))
  }
  rangeTerm({ from, to })
  if (!(range.from < range.to)) return { items: [], missing: [] }
  return rows.find(rowFilter(part.tenantId ?? scope, range, { subject: part.ref }), {
    sort: NEWEST_FIRST,
    limit: most
  })
}

/** Several lists as one, newest first; a record of two refs once. */
function newestOf(lists: readonly (readonly StoredRow[])[]): readonly StoredRow[] {
  const [only] = lists
  if (lists.length === 1 && only !== undefined) return only
  const all = new Map(lists.flat().map((row) => [idText(row._id), row]))
  return [...all.values()].sort(
    (a, b) => b.occurredAt.getTime() - a.occurredAt.getTime() || compareIds(b._id, a._id)
  )
}

const isOf = (parts: readonly Part[], { dims, tenantId, firstAt }: StoredRollup): boolean =>
  parts.some(
    (part) =>
      dims.includes(part.ref) &&
      (part.tenantId ?? tenantId) === tenantId &&
      firstAt.getTime() >= part.from &&
      firstAt.getTime() < part.to
  )
