// A point of a metric as it is read from a row: what it measures, since when, and whose line it continues. Pure.
import type { StoredRow } from '../envelope/stored-row.ts'
import { decodeKey } from '../field-keys.ts'

export const METRIC_TYPES = [
  'gauge',
  'sum',
  'histogram',
  'exponential_histogram',
  'summary'
] as const
export type MetricType = (typeof METRIC_TYPES)[number]

/** Counts of an exponential histogram: the first bucket's index, then a count each. */
export interface IndexedCounts {
  readonly offset: number
  readonly counts: readonly number[]
}

export interface Exemplar {
  readonly value: number
  readonly traceId: string
  readonly spanId: string
  /** Milliseconds; of the point when the sender gave none. */
  readonly at: number
}

export interface MetricPoint {
  /** Milliseconds. */
  readonly at: number
  /** When its sender began to count, in milliseconds. */
  readonly start: number | undefined
  readonly type: MetricType
  readonly unit: string
  readonly isCumulative: boolean
  readonly isMonotonic: boolean
  /** Points of one stream continue each other: the same attributes, of the same sender. */
  readonly stream: string
  readonly attrs: ReadonlyMap<string, string>
  readonly service: string
  readonly tenantId: string
  readonly numbers: Readonly<Record<string, number>>
  readonly bounds: readonly number[]
  readonly bucketCounts: readonly number[]
  readonly scale: number | undefined
  readonly zeroCount: number
  readonly positive: IndexedCounts
  readonly negative: IndexedCounts
  readonly exemplars: readonly Exemplar[]
}

/** Of a row that is looked at. */
export const POINT_FIELDS = {
  occurredAt: 1,
  tenantId: 1,
  service: 1,
  attrs: 1,
  metrics: 1
} as const

type PointRow = Pick<StoredRow, 'occurredAt' | 'tenantId' | 'service' | 'attrs' | 'metrics'>

/** Attributes that differ from point to point of one stream. */
const OF_A_POINT: ReadonlySet<string> = new Set([
  'metric.start',
  'metric.bounds',
  'metric.bucket_counts',
  'metric.scale',
  'metric.zero_count',
  'metric.positive',
  'metric.negative',
  'metric.exemplars'
])

const NO_COUNTS: IndexedCounts = { offset: 0, counts: [] }

/** Undefined for a row that is not a point of a known type. */
export function pointOf(row: PointRow): MetricPoint | undefined {
  const attrs = new Map(
    Object.entries(row.attrs ?? {}).map(([key, value]) => [decodeKey(key), value])
  )
  const type = METRIC_TYPES.find((one) => one === attrs.get('metric.type'))
  if (type === undefined) return undefined
  const at = row.occurredAt.getTime()
  const start = Number(attrs.get('metric.start') ?? Number.NaN)
  const scale = Number(attrs.get('metric.scale') ?? Number.NaN)
  return {
    at,
    start: Number.isFinite(start) ? start : undefined,
    type,
    unit: attrs.get('metric.unit') ?? '',
    // The protocol gives summaries no temporality; their senders never begin anew on their own.
    isCumulative: type === 'summary' || attrs.get('metric.temporality') === 'cumulative',
    isMonotonic: attrs.get('metric.monotonic') === 'true',
    stream: streamOf(row, attrs),
    attrs,
    service: row.service,
    tenantId: row.tenantId,
    numbers: Object.fromEntries(
      Object.entries(row.metrics ?? {}).map(([key, value]) => [decodeKey(key), value])
    ),
    bounds: numbersIn(attrs.get('metric.bounds')),
    bucketCounts: numbersIn(attrs.get('metric.bucket_counts')),
    scale: Number.isFinite(scale) ? scale : undefined,
    zeroCount: Number(attrs.get('metric.zero_count') ?? 0) || 0,
    positive: countsIn(attrs.get('metric.positive')),
    negative: countsIn(attrs.get('metric.negative')),
    exemplars: exemplarsIn(attrs.get('metric.exemplars'), at)
  }
}

function streamOf({ tenantId, service }: PointRow, attrs: ReadonlyMap<string, string>): string {
  const own = [...attrs].filter(([key]) => !OF_A_POINT.has(key))
  return JSON.stringify([tenantId, service, ...own.sort(([a], [b]) => (a < b ? -1 : 1))])
}

function listIn(text: string | undefined): readonly unknown[] {
  if (text === undefined) return []
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

/** None where the list was cut: counts without their end would make wrong percentiles. */
function numbersIn(text: string | undefined): readonly number[] {
  const list = listIn(text)
  return list.every((one): one is number => typeof one === 'number') ? list : []
}

function countsIn(text: string | undefined): IndexedCounts {
  const [offset, ...counts] = numbersIn(text)
  return offset === undefined ? NO_COUNTS : { offset, counts }
}

const exemplarsIn = (text: string | undefined, pointAt: number): readonly Exemplar[] =>
  listIn(text).flatMap((one) => {
    const [value, traceId, spanId, at] = Array.isArray(one) ? (one as unknown[]) : []
    if (typeof value !== 'number' || typeof traceId !== 'string') return []
    return [
      {
        value,
        traceId,
        spanId: typeof spanId === 'string' ? spanId : '',
        at: typeof at === 'number' ? at : pointAt
      }
    ]
  })
