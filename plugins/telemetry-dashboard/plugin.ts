// The kernel plugin: the same operations as createDashboard serves, behind the kernel's own guards.
import {
  actorOfViewer,
  bindOperations,
  definePlugin,
  type Host,
  originOf,
  type Static
} from '@keelson/sdk'
import { embedsPages } from '@keelson/sdk/contracts/embed-grants'
import { mcpViews } from '@keelson/sdk/contracts/mcp-views'
import { createQueries, telemetryHandle } from '@keelson/telemetry'
import { type SubjectAdapter, telemetrySubjectLabels } from './contracts.ts'
import { resolveLimits } from './limits.ts'
import type { DashboardHost } from './operations/dashboard-operation.ts'
import { dashboardOperations } from './operations/dashboard-operations.ts'
import { readMany, sendReadsOf } from './operations/read-many.ts'
import { recordFile, sendRecordFile } from './operations/record-file.ts'
import manifest from './plugin.json' with { type: 'json' }
import { pluginConfig } from './plugin-config.ts'
import { sharedPages } from './shared-pages.ts'
import { shapeOf } from './slow-read.ts'
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
      onSlowQuery: ({ op, ms, params }) =>
        host.log.warn({ op, ms, ...shapeOf(params) }, 'a slow read')
    }),
    limits,
    savedViews,
    views: configuredViews(config.views as readonly ViewSpec[] | undefined),
    subjectAdapter: subjectLabels(host)
  }
  host.serve(dashboardOperations, services)
  host.route({
    ...recordFile,
    handler: (request, reply, { viewer }) =>
      sendRecordFile(request, reply, { host: services, tenantId: viewer?.tenantId ?? '' })
  })
  const sendReads = sendReadsOf(services)
  host.route({
    ...readMany,
    handler: (request, reply, { viewer }) =>
      sendReads(request, reply, { ...actorOfViewer(viewer, 'session'), ...originOf(request) })
  })
  showInAssistants(host, services)
  host.extend(embedsPages, sharedPages)
}

/** The chart of an event and its records, beside what the tools of telemetry count and find. */
function showInAssistants(host: Host, services: DashboardHost): void {
  const forViewers = dashboardOperations.filter(({ access }) => access.auth === 'viewer')
  host.extend(mcpViews, [
    {
      name: 'telemetry-events',
      title: 'Events',
      tools: ['event_trends', 'search_events'],
      element: 'telemetry-dashboard-events',
      module: '/embed/telemetry-dashboard/events.js',
      mount: host.mount,
      path: `${host.mount}/events`,
      params: { name: 'name' },
      scopes: ['telemetry:read'],
      operations: bindOperations(forViewers, services),
      mayRead: () => true
    }
  ])
}

export default definePlugin({
  manifest,
  config: pluginConfig,
  operations: dashboardOperations,
  register,
  // This module lies in dist.
  folder: new URL('..', import.meta.url)
})
