// One metric over time: rates, means or percentiles of its points, told apart by an attribute, with exemplars.
import { nextStart, startOf } from '@keelson/sdk/zoned-time'
import { figuresOf, type Over, pointsWithin, readsOf } from '../metrics/measured-points.ts'
import { type MetricPoint, POINT_FIELDS, pointOf } from '../metrics/point.ts'
import type { RecordFilters } from '../schemas/filters.ts'
import {
  METRIC_READS,
  type MetricExemplar,
  type MetricGroup,
  type MetricRead,
  type MetricSeriesResult
} from '../schemas/metrics.ts'
import { pointsFilter } from './metrics.ts'
import type { Reader } from './reader.ts'
import { type Found, gapsOf, NEWEST_FIRST } from './row-source.ts'
import { checkBuckets } from './time-buckets.ts'
import { type BucketParams, QueryError, type TimeRange } from './types.ts'

/** Points of one answer. */
const MAX_POINTS = 20_000
const MAX_SERIES = 20
const MAX_EXEMPLARS = 50
/** Points before the range, so that a counter's first growth in it is known: senders export within minutes. */
const LEAD_MS = 10 * 60_000

export interface MetricSeriesParams extends TimeRange, BucketParams {
  readonly metric: string
  readonly filters?: RecordFilters
  /** Default: the first of what can be read of such a metric. */
  readonly measure?: MetricRead
  /** `service`, `tenantId`, or `attr:<key>`. Default: one group. */
  readonly by?: string
}

/** What was found of one metric. */
export interface MetricGroups {
  /** Tells the kind of the metric; undefined without any. */
  readonly newest: MetricPoint | undefined
  readonly measure: MetricRead
  /** Those with points in the range. */
  readonly groups: readonly MetricGroup[]
  readonly points: readonly MetricPoint[]
  /** Only the newest points were read. */
  readonly isCut: boolean
  readonly missing: readonly TimeRange[]
}

export async function readMetricSeries(
  reader: Reader,
  scope: string,
  params: MetricSeriesParams
): Promise<MetricSeriesResult> {
  const found = await readMetricGroups(reader, scope, params)
  const { newest, measure, groups, points, isCut, missing } = found
  return {
    name: params.metric,
    type: newest?.type ?? '',
    unit: newest?.unit ?? '',
    temporality: newest?.attrs.get('metric.temporality') ?? '',
    monotonic: newest?.isMonotonic ?? false,
    measure,
    groups: groups.toSorted(largestFirst).slice(0, MAX_SERIES),
    values: groups.length,
    exemplars: exemplarsOf(points),
    truncated: isCut || missing.length > 0,
    ...gapsOf(missing),
    dataSource: 'raw'
  }
}

/** @throws QueryError for a measure that the metric has no answer to, with those that it has. */
export async function readMetricGroups(
  reader: Reader,
  scope: string,
  params: MetricSeriesParams
): Promise<MetricGroups> {
  const { interval = 'hour', timeZone } = params
  checkBuckets({ ...params, interval }, params)
  const groupOf = metricGrouping(params.by)
  const from = params.from.getTime()
  const since = from - LEAD_MS
  const { items, missing } = await findPoints(reader, scope, { ...params, from: new Date(since) })
  const isCut = items.length > MAX_POINTS
  const [newest] = items
  const points = items.slice(0, MAX_POINTS).filter(({ type }) => type === newest?.type)
  const measure = measureOf(newest, params.measure)
  const oldest = points[points.length - 1]?.at ?? from
  const over: Over = {
    measure,
    from: isCut ? Math.max(oldest, from) : from,
    to: Math.min(params.to.getTime(), reader.now().getTime()),
    since: isCut ? oldest : since,
    startOf: (at) => startOf(at, interval, timeZone),
    nextOf: (start) => nextStart(start, interval, timeZone)
  }
  const groups = [...grouped(points, groupOf)]
    .map(([value, some]) => describe(value, some, over))
    .filter((group) => group.points > 0)
  return { newest, measure, groups, points: pointsWithin(points, over), isCut, missing }
}

async function findPoints(
  { rows }: Reader,
  scope: string,
  params: MetricSeriesParams
): Promise<Found<MetricPoint>> {
  const { metric, filters = {} } = params
  if (typeof metric !== 'string' || metric === '') throw new QueryError('metric required')
  const attrs = new Map([...(filters.attrs ?? []), ['metric.name', metric] as const])
  const filter = pointsFilter(scope, params, { ...filters, attrs })
  if (filter === undefined) return { items: [], missing: [] }
  const { items, missing } = await rows.find(filter, {
    sort: NEWEST_FIRST,
    limit: MAX_POINTS + 1,
    projection: POINT_FIELDS
  })
  return { items: items.flatMap((row) => pointOf(row) ?? []), missing }
}

function measureOf(point: MetricPoint | undefined, asked: MetricRead | undefined): MetricRead {
  if (asked !== undefined && !METRIC_READS.includes(asked)) {
    throw new QueryError(`measure must be one of ${METRIC_READS.join(', ')}`)
  }
  if (point === undefined) return asked ?? 'avg'
  const reads = readsOf(point)
  const measure = asked ?? reads[0] ?? 'avg'
  if (reads.includes(measure)) return measure
  const kind = point.type === 'sum' && point.isMonotonic ? 'sum that only grows' : point.type
  throw new QueryError(`a ${kind} has no ${measure}: measure must be one of ${reads.join(', ')}`)
}

type Grouping = (point: MetricPoint) => string | null

/** @throws QueryError for what points are not told apart by. */
export function metricGrouping(by: string | undefined): Grouping {
  if (by === undefined) return () => null
  if (by === 'service') return ({ service }) => service
  if (by === 'tenantId') return ({ tenantId }) => tenantId
  if (by.startsWith('attr:') && by.length > 5) {
    const key = by.slice(5)
    return ({ attrs }) => attrs.get(key) ?? null
  }
  throw new QueryError('by must be attr:<key>, service or tenantId')
}

function grouped(
  points: readonly MetricPoint[],
  groupOf: Grouping
): ReadonlyMap<string | null, readonly MetricPoint[]> {
  const groups = new Map<string | null, MetricPoint[]>()
  for (const point of points) {
    const value = groupOf(point)
    const known = groups.get(value)
    if (known === undefined) groups.set(value, [point])
    else known.push(point)
  }
  return groups
}

function describe(value: string | null, points: readonly MetricPoint[], over: Over): MetricGroup {
  const { figure, buckets } = figuresOf(points, over)
  return {
    value,
    points: pointsWithin(points, over).length,
    figure,
    buckets: buckets.map((one) => ({ at: new Date(one.at), value: one.value }))
  }
}

const largestFirst = (a: MetricGroup, b: MetricGroup): number =>
  (b.figure ?? -Infinity) - (a.figure ?? -Infinity) || ((a.value ?? '') < (b.value ?? '') ? -1 : 1)

/** Cumulative points may repeat those of the point before. */
function exemplarsOf(points: readonly MetricPoint[]): readonly MetricExemplar[] {
  const found = new Map<string, MetricExemplar>()
  for (const { exemplars, tenantId } of points) {
    for (const { at, ...one } of exemplars) {
      const key = `${at} ${one.value} ${one.traceId} ${one.spanId}`
      if (!found.has(key)) found.set(key, { at: new Date(at), ...one, tenantId })
    }
  }
  return [...found.values()].sort((a, b) => b.at.getTime() - a.at.getTime()).slice(0, MAX_EXEMPLARS)
}
