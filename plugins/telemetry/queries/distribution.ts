// Percentiles and histogram of a duration or a metric. The values are read, so the percentiles are exact.

import type { Document } from 'mongodb'
import type { DistributionResult, HistogramBar } from '../schemas/reads.ts'
import { MAX_TIME_MS, type Reader } from './reader.ts'
import { measureField, rowFilter } from './row-filter.ts'
import { withMeasure } from './series.ts'
import type { DistributionParams } from './types.ts'

const BARS = 20

export async function readDistribution(
  { rows, limits }: Reader,
  scope: string,
  params: DistributionParams
): Promise<DistributionResult> {
  const cap = limits.distribution
  const [found] = await rows
    .aggregate<{ values: unknown[] }>(distributionPipeline(scope, params, cap + 1), {
      maxTimeMS: MAX_TIME_MS
    })
    .toArray()
  const values = (found?.values ?? []).map(Number).filter(Number.isFinite)
  return {
    ...describeValues(values.slice(0, cap)),
    truncated: values.length > cap,
    dataSource: 'raw'
  }
}

/** One document with the values of the newest rows, up to the limit. */
export function distributionPipeline(
  scope: string,
  params: DistributionParams,
  limit: number
): Document[] {
  const field = measureField(params.measure ?? 'durationMs')
  return [
    { $match: withMeasure(rowFilter(scope, params, params.filters), field) },
    { $sort: { occurredAt: -1, _id: -1 } },
    { $limit: limit },
    { $group: { _id: null, values: { $push: `$${field}` } } }
  ]
}

type Described = Omit<DistributionResult, 'truncated' | 'dataSource'>

/** Percentiles are linear between neighbours. Without values there are none. */
export function describeValues(values: readonly number[]): Described {
  const sorted = Float64Array.from(values).sort()
  const n = sorted.length
  const min = sorted[0]
  const max = sorted[n - 1]
  if (min === undefined || max === undefined) return { n: 0, histogram: [] }
  const p99 = percentileOf(sorted, 0.99)
  return {
    n,
    p50: percentileOf(sorted, 0.5),
    p90: percentileOf(sorted, 0.9),
    p95: percentileOf(sorted, 0.95),
    p99,
    min,
    max,
    avg: sorted.reduce((sum, value) => sum + value, 0) / n,
    histogram: histogramOf(sorted, min, max, p99)
  }
}

function percentileOf(sorted: Float64Array, p: number): number {
  const rank = (sorted.length - 1) * p
  const low = sorted[Math.floor(rank)] ?? 0
  const high = sorted[Math.ceil(rank)] ?? low
  return low + (high - low) * (rank - Math.floor(rank))
}

/** Bars of equal width; a long tail beyond the 99th percentile gets one bar of its own. */
function histogramOf(
  sorted: Float64Array,
  min: number,
  max: number,
  p99: number
): readonly HistogramBar[] {
  if (min === max) return [{ min, max, n: sorted.length }]
  const hasTail = p99 > min && max - min > 2 * (p99 - min)
  const top = hasTail ? p99 : max
  const width = (top - min) / BARS
  const counts = new Array<number>(BARS).fill(0)
  let tail = 0
  for (const value of sorted) {
    if (value > top) tail++
    else {
      const index = Math.min(BARS - 1, Math.floor((value - min) / width))
      counts[index] = (counts[index] ?? 0) + 1
    }
  }
  const bars = counts.map((n, index) => ({
    min: min + index * width,
    max: index === BARS - 1 ? top : min + (index + 1) * width,
    n
  }))
  return tail > 0 ? [...bars, { min: top, max, n: tail }] : bars
}
