// Rows counted or measured by interval.

import type { Document } from 'mongodb'
import { BUCKETS, type Bucket } from '../contracts/telemetry-registry.ts'
import type { SeriesResult } from '../schemas/reads.ts'
import { refuseCumulative } from './cumulative.ts'
import {
  collectsValues,
  figureOf,
  measuredRows,
  type Part,
  partOf,
  readMeasure,
  sizesOf
} from './measure.ts'
import type { Reader } from './reader.ts'
import { rowFilter } from './row-filter.ts'
import { gapsOf, NEWEST_FIRST } from './row-source.ts'
import { bucketOfRow, checkBuckets } from './time-buckets.ts'
import { QueryError, type SeriesParams } from './types.ts'

/** @throws QueryError naming the parameter. */
export function checkInterval(interval: unknown, allowed: readonly Bucket[] = BUCKETS): void {
  if (interval !== undefined && !allowed.includes(interval as Bucket)) {
    throw new QueryError(`interval must be one of ${allowed.join(', ')}`)
  }
}

export async function readSeries(
  reader: Reader,
  scope: string,
  params: SeriesParams
): Promise<SeriesResult> {
  const { rows, limits } = reader
  // A day has more minutes than a month has hours.
  const cap = params.interval === 'minute' ? 2 * limits.series : limits.series
  const measure = readMeasure(params.measure)
  const most = collectsValues(measure) ? limits.distribution : undefined
  await refuseCumulative(reader, measure, rowFilter(scope, params, params.filters))
  const read = await rows.aggregateNewest<{ _id: Date } & Part>(
    seriesPipeline(scope, params, { buckets: cap + 1, rows: most }),
    (bucket) => bucket.rows
  )
  const { items: found, missing, isCut } = read
  const kept = found.slice(0, cap).flatMap((bucket) => {
    const value = figureOf(measure, [bucket])
    return value === null ? [] : [{ at: bucket._id, value }]
  })
  return {
    buckets: kept.reverse(),
    truncated: found.length > cap || isCut || missing.length > 0,
    ...gapsOf(missing),
    sampled: found.some((bucket) => bucket.rate < 1),
    dataSource: 'raw'
  }
}

/** What one series may read: buckets, and rows of a measure that needs each value. */
export interface SeriesLimits {
  readonly buckets: number
  readonly rows?: number | undefined
}

/** Newest buckets first, so that a cap leaves out the oldest. */
export function seriesPipeline(
  scope: string,
  params: SeriesParams,
  most: SeriesLimits
): Document[] {
  const { interval = 'day', timeZone } = params
  checkBuckets(params, params)
  const measure = readMeasure(params.measure)
  const filter = rowFilter(scope, params, params.filters)
  return [
    { $match: measuredRows(measure, filter) },
    ...(most.rows === undefined ? [] : [{ $sort: NEWEST_FIRST }, { $limit: most.rows }]),
    { $group: { _id: bucketOfRow(interval, timeZone), ...partOf(measure) } },
    ...sizesOf(measure),
    { $sort: { _id: -1 } },
    { $limit: most.buckets }
  ]
}
