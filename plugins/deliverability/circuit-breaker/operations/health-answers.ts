// What the operations of health take and answer.
import { saidSchema, Type } from '@keelson/sdk'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])
const date = Type.String({ format: 'date-time' })
const fraction = nullable(Type.Number())
const kind = Type.Enum(['marketing', 'transactional'])
const status = Type.Enum(['healthy', 'degraded', 'tripped'])

const rates = Type.Object(
  {
    bounceRate: fraction,
    hardBounceRate: fraction,
    complaintRate: fraction,
    failureRate: fraction
  },
  { title: 'MailRates', description: 'From 0 to 1; null without mail.' }
)
const counters = Type.Object(
  {
    sent: Type.Integer(),
    delivered: Type.Integer(),
    bounced: Type.Integer(),
    hardBounced: Type.Integer(),
    softBounced: Type.Integer(),
    complained: Type.Integer(),
    failedToSend: Type.Integer()
  },
  { title: 'MailCounters' }
)
const counted = {
  windowStartedAt: date,
  windowDurationMs: Type.Integer(),
  counters,
  rates,
  updatedAt: date
}

export const tripsSchema = Type.Array(
  Type.Object({
    id: Type.String(),
    action: Type.Enum(['health.trip', 'health.resume']),
    at: date,
    actor: Type.String(),
    resource: Type.Object({
      collection: Type.String(),
      id: Type.String(),
      slug: Type.String()
    }),
    after: Type.Object({
      reason: nullable(Type.String()),
      said: Type.Optional(saidSchema),
      rates
    })
  })
)

const heldBroadcasts = Type.Array(
  Type.Object({
    slug: Type.String(),
    name: Type.String(),
    held: Type.Integer({ description: 'Mails that go out with a resume.' }),
    risky: Type.Integer({ description: 'Of these, mails to addresses that had no mail before.' })
  }),
  { description: 'Of a tripped one: its broadcasts that wait for the resume, at most 5.' }
)

export const healthSchema = Type.Object(
  {
    status: nullable(status),
    rates: nullable(rates),
    counters: nullable(counters),
    aggregate: nullable(
      Type.Object({ senderDomain: Type.Null(), kind: Type.Null(), status, ...counted })
    ),
    buckets: Type.Array(
      Type.Object({
        senderDomain: nullable(Type.String()),
        kind,
        status,
        ...counted,
        trippedAt: nullable(date),
        trippedReason: nullable(Type.String()),
        trippedSaid: Type.Optional(nullable(saidSchema)),
        manuallyResumedAt: nullable(date),
        warning: nullable(Type.String()),
        warningSaid: Type.Optional(nullable(saidSchema)),
        held: Type.Optional(
          Type.Integer({
            description:
              'Of a tripped one: mails of flows and campaigns that its resume lets go, counted to 10,000.'
          })
        ),
        broadcasts: Type.Optional(heldBroadcasts),
        origin: Type.Optional(
          nullable(
            Type.Object(
              { slug: Type.String(), name: Type.String() },
              { description: 'Of a tripped one: the broadcast that its bad mails are all from.' }
            )
          )
        )
      })
    ),
    thresholds: Type.Object({
      hardBounceRatePctTrip: Type.Number(),
      complaintRatePctTrip: Type.Number(),
      combinedBounceRatePctTrip: Type.Number(),
      failedToSendRatePctDegrade: Type.Number(),
      windowMinutes: Type.Integer(),
      minSendsBeforeEval: Type.Integer()
    }),
    trips: Type.Optional(tripsSchema)
  },
  { title: 'MailHealth' }
)

const bucketKey = {
  senderDomain: Type.Union([Type.String({ minLength: 1, maxLength: 253 }), Type.Null()]),
  kind
}

/** Both fields name one bucket; none means every tripped one. */
export const resumeSchema = Type.Refine(
  Type.Object(
    { senderDomain: Type.Optional(bucketKey.senderDomain), kind: Type.Optional(kind) },
    { additionalProperties: false }
  ),
  (body) => (body.senderDomain === undefined) === (body.kind === undefined),
  () => 'must have both senderDomain and kind, or neither'
)

export const resumedSchema = Type.Object(
  { ok: Type.Literal(true), resumed: Type.Integer() },
  { title: 'Resumed' }
)
