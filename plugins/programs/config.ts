// The settings of programs.
import { adminTenants } from '@keelson/mailer/contracts'
import { type Static, Type } from '@keelson/sdk'

/** The settings. */
export const configSchema = Type.Object(
  {
    decisionRetentionDays: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        description: 'Days that decisions are kept. Default: for ever.'
      })
    ),
    adminTenants
  },
  { additionalProperties: false }
)

/** The settings of programs. */
export type ProgramSettings = Static<typeof configSchema>
