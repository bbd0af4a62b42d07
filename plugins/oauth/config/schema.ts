// The configuration of an OAuth host, described once: types, checks, the plugin's config and its defaults derive from here.
import { optional, type Static, type TSchema, Type } from '@keelson/sdk'
import { AUDIT_RETENTION_DAYS, type Connection, DEFAULT_PREFIX } from '../storage/collections.ts'
import type {
  EndSession,
  ExtraClaims,
  GrantContext,
  LoadUser,
  MapSubject,
  OAuthLogger,
  RateLimitStore,
  ResolveUser,
  Track,
  UserAdapter
} from './host-code.ts'
import type { ReadonlyDeep } from './readonly-deep.ts'

/** Values of settings that are left out. */
export const DEFAULTS = {
  mountPath: '/oauth',
  returnParam: 'next',
  locale: 'en',
  collectionPrefix: DEFAULT_PREFIX,
  auditRetentionDays: AUDIT_RETENTION_DAYS,
  algorithms: ['ES256', 'RS256'],
  rateLimit: { max: 60, windowMs: 60_000 },
  registration: { perHour: 20, unusedDays: 7 },
  ttl: {
    code: 60,
    accessToken: 3600,
    refreshToken: 60 * 86_400,
    refreshAbsolute: 180 * 86_400,
    refreshGrace: 30,
    authorizationRequest: 600,
    pushedRequest: 90
  },
  metadata: { fetchTimeoutMs: 5000, maxBytes: 5120, cacheTtlMs: 3_600_000 }
} as const

const text = (description: string, more: object = {}) =>
  Type.String({ minLength: 1, maxLength: 2048, description, ...more })
const positive = (description: string, value: number) =>
  optional(Type.Number({ exclusiveMinimum: 0, default: value, description }))
const seconds = (name: keyof typeof DEFAULTS.ttl, description: string) =>
  positive(`Seconds. ${description}`, DEFAULTS.ttl[name])

/** RFC 6749 §3.3, and no single quotes. */
const scopeId = Type.Refine(
  text('As in requests.'),
  (id) => /^[\x21\x23-\x26\x28-\x5B\x5D-\x7E]+$/.test(id),
  () => 'must not contain whitespace, quotes or other characters that RFC 6749 excludes'
)
const scopeIds = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    minItems: 1,
    maxItems: 200,
    description
  })

const scope = Type.Object({
  id: scopeId,
  label: optional(text('Shown at consent. Default: the id.')),
  description: optional(text('Shown at consent, below the label.')),
  sensitive: optional(Type.Boolean({ description: 'Consent marks it as sensitive.' })),
  oidc: optional(
    Type.Boolean({
      description:
        'Belongs to every resource. Default: true for openid, profile, email and offline_access.'
    })
  )
})

const resource = Type.Object({
  id: Type.Refine(
    text('An absolute URI without fragment: the audience of its tokens.'),
    (id) => !id.includes('#'),
    () => 'must not have a fragment'
  ),
  label: optional(text('Shown to people. Default: the id.')),
  scopes: optional(
    Type.Array(Type.String({ minLength: 1 }), {
      maxItems: 200,
      description: 'Scopes of this resource. Default: all of the catalogue.'
    })
  ),
  accessTokenFormat: optional(
    Type.Enum(['opaque', 'jwt'], { default: 'opaque', description: 'Format of access tokens.' })
  )
})

const idOrObject = <T extends TSchema>(object: T) =>
  Type.Union([Type.String({ minLength: 1 }), object], { expected: 'an id or an object with an id' })

const algorithm = Type.Enum(['ES256', 'RS256'])

const signingKey = Type.Object({
  kid: optional(text('Default: the RFC 7638 thumbprint.')),
  privateKeyPem: Type.String({ secret: true, description: 'PKCS#8.' }),
  alg: optional(Type.String({ description: 'ES256 (default) or RS256.' })),
  status: optional(
    Type.Enum(['active', 'retiring'], {
      default: 'active',
      description: 'A retiring key stays in the key set and signs nothing.'
    })
  )
})

const rateLimit = Type.Object({
  max: Type.Integer({ minimum: 1, description: 'Requests in a window.' }),
  windowMs: optional(positive('Milliseconds.', DEFAULTS.rateLimit.windowMs))
})
const limitOrOff = (description: string) =>
  optional(
    Type.Union([Type.Literal(false), rateLimit], {
      expected: 'false or { max, windowMs }',
      description: `${description} false: no limit. Default: 60 a minute.`
    })
  )

/** Counts of the protocol's routes; `store` is code and not part of the plugin's config. */
const rateLimits = {
  token: limitOrOff('Per address, and per client that authenticated.'),
  authorize: limitOrOff('Per address.'),
  consent: limitOrOff('Per address.')
}

const hostName =
  /^\.?([a-z0-9]([a-z0-9-]*[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:[0-9]{1,5})?$/i
const hosts = (description: string) =>
  Type.Array(
    Type.Refine(
      Type.String(),
      (host) => hostName.test(host),
      () => 'must be a host, host:port or .domain'
    ),
    { maxItems: 500, description }
  )
const approval = optional(
  Type.Enum(['none', 'once'], {
    default: 'none',
    description: 'once: an administrator approves a new client before people can use it.'
  })
)

const metadataClients = Type.Object({
  enabled: optional(Type.Boolean({ description: 'Default: true where hosts is given.' })),
  hosts: optional(
    Type.Union([Type.Literal('any'), hosts('`host`, `host:port`, or `.domain` for subdomains.')], {
      expected: '"any" or a list of hosts',
      description: 'Where documents may come from; any: every public host on the usual port.'
    })
  ),
  allowedHosts: optional(hosts('The earlier name of hosts.')),
  approval,
  scopes: optional(scopeIds('Scopes of such clients. Default: all.')),
  allowedScopes: optional(scopeIds('The earlier name of scopes.')),
  fetchTimeoutMs: positive('Milliseconds.', DEFAULTS.metadata.fetchTimeoutMs),
  maxBytes: positive('Largest document, bytes.', DEFAULTS.metadata.maxBytes),
  cacheTtlMs: positive(
    'How long a document without caching headers is fresh, milliseconds.',
    DEFAULTS.metadata.cacheTtlMs
  )
})

const httpsAddress = (description: string) =>
  Type.String({ pattern: '^https://[^ #?]+[^ #?/]$', maxLength: 2048, description })

const trustedIssuer = Type.Object({
  issuer: httpsAddress('As in the `iss` of its assertions.'),
  jwksUri: optional(httpsAddress("Default: that of the issuer's OpenID metadata.")),
  tenant: optional(text('Whose people it speaks for. Default: the home tenant.')),
  subjectClaim: optional(text('Names the person. Default: sub.'))
})

/** Settings that are data: a file can hold them. */
export const dataSettings = {
  issuer: Type.Refine(
    text('Absolute http(s) URL without a slash at its end; a path is allowed.'),
    (issuer) => issuerProblem(issuer) === undefined,
    (issuer) => issuerProblem(issuer) ?? ''
  ),
  resources: Type.Array(idOrObject(resource), {
    minItems: 1,
    maxItems: 100,
    description: 'Resources that tokens can be for.'
  }),
  scopes: Type.Array(idOrObject(scope), {
    minItems: 1,
    maxItems: 200,
    description: 'The catalogue of scopes.'
  }),
  consentUrl: text('Gets `request_id` in its query. May be relative.'),
  mountPath: optional(
    Type.String({
      default: DEFAULTS.mountPath,
      description: 'Below the issuer: where `routes.oauth` is registered.'
    })
  ),
  defaultScopes: optional(
    scopeIds('For requests without `scope`, as far as the client may have them.')
  ),
  loginUrl: optional(text("Address of the host's sign-in page.")),
  returnParam: optional(
    text('Query parameter of `loginUrl` with the way back.', { default: DEFAULTS.returnParam })
  ),
  ttl: optional(
    Type.Object({
      code: seconds('code', 'Authorization codes.'),
      accessToken: seconds('accessToken', 'Access tokens.'),
      refreshToken: seconds('refreshToken', 'Refresh tokens, from their last use.'),
      refreshAbsolute: seconds('refreshAbsolute', 'Refresh tokens, from the first one.'),
      refreshGrace: optional(
        Type.Number({
          minimum: 0,
          default: DEFAULTS.ttl.refreshGrace,
          description: 'Seconds in which a used refresh token gives the same successor. 0: none.'
        })
      ),
      authorizationRequest: seconds('authorizationRequest', 'Open consent pages.'),
      pushedRequest: seconds('pushedRequest', 'Pushed requests.')
    })
  ),
  subjectMode: optional(
    Type.Enum(['public', 'pairwise'], {
      default: 'public',
      description: 'pairwise: each sector gets its own subjects.'
    })
  ),
  pairwiseSalt: optional(
    Type.String({ secret: true, description: 'Required for pairwise subjects.' })
  ),
  signing: optional(
    Type.Object({
      keys: optional(Type.Array(signingKey, { maxItems: 20 })),
      autoGenerate: optional(Type.Boolean({ description: 'Makes missing keys in the database.' })),
      algorithms: optional(
        Type.Array(algorithm, {
          minItems: 1,
          maxItems: 2,
          description:
            'The first signs unless a client asks for another. Default: ES256 and RS256 where keys are made, else ES256.'
        })
      )
    })
  ),
  rateLimits: optional(
    Type.Object({
      ...rateLimits,
      store: optional(methods<RateLimitStore>('hit'))
    })
  ),
  tokenCache: optional(
    Type.Object({
      ttlMs: optional(
        Type.Number({
          minimum: 0,
          default: 0,
          description:
            'Milliseconds that a live token is remembered. A revocation is still seen at once. 0: off.'
        })
      )
    })
  ),
  collectionPrefix: optional(text('', { default: DEFAULTS.collectionPrefix })),
  audit: optional(Type.Object({ retentionDays: positive('Days.', DEFAULTS.auditRetentionDays) })),
  cors: optional(
    Type.Object({
      origins: optional(
        Type.Array(Type.String(), {
          description:
            'Origins that may call discovery, keys, token and userinfo. Default: all; [] allows none.'
        })
      )
    })
  ),
  clockSkewMs: optional(Type.Number({ minimum: 0, default: 0 })),
  clientIdMetadata: optional(metadataClients),
  registration: optional(
    Type.Object({
      enabled: optional(Type.Boolean({ description: 'Default: true where open is true.' })),
      open: optional(
        Type.Boolean({
          default: false,
          description:
            'Without a token: public clients with callbacks on https and loopback, within the limits.'
        })
      ),
      perHour: optional(
        Type.Integer({
          minimum: 1,
          default: DEFAULTS.registration.perHour,
          description: 'Open registrations of one address; of all together 25 times as many.'
        })
      ),
      unusedDays: positive(
        'Days after which a client that registered openly is deleted unless a person allowed it access.',
        DEFAULTS.registration.unusedDays
      ),
      approval,
      initialAccessTokens: optional(
        Type.Array(Type.String({ minLength: 24 }), {
          secret: true,
          maxItems: 20,
          description: 'Registration needs one of them, unless it is open.'
        })
      )
    })
  ),
  branding: optional(
    Type.Object({
      name: optional(text('Whom people grant access at. Default: the host of the issuer.')),
      logoUrl: optional(text('Of an image, shown beside the name. May be relative.')),
      accentColor: optional(
        Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'Of buttons, as #rrggbb.' })
      )
    })
  ),
  locale: optional(
    text('Language tag of pages, where a request asks for no language that they have (de, en).', {
      maxLength: 35,
      default: DEFAULTS.locale
    })
  ),
  serviceAccounts: optional(
    Type.Object({
      enabled: optional(
        Type.Boolean({
          default: false,
          description: 'client_credentials, for clients that have it.'
        })
      )
    })
  ),
  deviceFlow: optional(
    Type.Object({
      enabled: optional(
        Type.Boolean({ default: false, description: 'RFC 8628, for clients that have the grant.' })
      ),
      ttlSeconds: optional(Type.Integer({ minimum: 60, maximum: 1800, default: 600 })),
      intervalSeconds: optional(
        Type.Integer({
          minimum: 1,
          maximum: 60,
          default: 5,
          description: 'Least time between two polls.'
        })
      )
    })
  ),
  idJag: optional(
    Type.Object({
      issuers: optional(
        Type.Array(idOrObject(trustedIssuer), {
          maxItems: 50,
          description:
            'Identity providers whose assertions (ID-JAG) give access to their people, without consent.'
        })
      )
    })
  ),
  consent: optional(
    Type.Object({
      rememberDays: optional(
        Type.Number({
          minimum: 0,
          maximum: 3650,
          default: 0,
          description:
            'Days in which the same scopes and resources need no page again, for callbacks on https. 0: always ask.'
        })
      )
    })
  ),
  dpop: optional(Type.Object({ requireNonce: optional(Type.Boolean({ default: false })) })),
  secret: optional(
    Type.String({
      secret: true,
      minLength: 32,
      description:
        'Key for what this server derives and seals. Default: made once and kept in the database.'
    })
  )
}

/** Settings that are code, or objects with methods. */
const codeSettings = {
  connection: Type.Refine(
    Type.Unsafe<Connection>({ description: 'A driver Db or MongoClient.' }),
    (value) => hasMethod(value, 'collection') || hasMethod(value, 'db'),
    () => 'must be a Db or a MongoClient'
  ),
  userAdapter: optional(methods<UserAdapter>('resolveUser', 'loadUser?')),
  resolveUser: optional(fn<ResolveUser>()),
  loadUser: optional(fn<LoadUser>()),
  grantContext: optional(methods<GrantContext>('list', 'verify', 'describe?')),
  claims: optional(fn<ExtraClaims>()),
  endSession: optional(fn<EndSession>()),
  mapSubject: optional(fn<MapSubject>()),
  track: optional(fn<Track>()),
  logger: optional(methods<OAuthLogger>('warn', 'error')),
  clock: optional(methods<{ now(): Date }>('now'))
}

export const hostSchema = Type.Object({ ...dataSettings, ...codeSettings })

/** The configuration of `createOAuthHost`. */
export type OAuthHostConfig = ReadonlyDeep<
  Static<ReturnType<typeof Type.Object<typeof dataSettings>>>
> &
  Readonly<Static<ReturnType<typeof Type.Object<typeof codeSettings>>>>

export type ScopeOptions = ReadonlyDeep<Static<typeof scope>>
export type ResourceOptions = ReadonlyDeep<Static<typeof resource>>
export type SigningAlg = Static<typeof algorithm>
export type SigningKeyOptions = ReadonlyDeep<Static<typeof signingKey>>
export type RateLimitOptions = ReadonlyDeep<Static<typeof rateLimit>>
export type MetadataClientOptions = ReadonlyDeep<Static<typeof metadataClients>>
export type RegistrationOptions = NonNullable<OAuthHostConfig['registration']>

function fn<T>() {
  return Type.Refine(
    Type.Unsafe<T>({}),
    (value) => typeof value === 'function',
    () => 'must be a function'
  )
}

/** An object with these methods, its own or inherited; a `?` marks one that may be missing. */
function methods<T>(...names: readonly string[]) {
  const problemOf = (value: unknown): string | undefined => {
    if (typeof value !== 'object' || value === null) return 'must be an object'
    const wrong = names.find((name) => {
      const plain = name.replace('?', '')
      const isMissing = (value as Record<string, unknown>)[plain] === undefined
      return !hasMethod(value, plain) && !(isMissing && name.endsWith('?'))
    })
    return wrong && `must have the function ${wrong.replace('?', '')}()`
  }
  return Type.Refine(
    Type.Unsafe<T>({}),
    (value) => problemOf(value) === undefined,
    (value) => problemOf(value) ?? ''
  )
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof (value as Record<string, unknown> | null | undefined)?.[name] === 'function'
}

function issuerProblem(issuer: unknown): string | undefined {
  if (typeof issuer !== 'string' || !URL.canParse(issuer)) return 'must be an absolute URL'
  const { protocol, search, hash, username, password } = new URL(issuer)
  if (protocol !== 'https:' && protocol !== 'http:') return 'must be an http or https URL'
  if (issuer.endsWith('/')) return 'must not end with a slash'
  if (search + hash !== '') return 'must not have a query or a fragment'
  return username + password === '' ? undefined : 'must not have credentials'
}

/** The plugin's part of the settings: those without code, and not those that the platform decides. */
export const platformSettings = {
  issuer: dataSettings.issuer,
  scopes: dataSettings.scopes,
  defaultScopes: dataSettings.defaultScopes,
  loginUrl: dataSettings.loginUrl,
  returnParam: dataSettings.returnParam,
  ttl: dataSettings.ttl,
  subjectMode: dataSettings.subjectMode,
  pairwiseSalt: dataSettings.pairwiseSalt,
  signing: dataSettings.signing,
  rateLimits: optional(Type.Object(rateLimits)),
  tokenCache: dataSettings.tokenCache,
  cors: dataSettings.cors,
  clockSkewMs: dataSettings.clockSkewMs,
  clientIdMetadata: dataSettings.clientIdMetadata,
  registration: dataSettings.registration,
  branding: dataSettings.branding,
  consent: dataSettings.consent,
  serviceAccounts: dataSettings.serviceAccounts,
  deviceFlow: dataSettings.deviceFlow,
  idJag: dataSettings.idJag,
  dpop: dataSettings.dpop,
  secret: dataSettings.secret,
  resources: Type.Array(idOrObject(resource), {
    minItems: 1,
    maxItems: 100,
    description: 'Resources that tokens can be for; an id may be a path of this host.'
  })
}
