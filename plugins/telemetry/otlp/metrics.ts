// Metric data points as events: one row a point, its numbers as metrics.
import { BOUNDS } from '../bounds.ts'
import type { contentId } from './content-id.ts'
import type { OtlpDraft } from './draft.ts'
import { jsonWithin } from './json-within.ts'
import { joinAttributes, type Source } from './source.ts'
import {
  addAttributes,
  enumOf,
  hexId,
  listOf,
  millisOf,
  nanosOf,
  numberOf,
  objectOf,
  textOf
} from './values.ts'

const TYPES = {
  gauge: 'gauge',
  sum: 'sum',
  histogram: 'histogram',
  exponentialHistogram: 'exponential_histogram',
  summary: 'summary'
} as const

const TEMPORALITIES = ['UNSPECIFIED', 'DELTA', 'CUMULATIVE'] as const
/** Of one point. */
const MOST_EXEMPLARS = 20

/** A metric's drafts, and how many of its points hold no number. */
export function metricDrafts(
  value: unknown,
  source: Source,
  ids: ReturnType<typeof contentId>
): { readonly drafts: readonly OtlpDraft[]; readonly rejected: number } {
  const metric = objectOf(value)
  const drafts: OtlpDraft[] = []
  let rejected = 0
  for (const [field, type] of Object.entries(TYPES)) {
    if (metric[field] === undefined) continue
    const data = objectOf(metric[field])
    for (const point of listOf(data['dataPoints']).map(objectOf)) {
      const numbers = numbersOf(point)
      if (Object.keys(numbers).length === 0) {
        rejected++
        continue
      }
      drafts.push(pointDraft({ metric, type, data, point, numbers }, source, ids))
    }
  }
  return { drafts, rejected }
}

function numbersOf(point: Readonly<Record<string, unknown>>): Record<string, number> {
  const numbers: Record<string, number> = {}
  const value = numberOf(point['asDouble']) ?? numberOf(point['asInt'])
  if (value !== undefined) numbers['value'] = value
  for (const key of ['count', 'sum', 'min', 'max'] as const) {
    const number = numberOf(point[key])
    if (number !== undefined) numbers[key] = number
  }
  for (const one of listOf(point['quantileValues']).map(objectOf)) {
    const quantile = numberOf(one['quantile']) ?? 0
    const at = numberOf(one['value'])
    if (at !== undefined) numbers[`q${quantile}`] = at
  }
  return numbers
}

/** A data point, and what it is a point of. */
interface Point {
  readonly metric: Readonly<Record<string, unknown>>
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly point: Readonly<Record<string, unknown>>
  readonly numbers: Readonly<Record<string, number>>
}

/** Its start, buckets and exemplars, as texts: what rates and percentiles are made of. */
function* shapeOf(point: Readonly<Record<string, unknown>>): Generator<[string, string]> {
  const start = nanosOf(point['startTimeUnixNano'])
  if (start !== undefined) yield ['metric.start', String(millisOf(start))]
  for (const [key, name] of [
    ['metric.bounds', 'explicitBounds'],
    ['metric.bucket_counts', 'bucketCounts']
  ] as const) {
    const list = listOf(point[name])
    if (list.length > 0) yield [key, jsonWithin(list.map(Number), BOUNDS.attr)]
  }
  const scale = numberOf(point['scale'])
  if (scale !== undefined) yield ['metric.scale', String(scale)]
  const zeros = numberOf(point['zeroCount'])
  if (zeros !== undefined) yield ['metric.zero_count', String(zeros)]
  for (const side of ['positive', 'negative'] as const) {
    const { offset, bucketCounts } = objectOf(point[side])
    const counts = listOf(bucketCounts).map(Number)
    if (counts.length === 0) continue
    yield [`metric.${side}`, jsonWithin([numberOf(offset) ?? 0, ...counts], BOUNDS.attr)]
  }
  const exemplars = listOf(point['exemplars']).map(objectOf).flatMap(exemplarOf)
  if (exemplars.length > 0) {
    yield ['metric.exemplars', jsonWithin(exemplars.slice(0, MOST_EXEMPLARS), BOUNDS.attr)]
  }
}

/** Value, trace, span and milliseconds; none without a trace, which is what it is for. */
function exemplarOf(
  exemplar: Readonly<Record<string, unknown>>
): readonly (readonly [number, string, string, number | null])[] {
  const value = numberOf(exemplar['asDouble']) ?? numberOf(exemplar['asInt'])
  const traceId = hexId(exemplar['traceId'], 32)
  if (value === undefined || traceId === undefined) return []
  const at = nanosOf(exemplar['timeUnixNano'])
  const spanId = hexId(exemplar['spanId'], 16) ?? ''
  return [[value, traceId, spanId, at === undefined ? null : millisOf(at)]]
}

function pointDraft(
  { metric, type, data, point, numbers: metrics }: Point,
  source: Source,
  ids: ReturnType<typeof contentId>
): OtlpDraft {
  const own = new Map<string, string>([
    ['metric.name', textOf(metric['name'])],
    ['metric.type', type]
  ])
  const unit = textOf(metric['unit'])
  if (unit !== '') own.set('metric.unit', unit)
  const given = data['aggregationTemporality']
  const temporality = enumOf(given, 'AGGREGATION_TEMPORALITY_', TEMPORALITIES)
  if (temporality === 1) own.set('metric.temporality', 'delta')
  if (temporality === 2) own.set('metric.temporality', 'cumulative')
  if (data['isMonotonic'] === true) own.set('metric.monotonic', 'true')
  for (const [key, value] of shapeOf(point)) own.set(key, value)
  addAttributes(own, point['attributes'])
  const attributes = joinAttributes(own, source)
  const at = nanosOf(point['timeUnixNano'])
  return {
    name: 'otlp.metric',
    id: ids('metric', [String(at), metrics, ...attributes.entries()]),
    occurredAt: at === undefined ? undefined : millisOf(at),
    attributes,
    content: { metrics }
  }
}
