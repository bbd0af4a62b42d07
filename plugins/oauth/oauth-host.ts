// One authorization server as routers, a guard and a programmatic API, on a host of either kind.
import type { RouteOptions as KernelRoute } from '@keelson/sdk'
import type { Protect } from '@keelson/sdk/contracts/oauth-protect'
import type { SignInPurpose } from '@keelson/sdk/contracts/sign-in-purpose'
import type { FastifyPluginAsync, RouteOptions } from 'fastify'
import { signInPurposeOf } from './authorize/sign-in-purpose.ts'
import type { ClientStore } from './clients/client-store.ts'
import { fillSearchWords } from './clients/fill-search-words.ts'
import { isLoopbackHost } from './clients/redirect-uris.ts'
import { checkConfig } from './config/check.ts'
import type { OAuthHostConfig } from './config/schema.ts'
import { resolveSettings, type Settings } from './config/settings.ts'
import { APPENDED_PATTERN, discoveryRoutes } from './discovery/discovery-routes.ts'
import {
  type ContextsApi,
  createContextsApi,
  createGrantsApi,
  createUsersApi,
  type GrantsApi,
  type UsersApi
} from './grants/grants-api.ts'
import { readSigningKeys } from './keys/read-keys.ts'
import { serveOwnAccess } from './operations/serve-own-access.ts'
import { createProtection } from './protection/protect.ts'
import { authorizeRoutes } from './routes/authorize-routes.ts'
import { bearerRoutes } from './routes/bearer-routes.ts'
import { clientRoutes } from './routes/client-routes.ts'
import { consentRoutes } from './routes/consent-routes.ts'
import { deviceRoutes } from './routes/device-routes.ts'
import { logoutRoutes } from './routes/logout-routes.ts'
import { ownRegistrationRoutes } from './routes/own-registration-routes.ts'
import { registrationRoutes } from './routes/registration-routes.ts'
import { plainRoute } from './routes/route.ts'
import { scimRoutes } from './routes/scim-routes.ts'
import { serveRoutes } from './routes/serve.ts'
import { createServices, type Services, type Surroundings } from './services.ts'
import { modelsOf, type OAuthModels, openCollections } from './storage/collections.ts'

export interface OAuthHost {
  readonly routes: {
    /** `/.well-known/*`: register it at the root of the origin. */
    readonly discovery: FastifyPluginAsync
    /** The protocol: register it with the prefix that `mountPath` names. */
    readonly oauth: FastifyPluginAsync
  }
  /** Makes a preHandler. @throws OAU_PROTECT_INVALID, naming the unknown resource or scope. */
  readonly protect: Protect
  readonly clients: ClientStore
  readonly grants: GrantsApi
  readonly users: UsersApi
  readonly contexts: ContextsApi
  /**
   * For the host's sign-in page: the application that the person signs in for. `next` is the address that
   * the page was given to lead back to; undefined when it is not a request of this server.
   */
  signInPurpose(next: string): Promise<SignInPurpose | undefined>
  /** Await it at start, before the first write. */
  syncIndexes(): Promise<void>
  /** True once `syncIndexes` resolved. Until then writing routes answer 503. */
  readonly ready: boolean
  readonly models: OAuthModels
}

/** What the kernel plugin needs besides the public API. */
export interface OAuthParts {
  readonly host: OAuthHost
  readonly services: Services
  readonly discovery: readonly KernelRoute[]
  /** The routes of the protocol, without operations. */
  readonly protocol: FastifyPluginAsync
  /** Makes or reads keys and secrets; indexes are not made. */
  prepare(): Promise<void>
  /** Writes pending rows and stops the watch. */
  close(): Promise<void>
}

/** Where a server runs. */
export interface OAuthSurroundings extends Omit<Surroundings, 'isReady'> {
  /** Makes the storage. Default: the plan of the host has made it. */
  readonly open?: () => Promise<void>
  /** Ends what runs beside the server. */
  readonly shut?: () => Promise<void>
}

/**
 * Puts a server together. Does not use the database yet.
 *
 * @throws OAU_CONFIG_INVALID, OAU_SIGNING_KEY_INVALID
 */
export function assembleOAuth(
  config: OAuthHostConfig,
  surroundings: OAuthSurroundings
): OAuthParts {
  checkConfig(config)
  const { open, shut, ...given } = surroundings
  const settings = resolveSettings(config)
  readSigningKeys(settings.signingKeys, settings.configuredAlgorithms)
  const origin = { connection: config.connection, prefix: settings.collectionPrefix }
  const collections = openCollections(origin.connection, origin.prefix)
  let isReady = false
  const services = createServices(settings, collections, { ...given, isReady: () => isReady })
  warnOfConfig(settings)
  const prepare = async (): Promise<void> => {
    await services.keys.prepare()
    await fillSearchWords(collections)
    // Now, so that the first request does not wait for it.
    await services.secret.mac('start', '')
    await services.revocations.tellAfterStart()
    if (settings.tokenCacheMs > 0) services.watch.age()
    isReady = true
  }
  const close = async (): Promise<void> => {
    await Promise.all([
      services.attempts.settle(),
      services.outbox.settle(),
      services.watch.close()
    ])
    await shut?.()
  }
  const protocol = pluginOf(protocolRoutes(services), settings)
  const host: OAuthHost = {
    routes: {
      discovery: pluginOf(discoveryRoutes(settings).map(plainRoute), settings),
      oauth: async (app) => {
        await app.register(protocol)
        await app.register(serveOwnAccess(services))
        app.addHook('onClose', close)
      }
    },
    protect: (scopes = [], options = {}) => createProtection(scopes, options, services),
    clients: services.clients,
    grants: createGrantsApi(services),
    users: createUsersApi(services),
    contexts: createContextsApi(services),
    signInPurpose: (next) => signInPurposeOf(next, services),
    async syncIndexes() {
      await open?.()
      await prepare()
    },
    get ready() {
      return isReady
    },
    models: modelsOf(collections, origin)
  }
  // A plugin declares its routes before it knows the issuer.
  const discovery = discoveryRoutes(settings, { appendedAt: APPENDED_PATTERN })
  return { host, services, discovery, protocol, prepare, close }
}

function warnOfConfig({ issuer, loadUser, logger }: Settings): void {
  if (loadUser === undefined) {
    logger.warn(
      { setting: 'loadUser' },
      'without loadUser, userinfo and identity tokens have no profile or email'
    )
  }
  // Codes and tokens in the clear are for this machine alone.
  const { protocol, hostname } = new URL(issuer)
  if (protocol === 'https:' || isLoopbackHost(hostname)) return
  logger.warn({ issuer }, 'the issuer is http: codes, tokens and cookies travel unencrypted')
}

const protocolRoutes = (services: Services): readonly RouteOptions[] => [
  ...authorizeRoutes(services),
  ...consentRoutes(services),
  ...clientRoutes(services),
  ...deviceRoutes(services),
  ...bearerRoutes(services),
  ...logoutRoutes(services),
  ...registrationRoutes(services),
  ...ownRegistrationRoutes(services),
  ...scimRoutes(services)
]

const pluginOf =
  (routes: readonly RouteOptions[], settings: Settings): FastifyPluginAsync =>
  async (app) =>
    serveRoutes(app, routes, settings)
