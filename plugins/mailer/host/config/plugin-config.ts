// The config of the kernel plugin: the mailer's settings, and providers as data.
import { type Clock, type Host, type Static, type TSchema, Type, type Viewer } from '@keelson/sdk'
import type { fetch as undiciFetch } from 'undici'
import type { AdminPermissions } from '../../admin/admin-router.ts'
import type { MailProvider } from '../../contracts/mailer-provider.ts'
import { errors } from '../../errors.ts'
import type { ContactAdapter } from '../../ledger/adapter.ts'
import { type ResolvedConfig, resolveKernelConfig } from '../../ledger/check-config.ts'
import type { MailTelemetry } from '../../ledger/host-code.ts'
import { fileSettings, type MailerConfig } from '../../ledger/schema.ts'
import { createMailgunProvider, mailgunOptions } from '../../providers/mailgun/mailgun-provider.ts'
import {
  createPostmarkProvider,
  postmarkOptions
} from '../../providers/postmark/postmark-provider.ts'
import { createNullProvider } from '../../providers/recording/recording-provider.ts'
import { createResendProvider, resendOptions } from '../../providers/resend/resend-provider.ts'
import {
  createSendGridProvider,
  sendGridOptions
} from '../../providers/sendgrid/sendgrid-provider.ts'
import { createSesProvider, sesOptions } from '../../providers/ses/ses-provider.ts'
import { createSmtpProvider, smtpOptions } from '../../providers/smtp/smtp-provider.ts'

/** Options that only code can give; the name is that of the entry. */
const CODE: readonly string[] = ['fetch', 'clock', 'name']

/**
 * A vendor's options as a file holds them. Texts may be empty, as a variable that is not set makes them: an
 * empty one counts as left out. The vendor's own schema checks the rest.
 */
function fileOptions({ properties }: { readonly properties: Readonly<Record<string, TSchema>> }) {
  const entries = Object.entries(properties)
    .filter(([name]) => !CODE.includes(name))
    .map(([name, schema]) => [name, Type.Optional(mayBeEmpty(schema))])
  return Type.Object(Object.fromEntries(entries) as Record<string, TSchema>, {
    additionalProperties: false
  })
}

function mayBeEmpty(schema: TSchema): TSchema {
  const { type, secret, description } = schema as {
    readonly type?: string
    readonly secret?: boolean
    readonly description?: string
  }
  if (type !== 'string') return schema
  return Type.String({
    maxLength: 262_144,
    ...(secret === true && { secret }),
    ...(description !== undefined && { description })
  })
}

/** Options of a file, with what only the host has. */
type Make = (options: never) => MailProvider

interface Vendor {
  /** The option without which the vendor is off. */
  readonly needs?: string
  readonly make: Make
  readonly schema: TSchema
}

const VENDORS: Readonly<Record<string, Vendor>> = {
  smtp: { needs: 'url', make: createSmtpProvider, schema: fileOptions(smtpOptions) },
  sendgrid: { needs: 'apiKey', make: createSendGridProvider, schema: fileOptions(sendGridOptions) },
  ses: { needs: 'secretAccessKey', make: createSesProvider, schema: fileOptions(sesOptions) },
  mailgun: { needs: 'apiKey', make: createMailgunProvider, schema: fileOptions(mailgunOptions) },
  postmark: {
    needs: 'serverToken',
    make: createPostmarkProvider,
    schema: fileOptions(postmarkOptions)
  },
  resend: { needs: 'apiKey', make: createResendProvider, schema: fileOptions(resendOptions) },
  null: {
    make: () => createNullProvider(),
    schema: Type.Object({}, { additionalProperties: false })
  }
}

/** Seconds between ticks where the config does not say. */
const TICK_SECONDS = 15

/** The schema of `plugins.mailer.config`. */
export const pluginConfig = Type.Object(
  {
    ...fileSettings,
    publicUrl: Type.Optional(
      Type.String({
        maxLength: 2048,
        description: 'Origin of the host as recipients reach it. Default: `auth.publicUrl`.'
      })
    ),
    tickIntervalSeconds: Type.Integer({
      minimum: 1,
      maximum: 3600,
      default: TICK_SECONDS,
      description: 'Between ticks.'
    }),
    adminTenants: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 200,
        description:
          'Tenants whose administrators manage mail, besides the administrators of the platform.'
      })
    ),
    telemetry: Type.Optional(
      Type.Object(
        {
          tenantId: Type.String({
            minLength: 1,
            maxLength: 128,
            description: 'Whose events they are.'
          }),
          journeyPath: Type.Optional(
            Type.String({
              pattern: '^/',
              form: 'an address that begins with /',
              maxLength: 512,
              description:
                'Page with the events of a person, below the prefix of the platform, as /telemetry/journey.'
            })
          )
        },
        {
          additionalProperties: false,
          description: 'Records what happens to mails in telemetry. Left out: nothing is recorded.'
        }
      )
    ),
    providers: Type.Optional(
      Type.Object(
        Object.fromEntries(
          Object.entries(VENDORS).map(([name, { schema }]) => [name, Type.Optional(schema)])
        ) as Record<string, TSchema>,
        {
          additionalProperties: false,
          description: 'Ways to hand mail over, by vendor. One without its credentials is off.'
        }
      )
    )
  },
  { additionalProperties: false }
)

/** What the kernel reads from the config file. */
export type PluginConfig = Static<typeof pluginConfig>

/** What a config file cannot say, for `createMailerPlugin`. */
export interface PluginCode
  extends Pick<MailerConfig, 'varsAdapter' | 'handlebarsHelpers' | 'onSendFailure'> {
  /** Contacts of the host. Default: those of the plugin that provides `mailer.contacts/v1`. */
  readonly adapter?: ContactAdapter
  /** Beside those of the config, and in place of one with the same name. */
  readonly providers?: MailerConfig['providers']
  /** What an administrator may do; what is left out is false. Default: everything. */
  readonly permissions?: (
    viewer: Viewer
  ) => Partial<AdminPermissions> | Promise<Partial<AdminPermissions>>
}

/** What a provider of the config is made with. */
export interface ProviderSeams {
  /** The host's, which calls declared hosts only. */
  readonly fetch: typeof undiciFetch
  readonly clock: Clock
}

/** The providers of a config, by name. */
export function providersOf(
  config: Readonly<Record<string, unknown>> = {},
  { fetch, clock }: ProviderSeams
): Record<string, MailProvider> {
  const providers: Record<string, MailProvider> = {}
  for (const [name, { needs, make, schema }] of Object.entries(VENDORS)) {
    const entry = config[name]
    if (typeof entry !== 'object' || entry === null) continue
    const given = Object.entries(entry).filter(([, value]) => value !== '' && value !== undefined)
    const options = Object.fromEntries(given)
    if (needs !== undefined && options[needs] === undefined) continue
    const isHttp = 'baseUrl' in (schema as ReturnType<typeof fileOptions>).properties
    providers[name] = make({ ...options, clock, ...(isHttp && { fetch }) } as never)
  }
  return providers
}

/** What the kernel has and a file cannot say. */
export interface KernelSeams {
  readonly host: Pick<Host, 'mount' | 'prefix' | 'publicUrl'>
  readonly code: PluginCode
  readonly adapter: ContactAdapter
  /** Those of other plugins are added to it later. */
  readonly providers: Record<string, MailProvider>
  /** Undefined while no plugin provides it: the store may use the mailer itself, and then it comes later. */
  readonly telemetryStore: () => MailTelemetry['store'] | undefined
}

/** @throws MLR_CONFIG_INVALID */
export function kernelConfig(
  { adminTenants: _tenants, providers: _providers, telemetry, ...settings }: PluginConfig,
  { host, code, adapter, providers, telemetryStore }: KernelSeams
): ResolvedConfig {
  const publicUrl = publicUrlOf(settings.publicUrl, host)
  const { permissions: _permissions, ...own } = code
  const config = resolveKernelConfig({ ...settings, ...own, publicUrl, adapter, providers })
  if (telemetry === undefined) return config
  const { journeyPath } = telemetry
  const journey = journeyPath !== undefined && { journeyPath: `${host.prefix}${journeyPath}` }
  const get = (): MailTelemetry | undefined => {
    const store = telemetryStore()
    return store && { ...telemetry, ...journey, store }
  }
  return Object.defineProperty(config, 'telemetry', { get, enumerable: true })
}

/** Addresses in mails are `<publicUrl>/m/…`. */
function publicUrlOf(
  given: string | undefined,
  { mount, publicUrl }: Pick<Host, 'mount' | 'publicUrl'>
): string {
  const base = given || publicUrl
  if (base === undefined) {
    const problem = 'is missing, and so is auth.publicUrl of the platform'
    throw errors.MLR_CONFIG_INVALID({ path: 'publicUrl', problem })
  }
  if (!mount.endsWith('/m')) {
    const problem = `must end in /m, as links of mails do, but is ${mount}`
    throw errors.MLR_CONFIG_INVALID({ path: 'mount', problem })
  }
  return base.replace(/\/+$/, '') + mount.slice(0, -'/m'.length)
}
