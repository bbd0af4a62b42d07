// A draft of a rule on a metric: the metric and what is read of it, of those that there are. Pure.
import type { MetricRead } from '@keelson/telemetry'
import type { Filter } from '@keelson/ui'
import { readsOf } from '../metrics/choices.ts'
import type { MetricRow } from '../metrics/metric.ts'
import { type Draft, draftOfRule, isOfPoints } from './rule.ts'

/** Of metrics that no point tells the kind of. */
const READS: readonly MetricRead[] = ['rate', 'increase', 'avg', 'min', 'max', 'p50', 'p95', 'p99']

/** What can be read of the metric of a draft. */
export function readsOfDraft(
  { metric }: Pick<Draft, 'metric'>,
  metrics: readonly MetricRow[]
): readonly MetricRead[] {
  const known = metrics.find(({ name }) => name === metric)
  return known === undefined ? READS : readsOf(known)
}

/** The draft with a metric and a measure that go together; one of records counts them. */
export function settledMetric(draft: Draft, metrics: readonly MetricRow[]): Draft {
  const isOfMetric = (measure: string) => READS.some((read) => read === measure)
  if (draft.source !== 'metric') {
    return isOfMetric(draft.measure) ? { ...draft, measure: 'count' } : draft
  }
  const metric = draft.metric || (metrics[0]?.name ?? '')
  const reads = readsOfDraft({ metric }, metrics)
  const measure = reads.find((read) => read === draft.measure) ?? reads[0] ?? draft.measure
  // The API takes more than the form offers.
  const saved = draft.saved?.signal.source === 'metric' ? draftOfRule(draft.saved).filters : []
  const isSaved = (one: Filter) =>
    saved.some(({ field, value }) => field === one.field && value === one.value)
  const filters = draft.filters.filter((one) => isOfPoints(one) || isSaved(one))
  return { ...draft, metric, measure, filters }
}
