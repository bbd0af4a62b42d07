// The plugin's settings.

import { adminTenants } from '@keelson/mailer/contracts'
import { type Static, Type, WEBHOOK_FORMATS } from '@keelson/sdk'
import { monitoringSchema } from './monitoring-schema.ts'

const knownSourceSchema = Type.Object(
  {
    ip: Type.String({
      minLength: 1,
      description: 'An IP address, or a range such as 192.0.2.0/24.'
    }),
    label: Type.String({ minLength: 1, maxLength: 200 }),
    ignored: Type.Optional(
      Type.Boolean({ description: 'Failures of this source are expected, as of a mailing list.' })
    )
  },
  { additionalProperties: false }
)

const inboundSchema = Type.Object(
  {
    secret: Type.Optional(
      Type.String({
        secret: true,
        minLength: 8,
        description:
          'Basic password or Bearer token of the inbound route. Without it there is no route.'
      })
    ),
    maxFileSizeBytes: Type.Integer({ default: 10_485_760, minimum: 1, maximum: 52_428_800 }),
    maxFiles: Type.Integer({ default: 10, minimum: 1, maximum: 20 }),
    allowedDomains: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description:
          'Reports about other domains are refused. Default: the sender domains and their parents.'
      })
    )
  },
  { additionalProperties: false, default: {} }
)

const alertsSchema = Type.Object(
  {
    email: Type.Optional(Type.String({ maxLength: 254, description: 'Where alerts are mailed.' })),
    webhookUrl: Type.Optional(
      Type.String({ secret: true, maxLength: 2000, description: 'Where alerts are posted.' })
    ),
    webhookSecret: Type.Optional(
      Type.String({
        secret: true,
        pattern: '^(whsec_[A-Za-z0-9+/]{22,}={0,2})?$',
        form: 'whsec_ and at least 22 characters of base64',
        maxLength: 200,
        description: 'Signs what is posted, after Standard Webhooks: whsec_ and base64.'
      })
    ),
    webhookFormat: Type.Enum([...WEBHOOK_FORMATS], { default: 'json' })
  },
  { additionalProperties: false, default: {} }
)

export const configSchema = Type.Object(
  {
    knownSources: Type.Array(knownSourceSchema, { default: [] }),
    retentionDays: Type.Integer({
      default: 90,
      minimum: 1,
      maximum: 3650,
      description: 'How long records are kept, and the window of the overview.'
    }),
    inbound: inboundSchema,
    monitoring: monitoringSchema,
    alerts: alertsSchema,
    dkimSelectors: Type.Array(Type.String({ maxLength: 120 }), {
      default: [],
      maxItems: 20,
      description: 'DKIM selectors to check, besides those that reports name.'
    }),
    dnsServers: Type.Optional(
      Type.String({
        maxLength: 1000,
        description:
          'DNS servers to ask, comma-separated, as "192.0.2.1, [2001:db8::1]:5353". Default: those of the system. Empty: off.'
      })
    ),
    adminTenants
  },
  { additionalProperties: false }
)

export type DmarcConfig = Static<typeof configSchema>
