// The answers of the reads of metrics that came over OTLP: the list of them, and one over time.
import { Type } from '@keelson/sdk'
import { type Answer, count, date, flag, numberOrNull, oneOf, text, textOrNull } from './parts.ts'
import { bucketSchema, missing } from './reads.ts'

/** What is read of a metric. `rate` is per second, `increase` per bucket. */
export const METRIC_READS = ['rate', 'increase', 'avg', 'min', 'max', 'p50', 'p95', 'p99'] as const
export type MetricRead = (typeof METRIC_READS)[number]

const facts = {
  type: text('gauge, sum, histogram, exponential_histogram or summary.'),
  unit: text('As its sender names it; empty without one.'),
  temporality: text('delta, cumulative, or empty where there is none.'),
  monotonic: flag('A sum that only grows.')
}

const metricSchema = Type.Object({
  name: text(),
  ...facts,
  points: count('In the range.'),
  lastAt: date()
})
export type Metric = Answer<typeof metricSchema>

export const metricsSchema = Type.Object(
  {
    metrics: Type.Array(metricSchema, { description: 'By name.' }),
    values: count('Different metrics, those left out included.'),
    truncated: flag('Only the newest points were read, or some metrics were left out.'),
    missing: missing(),
    dataSource: oneOf(['raw'])
  },
  { title: 'TelemetryMetrics' }
)
export type MetricsResult = Answer<typeof metricsSchema>

const groupSchema = Type.Object({
  value: textOrNull('Of `by`; null: points without the value, or all of them.'),
  points: count(),
  figure: numberOrNull('The measure over the whole range; null when there is nothing to tell.'),
  buckets: Type.Array(bucketSchema, { description: 'Ascending, empty ones left out.' })
})
export type MetricGroup = Answer<typeof groupSchema>

const exemplarSchema = Type.Object({
  at: date(),
  value: count(),
  traceId: text(),
  spanId: text(),
  tenantId: text()
})
export type MetricExemplar = Answer<typeof exemplarSchema>

export const metricSeriesSchema = Type.Object(
  {
    name: text(),
    ...facts,
    measure: oneOf(METRIC_READS, 'What was measured.'),
    groups: Type.Array(groupSchema, { description: 'The largest figures first, at most 20.' }),
    values: count('Different groups, those left out included.'),
    exemplars: Type.Array(exemplarSchema, {
      description: 'Values with the trace that they are of, the newest first, at most 50.'
    }),
    truncated: flag('Only the newest points were read.'),
    missing: missing(),
    dataSource: oneOf(['raw'])
  },
  { title: 'TelemetryMetricSeries' }
)
export type MetricSeriesResult = Answer<typeof metricSeriesSchema>
