// The buckets of histograms as bars from a value to a value, and percentiles of any of them together. Pure.
import type { IndexedCounts, MetricPoint } from './point.ts'

/** `n` values, spread evenly from `low` to `high`. */
export interface CountedBar {
  readonly low: number
  readonly high: number
  readonly n: number
}

/** Exponential buckets are merged until none is finer: 2^20 buckets from one value to its double. */
const FINEST = 20
const COARSEST = -10

/** Buckets without values are left out. */
export function barsOf(point: MetricPoint): readonly CountedBar[] {
  return point.type === 'exponential_histogram' ? exponentialBars(point) : explicitBars(point)
}

function explicitBars({ bounds, bucketCounts, numbers }: MetricPoint): readonly CountedBar[] {
  if (bucketCounts.length !== bounds.length + 1) return []
  return bucketCounts.flatMap((n, at) => {
    if (!(n > 0)) return []
    const below = bounds[at - 1]
    const above = bounds[at]
    // The outer buckets have one end: the least and greatest value where the sender says them.
    const low = below ?? Math.min(numbers['min'] ?? 0, above ?? 0)
    const high = above ?? Math.max(numbers['max'] ?? low, low)
    return [{ ...within(low, high, numbers), n }]
  })
}

/** Nothing is beyond the least and greatest value, so wide buckets are known better. */
function within(low: number, high: number, { min = low, max = high }: MetricPoint['numbers']) {
  const ends = { low: Math.max(low, min), high: Math.min(high, max) }
  return ends.low <= ends.high ? ends : { low, high }
}

function exponentialBars({ scale = 0, zeroCount, positive, negative }: MetricPoint) {
  const bars: CountedBar[] = []
  if (zeroCount > 0) bars.push({ low: 0, high: 0, n: zeroCount })
  const base = 2 ** -Math.min(FINEST, Math.max(COARSEST, scale))
  const edge = (index: number) => 2 ** (index * base)
  for (const [index, n] of indexed(positive)) {
    bars.push({ low: edge(index), high: edge(index + 1), n })
  }
  for (const [index, n] of indexed(negative)) {
    bars.push({ low: -edge(index + 1), high: -edge(index), n })
  }
  return bars.filter(({ low, high }) => Number.isFinite(low) && Number.isFinite(high))
}

const indexed = ({ offset, counts }: IndexedCounts): readonly (readonly [number, number])[] =>
  counts.flatMap((n, at) => (n > 0 ? [[offset + at, n] as const] : []))

/** What was counted since the point before; undefined where it counts from the start. */
export function countedSince(point: MetricPoint, before: MetricPoint): MetricPoint | undefined {
  if ((point.numbers['count'] ?? 0) < (before.numbers['count'] ?? 0)) return undefined
  return point.type === 'exponential_histogram'
    ? exponentialSince(point, before)
    : explicitSince(point, before)
}

function explicitSince(point: MetricPoint, before: MetricPoint): MetricPoint | undefined {
  const { bounds, bucketCounts } = point
  const isAlike =
    bounds.length === before.bounds.length && bounds.every((one, at) => one === before.bounds[at])
  if (!isAlike) return undefined
  const counts = bucketCounts.map((n, at) => n - (before.bucketCounts[at] ?? 0))
  return counts.some((n) => n < 0) ? undefined : { ...point, bucketCounts: counts }
}

function exponentialSince(point: MetricPoint, before: MetricPoint): MetricPoint | undefined {
  const scale = Math.min(point.scale ?? 0, before.scale ?? 0)
  const [now, earlier] = [atScale(point, scale), atScale(before, scale)]
  const positive = lessCounts(now.positive, earlier.positive)
  const negative = lessCounts(now.negative, earlier.negative)
  const zeroCount = point.zeroCount - before.zeroCount
  if (positive === undefined || negative === undefined || zeroCount < 0) return undefined
  return { ...point, scale, positive, negative, zeroCount }
}

function atScale(point: MetricPoint, scale: number): Pick<MetricPoint, 'positive' | 'negative'> {
  const steps = (point.scale ?? 0) - scale
  return { positive: merged(point.positive, steps), negative: merged(point.negative, steps) }
}

/** Each step makes one bucket of two. */
function merged(given: IndexedCounts, steps: number): IndexedCounts {
  if (steps === 0 || given.counts.length === 0) return given
  const width = 2 ** steps
  const sums = new Map<number, number>()
  for (const [index, n] of indexed(given)) {
    const at = Math.floor(index / width)
    sums.set(at, (sums.get(at) ?? 0) + n)
  }
  return fromMap(sums)
}

function fromMap(sums: ReadonlyMap<number, number>): IndexedCounts {
  const places = [...sums.keys()]
  if (places.length === 0) return { offset: 0, counts: [] }
  const offset = places.reduce((a, b) => Math.min(a, b))
  const last = places.reduce((a, b) => Math.max(a, b))
  return {
    offset,
    counts: Array.from({ length: last - offset + 1 }, (_, at) => sums.get(offset + at) ?? 0)
  }
}

function lessCounts(now: IndexedCounts, before: IndexedCounts): IndexedCounts | undefined {
  const sums = new Map(indexed(now))
  for (const [index, n] of indexed(before)) {
    const left = (sums.get(index) ?? 0) - n
    if (left < 0) return undefined
    sums.set(index, left)
  }
  return fromMap(sums)
}

/** The value below which that part of all values is; undefined without any. `rank`: 0.5 for the median. */
export function percentileOfBars(bars: readonly CountedBar[], rank: number): number | undefined {
  const total = bars.reduce((sum, { n }) => sum + n, 0)
  if (total <= 0) return undefined
  const wanted = total * rank
  const edges = [...new Set(bars.flatMap(({ low, high }) => [low, high]))].sort((a, b) => a - b)
  const growth = growthAt(bars, edges)
  let counted = 0
  for (const [at, edge] of edges.entries()) {
    counted += growth.points.get(edge) ?? 0
    if (counted >= wanted) return edge
    const next = edges[at + 1]
    const inside = next === undefined ? 0 : (growth.slopes[at] ?? 0) * (next - edge)
    if (next !== undefined && counted + inside >= wanted) {
      return edge + ((wanted - counted) / inside) * (next - edge)
    }
    counted += inside
  }
  return edges[edges.length - 1]
}

/** How many values are at each edge, and how many a unit there are up to the next. */
function growthAt(bars: readonly CountedBar[], edges: readonly number[]) {
  const points = new Map<number, number>()
  const changes = new Map<number, number>()
  const add = (map: Map<number, number>, at: number, n: number) =>
    map.set(at, (map.get(at) ?? 0) + n)
  for (const { low, high, n } of bars) {
    if (low === high) add(points, low, n)
    else {
      add(changes, low, n / (high - low))
      add(changes, high, -n / (high - low))
    }
  }
  let slope = 0
  const slopes = edges.map((edge) => {
    slope += changes.get(edge) ?? 0
    return Math.max(0, slope)
  })
  return { points, slopes }
}
