// What a metric grew by from point to point, whichever way its sender counts, and over restarts. Pure.
import { barsOf, type CountedBar, countedSince } from './counts-in-bars.ts'
import type { MetricPoint } from './point.ts'

/** What one point adds to the time that it is of. */
export interface Increase {
  readonly point: MetricPoint
  /** Of a sum its growth; of a histogram the number of values. */
  readonly count: number
  /** Of a histogram the growth of its sum. */
  readonly sum: number
  readonly bars: readonly CountedBar[]
}

/**
 * Points of any streams in any order. Cumulative points count from the point before; where a sender began anew
 * (another start, or a smaller count) from zero. The first point of a stream tells the growth only when its
 * sender began within the range.
 */
export function increasesOf(points: readonly MetricPoint[], from: number): readonly Increase[] {
  const streams = new Map<string, MetricPoint[]>()
  for (const point of points) {
    const known = streams.get(point.stream)
    if (known === undefined) streams.set(point.stream, [point])
    else known.push(point)
  }
  return [...streams.values()].flatMap((stream) => {
    const sorted = stream.sort((a, b) => a.at - b.at)
    return sorted.flatMap((point, at) => increaseAt(point, sorted[at - 1], from) ?? [])
  })
}

function increaseAt(
  point: MetricPoint,
  before: MetricPoint | undefined,
  from: number
): Increase | undefined {
  if (!point.isCumulative) return whole(point)
  if (before === undefined) {
    return point.start !== undefined && point.start >= from ? whole(point) : undefined
  }
  const isRestarted = point.start !== undefined && before.start !== undefined
  if (isRestarted && (point.start ?? 0) > (before.start ?? 0)) return whole(point)
  return point.type === 'sum' ? sumSince(point, before) : histogramSince(point, before)
}

function whole(point: MetricPoint): Increase {
  const { value, count, sum = 0 } = point.numbers
  const bars = point.type === 'sum' ? [] : barsOf(point)
  return { point, count: point.type === 'sum' ? (value ?? 0) : (count ?? 0), sum, bars }
}

function sumSince(point: MetricPoint, before: MetricPoint): Increase {
  const now = point.numbers['value'] ?? 0
  const earlier = before.numbers['value'] ?? 0
  // A sum that may fall has no restarts that show.
  const isReset = point.isMonotonic && now < earlier
  return { point, count: isReset ? now : now - earlier, sum: 0, bars: [] }
}

function histogramSince(point: MetricPoint, before: MetricPoint): Increase {
  const since = countedSince(point, before)
  if (since === undefined) return whole(point)
  const grown = (key: string) => (point.numbers[key] ?? 0) - (before.numbers[key] ?? 0)
  return { point, count: grown('count'), sum: grown('sum'), bars: barsOf(since) }
}
