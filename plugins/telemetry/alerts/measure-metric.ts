// Measures a metric that came over OTLP over one window, as the page of metrics reads it.
import { type MetricSeriesParams, readMetricGroups } from '../queries/metric-series.ts'
import type { Reader } from '../queries/reader.ts'
import { wholeOf } from '../queries/row-source.ts'
import { QueryError, type TimeRange } from '../queries/types.ts'
import type { AlertSignal } from '../schemas/alerts.ts'
import type { MetricGroup } from '../schemas/metrics.ts'
import type { Measurement } from './judge.ts'

export type MetricSignal = Extract<AlertSignal, { source: 'metric' }>

const NOTHING: Measurement = { value: null, records: 0 }

const measured = ({ figure, points }: MetricGroup): Measurement => ({
  value: figure,
  records: points
})

/** Of all points together. */
export async function measureMetric(
  reader: Reader,
  scope: string,
  { by: _by, ...signal }: MetricSignal,
  range: TimeRange
): Promise<Measurement> {
  const [all] = await groupsOf(reader, scope, signal, range)
  return all === undefined ? NOTHING : measured(all)
}

/** Of each value that the points have. */
export async function measureMetricGroups(
  reader: Reader,
  scope: string,
  signal: MetricSignal,
  range: TimeRange
): Promise<ReadonlyMap<string, Measurement>> {
  const groups = await groupsOf(reader, scope, signal, range)
  return new Map(
    groups.flatMap((one) => (one.value === null ? [] : [[one.value, measured(one)] as const]))
  )
}

/** @throws QueryError where the window has more points than one read takes: a part would tell something else. */
async function groupsOf(
  reader: Reader,
  scope: string,
  { metric, measure, by, filters = {}, attrs = {} }: MetricSignal,
  range: TimeRange
): Promise<readonly MetricGroup[]> {
  const params: MetricSeriesParams = {
    ...range,
    metric,
    measure,
    filters: { ...filters, attrs: new Map(Object.entries(attrs)) },
    ...(by !== undefined && { by })
  }
  const { groups, isCut, missing } = await readMetricGroups(reader, scope, params)
  if (isCut) {
    throw new QueryError(
      `the window has too many points of ${metric}: add a filter, or shorten the window`
    )
  }
  return wholeOf({ items: groups, missing })
}
