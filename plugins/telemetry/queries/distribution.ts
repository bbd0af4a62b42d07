// Percentiles and histogram of a duration or a metric. The values are read, so the percentiles are exact.

import type { Document } from 'mongodb'
import type { DistributionResult, HistogramBar } from '../schemas/reads.ts'
import { percentileOf, sortedNumbers } from './percentile.ts'
import type { Reader } from './reader.ts'
import { measureField, rowFilter, withMeasure } from './row-filter.ts'
import { gapsOf } from './row-source.ts'
import type { DistributionParams } from './types.ts'

const BARS = 20

export async function readDistribution(
  { rows, limits }: Reader,
  scope: string,
  params: DistributionParams
): Promise<DistributionResult> {
  const cap = limits.distribution
  const { items, missing } = await rows.aggregate<{ values: ArrayLike<unknown>; oldest: unknown }>(
    distributionPipeline(scope, params, cap + 1)
  )
  const [found] = items
  const values = sortedNumbers([found?.values ?? []])
  const isCut = values.length > cap
  // The oldest is the one too many.
  const kept = isCut ? without(values, Number(found?.oldest)) : values
  return {
    ...describeValues(kept),
    truncated: isCut || missing.length > 0,
    ...gapsOf(missing),
    dataSource: 'raw'
  }
}

function without(sorted: Float64Array, value: number): Float64Array {
  const at = sorted.indexOf(value)
  if (at < 0) return sorted
  return sorted.copyWithin(at, at + 1).subarray(0, sorted.length - 1)
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
    { $group: { _id: null, values: { $push: `$${field}` }, oldest: { $last: `$${field}` } } }
  ]
}

type Described = Omit<DistributionResult, 'truncated' | 'missing' | 'dataSource'>

/** Percentiles are linear between neighbours. Without values there are none. */
export function describeValues(sorted: Float64Array): Described {
  const n = sorted.length
  const min = sorted[0]
  const max = sorted[n - 1]
  if (min === undefined || max === undefined) return { n: 0, histogram: [] }
  return {
    n,
    p50: percentileOf(sorted, 0.5),
    p90: percentileOf(sorted, 0.9),
    p95: percentileOf(sorted, 0.95),
    p99: percentileOf(sorted, 0.99),
    min,
    max,
    avg: sorted.reduce((sum, value) => sum + value, 0) / n,
    histogram: histogramOf(sorted, min, max)
  }
}

/** Values that reach further than this many times the least positive one get bars of equal ratio. */
const WIDE = 20

/**
 * Bars of equal width, or of equal ratio when the values span orders of magnitude: in bars of equal width
 * nearly all of them would share one.
 */
function histogramOf(sorted: Float64Array, min: number, max: number): readonly HistogramBar[] {
  if (min === max) return [{ min, max, n: sorted.length }]
  const least = sorted.find((value) => value > 0) ?? max
  const isWide = min >= 0 && max / least > WIDE
  const edges = isWide ? [min, ...ratioEdges(least, max)] : equalEdges(min, max)
  const counts = new Array<number>(BARS).fill(0)
  let bar = 0
  for (const value of sorted) {
    while (bar < BARS - 1 && value >= (edges[bar + 1] ?? max)) bar++
    counts[bar] = (counts[bar] ?? 0) + 1
  }
  return counts.map((n, at) => ({ min: edges[at] ?? min, max: edges[at + 1] ?? max, n }))
}

const equalEdges = (min: number, max: number): readonly number[] =>
  Array.from({ length: BARS + 1 }, (_, at) => (at === BARS ? max : min + (at * (max - min)) / BARS))

/** The edges after the first, rounded to three digits, so that a filter by a bar is a plain number. */
const ratioEdges = (least: number, max: number): readonly number[] =>
  Array.from({ length: BARS }, (_, at) =>
    at === BARS - 1 ? max : Number((least * (max / least) ** ((at + 1) / BARS)).toPrecision(3))
  )
