// What the operations on reports answer.
import { saidSchema, Type, text } from '@keelson/sdk'
import { recordSchema } from '../aggregate/report.ts'
import { tlsPolicySchema } from '../tls/parse-tls-report.ts'

const date = Type.String({ description: 'ISO 8601.' })
const count = Type.Integer({ minimum: 0 })
const fraction = Type.Number({ minimum: 0, maximum: 1 })
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])
const policy = Type.Enum(['none', 'quarantine', 'reject'])

const currentPolicy = Type.Object({
  policy,
  pct: orNull(Type.Integer()),
  testing: Type.Boolean()
})

const progressionSchema = Type.Object(
  {
    policy,
    pct: orNull(Type.Integer()),
    testing: Type.Boolean(),
    reason: text,
    said: saidSchema,
    current: currentPolicy
  },
  { title: 'PolicyProgression' }
)

const conditionsSchema = Type.Object(
  {
    days: count,
    reports: count,
    minReports: count,
    messages: count,
    minMessages: count,
    aligned: orNull(fraction),
    minAligned: fraction
  },
  {
    title: 'StepConditions',
    description:
      'What the next policy asks for, beside what the last days had; shares are rounded down to a tenth of a percent. null: there is no next policy.'
  }
)

const reportSchema = Type.Object(
  {
    key: text,
    reportId: text,
    orgName: text,
    email: orNull(text),
    domain: text,
    rangeStart: date,
    rangeEnd: date,
    receivedAt: date,
    via: Type.Enum(['upload', 'inbound']),
    records: count,
    totalMessages: count,
    passCount: count,
    failCount: count,
    format: Type.Enum(['rfc7489', 'rfc9990']),
    recovered: Type.Boolean(),
    errors: Type.Array(text),
    policy,
    pct: orNull(Type.Integer()),
    sp: orNull(policy),
    np: orNull(policy),
    testing: Type.Boolean(),
    discoveryMethod: orNull(text),
    generator: orNull(text)
  },
  { title: 'DmarcReport' }
)

const series = Type.Array(
  Type.Object({ day: text, messages: count, alignmentRate: orNull(fraction) }),
  { description: 'The last 14 days, the oldest first.' }
)

const domainSchema = Type.Object(
  {
    domain: text,
    passCount: count,
    failCount: count,
    totalMessages: count,
    reportCount: count,
    latestRangeEnd: date,
    alignmentRate: orNull(fraction),
    currentPolicy: policy,
    currentPct: orNull(Type.Integer()),
    currentTesting: Type.Boolean(),
    subdomainPolicy: orNull(policy),
    progression: orNull(progressionSchema),
    conditions: orNull(conditionsSchema),
    reporters: Type.Array(
      Type.Object({ orgName: text, messages: count, counted: count, share: orNull(fraction) }),
      {
        description:
          'The five who report most. Reports cannot be authenticated: of one reporter no more than nine times the smaller ones, or 100,000 messages, counts in the figures of the domain.'
      }
    ),
    series
  },
  { title: 'DmarcDomain' }
)

/** What the reports of a domain say of its alignment. */
export const alignmentSchema = Type.Object(
  {
    rate: orNull(fraction),
    messages: count,
    currentPolicy: policy,
    series,
    conditions: orNull(conditionsSchema)
  },
  { title: 'DmarcAlignment' }
)

/** Who sends for a domain. */
export const sendersSchema = Type.Object(
  {
    shown: Type.Array(
      Type.Object({
        sourceIp: text,
        ptr: orNull(text),
        label: orNull(text),
        ignored: Type.Boolean(),
        messages: count,
        aligned: count,
        dkim: count,
        spf: count,
        lastSeen: text
      }),
      { description: 'Unknown ones that fail first, then the others by their mails.' }
    ),
    total: count
  },
  { title: 'DmarcSenders' }
)

const sourceSchema = Type.Object(
  {
    sourceIp: text,
    domain: text,
    totalMessages: count,
    daysSeen: count,
    lastSeen: Type.String({ description: 'A day, as 2026-11-20.' }),
    dkimResult: text,
    spfResult: text,
    dispositionApplied: text,
    reporters: Type.Array(Type.Object({ orgName: text, messages: count, counted: count }), {
      description:
        'Who reported most of it, the largest first: messages, and those that count in totalMessages.'
    }),
    ptr: orNull(text),
    label: orNull(text),
    ignored: Type.Boolean(),
    tagSource: orNull(Type.Enum(['config', 'db']))
  },
  { title: 'DmarcSource' }
)

export const overviewSchema = Type.Object(
  {
    domains: Type.Array(domainSchema),
    sources: Type.Array(sourceSchema, { description: 'The 100 that fail most.' }),
    recentReports: Type.Array(reportSchema, { description: 'The newest 30.' }),
    retentionDays: count
  },
  { title: 'DmarcOverview' }
)

const rejectedSchema = Type.Object(
  { filename: text, code: text, message: text },
  { title: 'RejectedReport' }
)
const ingestedParts = { duplicate: Type.Boolean() }

const ingestedSchema = Type.Union([
  Type.Object({
    kind: Type.Literal('aggregate'),
    ...ingestedParts,
    recovered: Type.Boolean(),
    reportId: text,
    orgName: text,
    domain: text,
    rangeStart: date,
    rangeEnd: date,
    totalMessages: count,
    passCount: count,
    failCount: count
  }),
  Type.Object({
    kind: Type.Literal('failure'),
    ...ingestedParts,
    feedbackType: text,
    sourceIp: orNull(text),
    reportedDomain: orNull(text)
  }),
  Type.Object({
    kind: Type.Literal('tls'),
    ...ingestedParts,
    reportId: text,
    organizationName: text,
    rangeStart: date,
    rangeEnd: date,
    totalSuccessfulSessionCount: count,
    totalFailureSessionCount: count
  })
])

/** The first report, and what else was in the file. */
export const uploadedSchema = Type.Intersect([
  ingestedSchema,
  Type.Object({
    ok: Type.Literal(true),
    additionalReports: Type.Array(ingestedSchema),
    rejected: Type.Array(rejectedSchema)
  })
])

export const recordsSchema = Type.Object(
  {
    report: reportSchema,
    records: Type.Array(recordSchema),
    nextCursor: Type.Optional(text)
  },
  { title: 'DmarcReportRecords' }
)

export const failuresSchema = Type.Object(
  {
    failures: Type.Array(
      Type.Object({
        key: text,
        receivedAt: date,
        arrivedAt: orNull(date),
        feedbackType: text,
        sourceIp: orNull(text),
        reportedDomain: orNull(text),
        authFailure: Type.Array(text),
        deliveryResult: orNull(text),
        recipients: Type.Array(text),
        effect: Type.Union([Type.Literal('complaint'), Type.Literal('unsubscribe'), Type.Null()], {
          description:
            'What followed for the recipient of the mail. null: nothing, as for a report that names no mail of ours.'
        }),
        subject: orNull(text),
        messageId: orNull(text),
        userAgent: orNull(text)
      })
    )
  },
  { title: 'MailFailures' }
)

export const tlsReportsSchema = Type.Object(
  {
    reports: Type.Array(
      Type.Object({
        key: text,
        receivedAt: date,
        reportId: text,
        organizationName: text,
        rangeStart: date,
        rangeEnd: date,
        totalSuccessfulSessionCount: count,
        totalFailureSessionCount: count,
        policies: Type.Array(tlsPolicySchema)
      })
    )
  },
  { title: 'TlsReports' }
)
