// The kernel plugin: makes the OAuth host from its config and registers its routes.
import { definePlugin, type Host } from '@keelson/sdk'
import { authViewer } from '@keelson/sdk/contracts/auth-viewer'
import {
  type OAuthPeople,
  type OAuthPerson,
  oauthPeople
} from '@keelson/sdk/contracts/oauth-people'
import { oauthProtect } from '@keelson/sdk/contracts/oauth-protect'
import { signInPurpose } from '@keelson/sdk/contracts/sign-in-purpose'
import type { Document } from 'mongodb'
import type { OAuthEvent } from './config/host-code.ts'
import { hostConfig, type PluginConfig, pluginConfig } from './config/plugin-config.ts'
import { oauthEvents } from './contracts.ts'
import { errors } from './errors.ts'
import { createHomeTenant, type HomeTenant } from './home-tenant.ts'
import { assembleOAuth, type OAuthHost } from './oauth-host.ts'
import { createAdminHost } from './operations/administrator.ts'
import { administration, ownAccess } from './operations/oauth-operations.ts'
import manifest from './plugin.json' with { type: 'json' }
import type { StoredState } from './storage/rows.ts'
import { createTenantOf, loadViewerOf, peopleOf, personId } from './viewers.ts'

async function register(host: Host, config: PluginConfig): Promise<void> {
  const events = host.metrics.counter('events_total', 'What happened, by type')
  const home = createHomeTenant(config.homeTenant, host.collection<StoredState>('oauth_state'))
  const settings = {
    ...hostConfig(config, host),
    ...peopleOf(host, { home, hasContexts: config.grantContext }),
    connection: { collection: <T extends Document>(name: string) => host.collection<T>(name) },
    mapSubject: async (subject: string, tenant: string | undefined) => {
      const known = (await home.known()) ?? tenant ?? ''
      const person = { tenantId: tenant ?? known, viewerRef: `user:${subject}` }
      return personId(person, known) ?? null
    },
    tenantOf: createTenantOf(home),
    logger: host.log,
    clock: host.clock,
    track: ({ type }: OAuthEvent) => events.inc({ type })
  }
  const parts = assembleOAuth(settings, {
    limit: host.limit,
    fetchPublic: host.fetchPublic,
    openQueue: (handler) => host.queue('deliveries', handler),
    notify: host.notify
  })
  host.provide(oauthProtect, parts.host.protect)
  const viewers = host.use(authViewer, { optional: true })
  const viewerOf = (userId: string) => loadViewerOf(userId, viewers, home)
  host.provide(oauthPeople, { ...peopleApi(parts.host, home), viewerOf })
  host.provide(oauthEvents, parts.services.listeners)
  host.extend(signInPurpose, { purposeOf: (next) => parts.host.signInPurpose(next) })
  for (const route of parts.discovery) host.route(route)
  await host.fastify.register(parts.protocol)
  host.serve(administration, createAdminHost(parts.services, home))
  host.serve(ownAccess, {
    ...parts.services,
    userIdOf: async (actor) => personId(actor, await home.of(actor.tenantId))
  })
  host.onReady(() => parts.prepare())
  host.onClose(() => parts.close())
}

/** `oauth.people/v1`: the API for people, with their ids as the platform knows them. */
function peopleApi(
  { users, contexts }: OAuthHost,
  home: HomeTenant
): Omit<OAuthPeople, 'viewerOf'> {
  const idOf = async (person: OAuthPerson): Promise<string> => {
    const id = personId(person, await home.of(person.tenantId))
    if (id !== undefined) return id
    throw errors.OAU_USER_ID_INVALID({ problem: `"${person.viewerRef}", and not user:<id>` })
  }
  return {
    forget: async (person) => users.forget(await idOf(person)),
    revokeAll: async (person, options) => users.revokeAll(await idOf(person), options),
    leaveContext: async (person, contextId) => contexts.revoked(await idOf(person), contextId)
  }
}

export default definePlugin({
  manifest,
  config: pluginConfig,
  operations: [...administration, ...ownAccess],
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
