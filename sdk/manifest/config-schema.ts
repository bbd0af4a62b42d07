// The schema of keelson.config.json, the platform's config.
import { type Static, Type } from 'typebox'

const closed = { additionalProperties: false } as const

/** The schema of `storage` in `keelson.config.json`. */
export const storageConfigSchema = Type.Object(
  {
    dataDir: Type.Optional(
      Type.String({
        description: 'Folder of the storage engine. Relative to the config file.'
      })
    ),
    engine: Type.Optional(
      Type.String({
        description:
          'Package of the storage engine, used when uri and mongod are empty. Default: @keelson/local-mongo.'
      })
    ),
    uri: Type.Optional(
      Type.String({
        description: 'A MongoDB connection string. Wins when not empty.'
      })
    ),
    mongod: Type.Optional(
      Type.String({
        description: 'Path to a mongod, or "download". Used when uri is empty.'
      })
    ),
    database: Type.Optional(
      Type.String({
        description: 'Database name. Default: the one in uri, else keelson.'
      })
    ),
    apply: Type.Optional(
      Type.Union([Type.Literal('auto'), Type.Literal('check'), Type.Literal('off')], {
        default: 'auto',
        description:
          'What a start does about collections, indexes and migrations that are pending. auto: makes them. check: refuses to start and names them. off: starts without them, with a warning. keelson apply makes them at any time.'
      })
    )
  },
  closed
)

/** The schema of one plugin's entry in `keelson.config.json`. */
export const pluginConfigSchema = Type.Object(
  {
    package: Type.Optional(
      Type.String({
        description:
          'A package name, an absolute path, or a path from this file. Default: @keelson/<id>, then <id>.'
      })
    ),
    enabled: Type.Optional(Type.Boolean({ default: true })),
    mount: Type.Optional(Type.String({ pattern: '^/' })),
    onFailure: Type.Optional(
      Type.Union([Type.Literal('abort'), Type.Literal('disable')], {
        default: 'abort'
      })
    ),
    config: Type.Optional(Type.Record(Type.String(), Type.Unknown()))
  },
  closed
)

const address = (description: string, fallback: string) =>
  Type.Optional(
    Type.Union([Type.Literal(false), Type.String({ pattern: '^/' })], {
      description: `${description} Default: ${fallback}. false switches it off.`
    })
  )

/** Where the kernel serves what it serves itself. All are below the `prefix` of the host, if it has one. */
export const addressesSchema = Type.Object(
  {
    health: address('Liveness, readiness and the state of each plugin, below it.', '/health'),
    metrics: address('Metrics in the text format of Prometheus.', '/metrics'),
    docs: address('The API as a page. Needs openapi.', '/docs'),
    openapi: address('The OpenAPI document.', '/openapi.json'),
    shell: address('The start page; the navigation is at shell/nav below it.', '/'),
    signIn: address('The page with the built-in sign-in form.', '/login'),
    assets: address(
      'Files of the shell. Given, they are only there; else also below each mount.',
      '/_assets'
    ),
    embed: address('Pages for other admin UIs, below it.', '/embed')
  },
  closed
)

/** The schema of `keelson.config.json`. Any string in it may be `${NAME}` or `${NAME:default}`. */
export const configSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    storage: Type.Optional(storageConfigSchema),
    auth: Type.Optional(
      Type.Object(
        {
          publicUrl: Type.Optional(
            Type.String({
              description: 'The address people see, when it differs.'
            })
          ),
          signIn: Type.Optional(
            Type.String({
              pattern: '^(/|https?://)',
              description:
                "The host's own sign-in page. People come to it with ?next= and the address they wanted. Default: the built-in form."
            })
          ),
          signOut: Type.Optional(
            Type.String({
              pattern: '^(/|https?://)',
              description:
                "The host's own sign-out page; the sign-out button links to it. Default: POST /logout, then the sign-in."
            })
          ),
          embedOrigins: Type.Optional(
            Type.Union([Type.String(), Type.Array(Type.String())], {
              description: 'Origins that may call the API with credentials (comma list).'
            })
          )
        },
        closed
      )
    ),
    addresses: Type.Optional(addressesSchema),
    shell: Type.Optional(
      Type.Object(
        {
          title: Type.Optional(Type.String({ maxLength: 80 })),
          locale: Type.Optional(Type.String({ maxLength: 35 })),
          signInHint: Type.Optional(
            Type.String({
              maxLength: 200,
              description:
                'Words below the sign-in form, for everyone to read: how to get in on a demo.'
            })
          )
        },
        closed
      )
    ),
    plugins: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]*$' }), pluginConfigSchema, closed)
    )
  },
  {
    ...closed,
    $id: 'https://keelson.dev/schema/config/1',
    title: 'Keelson platform config',
    description: 'What runs, where it is mounted, and with what settings.'
  }
)

/** The platform's config: what keelson.config.json holds, or the kernel's option `config`. */
export type KeelsonConfig = Static<typeof configSchema>
/** Which database the platform uses. */
export type StorageConfig = Static<typeof storageConfigSchema>
/** How one plugin runs: whether, where, and with what settings. */
export type PluginConfig = Static<typeof pluginConfigSchema>
