// The settings of monitoring, as the config and operators give them.
import { type Static, Type } from '@keelson/sdk'

const count = (value: number, maximum = 1_000_000) =>
  Type.Integer({ default: value, minimum: 1, maximum })
const domains = Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
  default: [],
  maxItems: 100
})

/** Of the config and of `PUT /dmarc/settings`, where all are optional. */
export const monitoringSchema = Type.Object(
  {
    windowDays: count(7, 30),
    unknownSourceMinMessages: count(10),
    knownSourceMinMessages: count(5),
    alignmentMinMessages: count(100),
    alignmentMinRate: Type.Number({ default: 0.98, minimum: 0.5, maximum: 1 }),
    reportsStoppedDays: count(7, 60),
    realertAfterHours: Type.Integer({ default: 168, minimum: 0, maximum: 8760 }),
    dnsCheckIntervalHours: Type.Integer({ default: 24, minimum: 0, maximum: 720 }),
    reportAddress: Type.Union(
      [Type.String({ maxLength: 254, pattern: '@', form: 'a mail address' }), Type.Null()],
      {
        default: null
      }
    ),
    extraDomains: domains,
    ignoredDomains: domains
  },
  { additionalProperties: false, default: {} }
)

export type Monitoring = Static<typeof monitoringSchema>
