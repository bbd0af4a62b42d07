// What the shop measures, as exports of OpenTelemetry's metrics. Pure.
import type { StoryRecord } from './story/record.ts'

/** Seconds: the bounds that OpenTelemetry's HTTP conventions advise. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const EXEMPLARS = 2
const CUMULATIVE = 2

/** Sums are counted from here. */
export interface Meter {
  readonly startMs: number
  /** What happened until then. */
  readonly records: readonly StoryRecord[]
  readonly untilMs: number
}

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue: string }
}

/** The body of one `POST /v1/metrics`. */
export function metricsExport({ startMs, records, untilMs }: Meter): object {
  const point = {
    startTimeUnixNano: `${startMs}000000`,
    timeUnixNano: `${untilMs}000000`
  }
  const metrics = [
    {
      name: 'http.server.request.duration',
      unit: 's',
      histogram: {
        aggregationTemporality: CUMULATIVE,
        dataPoints: grouped(requestsOf(records), 'http.route', 'route').map(
          ({ attributes, found }) => ({ ...point, attributes, ...histogramOf(found) })
        )
      }
    },
    {
      name: 'shop.orders',
      unit: '{order}',
      sum: {
        aggregationTemporality: CUMULATIVE,
        isMonotonic: true,
        dataPoints: grouped(ordersOf(records), 'plan', 'plan').map(({ attributes, found }) => ({
          ...point,
          attributes,
          asInt: String(found.length)
        }))
      }
    },
    {
      name: 'process.memory.usage',
      unit: 'MiBy',
      gauge: {
        dataPoints: [{ ...point, asInt: String(140 + (records.length % 37)) }]
      }
    }
  ]
  return {
    resourceMetrics: [{ resource: {}, scopeMetrics: [{ scope: { name: 'shop' }, metrics }] }]
  }
}

const requestsOf = (records: readonly StoryRecord[]): readonly StoryRecord[] =>
  records.filter(({ name, durationMs }) => name === 'http.request' && durationMs !== undefined)

const ordersOf = (records: readonly StoryRecord[]): readonly StoryRecord[] =>
  records.filter(({ name }) => name === 'order.placed')

interface Group {
  readonly attributes: readonly Attribute[]
  readonly found: readonly StoryRecord[]
}

/** Records by one of their attributes, which has another name as an attribute of points. */
function grouped(records: readonly StoryRecord[], key: string, attr: string): readonly Group[] {
  const groups = new Map<string, StoryRecord[]>()
  for (const record of records) {
    const value = record.attrs?.[attr] ?? 'other'
    const found = groups.get(value)
    if (found === undefined) groups.set(value, [record])
    else found.push(record)
  }
  return [...groups].map(([stringValue, found]) => ({
    attributes: [{ key, value: { stringValue } }],
    found
  }))
}

function histogramOf(requests: readonly StoryRecord[]): object {
  const seconds = requests.map(({ durationMs = 0 }) => durationMs / 1000)
  const counts = Array.from({ length: BOUNDS.length + 1 }, () => 0)
  for (const one of seconds) {
    const at = BOUNDS.findIndex((bound) => one <= bound)
    counts[at < 0 ? BOUNDS.length : at] = (counts[at < 0 ? BOUNDS.length : at] ?? 0) + 1
  }
  return {
    count: String(seconds.length),
    sum: seconds.reduce((total, one) => total + one, 0),
    min: Math.min(...seconds),
    max: Math.max(...seconds),
    explicitBounds: BOUNDS,
    bucketCounts: counts.map(String),
    exemplars: slowest(requests).map(({ occurredAt, durationMs = 0, traceId, spanId }) => ({
      timeUnixNano: `${Date.parse(occurredAt)}000000`,
      asDouble: durationMs / 1000,
      traceId,
      spanId
    }))
  }
}

const slowest = (requests: readonly StoryRecord[]): readonly StoryRecord[] =>
  requests
    .filter(({ traceId }) => traceId !== undefined)
    .toSorted((a, b) => (b.durationMs ?? 0) - (a.durationMs ?? 0))
    .slice(0, EXEMPLARS)
