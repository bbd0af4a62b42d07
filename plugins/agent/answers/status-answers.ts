// What the documents about the mailer as a whole answer.
import { Type } from '@keelson/sdk'
import type { MailerSchemas } from './mailer-schemas.ts'
import { counts, flag, integer, maybeText, maybeTime, text, time } from './shapes.ts'

const severity = Type.Enum(['ok', 'warn', 'error'])
const finding = { label: text, severity, message: text, hint: Type.Optional(text) }
const rate = Type.Union([Type.Number(), Type.Null()])
/** The setup list: the mailer's own checks and those of other plugins. */
const setup = Type.Object(
  {
    overall: severity,
    generatedAt: time,
    checks: Type.Array(
      Type.Object({
        name: text,
        ...finding,
        items: Type.Optional(Type.Array(Type.Object(finding)))
      })
    )
  },
  { title: 'AgentSetup' }
)

const healthStatus = Type.Union([Type.Enum(['healthy', 'degraded', 'tripped']), Type.Null()])
const aggregate = Type.Object({
  status: healthStatus,
  rates: Type.Union([
    Type.Object({
      bounceRate: rate,
      hardBounceRate: rate,
      complaintRate: rate,
      failureRate: rate
    }),
    Type.Null()
  ]),
  thresholds: Type.Object({
    hardBounceRatePctTrip: Type.Number(),
    complaintRatePctTrip: Type.Number(),
    combinedBounceRatePctTrip: Type.Number(),
    failedToSendRatePctDegrade: Type.Number()
  })
})

const flowLine = (mailer: MailerSchemas) =>
  Type.Object(
    {
      slug: text,
      enabled: flag,
      version: integer,
      lastTriggerScanAt: maybeTime,
      trigger: Type.Unsafe<object>(mailer.answerField('mailer.flows.read', 'trigger')),
      liveSteps: integer,
      gated: maybeText,
      activeRuns: integer
    },
    { title: 'AgentFlowLine' }
  )

const templateLine = Type.Object(
  { slug: text, kind: text, fromEmail: maybeText, published: flag, publishedAt: maybeTime },
  { title: 'AgentTemplateLine' }
)

/** `GET /status`. */
export const statusSchema = (mailer: MailerSchemas) =>
  Type.Object(
    {
      version: text,
      now: time,
      testContactsConfigured: flag,
      setup,
      health: Type.Object({
        status: healthStatus,
        aggregate: Type.Union([aggregate, Type.Null()])
      }),
      flows: Type.Array(flowLine(mailer)),
      templates: Type.Array(templateLine),
      counts: Type.Object({
        subscribed: integer,
        suppressions: integer,
        activeRuns: integer,
        sendsLast24h: counts,
        webhookEventsLast24h: integer,
        lastWebhookAt: maybeTime
      })
    },
    { title: 'AgentStatus' }
  )

/** `GET /webhooks/status`. */
export const webhookStatusSchema = Type.Object(
  {
    providers: Type.Array(text),
    lastReceivedAt: maybeTime,
    lastProvider: maybeText,
    last24h: counts,
    last7d: counts,
    unprocessed: integer,
    ingestPath: text
  },
  { title: 'AgentWebhookStatus' }
)
