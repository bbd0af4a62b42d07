// The kernel plugin: config in, the OAuth host out. Everything else is its.
import { definePlugin, type Host, type RouteContext } from '@keelson/sdk'
import { oauthProtect } from '@keelson/sdk/contracts/oauth-protect'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Document } from 'mongodb'
import type { OAuthEvent } from './config/host-code.ts'
import { hostConfig, type PluginConfig, pluginConfig } from './config/plugin-config.ts'
import { createErrorHandler, sealed } from './http/answers.ts'
import { createOAuthParts, type OAuthParts } from './oauth-host.ts'
import manifest from './plugin.json' with { type: 'json' }
import { adminRoutes } from './routes/admin-routes.ts'
import { administratorOf } from './routes/administrator.ts'
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
    host.route({ ...route, handler: (request, reply) => route.handler(request, reply) })
  }
  await host.fastify.register(parts.host.routes.oauth)
  serveAdministration(host, parts, new Set(['*', ...(config.adminTenants ?? [])]))
  host.onReady(() => parts.prepare())
  host.onClose(() => parts.close())
}

/** The kernel lets in administrators; here only those of the tenants that own the clients. */
function serveAdministration(host: Host, parts: OAuthParts, tenants: ReadonlySet<string>): void {
  const answerError = createErrorHandler(parts.services.settings)
  for (const { method, path, handler } of adminRoutes(parts)) {
    host.route({
      method,
      path,
      async handler(request: FastifyRequest, reply: FastifyReply, { viewer }: RouteContext) {
        sealed(reply)
        if (viewer === null || !tenants.has(viewer.tenantId)) {
          return reply.code(403).send({ error: 'forbidden' })
        }
        try {
          return await handler(request, reply, administratorOf(viewer, request, parts.services))
        } catch (error) {
          return answerError(error, request, reply)
        }
      }
    })
  }
}

export default definePlugin({
  manifest,
  config: pluginConfig,
  register,
  // This module lies in dist.
  folder: new URL('..', import.meta.url)
})
