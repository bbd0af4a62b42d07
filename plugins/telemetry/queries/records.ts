// Pages of rows, traces and journeys.

import type { Document } from 'mongodb'
import { isRef } from '../envelope/refs.ts'
import { type StoredRow, showRow } from '../envelope/stored-row.ts'
import type { JourneyResult, RecordsResult, TraceResult } from '../schemas/reads.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { clampLimit, MAX_TIME_MS, type Reader } from './reader.ts'
import { rowFilter, scopeFilter } from './row-filter.ts'
import { showRollup } from './show-rollup.ts'
import { type JourneyParams, QueryError, type RecordsParams } from './types.ts'

const MILESTONES = 100
export const NEWEST_FIRST = { occurredAt: -1, _id: -1 } as const
export const OLDEST_FIRST = { occurredAt: 1, _id: 1 } as const

/** One page, newest first; paged by position, so that rows that arrive meanwhile move nothing. */
export async function readRecords(
  { rows, limits }: Reader,
  scope: string,
  params: RecordsParams
): Promise<RecordsResult> {
  const limit = clampLimit(params.limit, limits.records)
  const found = await rows
    .find(recordsFilter(scope, params))
    .sort(NEWEST_FIRST)
    .limit(limit + 1)
    .maxTimeMS(MAX_TIME_MS)
    .toArray()
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  return {
    items: page.map(showRow),
    nextCursor: last === undefined ? null : writeCursor(last),
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
  const found = await rows
    .find({ ...scopeFilter(scope), traceId })
    .sort(OLDEST_FIRST)
    .limit(most + 1)
    .maxTimeMS(MAX_TIME_MS)
    .toArray()
  return { ...shown(found, most), dataSource: 'raw' }
}

function shown(found: readonly StoredRow[], most: number) {
  return { items: found.slice(0, most).map(showRow), truncated: found.length > most }
}

/** A subject's rows in a range, newest first, and its milestones of all times. */
export async function readJourney(
  { rows, rollups, limits }: Reader,
  scope: string,
  params: JourneyParams
): Promise<JourneyResult> {
  const { ref, limit } = params
  if (!isRef(ref)) throw new QueryError('subject ref required, as <type>:<id>')
  const most = clampLimit(limit, limits.journey)
  const [found, milestones] = await Promise.all([
    rows
      .find(rowFilter(scope, params, { subject: ref }))
      .sort(NEWEST_FIRST)
      .limit(most + 1)
      .maxTimeMS(MAX_TIME_MS)
      .toArray(),
    rollups
      .find({ ...scopeFilter(scope), dims: ref, lifetime: true })
      .sort({ firstAt: 1, _id: 1 })
      .limit(MILESTONES)
      .maxTimeMS(MAX_TIME_MS)
      .toArray()
  ])
  const { items, truncated } = shown(found, most)
  return {
    records: items,
    milestones: milestones.map(showRollup),
    truncated,
    dataSource: 'raw+rollups'
  }
}
