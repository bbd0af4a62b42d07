// The config of the kernel plugin.
import { Type } from '@keelson/sdk'

const closed = { additionalProperties: false } as const
const text = (description: string) => Type.String({ minLength: 1, maxLength: 2048, description })
const seconds = (description: string) =>
  Type.Optional(Type.Number({ exclusiveMinimum: 0, description: `Seconds. ${description}` }))
const names = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 200, description })

export const pluginConfig = Type.Object(
  {
    issuer: text(
      'The public address of this host, without a slash at its end. With a path of one segment, the plugin is mounted below it.'
    ),
    publicUrl: Type.Optional(
      Type.String({ maxLength: 2048, description: 'Stands in for issuer where it is set.' })
    ),
    resources: Type.Array(
      Type.Object(
        {
          id: text('An absolute URI, or a path of this host.'),
          label: Type.Optional(text('Shown to people.')),
          scopes: Type.Optional(names('Scopes it knows. Default: all.')),
          accessTokenFormat: Type.Optional(
            Type.Union([Type.Literal('opaque'), Type.Literal('jwt')], { default: 'opaque' })
          )
        },
        closed
      ),
      { minItems: 1, maxItems: 100, description: 'What tokens are for.' }
    ),
    scopes: Type.Array(
      Type.Object(
        {
          id: text('As in requests.'),
          label: Type.Optional(text('Shown at consent.')),
          description: Type.Optional(text('Shown at consent, below the label.')),
          sensitive: Type.Optional(Type.Boolean({ description: 'Consent marks it.' }))
        },
        closed
      ),
      { minItems: 1, maxItems: 200, description: 'The catalogue.' }
    ),
    defaultScopes: Type.Optional(names('For requests that name none.')),
    rateMax: Type.Integer({
      minimum: 1,
      default: 60,
      description: 'Requests a minute, per address and per client that proved itself.'
    }),
    ttl: Type.Optional(
      Type.Object(
        {
          code: seconds('Default 60.'),
          accessToken: seconds('Default one hour.'),
          refreshToken: seconds('Default 60 days.'),
          refreshAbsolute: seconds('Default 180 days.'),
          refreshGrace: Type.Optional(
            Type.Number({
              minimum: 0,
              description: 'Seconds a used refresh token gives the same successor. Default 30.'
            })
          ),
          authorizationRequest: seconds('Default 10 minutes.'),
          pushedRequest: seconds('Default 90.')
        },
        closed
      )
    ),
    subjectMode: Type.Optional(
      Type.Union([Type.Literal('public'), Type.Literal('pairwise')], { default: 'public' })
    ),
    pairwiseSalt: Type.Optional(Type.String({ secret: true })),
    algorithms: Type.Optional(
      Type.Array(Type.Union([Type.Literal('ES256'), Type.Literal('RS256')]), {
        minItems: 1,
        maxItems: 2,
        description: 'Of identity tokens; the first is the usual one. Default ES256.'
      })
    ),
    metadataHosts: Type.Optional(
      names('Hosts of Client ID Metadata Documents. Left out: such clients are refused.')
    ),
    metadataScopes: Type.Optional(names('Scopes of such clients. Default: all.')),
    initialAccessTokens: Type.Optional(
      Type.Array(Type.String({ minLength: 24 }), {
        secret: true,
        maxItems: 20,
        description: 'Switches dynamic registration on, for whoever has one of them.'
      })
    ),
    requireDpopNonce: Type.Optional(Type.Boolean({ default: false })),
    tokenCacheMs: Type.Optional(
      Type.Number({ minimum: 0, description: 'How long a token is remembered. Default 0: not.' })
    ),
    secret: Type.Optional(
      Type.String({
        secret: true,
        minLength: 32,
        description: 'Key of what this server derives and seals. Default: made and kept.'
      })
    ),
    adminTenants: Type.Optional(
      names('Tenants whose administrators may manage clients, besides the platform itself.')
    )
  },
  closed
)
