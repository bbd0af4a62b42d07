// The config of the kernel plugin.
import { type Static, Type } from '@keelson/sdk'

const ORIGIN_FORM = 'an origin without a path, such as https://app.example'

const token = Type.Object(
  {
    token: Type.String({ secret: true, description: 'At least 24 characters, random.' }),
    actor: Type.String({ description: 'As the audit log names the caller: agent:deploy.' }),
    scopes: Type.Optional(
      Type.Array(Type.Union([Type.Literal('mail:read'), Type.Literal('mail:write')]), {
        minItems: 1,
        description: 'Default: both.'
      })
    ),
    expiresAt: Type.Optional(
      Type.String({ description: 'A date from which on it is refused. Default: never.' })
    ),
    routes: Type.Optional(
      Type.Array(Type.String({ pattern: '^/', form: 'an address that begins with /' }), {
        description: 'Addresses below the mount that it may call, as /templates/*. Default: all.'
      })
    )
  },
  { additionalProperties: false }
)

export const pluginConfig = Type.Object(
  {
    tokens: Type.Optional(
      Type.Array(token, {
        description:
          'Who may call, beside tokens made on the page Agent tokens. Several may be valid at once, to replace one.'
      })
    ),
    adminTenants: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description:
          'Tenants whose administrators may let MCP clients use the mailer, and make agent tokens. Default: the platform alone.'
      })
    ),
    origins: Type.Optional(
      Type.Array(Type.String({ pattern: '^https?://[^/]+$', form: ORIGIN_FORM }), {
        description:
          'Origins of other sites whose pages may call /mcp with an agent token. Default: none.'
      })
    ),
    peopleOrigins: Type.Optional(
      Type.Union(
        [
          Type.Enum(['clients', 'all']),
          Type.Array(Type.String({ pattern: '^https?://[^/]+$', form: ORIGIN_FORM }))
        ],
        {
          expected: '"clients", "all" or a list of origins',
          description:
            'Other sites whose pages may call /mcp with an access token: those where the client has a callback (default), all, or these; [] is this one alone.'
        }
      )
    ),
    firstScopes: Type.Optional(
      Type.Union(
        [
          Type.Enum(['reading', 'all']),
          Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 50 })
        ],
        {
          expected: '"reading", "all" or a list of scopes',
          description:
            'Scopes that an assistant asks for when it connects: those of tools that read (default), of all tools, or these.'
        }
      )
    ),
    testContacts: Type.Optional(
      Type.Union([Type.String({ maxLength: 1000 }), Type.Null()], {
        description:
          'A regular expression on lower-case addresses: contacts that agents may mail. null: none.'
      })
    )
  },
  { additionalProperties: false }
)

export type PluginConfig = Static<typeof pluginConfig>
