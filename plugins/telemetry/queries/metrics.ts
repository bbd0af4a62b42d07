// The metrics that were received over OTLP, and of which kind each is.
import type { Document } from 'mongodb'
import { encodeKey } from '../field-keys.ts'
import type { RecordFilters } from '../schemas/filters.ts'
import type { Metric, MetricsResult } from '../schemas/metrics.ts'
import { clampLimit, type Reader } from './reader.ts'
import { rowFilter } from './row-filter.ts'
import { gapsOf, NEWEST_FIRST } from './row-source.ts'
import type { TimeRange } from './types.ts'

/** The name of the rows that points are. */
export const POINTS = 'otlp.metric'

/** Metrics of one answer. */
export const MAX_METRICS = 500

export interface MetricsParams extends TimeRange {
  /** The name can only be `otlp.metric`. */
  readonly filters?: RecordFilters
  /** Only names that contain this text, in upper or lower case. */
  readonly contains?: string
  /** At most, and by default, 500. */
  readonly limit?: number
}

interface Found {
  readonly _id: Readonly<Partial<Record<keyof typeof FIELDS, unknown>>>
  readonly points: number
  readonly lastAt: Date | number
}

const metricAttr = (key: string): string => `attrs.${encodeKey(`metric.${key}`)}`

const FIELDS = {
  name: metricAttr('name'),
  type: metricAttr('type'),
  unit: metricAttr('unit'),
  temporality: metricAttr('temporality'),
  monotonic: metricAttr('monotonic')
} as const

/** The filter of points; undefined where the given name cannot be of any. */
export function pointsFilter(
  scope: string,
  range: TimeRange,
  { name = POINTS, ...filters }: RecordFilters = {}
): Document | undefined {
  return name === POINTS ? rowFilter(scope, range, { ...filters, name }) : undefined
}

/** One document a metric of the newest points, up to the cap. */
export const metricsPipeline = (filter: Document, cap: number): Document[] => [
  { $match: filter },
  { $sort: NEWEST_FIRST },
  { $limit: cap },
  {
    $group: {
      _id: Object.fromEntries(Object.entries(FIELDS).map(([key, field]) => [key, `$${field}`])),
      points: { $sum: 1 },
      lastAt: { $max: '$occurredAt' }
    }
  }
]

export async function readMetrics(
  { rows, limits }: Reader,
  scope: string,
  params: MetricsParams
): Promise<MetricsResult> {
  const limit = clampLimit(params.limit, MAX_METRICS)
  const cap = limits.distribution
  const filter = pointsFilter(scope, params, params.filters)
  const { items, missing, isCut } =
    filter === undefined
      ? { items: [], missing: [], isCut: false }
      : await rows.aggregateNewest<Found>(metricsPipeline(filter, cap), ({ points }) => points)
  const wanted = params.contains?.toLowerCase() ?? ''
  const metrics = items
    .map(describe)
    .filter(({ name }) => name !== '' && name.toLowerCase().includes(wanted))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : b.points - a.points))
  return {
    metrics: metrics.slice(0, limit),
    values: metrics.length,
    truncated: isCut || metrics.length > limit || missing.length > 0,
    ...gapsOf(missing),
    dataSource: 'raw'
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const describe = ({ _id, points, lastAt }: Found): Metric => ({
  name: text(_id.name),
  type: text(_id.type),
  unit: text(_id.unit),
  temporality: text(_id.temporality),
  monotonic: _id.monotonic === 'true',
  points,
  lastAt: new Date(lastAt)
})
