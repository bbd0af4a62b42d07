// The settings of the content scorer.

import { adminTenants } from '@keelson/mailer/contracts'
import { type Static, Type } from '@keelson/sdk'

/** The settings. Without a key (or, for `spamassassin`, an address) the plugin is dormant. */
export const configSchema = Type.Object(
  {
    service: Type.Enum(['checks', 'mailbox', 'spamassassin'], {
      default: 'checks',
      description:
        'checks: starts a check, gets an address to mail. mailbox: mails <apiKey>-<id>@ and reads the result as JSON. spamassassin: posts the mail, as Postmark spamcheck.'
    }),
    apiKey: Type.Optional(
      Type.String({
        maxLength: 256,
        secret: true,
        description: 'Key of the service; for mailbox the user name.'
      })
    ),
    minScore: Type.Number({
      default: 8,
      minimum: 0,
      maximum: 10,
      description: 'Content with a lower score is not published.'
    }),
    requireScore: Type.Boolean({
      default: false,
      description: 'Content without a score is not published.'
    }),
    cacheHours: Type.Number({
      default: 24,
      minimum: 0,
      maximum: 720,
      description: 'How long a score holds for the same content.'
    }),
    baseUrl: Type.Optional(
      Type.String({ maxLength: 512, description: 'In place of the address of the service.' })
    ),
    adminTenants
  },
  { additionalProperties: false }
)
export type ScorerConfig = Static<typeof configSchema>
