// The kernel plugin: the mailer from its config, with its administration and public routes.
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
import { MAIL_API } from './admin/admin-operation.ts'
import { adminOperations } from './admin/admin-operations.ts'
import { grants, NONE } from './admin/admin-router.ts'
import { mailFiles } from './admin/mail-files.ts'
import { hostContacts } from './audience/contacts/host-contacts.ts'
import { mailerContacts } from './contracts/mailer-contacts.ts'
import { mailerTokenCheck } from './contracts/mailer-token-check.ts'
import { providersHealth } from './delivery/sends/alert-outages.ts'
import { mailTelemetryRegistry } from './delivery/telemetry/mail-events.ts'
import { createActorRule } from './host/actor-rule.ts'
import {
  kernelConfig,
  type PluginCode,
  type PluginConfig,
  pluginConfig,
  providersOf
} from './host/config/plugin-config.ts'
import { createMailerPublic } from './host/public-routes.ts'
import { type MailerSetup, registerMailer } from './host/register-mailer.ts'
import { actingOf } from './ledger/acting.ts'
import { migrations } from './ledger/storage/migrations.ts'
import manifest from './plugin.json' with { type: 'json' }

/** By their ids: telemetry may not be installed, and its types are gone when this runs. */
const telemetryStore = defineCapability<TelemetryStore>('telemetry.store/v1')
const telemetryRegistry = defineExtensionPoint<RegistrySpec>('telemetry.registry/v1')

async function register(host: Host, config: PluginConfig, code: PluginCode): Promise<void> {
  const { context, events, handle } = registerMailer(host, setupOf(host, config, code))
  if (config.telemetry !== undefined) host.extend(telemetryRegistry, mailTelemetryRegistry)
  host.serve(adminOperations, { context, events })
  for (const { send, ...file } of mailFiles)
    host.route({
      ...file,
      path: `${MAIL_API}${file.path}`,
      handler(request, reply, { viewer }) {
        const actor = { ...actorOfViewer(viewer, 'session'), ...originOf(request) }
        return send(request, reply, { context, acting: actingOf(actor) })
      }
    })
  const { permissions: rule } = code
  if (rule !== undefined) host.permissions(permitsOf(rule))
  host.health('providers', () => providersHealth(context))
  await host.fastify.register(createMailerPublic(handle))
}

/** The rule of the host as a question for one permission. */
const permitsOf =
  (rule: NonNullable<PluginCode['permissions']>) =>
  (viewer: Viewer, name: string): boolean =>
    grants({ ...NONE, ...rule(viewer) }, name)

/** What the config says, with what only code can give. */
function setupOf(host: Host, config: PluginConfig, code: PluginCode): MailerSetup {
  const { adapter = hostContacts(() => host.use(mailerContacts, { optional: true })) } = code
  const providers = { ...providersOf(config.providers, host), ...code.providers }
  const permits = code.permissions && permitsOf(code.permissions)
  const telemetry = () => host.use(telemetryStore, { optional: true })
  return {
    config: kernelConfig(config, { host, code, adapter, providers, telemetryStore: telemetry }),
    adapter,
    hasOwnContacts: code.adapter !== undefined,
    providers,
    admits: createActorRule({
      tenants: new Set(['*', ...(config.adminTenants ?? [])]),
      viewers: () => host.use(authViewer, { optional: true }),
      tokens: () => host.contributions(mailerTokenCheck),
      clock: host.clock,
      ...(permits && { permits })
    }),
    ...(permits && {
      permits: ({ viewerRef, tenantId, role = '' }, name) =>
        viewerRef === undefined || permits({ tenantId, role, viewerRef }, name)
    })
  }
}

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
    migrations,
    register: (host, config) => register(host, config, code),
    // This module is in dist.
    folder: new URL('..', import.meta.url)
  })
}

export default createMailerPlugin()
