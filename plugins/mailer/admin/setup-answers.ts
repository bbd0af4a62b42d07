// What the operations about the mailer as a whole answer, written for their readers.
import { saidSchema, Type } from '@keelson/sdk'
import { newPauseSchema } from '../campaigns/marketing-pause.ts'
import { rowNamesSchema } from '../ledger/names.ts'
import type { SendStatus } from '../ledger/send-status.ts'
import { time } from './admin-operation.ts'
import { byPeople } from './send-answers.ts'

const optional = Type.Optional
const text = Type.String()
const count = Type.Integer()
const figure = Type.Union([Type.Number(), Type.Null()])

/** Who calls, and what they may do. */
export const meSchema = Type.Object(
  {
    actor: Type.String({ description: 'As the audit log names it.' }),
    permissions: Type.Object({
      canPublish: Type.Boolean(),
      canSendBroadcasts: Type.Boolean(),
      canManageSuppressions: Type.Boolean()
    })
  },
  { title: 'MailCaller' }
)

const pause = Type.Union([
  Type.Object({ ...newPauseSchema.properties, by: text, at: time }, { title: 'MarketingPause' }),
  Type.Null()
])

/** The pause of all marketing mail; null while it leaves. */
export const pauseSchema = Type.Object({ pause }, { title: 'MarketingPauseState' })

const rate = { value: figure, delta: figure }
const series = Type.Array(count, { description: 'Of the last 24 hours, oldest first.' })

const kpis = Type.Object(
  {
    sends: Type.Object({ value: count, delta: figure }),
    deliveredRate: Type.Object({ ...rate, bounced: figure }),
    openRate: Type.Object({ ...rate, exclBots: figure }),
    clickRate: Type.Object(rate)
  },
  {
    description:
      'Of the period; `delta` is what the one before had less. Rates are fractions, null without mail.'
  }
)

const health = Type.Object({
  status: Type.Union([Type.Enum(['healthy', 'degraded', 'tripped']), Type.Null()]),
  rates: Type.Union([
    Type.Object({
      bounceRate: figure,
      hardBounceRate: figure,
      complaintRate: figure,
      failureRate: figure
    }),
    Type.Null()
  ]),
  thresholds: Type.Union(
    [
      Type.Object({
        hardBounceRatePctTrip: Type.Number(),
        complaintRatePctTrip: Type.Number(),
        combinedBounceRatePctTrip: Type.Number(),
        failedToSendRatePctDegrade: Type.Number()
      }),
      Type.Null()
    ],
    { description: 'Percent.' }
  )
})

const recentFlow = Type.Object({ slug: text, name: text, version: count, updatedAt: time })

const recentSend = Type.Object({
  _id: text,
  externalId: text,
  emailAtSend: Type.Union([text, Type.Null()]),
  templateSlug: text,
  names: optional(rowNamesSchema),
  status: Type.Unsafe<SendStatus>(text),
  ...byPeople,
  queuedAt: time
})

const recentEntry = Type.Object({
  _id: text,
  at: time,
  actor: text,
  names: optional(rowNamesSchema),
  action: text,
  resource: Type.Object({ collection: text, id: optional(text), slug: optional(text) }),
  before: optional(Type.Unknown({ description: 'What was changed, as it was.' })),
  after: optional(Type.Unknown({ description: 'As it is since.' }))
})

/** What an operator sees first. */
export const dashboardSchema = Type.Object(
  {
    kpis,
    days: Type.Integer({ description: 'The length of the period.' }),
    series: Type.Object({
      hourly: Type.Object({ sends: series, opens: series }),
      course: Type.Object(
        {
          times: Type.Array(time, { description: 'Starts, oldest first.' }),
          intervalMs: count,
          sends: Type.Array(count),
          bounced: Type.Array(count),
          opens: Type.Array(count, { description: 'By people.' }),
          clicks: Type.Array(count, { description: 'By people.' })
        },
        { description: 'The period: by the hour for one day, by the day for more.' }
      )
    }),
    health,
    queue: Type.Object({
      inFlight: Type.Integer({
        description: 'Mails that are due or with a worker, at most 10,000.'
      }),
      delayed: Type.Integer({ description: 'Mails that wait for their time, at most 10,000.' }),
      held: Type.Integer({ description: 'Mails that something holds, at most 10,000.' }),
      waiting: Type.Integer({
        description: 'Mails that wait for a provider that takes none, at most 10,000 of each.'
      }),
      providerOk: Type.Boolean(),
      providerName: Type.String({ description: 'The one that takes no mail, else the default.' }),
      providerReason: Type.Optional(Type.String({ description: 'Why it takes no mail.' }))
    }),
    broadcasts: Type.Array(
      Type.Object({
        slug: text,
        name: text,
        status: Type.Enum(['paused', 'sending', 'scheduled']),
        scheduledAt: optional(time)
      }),
      { description: 'Those that are paused, send, or wait for their time.' }
    ),
    pause,
    recentFlows: Type.Array(recentFlow),
    recentSends: Type.Array(recentSend),
    recentAudit: Type.Array(recentEntry)
  },
  { title: 'MailDashboard' }
)

const severity = Type.Enum(['ok', 'warn', 'error'])
const finding = {
  label: text,
  severity,
  message: text,
  said: optional(saidSchema),
  hint: optional(text),
  hintSaid: optional(saidSchema)
}

/** The setup list. */
export const setupSchema = Type.Object(
  {
    overall: Type.Enum(['ok', 'warn', 'error'], { description: 'The worst line.' }),
    generatedAt: time,
    checks: Type.Array(
      Type.Object(
        {
          name: text,
          ...finding,
          href: optional(Type.String({ description: 'The page that shows it.' })),
          items: optional(Type.Array(Type.Object(finding)))
        },
        { title: 'SetupLine' }
      )
    )
  },
  { title: 'SetupStatus' }
)

/** The variables that templates can use. */
export const variablesSchema = Type.Object(
  {
    schema: Type.Unknown({ description: 'JSON Schema of what the host adds; null without one.' }),
    builtins: Type.Array(text, { description: 'Names that always exist.' })
  },
  { title: 'MailVariables' }
)
