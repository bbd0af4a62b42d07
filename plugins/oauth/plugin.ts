// The kernel plugin: makes the OAuth host from its config and registers its routes.
import { definePlugin, type Host } from '@keelson/sdk'
import { oauthProtect } from '@keelson/sdk/contracts/oauth-protect'
import type { Document } from 'mongodb'
import type { OAuthEvent } from './config/host-code.ts'
import { hostConfig, type PluginConfig, pluginConfig } from './config/plugin-config.ts'
import { errors } from './errors.ts'
import { sealed } from './http/answers.ts'
import { createOAuthParts, type OAuthParts } from './oauth-host.ts'
import manifest from './plugin.json' with { type: 'json' }
import { adminRoutes } from './routes/admin-routes.ts'
import { administratorOf } from './routes/administrator.ts'
import type { ProtocolRoute } from './routes/route.ts'
import { serveRoutes } from './routes/serve.ts'
import { peopleOf } from './viewers.ts'

async function register(host: Host, config: PluginConfig): Promise<void> {
  const events = host.metrics.counter('events_total', 'What happened, by type')
  const settings = {
    ...hostConfig(config, host.mount),
    ...peopleOf(host),
    connection: { collection: <T extends Document>(name: string) => host.collection<T>(name) },
    logger: host.log,
    clock: host.clock,
    track: ({ type }: OAuthEvent) => events.inc({ type })
  }
  const parts = createOAuthParts(settings, { fetchPublic: host.fetchPublic })
  host.provide(oauthProtect, parts.host.protect)
  for (const route of parts.discovery) {
    const { method, path, schema, cors } = route
    host.route({
      method,
      path,
      schema,
      ...(cors !== undefined && { cors }),
      handler: (request, reply) => route.handler(request, reply)
    })
  }
  await host.fastify.register(parts.host.routes.oauth)
  serveAdministration(host, parts, new Set(['*', ...(config.adminTenants ?? [])]))
  host.onReady(() => parts.prepare())
  host.onClose(() => parts.close())
}

/** The kernel admits administrators; the handlers admit only those of the tenants that own the clients. */
function serveAdministration(host: Host, parts: OAuthParts, tenants: ReadonlySet<string>): void {
  const { services } = parts
  const routes = adminRoutes(services).map(
    ({ handler, ...route }): ProtocolRoute => ({
      ...route,
      isOwn: true,
      async handler(request, reply) {
        sealed(reply)
        const viewer = await host.resolveViewer(request)
        if (viewer === null || !tenants.has(viewer.tenantId)) {
          throw errors.OAU_TENANT_FORBIDDEN({ tenant: viewer?.tenantId ?? '' })
        }
        return handler(request, reply, administratorOf(viewer, request, services))
      }
    })
  )
  host.fastify.register(async (app) => serveRoutes(app, routes, services.settings))
}

export default definePlugin({
  manifest,
  config: pluginConfig,
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
