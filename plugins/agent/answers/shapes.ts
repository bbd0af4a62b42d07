// Shapes that several answers have.
import { Type } from '@keelson/sdk'

export const text = Type.String()
export const integer = Type.Integer()
export const flag = Type.Boolean()
export const time = Type.String({ format: 'date-time' })
/** null while it is not known. */
export const maybeText = Type.Union([text, Type.Null()])
export const maybeTime = Type.Union([time, Type.Null()])
/** Values by name, as the host and its events have them. */
export const values = Type.Record(text, Type.Unknown())
/** Numbers by name. */
export const counts = Type.Record(text, Type.Integer())

/** A contact as answers name it. */
export const contactReferenceSchema = Type.Object(
  { externalId: text, email: text },
  { title: 'AgentContactReference' }
)

/** A send, with null for what is not known yet. */
export const sendSchema = Type.Object(
  {
    id: text,
    templateSlug: text,
    externalId: text,
    email: maybeText,
    kind: text,
    status: text,
    provider: maybeText,
    providerMessageId: maybeText,
    subject: maybeText,
    errorMessage: maybeText,
    exitReason: maybeText,
    flowRunId: maybeText,
    queuedAt: time,
    sentAt: maybeTime,
    deliveredAt: maybeTime,
    openedAt: maybeTime,
    firstClickAt: maybeTime,
    bounceType: maybeText
  },
  { title: 'AgentSend' }
)

/** One thing that happened in a run. */
export const historyEntrySchema = Type.Object(
  { at: time, path: text, action: text, details: Type.Optional(values) },
  { title: 'AgentRunEntry' }
)

/** A run of a flow. */
export const runSchema = Type.Object(
  {
    id: text,
    flowSlug: text,
    flowVersion: integer,
    externalId: text,
    email: maybeText,
    status: text,
    currentStepIndex: integer,
    currentBranchPath: text,
    nextActionAt: maybeTime,
    enteredAt: time,
    exitedAt: maybeTime,
    exitReason: maybeText,
    triggerEvent: Type.Union([Type.Object({ name: text, properties: values }), Type.Null()]),
    history: Type.Array(historyEntrySchema)
  },
  { title: 'AgentRun' }
)

/** An event of a contact. */
export const eventSchema = Type.Object(
  { id: text, name: text, externalId: text, properties: values, occurredAt: time },
  { title: 'AgentEvent' }
)

/** What a provider said about a mail. */
export const webhookEventSchema = Type.Object(
  {
    provider: text,
    type: text,
    email: text,
    occurredAt: time,
    receivedAt: time,
    processed: flag,
    details: values
  },
  { title: 'AgentWebhookEvent' }
)

/** The subscription of a contact. */
export const subscriptionSchema = Type.Union([
  Type.Object(
    {
      externalId: text,
      status: text,
      source: text,
      emailAtSubscribe: Type.Optional(text),
      consentTimestamp: Type.Optional(time),
      consentIp: Type.Optional(text),
      consentUserAgent: Type.Optional(text),
      subscribedAt: Type.Optional(time),
      unsubscribedAt: Type.Optional(time),
      unsubscribeReason: Type.Optional(text),
      doiRequestedAt: Type.Optional(time),
      doiConfirmedAt: Type.Optional(time),
      firstSentAt: Type.Optional(time),
      lastEngagedAt: Type.Optional(time),
      createdAt: time,
      updatedAt: time
    },
    { title: 'AgentSubscription' }
  ),
  Type.Null()
])

/** Why an address gets no mail. */
export const suppressionSchema = Type.Object(
  {
    id: text,
    email: maybeText,
    scope: text,
    reason: text,
    source: Type.Optional(text),
    notes: Type.Optional(text),
    addedAt: time,
    expiresAt: maybeTime
  },
  { title: 'AgentSuppression' }
)

/** A flow as answers name it. */
export const flowReferenceSchema = Type.Object(
  { slug: text, version: integer, enabled: flag },
  { title: 'AgentFlowReference' }
)
