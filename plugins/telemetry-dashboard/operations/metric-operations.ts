// Reads of the metrics that came over OTLP.
import { type Call, isRefused, type Operation, operation, Type } from '@keelson/sdk'
import {
  INTERVALS,
  MAX_METRICS,
  METRIC_READS,
  metricSeriesSchema,
  metricsSchema
} from '@keelson/telemetry'
import { type DashboardHost, reading } from './dashboard-operation.ts'
import { readSelection } from './filters.ts'
import {
  capped,
  choice,
  filterParameters,
  given,
  intervalParameter,
  limitParameter,
  optionalText,
  rangeParameters,
  required,
  timeZoneParameter
} from './parameters.ts'

const list = operation({
  ...reading,
  id: 'telemetry-dashboard.metrics.list',
  path: '/api/metrics',
  summary: 'The metrics that were received, with their kinds',
  query: Type.Object({
    ...rangeParameters,
    ...filterParameters,
    contains: optionalText('Only names that contain this text, in upper or lower case.'),
    ...limitParameter
  }),
  answer: metricsSchema,
  run({ query }, { host, actor, signal }: Call<DashboardHost>) {
    const selection = readSelection(query, host.telemetry.clock.now())
    if (isRefused(selection)) return selection
    return host.queries.within(signal).metrics(actor.tenantId, {
      ...selection,
      limit: capped(query.limit, MAX_METRICS),
      ...given({ contains: query.contains })
    })
  }
})

const series = operation({
  ...reading,
  id: 'telemetry-dashboard.metrics.read',
  path: '/api/metrics/series',
  summary: 'A metric over time: rates, means or percentiles, with exemplars',
  query: Type.Object({
    metric: required('Name of the metric.', 'metric required'),
    measure: choice(
      METRIC_READS,
      'What is read. Default: the rate of a counter, the mean of a gauge, the 95th percentile of a histogram.'
    ),
    by: optionalText('Told apart by `attr:<key>`, `service` or `tenantId`.'),
    ...rangeParameters,
    ...filterParameters,
    ...intervalParameter(INTERVALS),
    ...timeZoneParameter
  }),
  answer: metricSeriesSchema,
  run({ query }, { host, actor, signal }: Call<DashboardHost>) {
    const selection = readSelection(query, host.telemetry.clock.now())
    if (isRefused(selection)) return selection
    const { metric, measure, by, interval, timeZone } = query
    return host.queries.within(signal).metricSeries(actor.tenantId, {
      ...selection,
      metric,
      ...given({ measure, by, interval, timeZone })
    })
  }
})

/** The operations of metrics. */
export const metricOperations: readonly Operation<DashboardHost>[] = [list, series]
