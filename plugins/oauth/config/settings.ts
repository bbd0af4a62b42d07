// The configuration as the rest of the package reads it: checked, completed, indexed.

import { resourceMetadataPath, resourceMetadataUrl } from '@keelson/protect/rules'
import { DEFAULTS } from './defaults.ts'
import { type EventWebhook, webhooksOf } from './event-settings.ts'
import { type ExchangeAudience, exchangeOf } from './exchange-settings.ts'
import type {
  EndSession,
  ExtraClaims,
  GrantContext,
  LoadUser,
  MapSubject,
  OAuthLogger,
  OAuthUser,
  RateLimitStore,
  ResolveUser,
  Track
} from './host-code.ts'
import { normalUri } from './normal-uri.ts'
import { textOfId } from './person-id.ts'
import type { OAuthHostConfig, RateLimitOptions, SigningAlg, SigningKeyOptions } from './schema.ts'
import { type ScimSettings, scimOf } from './scim-settings.ts'
import { type TenantSettings, tenantsOf } from './tenant-settings.ts'

export interface Scope {
  readonly id: string
  readonly label: string
  readonly description: string | undefined
  readonly isSensitive: boolean
  /** Belongs to every resource. */
  readonly isOidc: boolean
}

export interface Resource {
  readonly id: string
  readonly label: string
  /** All its scopes, those of OpenID among them. */
  readonly scopes: ReadonlySet<string>
  /** The scopes that its metadata lists. */
  readonly listedScopes: readonly string[]
  readonly isJwt: boolean
  /** Path of its metadata below `/.well-known/oauth-protected-resource`. */
  readonly metadataPath: string
  readonly metadataUrl: string
}

export type Ttl = Readonly<Record<keyof typeof DEFAULTS.ttl, number>>

export interface MetadataClientSettings {
  /** Every public host. */
  readonly isAny: boolean
  readonly allowedHosts: readonly string[]
  /** A new client waits for an administrator. */
  readonly needsApproval: boolean
  readonly allowedScopes: readonly string[]
  readonly fetchTimeoutMs: number
  readonly maxBytes: number
  readonly cacheTtlMs: number
}

/** An identity provider whose assertions are believed, about its own people. */
export interface TrustedIssuer {
  readonly issuer: string
  readonly jwksUri: string | undefined
  readonly tenant: string | undefined
  readonly subjectClaim: string
}

/** Registration by clients themselves. */
export interface RegistrationSettings {
  readonly initialAccessTokens: readonly string[]
  readonly isOpen: boolean
  /** Open registrations of one address. */
  readonly perHour: number
  readonly unusedMs: number
  readonly needsApproval: boolean
}

/** How pages name the host. */
export interface HostBranding {
  readonly name: string
  readonly logoUrl: string | undefined
  /** `#rrggbb` */
  readonly accentColor: string | undefined
}

export interface Limit {
  readonly max: number
  readonly windowMs: number
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
  /** The resource that a client means: compared in the normal form of RFC 3986. */
  findResource(id: string): Resource | undefined
  readonly scopes: ReadonlyMap<string, Scope>
  readonly defaultScopes: readonly string[]
  readonly consentUrl: string
  readonly loginUrl: string | undefined
  readonly returnParam: string
  readonly resolveUser: ResolveUser
  readonly loadUser: LoadUser | undefined
  readonly grantContext: GrantContext | undefined
  readonly claims: ExtraClaims | undefined
  readonly ttl: Ttl
  readonly subjectMode: 'public' | 'pairwise'
  readonly pairwiseSalt: string
  readonly signingKeys: readonly SigningKeyOptions[]
  readonly autoGenerateKeys: boolean
  readonly algorithms: readonly SigningAlg[]
  /** Those that configured keys may be for. */
  readonly configuredAlgorithms: readonly SigningAlg[]
  readonly rateLimits: {
    readonly token: Limit | false
    readonly authorize: Limit | false
    readonly consent: Limit | false
    readonly store: RateLimitStore | undefined
  }
  readonly tokenCacheMs: number
  readonly collectionPrefix: string
  readonly auditRetentionDays: number
  /** Undefined allows every origin. */
  readonly corsOrigins: readonly string[] | undefined
  readonly clockSkewSeconds: number
  readonly metadataClients: MetadataClientSettings | undefined
  readonly registration: RegistrationSettings | undefined
  readonly hasServiceAccounts: boolean
  /** The device flow, where it is on. */
  readonly device: { readonly ttlSeconds: number; readonly intervalSeconds: number } | undefined
  /** Identity assertions, where an issuer is trusted. */
  readonly idJag: { readonly issuers: ReadonlyMap<string, TrustedIssuer> } | undefined
  /** Servers that take assertions of this one, where there are any. */
  readonly exchange: ReadonlyMap<string, ExchangeAudience> | undefined
  readonly mapSubject: MapSubject
  readonly tenants: TenantSettings | undefined
  readonly hasBackChannelLogout: boolean
  /** Users that identity providers keep here, where one has a token. */
  readonly scim: ScimSettings | undefined
  readonly webhooks: readonly EventWebhook[]
  /** Zero: consent is not remembered. */
  readonly consentMs: number
  readonly requiresDpopNonce: boolean
  readonly branding: HostBranding
  /** Of pages, where a request asks for no language that they have. */
  readonly locale: string
  readonly secret: string | undefined
  readonly endSession: EndSession | undefined
  readonly logger: OAuthLogger
  readonly track: Track
  readonly now: () => Date
}

/** Configured keys are for ES256 unless `signing.algorithms` says otherwise. */
const CONFIGURED: readonly SigningAlg[] = ['ES256']

/** RS256 is what OpenID libraries expect by default: it is offered wherever a key for it can be made. */
const algorithmsOf = (isGenerated: boolean | undefined): readonly SigningAlg[] =>
  isGenerated === true ? DEFAULTS.algorithms : CONFIGURED

const OIDC_SCOPES = new Set(['openid', 'profile', 'email', 'offline_access'])
/** A host without a logger must still hear of what it has to mend. */
const CONSOLE: OAuthLogger = {
  // biome-ignore lint/suspicious/noConsole: the host gave no logger
  warn: (fields, message) => console.warn(message, fields),
  // biome-ignore lint/suspicious/noConsole: the host gave no logger
  error: (fields, message) => console.error(message, fields)
}

/** Fills in defaults. The configuration must have been checked. */
export function resolveSettings(config: OAuthHostConfig): Settings {
  const issuer = new URL(config.issuer)
  const issuerPath = issuer.pathname === '/' ? '' : issuer.pathname
  const scopes = new Map(config.scopes.map((given) => [idOf(given), scopeOf(given)]))
  const resources = new Map(
    config.resources.map((given) => [idOf(given), resourceOf(given, scopes, issuer.origin)])
  )
  const [firstResource] = resources.values()
  const { signing = {} } = config
  return {
    issuer: config.issuer,
    issuerOrigin: issuer.origin,
    issuerPath,
    base: `${config.issuer}${mountOf(config.mountPath)}`,
    resources,
    // The check refuses an empty list.
    firstResource: firstResource as Resource,
    findResource: finderOf(resources),
    scopes,
    defaultScopes: config.defaultScopes ?? [],
    consentUrl: config.consentUrl,
    loginUrl: config.loginUrl,
    returnParam: config.returnParam ?? DEFAULTS.returnParam,
    ...peopleOf(config),
    grantContext: config.grantContext,
    claims: config.claims,
    ttl: { ...DEFAULTS.ttl, ...withoutUndefined(config.ttl ?? {}) },
    subjectMode: config.subjectMode ?? 'public',
    pairwiseSalt: config.pairwiseSalt ?? '',
    signingKeys: signing.keys ?? [],
    autoGenerateKeys: signing.autoGenerate ?? false,
    algorithms: signing.algorithms ?? algorithmsOf(signing.autoGenerate),
    configuredAlgorithms: signing.algorithms ?? CONFIGURED,
    rateLimits: rateLimitsOf(config),
    tokenCacheMs: config.tokenCache?.ttlMs ?? 0,
    collectionPrefix: config.collectionPrefix ?? DEFAULTS.collectionPrefix,
    auditRetentionDays: config.audit?.retentionDays ?? DEFAULTS.auditRetentionDays,
    corsOrigins: config.cors?.origins,
    clockSkewSeconds: (config.clockSkewMs ?? 0) / 1000,
    metadataClients: metadataClientsOf(config.clientIdMetadata, [...scopes.keys()]),
    registration: registrationOf(config.registration),
    branding: {
      name: config.branding?.name ?? issuer.host,
      logoUrl: config.branding?.logoUrl,
      accentColor: config.branding?.accentColor
    },
    locale: config.locale ?? DEFAULTS.locale,
    hasServiceAccounts: config.serviceAccounts?.enabled ?? false,
    device: deviceOf(config),
    idJag: idJagOf(config),
    exchange: exchangeOf(config),
    mapSubject: config.mapSubject ?? ((subject) => subject),
    tenants: tenantsOf(config),
    hasBackChannelLogout: config.backChannelLogout?.enabled ?? false,
    webhooks: webhooksOf(config),
    scim: scimOf(config),
    consentMs: (config.consent?.rememberDays ?? 0) * 86_400_000,
    requiresDpopNonce: config.dpop?.requireNonce ?? false,
    secret: config.secret,
    endSession: config.endSession,
    logger: config.logger ?? CONSOLE,
    track: config.track ?? (() => undefined),
    now: () => config.clock?.now() ?? new Date()
  }
}

/** By the id as it is, else by its normal form. */
function finderOf(resources: ReadonlyMap<string, Resource>): Settings['findResource'] {
  const byNormal = new Map([...resources.values()].map((one) => [normalUri(one.id), one]))
  return (id) => {
    const known = resources.get(id)
    if (known !== undefined) return known
    const normal = normalUri(id)
    return normal === undefined ? undefined : byNormal.get(normal)
  }
}

/** The adapters of the host. A person without an id is an error: all of them would be one account. */
function peopleOf(config: OAuthHostConfig): Pick<Settings, 'resolveUser' | 'loadUser'> {
  const resolve = config.userAdapter?.resolveUser ?? config.resolveUser ?? defaultResolveUser
  const load = config.userAdapter?.loadUser ?? config.loadUser
  const identified = (user: OAuthUser | null | undefined) => {
    if (user !== null && user !== undefined) textOfId(user.id)
    return user
  }
  return {
    resolveUser: async (request) => identified(await resolve(request)),
    loadUser: load && (async (userId) => identified(await load(userId)))
  }
}

const idOf = (given: string | { readonly id: string }): string =>
  typeof given === 'string' ? given : given.id

const withoutUndefined = <T extends object>(given: T): Partial<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>

function mountOf(mountPath: string = DEFAULTS.mountPath): string {
  const trimmed = mountPath.replace(/^\/+|\/+$/g, '')
  return trimmed === '' ? '' : `/${trimmed}`
}

const limitOf = (given: RateLimitOptions | false | undefined): Limit | false =>
  given === false ? false : { ...DEFAULTS.rateLimit, ...withoutUndefined(given ?? {}) }

const rateLimitsOf = ({ rateLimits = {} }: OAuthHostConfig): Settings['rateLimits'] => ({
  token: limitOf(rateLimits.token),
  authorize: limitOf(rateLimits.authorize),
  consent: limitOf(rateLimits.consent),
  store: rateLimits.store
})

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
  const ofEveryResource = [...scopes.values()].filter(({ isOidc }) => isOidc).map(({ id }) => id)
  const own = [...scopes.values()].filter(({ isOidc }) => !isOidc).map(({ id }) => id)
  const listedScopes = resource.scopes ?? own
  return {
    id: resource.id,
    label: resource.label ?? resource.id,
    scopes: new Set([...listedScopes, ...ofEveryResource]),
    listedScopes,
    isJwt: resource.accessTokenFormat === 'jwt',
    metadataPath: resourceMetadataPath(resource.id),
    metadataUrl: resourceMetadataUrl(resource.id, issuerOrigin)
  }
}

function metadataClientsOf(
  given: OAuthHostConfig['clientIdMetadata'],
  catalogue: readonly string[]
): MetadataClientSettings | undefined {
  if (given === undefined || !(given.enabled ?? given.hosts !== undefined)) return undefined
  const hosts = given.hosts ?? given.allowedHosts ?? []
  return {
    isAny: hosts === 'any',
    allowedHosts: hosts === 'any' ? [] : hosts.map((host) => host.toLowerCase()),
    needsApproval: given.approval === 'once',
    allowedScopes: given.scopes ?? given.allowedScopes ?? catalogue,
    fetchTimeoutMs: given.fetchTimeoutMs ?? DEFAULTS.metadata.fetchTimeoutMs,
    maxBytes: given.maxBytes ?? DEFAULTS.metadata.maxBytes,
    cacheTtlMs: given.cacheTtlMs ?? DEFAULTS.metadata.cacheTtlMs
  }
}

function deviceOf({ deviceFlow: given }: OAuthHostConfig): Settings['device'] {
  if (given?.enabled !== true) return undefined
  const { ttlSeconds = 600, intervalSeconds = 5 } = given
  return { ttlSeconds, intervalSeconds }
}

function idJagOf({ idJag: given }: OAuthHostConfig): Settings['idJag'] {
  const issuers = (given?.issuers ?? []).map((one): TrustedIssuer => {
    const { issuer, ...more } = typeof one === 'string' ? { issuer: one } : one
    return { issuer, jwksUri: undefined, tenant: undefined, subjectClaim: 'sub', ...more }
  })
  if (issuers.length === 0) return undefined
  return { issuers: new Map(issuers.map((one) => [one.issuer, one])) }
}

function registrationOf(given: OAuthHostConfig['registration']): RegistrationSettings | undefined {
  if (given === undefined || !(given.enabled ?? given.open ?? false)) return undefined
  return {
    initialAccessTokens: given.initialAccessTokens ?? [],
    isOpen: given.open ?? false,
    perHour: given.perHour ?? DEFAULTS.registration.perHour,
    unusedMs: (given.unusedDays ?? DEFAULTS.registration.unusedDays) * 86_400_000,
    needsApproval: given.approval === 'once'
  }
}

/** Reads `request.user._id`, then `request.user.id`, then `request.authUserId`. Signed out: null. */
export function defaultResolveUser(request: unknown): { id: unknown } | null {
  const { user, authUserId } = (request ?? {}) as {
    user?: { _id?: unknown; id?: unknown } | null
    authUserId?: unknown
  }
  const id = user?._id ?? user?.id ?? authUserId
  return id === undefined || id === null || id === '' ? null : { id }
}
