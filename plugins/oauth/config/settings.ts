// The configuration as the rest of the package reads it: checked, completed, indexed.
import { AUDIT_RETENTION_DAYS, DEFAULT_PREFIX } from '../storage/collections.ts'
import type {
  GrantContext,
  LoadUser,
  OAuthEvent,
  OAuthHostConfig,
  OAuthLogger,
  RateLimitOptions,
  RateLimitStore,
  ResolveUser,
  SigningAlg,
  SigningKeyOptions
} from './types.ts'

export interface Scope {
  readonly id: string
  readonly label: string
  readonly description: string | undefined
  readonly isSensitive: boolean
  /** Of every resource. */
  readonly isOidc: boolean
}

export interface Resource {
  readonly id: string
  readonly label: string
  /** All it knows, OpenID's among them. */
  readonly scopes: ReadonlySet<string>
  /** What its metadata lists. */
  readonly listedScopes: readonly string[]
  readonly isJwt: boolean
  /** Path of its metadata below `/.well-known/oauth-protected-resource`. */
  readonly metadataPath: string
  readonly metadataUrl: string
}

export interface Ttl {
  readonly code: number
  readonly accessToken: number
  readonly refreshToken: number
  readonly refreshAbsolute: number
  readonly refreshGrace: number
  readonly authorizationRequest: number
  readonly pushedRequest: number
}

export interface MetadataClientSettings {
  readonly allowedHosts: readonly string[]
  readonly allowedScopes: readonly string[]
  readonly fetchTimeoutMs: number
  readonly maxBytes: number
  readonly cacheTtlMs: number
}

export interface Settings {
  readonly issuer: string
  readonly issuerOrigin: string
  /** `` or `/tenant/a`. */
  readonly issuerPath: string
  /** Issuer and mount: endpoints are below it. */
  readonly base: string
  readonly resources: ReadonlyMap<string, Resource>
  readonly firstResource: Resource
  readonly scopes: ReadonlyMap<string, Scope>
  readonly defaultScopes: readonly string[]
  readonly consentUrl: string
  readonly loginUrl: string | undefined
  readonly returnParam: string
  readonly resolveUser: ResolveUser
  readonly loadUser: LoadUser | undefined
  readonly grantContext: GrantContext | undefined
  readonly claims: OAuthHostConfig['claims']
  readonly ttl: Ttl
  readonly subjectMode: 'public' | 'pairwise'
  readonly pairwiseSalt: string
  readonly signingKeys: readonly SigningKeyOptions[]
  readonly autoGenerateKeys: boolean
  readonly algorithms: readonly SigningAlg[]
  readonly rateLimits: {
    readonly token: RateLimitOptions | false
    readonly authorize: RateLimitOptions | false
    readonly consent: RateLimitOptions | false
    readonly store: RateLimitStore | undefined
  }
  readonly tokenCacheMs: number
  readonly collectionPrefix: string
  readonly auditRetentionDays: number
  readonly corsOrigins: readonly string[]
  readonly clockSkewSeconds: number
  readonly metadataClients: MetadataClientSettings | undefined
  readonly initialAccessTokens: readonly string[] | undefined
  readonly requiresDpopNonce: boolean
  readonly secret: string | undefined
  readonly endSession: OAuthHostConfig['endSession']
  readonly logger: OAuthLogger
  readonly track: (event: OAuthEvent) => unknown
  readonly now: () => Date
}

const OIDC_SCOPES = new Set(['openid', 'profile', 'email', 'offline_access'])
const DEFAULT_RATE: RateLimitOptions = { max: 60, windowMs: 60_000 }
const DEFAULT_TTL: Ttl = {
  code: 60,
  accessToken: 3600,
  refreshToken: 60 * 86_400,
  refreshAbsolute: 180 * 86_400,
  refreshGrace: 30,
  authorizationRequest: 600,
  pushedRequest: 90
}
const SILENT: OAuthLogger = { warn() {}, error() {} }

/** Fills in what was left out. The configuration must have been checked. */
export function resolveSettings(config: OAuthHostConfig): Settings {
  const issuer = new URL(config.issuer)
  const issuerPath = issuer.pathname === '/' ? '' : issuer.pathname
  const scopes = new Map(config.scopes.map((given) => [idOf(given), scopeOf(given)]))
  const resources = new Map(
    config.resources.map((given) => [idOf(given), resourceOf(given, scopes, issuer.origin)])
  )
  const [firstResource] = resources.values()
  const { rateLimits = {}, clientIdMetadata, signing = {} } = config
  return {
    issuer: config.issuer,
    issuerOrigin: issuer.origin,
    issuerPath,
    base: `${config.issuer}${mountOf(config.mountPath)}`,
    resources,
    // Checked: there is one.
    firstResource: firstResource as Resource,
    scopes,
    defaultScopes: config.defaultScopes ?? [],
    consentUrl: config.consentUrl,
    loginUrl: config.loginUrl,
    returnParam: config.returnParam ?? 'next',
    resolveUser: config.userAdapter?.resolveUser ?? config.resolveUser ?? defaultResolveUser,
    loadUser: config.userAdapter?.loadUser ?? config.loadUser,
    grantContext: config.grantContext,
    claims: config.claims,
    ttl: { ...DEFAULT_TTL, ...withoutUndefined(config.ttl ?? {}) },
    subjectMode: config.subjectMode ?? 'public',
    pairwiseSalt: config.pairwiseSalt ?? '',
    signingKeys: signing.keys ?? [],
    autoGenerateKeys: signing.autoGenerate ?? false,
    algorithms: signing.algorithms ?? ['ES256'],
    rateLimits: {
      token: rateLimits.token ?? DEFAULT_RATE,
      authorize: rateLimits.authorize ?? DEFAULT_RATE,
      consent: rateLimits.consent ?? DEFAULT_RATE,
      store: rateLimits.store
    },
    tokenCacheMs: config.tokenCache?.ttlMs ?? 0,
    collectionPrefix: config.collectionPrefix ?? DEFAULT_PREFIX,
    auditRetentionDays: config.audit?.retentionDays ?? AUDIT_RETENTION_DAYS,
    corsOrigins: config.cors?.origins ?? [],
    clockSkewSeconds: (config.clockSkewMs ?? 0) / 1000,
    metadataClients:
      clientIdMetadata?.enabled === true
        ? metadataClientsOf(clientIdMetadata, [...scopes.keys()])
        : undefined,
    initialAccessTokens:
      config.registration?.enabled === true
        ? (config.registration.initialAccessTokens ?? [])
        : undefined,
    requiresDpopNonce: config.dpop?.requireNonce ?? false,
    secret: config.secret,
    endSession: config.endSession,
    logger: config.logger ?? SILENT,
    track: config.track ?? (() => undefined),
    now: config.clock === undefined ? () => new Date() : () => (config.clock as Clock).now()
  }
}

type Clock = NonNullable<OAuthHostConfig['clock']>

const idOf = (given: string | { readonly id: string }): string =>
  typeof given === 'string' ? given : given.id

const withoutUndefined = <T extends object>(given: T): Partial<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>

function mountOf(mountPath = '/oauth'): string {
  const trimmed = mountPath.replace(/^\/+|\/+$/g, '')
  return trimmed === '' ? '' : `/${trimmed}`
}

function scopeOf(given: OAuthHostConfig['scopes'][number]): Scope {
  const scope = typeof given === 'string' ? { id: given } : given
  return {
    id: scope.id,
    label: scope.label ?? scope.id,
    description: scope.description,
    isSensitive: scope.sensitive ?? false,
    isOidc: scope.oidc ?? OIDC_SCOPES.has(scope.id)
  }
}

function resourceOf(
  given: OAuthHostConfig['resources'][number],
  scopes: ReadonlyMap<string, Scope>,
  issuerOrigin: string
): Resource {
  const resource = typeof given === 'string' ? { id: given } : given
  const everywhere = [...scopes.values()].filter(({ isOidc }) => isOidc).map(({ id }) => id)
  const own = [...scopes.values()].filter(({ isOidc }) => !isOidc).map(({ id }) => id)
  const listedScopes = resource.scopes ?? own
  const url = new URL(resource.id)
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
  const metadataPath = isHttp
    ? `${url.pathname === '/' ? '' : url.pathname}${url.search}`
    : `/${encodeURIComponent(resource.id)}`
  const origin = isHttp ? url.origin : issuerOrigin
  return {
    id: resource.id,
    label: resource.label ?? resource.id,
    scopes: new Set([...listedScopes, ...everywhere]),
    listedScopes,
    isJwt: resource.accessTokenFormat === 'jwt',
    metadataPath,
    metadataUrl: `${origin}/.well-known/oauth-protected-resource${metadataPath}`
  }
}

function metadataClientsOf(
  given: NonNullable<OAuthHostConfig['clientIdMetadata']>,
  catalogue: readonly string[]
): MetadataClientSettings {
  return {
    allowedHosts: (given.allowedHosts ?? []).map((host) => host.toLowerCase()),
    allowedScopes: given.allowedScopes ?? catalogue,
    fetchTimeoutMs: given.fetchTimeoutMs ?? 5000,
    maxBytes: given.maxBytes ?? 5120,
    cacheTtlMs: given.cacheTtlMs ?? 3_600_000
  }
}

/** Reads `request.user._id`, then `request.user.id`, then `request.authUserId`. Nobody: null. */
export function defaultResolveUser(request: unknown): { id: unknown } | null {
  const { user, authUserId } = (request ?? {}) as {
    user?: { _id?: unknown; id?: unknown } | null
    authUserId?: unknown
  }
  const id = user?._id ?? user?.id ?? authUserId
  return id === undefined || id === null || id === '' ? null : { id }
}
