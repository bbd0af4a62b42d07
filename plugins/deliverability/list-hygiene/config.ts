// The settings of list hygiene.

import { adminTenants } from '@keelson/mailer/contracts'
import { type Static, Type } from '@keelson/sdk'

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
