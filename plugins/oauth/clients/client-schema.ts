// A client in the API: what is given to make one, and what is answered about one.
import { optional, type Static, Type } from '@keelson/sdk'
import type { JWK } from 'jose'
import type { ReadonlyDeep } from '../config/readonly-deep.ts'
import { GRANT_TYPES } from './grant-types.ts'

const texts = (maxItems: number, description: string) =>
  Type.Array(Type.String(), { maxItems, description })
const address = (description: string) =>
  optional(Type.String({ minLength: 1, maxLength: 2048, description }))

export const brandingSchema = Type.Object(
  {
    logoUrl: address('https.'),
    publisher: address('Shown at consent.'),
    homepageUrl: address('https.'),
    tosUrl: address('https.'),
    privacyUrl: address('https.')
  },
  { additionalProperties: false }
)

export const authMethodSchema = Type.Enum([
  'client_secret_basic',
  'client_secret_post',
  'none',
  'private_key_jwt'
])

const jwks = Type.Object(
  {
    keys: Type.Array(Type.Unsafe<JWK>({ type: 'object', additionalProperties: true }), {
      minItems: 1,
      maxItems: 20
    })
  },
  { additionalProperties: true, description: 'Public keys, for private_key_jwt.' }
)

const fields = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  redirectUris: Type.Array(Type.String(), {
    maxItems: 50,
    description: 'Compared as text; on loopback the port may differ. Needed for authorization_code.'
  }),
  allowedScopes: Type.Array(Type.String(), { minItems: 1, maxItems: 500 }),
  allowedResources: optional(texts(500, 'Default: the resources that exist now.')),
  postLogoutRedirectUris: optional(texts(50, 'Where people may go after signing out.')),
  branding: optional(brandingSchema),
  trusted: optional(
    Type.Boolean({
      description:
        'A first-party client: people are asked only for sensitive scopes that are new. For callbacks on https.'
    })
  ),
  type: optional(Type.Enum(['confidential', 'public'], { description: 'Default: confidential.' })),
  tokenEndpointAuthMethod: optional(authMethodSchema),
  jwks: optional(jwks),
  jwksUri: address('Instead of jwks.'),
  idTokenAlg: optional(Type.Enum(['ES256', 'RS256'])),
  grantTypes: optional(
    Type.Array(Type.Enum([...GRANT_TYPES]), {
      minItems: 1,
      maxItems: 10,
      description: 'Default: authorization_code and refresh_token. Others must be on.'
    })
  ),
  accessTokenTtl: optional(
    Type.Integer({
      minimum: 60,
      maximum: 604_800,
      description: 'Seconds. Default: ttl.accessToken.'
    })
  ),
  refreshTokenTtl: optional(
    Type.Integer({
      minimum: 60,
      maximum: 31_536_000,
      description: 'Seconds from the last use of a refresh token. Default: ttl.refreshToken.'
    })
  ),
  refreshAbsoluteTtl: optional(
    Type.Integer({
      minimum: 60,
      maximum: 315_360_000,
      description:
        'Seconds from consent, after which it is asked for again. Default: ttl.refreshAbsolute.'
    })
  ),
  tenants: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 100,
      description:
        'It is for people of these tenants alone, and theirs to manage. Default: everyone.'
    })
  ),
  owner: optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Of a service account: the id of the person whose rights it has.'
    })
  ),
  expiresAt: optional(
    Type.String({ format: 'date-time', description: 'From then on the client is refused.' })
  ),
  pkce: optional(
    Type.Enum(['required', 'ifSent'], {
      description:
        'ifSent: a confidential client may leave PKCE out of requests with openid and nonce. Default: required.'
    })
  ),
  sectorIdentifier: address('Host for pairwise subjects. Default: that of the first callback.'),
  dpopBoundAccessTokens: optional(Type.Boolean()),
  rotateRefreshTokens: optional(
    Type.Boolean({ description: 'False only with dpopBoundAccessTokens.' })
  ),
  requirePushedAuthorizationRequests: optional(Type.Boolean()),
  backchannelLogoutUri: address(
    'https. Gets a logout token when a person signs out or loses access; backChannelLogout must be on.'
  ),
  resourceServer: optional(
    Type.Boolean({
      description: 'It serves its resources: it may introspect all access tokens for them.'
    })
  )
}

export const clientFieldsSchema = Type.Object(fields, { additionalProperties: false })

/** Body of `POST /admin/clients`. */
export const newClientSchema = Type.Object(
  { ...fields, clientId: optional(Type.String({ pattern: '^[\\x21-\\x7E]{1,512}$' })) },
  { additionalProperties: false, title: 'NewOAuthClient' }
)

const {
  jwks: _jwks,
  jwksUri,
  branding,
  idTokenAlg,
  accessTokenTtl,
  refreshTokenTtl,
  refreshAbsoluteTtl,
  tenants,
  owner,
  grantTypes,
  expiresAt,
  backchannelLogoutUri,
  ...others
} = fields
const removable = <T extends Type.TSchema>(schema: T) =>
  optional(Type.Union([schema, Type.Null()], { expected: 'a value, or null to remove it' }))

/** Body of `PATCH /admin/clients/:clientId`: null removes a field that has a default. */
export const clientPatchSchema = Type.Object(
  {
    ...Type.Partial(Type.Object(others)).properties,
    allowedResources: optional(
      Type.Array(Type.String(), { minItems: 1, maxItems: 500, description: 'At least one.' })
    ),
    jwks: removable(jwks),
    jwksUri: removable(Type.String()),
    backchannelLogoutUri: removable(backchannelLogoutUri),
    branding: removable(brandingSchema),
    accessTokenTtl: removable(accessTokenTtl),
    refreshTokenTtl: removable(refreshTokenTtl),
    refreshAbsoluteTtl: removable(refreshAbsoluteTtl),
    tenants: removable(tenants),
    owner: removable(owner),
    grantTypes: removable(grantTypes),
    expiresAt: removable(expiresAt),
    idTokenAlg: removable(Type.Enum(['ES256', 'RS256']))
  },
  { additionalProperties: false, title: 'OAuthClientChange' }
)

const time = Type.String({ format: 'date-time' })

/** A client without its secrets: only their labels and times. */
export const publicClientSchema = Type.Object(
  {
    ...fields,
    clientId: Type.String(),
    type: Type.Enum(['confidential', 'public']),
    registration: Type.Enum(['manual', 'cimd', 'dynamic']),
    metadataUrl: optional(Type.String()),
    metadataFetchedAt: optional(time),
    metadataExpiresAt: optional(time),
    trusted: Type.Boolean(),
    secrets: Type.Array(
      Type.Object({
        label: optional(Type.String()),
        createdAt: time,
        lastUsedAt: optional(time),
        retiresAt: optional(time)
      })
    ),
    postLogoutRedirectUris: Type.Array(Type.String()),
    allowedResources: Type.Array(Type.String()),
    limitedScopes: optional(
      Type.Array(Type.String(), {
        description: 'For clients with a metadata document: the scopes that an administrator left.'
      })
    ),
    tokenEndpointAuthMethod: authMethodSchema,
    sectorIdentifier: Type.String(),
    status: Type.Enum(['active', 'disabled']),
    disabledBy: optional(Type.Enum(['platform', 'tenant'])),
    awaitsApproval: optional(Type.Boolean({ description: 'Enabling it approves it.' })),
    unusedUntil: optional(
      Type.String({
        format: 'date-time',
        description: 'When it is deleted unless a person allows it access.'
      })
    ),
    createdAt: time,
    updatedAt: time
  },
  { title: 'OAuthClient' }
)

export const createdClientSchema = Type.Object(
  {
    client: publicClientSchema,
    clientId: Type.String(),
    type: Type.Enum(['confidential', 'public']),
    clientSecret: optional(Type.String({ description: 'Shown this once.' }))
  },
  { title: 'CreatedOAuthClient' }
)

/** A client, and a new one or one with a new secret, as JSON brings them. */
export type ClientAnswer = ReadonlyDeep<Static<typeof publicClientSchema>>
export type CreatedClientAnswer = ReadonlyDeep<Static<typeof createdClientSchema>>
