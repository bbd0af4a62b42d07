// The configuration of an OAuth host, described once: types, checks, the plugin's config and its defaults derive from here.
import { optional, type Static, Type } from '@keelson/sdk'
import { codeSettings, methods } from './code-settings.ts'
import { DEFAULTS } from './defaults.ts'
import type { RateLimitStore } from './host-code.ts'
import type { ReadonlyDeep } from './readonly-deep.ts'
import {
  algorithm,
  approval,
  eventSettings,
  exchangeAudience,
  idOrObject,
  metadataClients,
  positive,
  type rateLimit,
  rateLimits,
  resource,
  scimSettings,
  scope,
  scopeIds,
  seconds,
  signingKey,
  tenantSettings,
  text,
  trustedIssuer
} from './setting-parts.ts'

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
        Type.String({
          pattern: '^#[0-9a-fA-F]{6}$',
          form: 'a color such as #1a73e8',
          description: 'Of buttons, as #rrggbb.'
        })
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
  tokenExchange: optional(
    Type.Object({
      audiences: optional(
        Type.Array(exchangeAudience, {
          maxItems: 50,
          description: 'Servers that take assertions (ID-JAG) of this one about its people.'
        })
      )
    })
  ),
  tenants: optional(tenantSettings),
  backChannelLogout: optional(
    Type.Object({
      enabled: optional(
        Type.Boolean({
          default: false,
          description: 'Clients with backchannelLogoutUri are told of the end of sessions.'
        })
      )
    })
  ),
  events: optional(eventSettings),
  scim: optional(scimSettings),
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
  tokenExchange: dataSettings.tokenExchange,
  tenants: dataSettings.tenants,
  backChannelLogout: dataSettings.backChannelLogout,
  events: dataSettings.events,
  scim: dataSettings.scim,
  dpop: dataSettings.dpop,
  secret: dataSettings.secret,
  resources: Type.Array(idOrObject(resource), {
    minItems: 1,
    maxItems: 100,
    description: 'Resources that tokens can be for; an id may be a path of this host.'
  })
}
