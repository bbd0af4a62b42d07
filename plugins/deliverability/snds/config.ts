// The settings of SNDS.

import { adminTenants } from '@keelson/mailer/contracts'
import { type Static, Type } from '@keelson/sdk'

/** The settings. Without a key and an address of one's own the plugin is dormant. */
export const configSchema = Type.Object(
  {
    accessKey: Type.Optional(
      Type.String({
        maxLength: 256,
        secret: true,
        description: 'From SNDS, Automated Data Access.'
      })
    ),
    ips: Type.Optional(
      Type.Array(Type.String({ maxLength: 45 }), {
        maxItems: 1000,
        description: 'Keeps only these addresses. Default: all of the feed.'
      })
    ),
    intervalHours: Type.Number({
      default: 24,
      minimum: 0,
      maximum: 720,
      description: 'Hours between two reads. 0: off.'
    }),
    baseUrl: Type.Optional(
      Type.String({
        maxLength: 512,
        description:
          'In place of the address of Microsoft. Without a key it is called without one: a gateway adds it.'
      })
    ),
    adminTenants
  },
  { additionalProperties: false }
)
export type SndsConfig = Static<typeof configSchema>
