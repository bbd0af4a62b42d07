// A stored record as reads show it: the schema, and the types of its parts.
import { optional, Type } from '@keelson/sdk'
import { KINDS } from '../contracts/telemetry-registry.ts'
import { type Answer, count, date, flag, mapOf, oneOf, text } from './parts.ts'

export const SEVERITIES = ['debug', 'info', 'warn', 'error', 'fatal'] as const
export type Severity = (typeof SEVERITIES)[number]

const open = { additionalProperties: true } as const

const subjectSchema = Type.Object({
  type: text(),
  id: text(),
  role: optional(text())
})

const frameSchema = Type.Object(
  {
    filename: optional(text()),
    fn: optional(text()),
    lineno: optional(count()),
    colno: optional(count()),
    inApp: optional(flag()),
    context: optional(Type.Array(Type.String()))
  },
  open
)

const errorSchema = Type.Object(
  {
    type: text(),
    message: text(),
    handled: optional(flag('Default false.')),
    fingerprint: optional(
      text(
        'Groups equal errors. Default: made from type and frames, or from type and message without frames.'
      )
    ),
    frames: optional(Type.Array(frameSchema))
  },
  open
)

const stateSchema = Type.Object(
  {
    key: text(),
    from: optional(text()),
    to: text(),
    previousSinceMs: optional(count())
  },
  open
)

const usageSchema = Type.Object(
  {
    meter: text(),
    quantity: count(),
    unit: text(),
    amount: optional(text('Money as decimal text, so that nothing is rounded.')),
    currency: optional(text()),
    idempotencyKey: optional(text('The same key in one tenant is one row.')),
    billedTo: optional(text('A subject ref.')),
    billable: optional(flag('Default true.')),
    priceVersion: optional(text()),
    reverses: optional(text())
  },
  open
)

const clientSchema = Type.Object({ platform: text(), appVersion: text() }, open)

export const envelopeSchema = Type.Object(
  {
    _id: text("The wire's id; unique within the tenant."),
    tenantId: text(),
    occurredAt: date(),
    nanos: optional(
      count('Nanoseconds past the millisecond of occurredAt, where the sender measures them.')
    ),
    receivedAt: date(),
    kind: oneOf(KINDS),
    name: text('Registered event name.'),
    severity: oneOf(SEVERITIES),
    env: text(),
    service: text(),
    release: text(),
    origin: oneOf(['server', 'client']),
    traceId: optional(text()),
    spanId: optional(text()),
    parentId: optional(text()),
    durationMs: optional(count()),
    subject: optional(text('Ref of the first subject.')),
    subjects: Type.Array(subjectSchema),
    actor: optional(text('`<type>:<id>`, as sent. Absent on customer facts.')),
    actorType: optional(text()),
    onBehalfOf: optional(text()),
    attrs: mapOf(Type.String()),
    metrics: mapOf(Type.Number()),
    data: optional(Type.Unknown()),
    body: optional(text()),
    error: optional(errorSchema),
    state: optional(stateSchema),
    usage: optional(usageSchema),
    client: optional(clientSchema),
    truncated: optional(Type.Literal(true, { description: 'A value was clipped.' })),
    sampleRate: count('Below 1: this row stands for 1/sampleRate records.'),
    redactedAt: optional(date('The subject was erased.'))
  },
  { title: 'TelemetryRecord' }
)

/** Who or what a record is about. The ref is `<type>:<id>`; ids may contain `:`, types may not. */
export type Subject = Answer<typeof subjectSchema>
export type ErrorFrame = Answer<typeof frameSchema>
export type ErrorInfo = Answer<typeof errorSchema>
export type StateInfo = Answer<typeof stateSchema>
export type UsageInfo = Answer<typeof usageSchema>
export interface ClientInfo extends Answer<typeof clientSchema> {
  readonly [field: string]: unknown
}

/** A stored record as reads show it. Dates become ISO text in JSON. */
export type Envelope = Omit<Answer<typeof envelopeSchema>, 'client'> & {
  readonly client?: ClientInfo
}
