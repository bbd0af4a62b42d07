// The settings of list hygiene.
import { type Static, Type } from '@keelson/sdk'
import { adminTenants } from '@keelson/sdk/contracts/mailer-admin-api'

/** The settings. */
export const configSchema = Type.Object(
  {
    sunsetTag: Type.Optional(
      Type.String({
        maxLength: 128,
        description: 'Tag of contacts that are sunset candidates, for segments. Empty: none is set.'
      })
    ),
    adminTenants
  },
  { additionalProperties: false }
)

/** The settings of list hygiene. */
export type HygieneSettings = Static<typeof configSchema>
