// What the Metrics page asks for: the metrics of the range, and the chosen one over time.
import type { MetricsResult } from '@keelson/telemetry'
import { type AsJson, Load } from '@keelson/ui'
import type { Look } from '../look.ts'
import { bucketParams, path } from '../requests.ts'
import type { MetricAnswer } from './metric.ts'

export const metricsOf = ({ page, filters, range, dashboard }: Look) =>
  new Load(page, {
    args: () => [filters.params.toString(), range.span.from, range.span.to] as const,
    run: ([asked, from, to], signal) =>
      dashboard.api.read<AsJson<MetricsResult>>(
        path('metrics', new URLSearchParams(asked), { from, to }, {}),
        signal
      )
  })

/** The metric that parameter `metric` names, as `measure` and `by` say. */
export function metricOf(look: Look) {
  const { page, filters, range, dashboard } = look
  return new Load(page, {
    args: () => {
      const metric = page.params.get('metric')
      if (metric === null) return null
      const { from, to } = range.span
      const more = { metric, ...given(page.params, 'measure'), ...given(page.params, 'by') }
      const asked = filters.params.toString()
      return [asked, from, to, look.interval, look.timeZone, JSON.stringify(more)] as const
    },
    run: async ([asked, from, to, interval, timeZone, more], signal) => {
      const params = { ...JSON.parse(more), ...bucketParams({ interval, timeZone }) }
      const answer = await dashboard.api.read<MetricAnswer>(
        path('metrics/series', new URLSearchParams(asked), { from, to }, params),
        signal
      )
      return { answer, span: { from, to }, interval }
    }
  })
}

const given = (params: URLSearchParams, name: string): Readonly<Record<string, string>> => {
  const value = params.get(name)
  return value === null ? {} : { [name]: value }
}
