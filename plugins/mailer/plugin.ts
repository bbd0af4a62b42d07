// The kernel plugin: makes the mailer from its config and from what other plugins contribute.
import {
  actorOfViewer,
  defineCapability,
  defineExtensionPoint,
  definePlugin,
  type Host,
  type KeelsonPlugin,
  originOf,
  type Viewer
} from '@keelson/sdk'
import { authViewer } from '@keelson/sdk/contracts/auth-viewer'
import type { RegistrySpec, TelemetryStore } from '@keelson/telemetry/contracts'
import type { Document } from 'mongodb'
import { MAIL_API } from './admin/admin-operation.ts'
import { adminOperations } from './admin/admin-operations.ts'
import { grants, NONE } from './admin/admin-router.ts'
import { sendSuppressionFile, suppressionFile } from './admin/suppression-file.ts'
import { hostContacts } from './audience/contacts/host-contacts.ts'
import { drainPendingUnsubscribes } from './audience/contacts/journal/drain-journal.ts'
import { mailerContacts } from './contracts/mailer-contacts.ts'
import { providersHealth } from './delivery/sends/alert-outages.ts'
import { mailTelemetryRegistry } from './delivery/telemetry/mail-events.ts'
import { createActorRule } from './host/actor-rule.ts'
import { type AssembledMailer, assembleMailer } from './host/assemble.ts'
import {
  kernelConfig,
  type PluginCode,
  type PluginConfig,
  pluginConfig,
  providersOf
} from './host/config/plugin-config.ts'
import { addProviders, checkContributedNames, extensionsOf } from './host/contributions.ts'
import { type MailerHandle, mailerHandle } from './host/handle.ts'
import { createMailerPublic } from './host/public-routes.ts'
import { createTick } from './host/tick/tick.ts'
import { actingOf } from './ledger/acting.ts'
import { checkProviderNames } from './ledger/check-config.ts'
import type { MailerQueues } from './ledger/context.ts'
import { openCollections } from './ledger/storage/collections.ts'
import type { QueueHandlers } from './ledger/storage/local-queues.ts'
import manifest from './plugin.json' with { type: 'json' }

/** By their ids: telemetry may not be installed, and its types are gone when this runs. */
const telemetryStore = defineCapability<TelemetryStore>('telemetry.store/v1')
const telemetryRegistry = defineExtensionPoint<RegistrySpec>('telemetry.registry/v1')

async function register(host: Host, config: PluginConfig, code: PluginCode): Promise<void> {
  const { assembled, complete } = assembleOnHost(host, config, code)
  const { context, core, events } = assembled
  const handle: MailerHandle = { ...core, events, getRunnerContext: () => context }
  host.provide(mailerHandle, handle)
  host.serve(adminOperations, { context, events })
  host.route({
    ...suppressionFile,
    path: `${MAIL_API}${suppressionFile.path}`,
    handler(request, reply, { viewer }) {
      const actor = { ...actorOfViewer(viewer, 'session'), ...originOf(request) }
      return sendSuppressionFile(request, reply, { context, acting: actingOf(actor) })
    }
  })
  const { permissions: rule } = code
  if (rule !== undefined) host.permissions(permitsOf(rule))
  const failures = host.metrics.counter('tick_failures_total', 'Failed parts and tasks of the tick')
  const tick = createTick(context, (part) => failures.inc({ part }))
  host.health('providers', () => providersHealth(context))
  const every = `${config.tickIntervalSeconds} seconds`
  host.job('tick', ({ signal }) => tick.run(signal, host.signal), { every })
  // The journal is a file of this machine, and the tick runs on one machine of the platform.
  host.job('unsubscribe-journal', async () => {
    await drainPendingUnsubscribes(context)
  })
  await host.fastify.register(createMailerPublic(handle))
  host.onRegistered(complete)
  host.onClose(async () => {
    await tick.idle()
    for (const provider of context.providers.values()) await provider.close?.()
  })
}

/** The rule of the host as a question for one permission. */
const permitsOf =
  (rule: NonNullable<PluginCode['permissions']>) =>
  (viewer: Viewer, name: string): boolean =>
    grants({ ...NONE, ...rule(viewer) }, name)

/** The mailer on the seams of the kernel. `complete` adds what other plugins contribute. */
function assembleOnHost(
  host: Host,
  config: PluginConfig,
  code: PluginCode
): { readonly assembled: AssembledMailer; complete(): void } {
  const { adapter = hostContacts(() => host.use(mailerContacts, { optional: true })) } = code
  const providers = { ...providersOf(config.providers, host), ...code.providers }
  const byName = new Map(Object.entries(providers))
  const telemetry = () => host.use(telemetryStore, { optional: true })
  const seams = { host, code, adapter, providers, telemetryStore: telemetry }
  const settings = kernelConfig(config, seams)
  if (config.telemetry !== undefined) host.extend(telemetryRegistry, mailTelemetryRegistry)
  const assembled = assembleMailer({
    config: settings,
    collections: openCollections(<T extends Document>(name: string) => host.collection<T>(name)),
    adapter,
    providers: byName,
    extensions: extensionsOf(host, code),
    clock: host.clock,
    log: host.log,
    withTransaction: (fn) => host.withTransaction(fn),
    limit: (name, options) => host.limit(name, options),
    lease: host.lease,
    notify: host.notify,
    admits: createActorRule({
      tenants: new Set(['*', ...(config.adminTenants ?? [])]),
      viewers: () => host.use(authViewer, { optional: true }),
      ...(code.permissions && { permits: permitsOf(code.permissions) })
    }),
    openQueues: (handlers) => openQueues(host, handlers)
  })
  const complete = () => {
    addProviders(host, providers, byName)
    checkProviderNames(settings)
    checkContributedNames(host)
    assembled.prepare()
  }
  return { assembled, complete }
}

const openQueues = (host: Host, handlers: QueueHandlers): MailerQueues => ({
  urgentSends: host.queue('urgent-sends', handlers.urgentSends),
  bulkSends: host.queue('bulk-sends', handlers.bulkSends),
  events: host.queue('events', handlers.events),
  outbox: host.queue('outbox', handlers.outbox),
  flowRuns: host.queue('flow-runs', handlers.flowRuns),
  programRuns: host.queue('program-runs', handlers.programRuns),
  webhookEvents: host.queue('webhook-events', handlers.webhookEvents)
})

/**
 * The plugin with what only code can say: contacts, variables, hooks. For `use` of a config that is a module;
 * settings stay below `plugins.mailer.config`.
 *
 * @example
 * export default defineConfig({
 *   plugins: { mailer: { config: { unsubscribeSecret: '${MAILER_SECRET}' } } },
 *   use: [createMailerPlugin({ adapter, varsAdapter })]
 * })
 */
export function createMailerPlugin(code: PluginCode = {}): KeelsonPlugin {
  return definePlugin({
    manifest,
    config: pluginConfig,
    operations: adminOperations,
    register: (host, config) => register(host, config, code),
    // This module is in dist.
    folder: new URL('..', import.meta.url)
  })
}

export default createMailerPlugin()
