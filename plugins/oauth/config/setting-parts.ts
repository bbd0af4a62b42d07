// What settings are made of: scopes, resources, keys, limits, hosts, issuers.
import { optional, type TSchema, Type } from '@keelson/sdk'
import { DEFAULTS } from './defaults.ts'

export const text = (description: string, more: object = {}) =>
  Type.String({ minLength: 1, maxLength: 2048, description, ...more })
export const positive = (description: string, value: number) =>
  optional(Type.Number({ exclusiveMinimum: 0, default: value, description }))
export const seconds = (name: keyof typeof DEFAULTS.ttl, description: string) =>
  positive(`Seconds. ${description}`, DEFAULTS.ttl[name])

/** RFC 6749 §3.3, and no single quotes. */
const scopeId = Type.Refine(
  text('As in requests.'),
  (id) => /^[\x21\x23-\x26\x28-\x5B\x5D-\x7E]+$/.test(id),
  () => 'must not contain whitespace, quotes or other characters that RFC 6749 excludes'
)
export const scopeIds = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    minItems: 1,
    maxItems: 200,
    description
  })

export const scope = Type.Object({
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

export const resource = Type.Object({
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

export const idOrObject = <T extends TSchema>(object: T) =>
  Type.Union([Type.String({ minLength: 1 }), object], { expected: 'an id or an object with an id' })

export const algorithm = Type.Enum(['ES256', 'RS256'])

export const signingKey = Type.Object({
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

export const rateLimit = Type.Object({
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
export const rateLimits = {
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
export const approval = optional(
  Type.Enum(['none', 'once'], {
    default: 'none',
    description: 'once: an administrator approves a new client before people can use it.'
  })
)

export const metadataClients = Type.Object({
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
  Type.String({
    pattern: '^https://[^ #?]+[^ #?/]$',
    form: 'an address that begins with https://, without query and without a slash at the end',
    maxLength: 2048,
    description
  })

export const trustedIssuer = Type.Object({
  issuer: httpsAddress('As in the `iss` of its assertions.'),
  jwksUri: optional(httpsAddress("Default: that of the issuer's OpenID metadata.")),
  tenant: optional(text('Whose people it speaks for. Default: the home tenant.')),
  subjectClaim: optional(text('Names the person. Default: sub.'))
})

const tenantId = Type.String({ minLength: 1, maxLength: 200 })

/** What one tenant lets its people do. */
const tenantPolicy = Type.Object({
  tenant: tenantId,
  clients: optional(
    Type.Array(Type.String({ maxLength: 2048 }), {
      maxItems: 1000,
      description: 'Ids of clients that may connect, besides clients of the tenant. Default: all.'
    })
  ),
  hosts: optional(
    Type.Array(Type.String({ maxLength: 260 }), {
      maxItems: 1000,
      description: 'Hosts whose clients with a metadata document may connect.'
    })
  ),
  scopes: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 200,
      description: 'Scopes that its people may grant; those of OpenID always. Default: all.'
    })
  )
})

export const tenantSettings = Type.Object({
  claim: optional(
    Type.Boolean({
      default: false,
      description:
        'Tokens, introspection and userinfo name the tenant of the person, as `tenant_id`.'
    })
  ),
  ownClients: optional(
    Type.Boolean({
      default: false,
      description:
        'What an administrator of a tenant makes is a client of that tenant, and clients of all are for the platform to change.'
    })
  ),
  policies: optional(Type.Array(tenantPolicy, { maxItems: 1000 }))
})

export const eventSettings = Type.Object({
  webhooks: optional(
    Type.Array(
      Type.Object({
        url: Type.String({
          minLength: 1,
          maxLength: 2048,
          description: 'https. A public address.'
        }),
        secret: optional(
          Type.String({
            secret: true,
            maxLength: 200,
            description: 'whsec_…: signs messages, after Standard Webhooks.'
          })
        ),
        format: optional(
          Type.Enum(['json', 'caep'], {
            default: 'json',
            description:
              'caep: session-revoked of Shared Signals, as a signed Security Event Token, for events that end access.'
          })
        ),
        audience: optional(
          Type.String({ maxLength: 2048, description: 'aud of those tokens. Default: the url.' })
        ),
        types: optional(
          Type.Array(Type.String({ maxLength: 100 }), {
            maxItems: 100,
            description: 'Types of events. Default: all but requests and tokens that are issued.'
          })
        ),
        tenant: optional(tenantId)
      }),
      { maxItems: 50, description: 'Where events are sent to.' }
    )
  )
})

export const scimSettings = Type.Object({
  tokens: optional(
    Type.Array(
      Type.Object({
        token: Type.String({ secret: true, minLength: 24, maxLength: 500 }),
        tenant: optional(tenantId)
      }),
      { maxItems: 200, description: 'Of identity providers, each for the users of one tenant.' }
    )
  ),
  subject: optional(
    Type.Enum(['userName', 'externalId'], {
      default: 'userName',
      description: 'The attribute that names the person; it cannot be changed.'
    })
  ),
  perMinute: optional(
    Type.Integer({ minimum: 1, default: 600, description: 'Requests of one token in a minute.' })
  )
})

export const exchangeAudience = Type.Object({
  issuer: httpsAddress('The other server; aud of the assertions.'),
  clients: Type.Array(
    Type.Object({
      clientId: Type.String({ minLength: 1, maxLength: 512 }),
      clientIdThere: optional(
        Type.String({ minLength: 1, maxLength: 512, description: 'Default: the same.' })
      )
    }),
    { minItems: 1, maxItems: 500, description: 'Clients that may have them.' }
  ),
  scopes: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 200,
      description: 'Scopes of the other server that may be asked for. Default: all.'
    })
  ),
  resources: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
      maxItems: 100,
      description: 'Resources of the other server. Default: all.'
    })
  )
})
