// The kernel plugin: the store from its config, with ingest, request spans and tools.
import type { MailerCore } from '@keelson/mailer/contracts'
import {
  defineCapability,
  definePlugin,
  type Host,
  type MigrationHost,
  type Static
} from '@keelson/sdk'
import { mcpTools } from '@keelson/sdk/contracts/mcp-tools'
import { requestSpans } from '@keelson/sdk/contracts/request-spans'
import type { RegistrySpec } from './contracts/telemetry-registry.ts'
import { createIngest } from './create-ingest.ts'
import { COUNTER_NAMES } from './emit/counters.ts'
import type { ContextAdapter } from './ingest/context.ts'
import { internalsOf } from './internals.ts'
import { createMcpTools } from './mcp/tools.ts'
import manifest from './plugin.json' with { type: 'json' }
import { pluginConfig } from './plugin-config.ts'
import { registerTelemetry } from './register-telemetry.ts'
import { checkRequestSpans, requestSpanEvents, requestSpanSink } from './request-spans.ts'
import { moveStoredIds } from './storage/move-stored-ids.ts'
import { storageOfHost } from './storage/storage.ts'

type Config = Static<typeof pluginConfig>

/** By its id: the mailer may not be installed, and its types are gone when this runs. */
const mailerCore = defineCapability<MailerCore>('mailer.core/v1')

async function register(host: Host, config: Config): Promise<void> {
  const records = host.metrics.counter('records_total', 'Records by what became of them')
  // From the start, so that a sum over processes misses none.
  for (const outcome of COUNTER_NAMES) records.inc({ outcome }, 0)
  const { pepper, alerts, registry, requestSpans: spans, ...settings } = config
  const telemetry = registerTelemetry(host, {
    ...settings,
    registry: registry as RegistrySpec,
    ...(pepper !== undefined && pepper !== '' && { pepper }),
    onCount: (outcome, by) => records.inc({ outcome }, by),
    alerts: { ...alerts, mailer: () => host.use(mailerCore, { optional: true }) },
    ownEvents: (isKnown) => requestSpanEvents(spans, isKnown)
  })
  host.onReady(async () => {
    await internalsOf(telemetry).completeRegistry()
    checkRequestSpans(spans, telemetry)
  })
  host.extend(requestSpans, requestSpanSink(telemetry, host, spans))
  host.extend(mcpTools, createMcpTools({ telemetry, redact: !config.mcp.showData }))
  const drops = host.metrics.counter('dropped_requests_total', 'Requests turned away at the gate')
  await host.fastify.register(
    createIngest({
      telemetry,
      contextAdapter: sessionContext(host),
      ...(config.subjectAttributes !== undefined && {
        subjectAttributes: config.subjectAttributes
      }),
      onDrop: (reason) => drops.inc({ reason })
    })
  )
}

/** Session keys write for whoever is signed in. */
function sessionContext(host: Host): ContextAdapter {
  return {
    async resolveContext(request) {
      const viewer = await host.resolveViewer(request)
      if (viewer === null) return null
      const [type, ...id] = (viewer.viewerRef ?? '').split(':')
      const subjects = type === '' || type === undefined ? [] : [{ type, id: id.join(':') }]
      return { tenantId: viewer.tenantId, subjects }
    }
  }
}

const migrations = {
  'stored-ids': async (host: MigrationHost) => {
    const moved = await moveStoredIds(storageOfHost(host), host.clock)
    host.log.info({ moved }, 'rows have new ids')
  }
}

export default definePlugin({ manifest, config: pluginConfig, migrations, register })
