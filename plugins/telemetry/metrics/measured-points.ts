// Figures of a metric over time from its points: rates, means and percentiles, by bucket and over all. Pure.
import type { MetricRead } from '../schemas/metrics.ts'
import { type CountedBar, percentileOfBars } from './counts-in-bars.ts'
import { type Increase, increasesOf } from './increases.ts'
import type { MetricPoint } from './point.ts'

const OF_HISTOGRAMS: readonly MetricRead[] = ['p95', 'p50', 'p99', 'avg', 'rate', 'increase']
const RANKS: Readonly<Partial<Record<MetricRead, number>>> = { p50: 0.5, p95: 0.95, p99: 0.99 }

type Kind = Pick<MetricPoint, 'type' | 'isMonotonic'>

/** What can be read of such a metric; the first is what is read unless told. */
export function readsOf({ type, isMonotonic }: Kind): readonly MetricRead[] {
  switch (type) {
    case 'sum':
      return isMonotonic ? ['rate', 'increase'] : ['avg', 'min', 'max', 'increase']
    case 'gauge':
      return ['avg', 'min', 'max']
    case 'summary':
      return ['rate', 'increase', 'avg']
    default:
      return OF_HISTOGRAMS
  }
}

export interface Figures {
  /** Over all of the range; null when there is nothing to tell. */
  readonly figure: number | null
  /** By the start of the bucket, ascending; buckets without a figure are left out. */
  readonly buckets: readonly { readonly at: number; readonly value: number }[]
}

export interface Over {
  readonly measure: MetricRead
  /** Milliseconds; the range that is measured. */
  readonly from: number
  readonly to: number
  /** Since when points were read: those before the range tell only what the first ones in it grew by. */
  readonly since: number
  startOf(at: number): number
  /** The start of the bucket after. */
  nextOf(start: number): number
}

/** Of the points of one group. */
export function figuresOf(points: readonly MetricPoint[], over: Over): Figures {
  const isOfValues = points[0]?.type === 'gauge' || (isSum(points) && over.measure !== 'increase')
  if (isOfValues && over.measure !== 'rate') return valueFigures(pointsWithin(points, over), over)
  const increases = increasesOf(points, over.since).filter(({ point }) => point.at >= over.from)
  return increaseFigures(increases, over)
}

/** The points of the range itself. */
export const pointsWithin = (
  points: readonly MetricPoint[],
  { from }: Pick<Over, 'from'>
): readonly MetricPoint[] => points.filter(({ at }) => at >= from)

const isSum = ([first]: readonly MetricPoint[]): boolean =>
  first?.type === 'sum' && !first.isMonotonic

/** Of gauges, and of sums that may fall: what their points say. */
function valueFigures(points: readonly MetricPoint[], { measure, startOf }: Over): Figures {
  const spans = new Map<number, number[]>()
  const all: number[] = []
  for (const { at, numbers } of points) {
    const { value } = numbers
    if (value === undefined) continue
    all.push(value)
    const start = startOf(at)
    const known = spans.get(start)
    if (known === undefined) spans.set(start, [value])
    else known.push(value)
  }
  const figureOf = (values: readonly number[]): number =>
    measure === 'min'
      ? values.reduce((a, b) => Math.min(a, b))
      : measure === 'max'
        ? values.reduce((a, b) => Math.max(a, b))
        : values.reduce((a, b) => a + b, 0) / values.length
  return {
    figure: all.length === 0 ? null : figureOf(all),
    buckets: inOrder(spans).map(([at, values]) => ({ at, value: figureOf(values) }))
  }
}

/** What a bucket grew by. */
interface Growth {
  count: number
  sum: number
  readonly bars: Map<string, CountedBar>
}

const noGrowth = (): Growth => ({ count: 0, sum: 0, bars: new Map() })

function add(growth: Growth, { count, sum, bars }: Increase): void {
  growth.count += count
  growth.sum += sum
  for (const bar of bars) {
    const key = `${bar.low} ${bar.high}`
    growth.bars.set(key, { ...bar, n: bar.n + (growth.bars.get(key)?.n ?? 0) })
  }
}

function increaseFigures(increases: readonly Increase[], over: Over): Figures {
  const spans = new Map<number, Growth>()
  const all = noGrowth()
  for (const increase of increases) {
    add(all, increase)
    const start = over.startOf(increase.point.at)
    const growth = spans.get(start) ?? noGrowth()
    spans.set(start, growth)
    add(growth, increase)
  }
  const { from, to, measure } = over
  return {
    figure: increases.length === 0 ? null : figureOf(all, measure, to - from),
    buckets: inOrder(spans).flatMap(([at, growth]) => {
      const ms = Math.min(over.nextOf(at), to) - Math.max(at, from)
      const value = figureOf(growth, measure, ms)
      return value === null ? [] : [{ at, value }]
    })
  }
}

function figureOf({ count, sum, bars }: Growth, measure: MetricRead, ms: number): number | null {
  const rank = RANKS[measure]
  if (rank !== undefined) return percentileOfBars([...bars.values()], rank) ?? null
  if (measure === 'avg') return count > 0 ? sum / count : null
  if (measure === 'rate') return ms > 0 ? (count * 1000) / ms : null
  return count
}

const inOrder = <T>(spans: ReadonlyMap<number, T>): readonly (readonly [number, T])[] =>
  [...spans].sort(([a], [b]) => a - b)
