// The kernel plugin: the same operations as createDashboard serves, behind the kernel's own guards.
import { definePlugin, type Host, type Static } from '@keelson/sdk'
import { createQueries, telemetryHandle } from '@keelson/telemetry'
import { type SubjectAdapter, telemetrySubjectLabels } from './contracts.ts'
import { resolveLimits } from './limits.ts'
import type { DashboardHost } from './operations/dashboard-operation.ts'
import { dashboardOperations } from './operations/dashboard-operations.ts'
import manifest from './plugin.json' with { type: 'json' }
import { pluginConfig } from './plugin-config.ts'
import { configuredViews } from './views/configured-views.ts'
import type { ViewSpec } from './views/view.ts'

/** Asks every plugin that names subjects; the first that knows one wins. */
function subjectLabels(host: Host): SubjectAdapter {
  return {
    async describe(refs) {
      const adapters = host.contributions(telemetrySubjectLabels)
      const answers = await Promise.all(adapters.map((adapter) => adapter.describe(refs)))
      return Object.assign({}, ...answers.reverse())
    }
  }
}

function register(host: Host, config: Static<typeof pluginConfig>): void {
  const telemetry = host.use(telemetryHandle)
  const limits = resolveLimits(config.queryLimits)
  const savedViews = host.collection('telemetry_views')
  telemetry.useViews(savedViews)
  const services: DashboardHost = {
    telemetry,
    queries: createQueries({
      telemetry,
      limits,
      onSlowQuery: ({ op, ms, params }) => host.log.warn({ op, ms, params }, 'a slow read')
    }),
    limits,
    savedViews,
    views: configuredViews(config.views as readonly ViewSpec[] | undefined),
    subjectAdapter: subjectLabels(host)
  }
  host.serve(dashboardOperations, services)
}

export default definePlugin({
  manifest,
  config: pluginConfig,
  operations: dashboardOperations,
  register,
  // This module lies in dist.
  folder: new URL('..', import.meta.url)
})
