// What the Alerts page asks for: the rules with their history, and the metrics that a rule can be on.
import type { MetricsResult } from '@keelson/telemetry'
import { type Api, type AsJson, type KeelsonPage, Load } from '@keelson/ui'
import { path } from '../requests.ts'
import type { ChangeAnswer, RuleAnswer } from './rule.ts'

const DAY = 86_400_000

export const rulesOf = (page: KeelsonPage, api: Api) =>
  new Load(page, {
    args: () => [],
    run: async (_args, signal) => {
      const [{ rules }, { changes }] = await Promise.all([
        api.read<{ rules: RuleAnswer[] }>('/api/alerts', signal),
        api.read<{ changes: ChangeAnswer[] }>('/api/alerts/history', signal)
      ])
      return { rules, changes }
    }
  })

/** Those with points in the last day, while a rule is made on one. */
export const metricsOf = (page: KeelsonPage, api: Api, isWanted: () => boolean) =>
  new Load(page, {
    args: () => (isWanted() ? ([] as const) : null),
    run: (_args, signal) => {
      const to = Date.now()
      const asked = path('metrics', new URLSearchParams(), { from: to - DAY, to }, {})
      return api.read<AsJson<MetricsResult>>(asked, signal)
    }
  })
