// The settings of the circuit breaker: thresholds in percent.

import { adminTenants } from '@keelson/mailer/contracts'
import { type Static, Type } from '@keelson/sdk'

const percent = (defaultValue: number, description: string) =>
  Type.Number({ default: defaultValue, exclusiveMinimum: 0, maximum: 100, description })

/** The settings. */
export const configSchema = Type.Object(
  {
    hardBounceRatePctTrip: percent(2, 'Hard bounces in percent of sent mails that trip.'),
    complaintRatePctTrip: percent(0.3, 'Complaints in percent of sent mails that trip.'),
    combinedBounceRatePctTrip: percent(5, 'All bounces in percent of sent mails that trip.'),
    failedToSendRatePctDegrade: percent(
      10,
      'Failed hand-overs in percent of all hand-overs that degrade.'
    ),
    windowMinutes: Type.Integer({
      default: 60,
      minimum: 1,
      maximum: 1440,
      description: 'Rates are those of the last so many minutes.'
    }),
    minSendsBeforeEval: Type.Integer({
      default: 100,
      minimum: 1,
      maximum: 1_000_000,
      description: 'Nothing trips or degrades below this many mails in the window.'
    }),
    alertEmail: Type.Optional(
      Type.String({
        maxLength: 320,
        description: 'Gets a mail when a bucket trips. Empty: no mail.'
      })
    ),
    adminTenants
  },
  { additionalProperties: false }
)

/** The settings of the circuit breaker. */
export type BreakerSettings = Static<typeof configSchema>
