// Rows counted or measured by interval.

import type { Document } from 'mongodb'
import { BUCKETS, type Bucket } from '../contracts/telemetry-registry.ts'
import type { SeriesResult } from '../schemas/reads.ts'
import { MAX_TIME_MS, type Reader } from './reader.ts'
import { HAS_FAILED, measureField, rowFilter } from './row-filter.ts'
import { bucketOfRow, checkBuckets } from './time-buckets.ts'
import { QueryError, type SeriesParams } from './types.ts'

export type Measure =
  | { readonly op: 'count' }
  | {
      readonly op: 'sum' | 'avg'
      /** The expression that is added up. */
      readonly value: unknown
      /** Rows without it are left out. */
      readonly field?: string
    }

/** Percent of records of severity error or fatal. */
export const ERROR_RATE = 'error_rate'
const FAILED_PERCENT = { $cond: [HAS_FAILED, 100, 0] }

/** @throws QueryError for a measure that is none. */
export function readMeasure(measure = 'count'): Measure {
  if (measure === 'count') return { op: 'count' }
  if (measure === ERROR_RATE) return { op: 'avg', value: FAILED_PERCENT }
  const at = measure.indexOf(':')
  const op = measure.slice(0, at)
  const key = measure.slice(at + 1)
  if ((op !== 'sum' && op !== 'avg') || key === '') {
    throw new QueryError('measure must be count, error_rate, sum:<metric> or avg:<metric>')
  }
  const field = measureField(key)
  return { op, field, value: `$${field}` }
}

/** @throws QueryError naming the parameter. */
export function checkInterval(interval: unknown, allowed: readonly Bucket[] = BUCKETS): void {
  if (interval !== undefined && !allowed.includes(interval as Bucket)) {
    throw new QueryError(`interval must be one of ${allowed.join(', ')}`)
  }
}

/** How many records a row stands for. */
export const ROW_WEIGHT = { $divide: [1, { $ifNull: ['$sampleRate', 1] }] }

export async function readSeries(
  { rows, limits }: Reader,
  scope: string,
  params: SeriesParams
): Promise<SeriesResult> {
  // A day has more minutes than a month has hours.
  const cap = params.interval === 'minute' ? 2 * limits.series : limits.series
  const found = await rows
    .aggregate<{ _id: Date; value: number | null; rate: number }>(
      seriesPipeline(scope, params, cap + 1),
      { maxTimeMS: MAX_TIME_MS }
    )
    .toArray()
  const kept = found.slice(0, cap).filter((bucket) => bucket.value !== null)
  return {
    buckets: kept.map(({ _id, value }) => ({ at: _id, value: value ?? 0 })).reverse(),
    truncated: found.length > cap,
    sampled: found.some((bucket) => bucket.rate < 1),
    dataSource: 'raw'
  }
}

/** Newest buckets first, so that a cap leaves out the oldest. */
export function seriesPipeline(scope: string, params: SeriesParams, limit: number): Document[] {
  const { interval = 'day', timeZone } = params
  checkBuckets(params, params)
  const measure = readMeasure(params.measure)
  const filter = rowFilter(scope, params, params.filters)
  return [
    { $match: measuredRows(measure, filter) },
    {
      $group: {
        _id: bucketOfRow(interval, timeZone),
        value:
          measure.op === 'count' ? { $sum: ROW_WEIGHT } : { [`$${measure.op}`]: measure.value },
        rate: { $min: { $ifNull: ['$sampleRate', 1] } }
      }
    },
    { $sort: { _id: -1 } },
    { $limit: limit }
  ]
}

/** The rows that a measure is made of. */
export const measuredRows = (measure: Measure, filter: Document): Document =>
  measure.op === 'count' || measure.field === undefined
    ? filter
    : withMeasure(filter, measure.field)

/** Rows without the measure would make empty buckets. */
export function withMeasure(filter: Document, field: string): Document {
  return { ...filter, [field]: { $exists: true, ...(filter[field] as Document | undefined) } }
}
