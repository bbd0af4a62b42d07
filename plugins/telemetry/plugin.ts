// The kernel plugin: config in, createTelemetry and createIngest out. Everything else is theirs.
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
import type { Collection } from 'mongodb'
import { checkShapes } from './backfill/family-shapes.ts'
import type { EventSpec, RegistrySpec } from './contracts/telemetry-registry.ts'
import { telemetryRegistry } from './contracts/telemetry-registry.ts'
import { createIngest } from './create-ingest.ts'
import { createTelemetry } from './create-telemetry.ts'
import { COUNTER_NAMES } from './emit/counters.ts'
import { completeErasures } from './erasure/requests.ts'
import { errors } from './errors.ts'
import { telemetryHandle } from './handle.ts'
import type { ContextAdapter } from './ingest/context.ts'
import { internalsOf } from './internals.ts'
import { createMcpTools } from './mcp/tools.ts'
import manifest from './plugin.json' with { type: 'json' }
import { pluginConfig } from './plugin-config.ts'
import { checkRequestSpans, requestSpanEvents, requestSpanSink } from './request-spans.ts'
import { moveStoredIds } from './storage/move-stored-ids.ts'
import { payloadIndexesOf } from './storage/payload-indexes.ts'
import { rememberRegistry } from './storage/remember-registry.ts'
import { collectionsFrom, type TelemetryStorage } from './storage/storage.ts'
import type { Telemetry } from './telemetry.ts'

type Config = Static<typeof pluginConfig>

/** By its id: the mailer may not be installed, and its types are gone when this runs. */
const mailerCore = defineCapability<MailerCore>('mailer.core/v1')

async function register(host: Host, config: Config): Promise<void> {
  const telemetry = openTelemetry(host, config)
  host.provide(telemetryHandle, telemetry)
  host.extend(requestSpans, requestSpanSink(telemetry, host, config.requestSpans))
  host.extend(mcpTools, createMcpTools({ telemetry, redact: !config.mcp.showData }))
  host.job('alerts', async ({ signal }) => {
    await completeErasures(telemetry, internalsOf(telemetry).storage.collections)
    await telemetry.alerts.tick(signal)
  })
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
  host.onReady(() => completeRegistry(host, telemetry, config))
  host.onClose(() => telemetry.close())
}

function openTelemetry(host: Host, config: Config): Telemetry {
  const records = host.metrics.counter('records_total', 'Records by what became of them')
  // From the start, so that a sum over processes misses none.
  for (const outcome of COUNTER_NAMES) records.inc({ outcome }, 0)
  return createTelemetry({
    registry: config.registry as RegistrySpec,
    storage: storageOfHost(host),
    clock: host.clock,
    logger: host.log,
    globalSubjectRefs: config.globalSubjectRefs,
    identity: config.identity,
    onCount: (outcome, by) => records.inc({ outcome }, by),
    alerts: {
      webhookHosts: config.alerts.webhookHosts,
      lease: host.lease,
      openQueue: (handler) => host.queue('alert-deliveries', handler),
      notify: host.notify,
      mailer: () => host.use(mailerCore, { optional: true })
    },
    ...(config.pepper !== undefined && config.pepper !== '' && { pepper: config.pepper }),
    ...(config.retention !== undefined && { retention: config.retention }),
    ...(config.platforms !== undefined && { platforms: config.platforms })
  })
}

const storageOfHost = (host: MigrationHost): TelemetryStorage => ({
  collections: collectionsFrom((name) => host.collection(name) as Collection, 'telemetry'),
  transaction: (fn) => host.withTransaction(fn)
})

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

/** Adds what other plugins contribute, and makes the indexes it asks for. */
async function completeRegistry(host: Host, telemetry: Telemetry, config: Config): Promise<void> {
  const more: Record<string, EventSpec> = {}
  for (const contribution of host.contributions(telemetryRegistry)) {
    for (const [name, spec] of Object.entries(contribution)) {
      if (Object.hasOwn(more, name) || telemetry.registry.event(name) !== undefined) {
        throw errors.TEL_REGISTRY_INVALID({ path: name, problem: 'it is declared twice' })
      }
      more[name] = spec
    }
  }
  const isDeclared = (name: string) =>
    Object.hasOwn(more, name) || telemetry.registry.event(name) !== undefined
  telemetry.extendRegistry({ ...more, ...requestSpanEvents(config.requestSpans, isDeclared) })
  checkRequestSpans(config.requestSpans, telemetry)
  await host.payloadIndexes('telemetry', payloadIndexesOf(telemetry.registry))
  const { collections } = internalsOf(telemetry).storage
  await rememberRegistry(collections, telemetry.registry, host.clock.now())
  await checkShapes(collections, telemetry.registry, host.clock.now())
}

const migrations = {
  'stored-ids': async (host: MigrationHost) => {
    const moved = await moveStoredIds(storageOfHost(host), host.clock)
    host.log.info({ moved }, 'rows have new ids')
  }
}

export default definePlugin({ manifest, config: pluginConfig, migrations, register })
