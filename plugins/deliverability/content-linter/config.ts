// The settings of the content linter.

import { adminTenants } from '@keelson/mailer/contracts'
import { type Static, Type } from '@keelson/sdk'

const hosts = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    default: [],
    maxItems: 500,
    description
  })

/** The settings. */
export const configSchema = Type.Object(
  {
    linkDomains: hosts('Domains that links may go to, beside that of the From address.'),
    shorteners: hosts('Shorteners beside the known ones.'),
    severities: Type.Record(
      Type.String({ pattern: '^[a-z][a-z0-9_]*$' }),
      Type.Enum(['error', 'warning', 'info', 'off']),
      {
        default: {},
        nameForm: 'the name of a rule, in lower case',
        description: 'Another severity for a rule.'
      }
    ),
    adminTenants
  },
  { additionalProperties: false }
)
export type LinterConfig = Static<typeof configSchema>
