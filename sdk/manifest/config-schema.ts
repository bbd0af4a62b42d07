// The schema of keelson.config.json, the platform's config.

import { closed } from '../schema-parts.ts'
import { type Static, Type } from '../typebox.ts'
import { PLUGIN_ID_FORM } from './fields.ts'

const ADDRESS_FORM = 'an address that begins with /'

/** The schema of `storage` in `keelson.config.json`. */
export const storageConfigSchema = Type.Object(
  {
    dataDir: Type.Optional(
      Type.String({
        description: 'Folder of the storage engine, relative to the config file. Default: .keelson.'
      })
    ),
    engine: Type.Optional(
      Type.String({
        description:
          'Package of the storage engine, used when `uri` and `mongod` are empty. Default: @keelson/local-mongo.'
      })
    ),
    uri: Type.Optional(
      Type.String({
        description:
          'A MongoDB connection string. When it is not empty, `mongod` and `engine` are not used.',
        secret: true
      })
    ),
    mongod: Type.Optional(
      Type.String({
        description: 'Path to a mongod, or "download". Used when `uri` is empty.'
      })
    ),
    database: Type.Optional(
      Type.String({
        description: 'Name of the database. Default: the one in `uri`, else keelson.'
      })
    ),
    apply: Type.Optional(
      Type.Union([Type.Literal('auto'), Type.Literal('check'), Type.Literal('off')], {
        default: 'auto',
        description:
          'What a start does about pending collections, indexes and migrations. auto: applies them. check: refuses to start and names them. off: starts without them, with a warning. `keelson apply` applies them at any time.'
      })
    )
  },
  { ...closed, description: 'Which database the platform uses.' }
)

/** The schema of one plugin's entry in `keelson.config.json`. */
export const pluginConfigSchema = Type.Object(
  {
    package: Type.Optional(
      Type.String({
        description:
          'A package name, an absolute path, or a path relative to the config file. Default: @keelson/<id>, then <id>.'
      })
    ),
    enabled: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'false: the plugin does not run. Its routes answer 503, its data stays in the database.'
      })
    ),
    mount: Type.Optional(
      Type.String({
        pattern: '^/',
        form: ADDRESS_FORM,
        description: 'Where its routes are. Default: `mount` of plugin.json, else /<id>.'
      })
    ),
    onFailure: Type.Optional(
      Type.Union([Type.Literal('abort'), Type.Literal('disable')], {
        default: 'abort',
        description:
          'What happens when the plugin cannot start. abort: the host does not start. disable: the host starts without the plugin, and /health/plugins says why.'
      })
    ),
    config: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "The plugin's own settings, checked against its config schema."
      })
    )
  },
  { ...closed, description: 'One plugin, by its id. `{}` turns it on with its defaults.' }
)

const address = (description: string, fallback: string) =>
  Type.Optional(
    Type.Union([Type.Literal(false), Type.String({ pattern: '^/', form: ADDRESS_FORM })], {
      description: `${description} Default: ${fallback}.`
    })
  )

/** Where the kernel serves what it serves itself. All are below the `prefix` of the host, if it has one. */
export const addressesSchema = Type.Object(
  {
    health: address('Below it: live, ready and plugins.', '/health'),
    metrics: address('Metrics in the text format of Prometheus.', '/metrics'),
    docs: address('The API as a page. Needs `openapi`.', '/docs'),
    openapi: address('The OpenAPI document.', '/openapi.json'),
    shell: address('The start page; the navigation is at shell/nav below it.', '/'),
    signIn: address('The page with the built-in sign-in form.', '/login'),
    assets: address(
      'Files of the shell. When set, only there; else below each mount too.',
      '/_assets'
    ),
    embed: address('Below it: pages for other admin UIs.', '/embed')
  },
  {
    ...closed,
    description:
      'Where the kernel answers. All are below the `prefix` of the host, if it has one. `false` switches an address off.'
  }
)

/** The schema of `keelson.config.json`. Any string in it may be `${NAME}` or `${NAME:default}`. */
export const configSchema = Type.Object(
  {
    $schema: Type.Optional(
      Type.String({
        description: 'For editors: ./node_modules/@keelson/sdk/keelson.config.schema.json.'
      })
    ),
    storage: Type.Optional(storageConfigSchema),
    auth: Type.Optional(
      Type.Object(
        {
          publicUrl: Type.Optional(
            Type.String({
              description:
                'The address that browsers use, when a proxy changes it, such as https://keelson.example.com.'
            })
          ),
          hosts: Type.Optional(
            Type.Union([Type.String(), Type.Array(Type.String())], {
              description:
                'Further host names of this platform, such as the name by which a proxy asks: a list, or one string with commas. Where `publicUrl` is set, or the host gives `listenHost`, a request for another name than these, that of `publicUrl`, the address it listens on and loopback names is refused with 421. Default: none.'
            })
          ),
          signIn: Type.Optional(
            Type.String({
              pattern: '^(/|https?://)',
              form: 'an address that begins with / or https://',
              description:
                "The host's own sign-in page. It is opened with `?next=` and the address to return to. Default: the built-in form."
            })
          ),
          signOut: Type.Optional(
            Type.String({
              pattern: '^(/|https?://)',
              form: 'an address that begins with / or https://',
              description:
                "The host's own sign-out page; the sign-out button links to it. Default: POST /logout, then the sign-in."
            })
          ),
          embedOrigins: Type.Optional(
            Type.Union([Type.String(), Type.Array(Type.String())], {
              description:
                'Origins of other sites that may embed pages and call the API with credentials: a list, or one string with commas. Default: none.'
            })
          )
        },
        { ...closed, description: 'Sign-in, and which other sites may call the API.' }
      )
    ),
    addresses: Type.Optional(addressesSchema),
    shell: Type.Optional(
      Type.Object(
        {
          title: Type.Optional(
            Type.String({ maxLength: 80, description: 'Name of the platform. Default: Keelson.' })
          ),
          timeZone: Type.Optional(
            Type.String({
              maxLength: 64,
              description:
                'Of all dates on pages, and of the days, weeks and months of charts: an IANA name. Default UTC.'
            })
          ),
          locale: Type.Optional(
            Type.String({
              maxLength: 35,
              description: 'Language tag for numbers and dates. Default: en.'
            })
          ),
          signInHint: Type.Optional(
            Type.String({
              maxLength: 200,
              description: 'A line below the sign-in form that every visitor can read, for demos.'
            })
          )
        },
        { ...closed, description: 'How the shell looks.' }
      )
    ),
    plugins: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]*$' }), pluginConfigSchema, {
        ...closed,
        nameForm: PLUGIN_ID_FORM,
        description: 'Which plugins run: settings by plugin id.'
      })
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
