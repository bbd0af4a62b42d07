// What the operations say about Postmaster: schemas, and the answer made from stored rows.
import { type Static, saidSchema, Type } from '@keelson/sdk'
import { isFresh, judgeDay } from '../pull/judge-day.ts'
import { type PostmasterContext, watchedDomains } from '../pull/run-pull.ts'
import { historyOf, type SnapshotRow } from '../storage/rows.ts'

const text = Type.Union([Type.String(), Type.Null()])
const ratio = Type.Union([Type.Number(), Type.Null()])

const daySchema = Type.Object(
  {
    date: Type.String(),
    source: Type.Enum(['v2', 'v1']),
    userReportedSpamRatio: ratio,
    domainReputation: text,
    spfSuccessRatio: ratio,
    dkimSuccessRatio: ratio,
    dmarcSuccessRatio: ratio,
    inboundEncryptionRatio: ratio,
    outboundEncryptionRatio: ratio,
    deliveryErrors: Type.Array(
      Type.Object({ errorClass: Type.String(), errorType: text, errorRatio: Type.Number() })
    ),
    spammyFeedbackLoops: Type.Array(Type.Object({ id: Type.String(), spamRatio: ratio }))
  },
  { title: 'PostmasterDay' }
)

const domainSchema = Type.Object(
  {
    domain: Type.String(),
    latest: Type.Union([daySchema, Type.Null()]),
    history: Type.Array(daySchema),
    level: Type.Enum(['ok', 'warn', 'trip']),
    /** Why the level is not `ok`; empty otherwise. */
    message: Type.String(),
    said: Type.Optional(saidSchema),
    compliance: Type.Array(
      Type.Object({ requirement: Type.String(), status: Type.String(), reason: text })
    ),
    errorMessage: text,
    attemptedAt: text
  },
  { title: 'PostmasterDomain' }
)

export const reportSchema = Type.Object(
  {
    configured: Type.Boolean(),
    intervalHours: Type.Number(),
    domains: Type.Array(domainSchema),
    reason: text
  },
  { title: 'PostmasterReport' }
)
/** The answer of `GET /postmaster`. */
export type PostmasterReport = Static<typeof reportSchema>

export const pullSchema = Type.Object(
  {
    ran: Type.Boolean(),
    reason: Type.Optional(Type.String()),
    fetched: Type.Optional(Type.Integer()),
    failed: Type.Optional(Type.Integer()),
    trippedDomains: Type.Optional(Type.Array(Type.String()))
  },
  { title: 'PostmasterPull' }
)

/** Reads what is stored about the watched domains. */
export async function readReport(
  context: Pick<PostmasterContext, 'config' | 'stored' | 'mailer' | 'client' | 'now'>
): Promise<PostmasterReport> {
  const { config, stored, client } = context
  const configured = client !== undefined
  const head = { configured, intervalHours: config.intervalHours }
  if (!configured) return { ...head, domains: [], reason: 'not_configured' }
  const domains = watchedDomains(context)
  const rows = await stored.domains.find({ _id: { $in: [...domains] } }).toArray()
  const read = await Promise.all(
    domains.map(async (domain) => {
      const history = await historyOf(stored, domain)
      const row = rows.find(({ _id }) => _id === domain)
      return {
        domain,
        latest: history[0] === undefined ? null : dayOf(history[0]),
        history: history.map(dayOf),
        ...verdictOf(history[0], context),
        compliance: row?.compliance.map((one) => ({ ...one })) ?? [],
        errorMessage: row?.errorMessage ?? null,
        attemptedAt: row?.attemptedAt.toISOString() ?? null
      }
    })
  )
  return { ...head, domains: read, reason: config.intervalHours === 0 ? 'disabled' : null }
}

function verdictOf(
  day: SnapshotRow | undefined,
  { config, now }: Pick<PostmasterContext, 'config' | 'now'>
): Pick<PostmasterReport['domains'][number], 'level' | 'message' | 'said'> {
  if (day === undefined || !isFresh(day, now)) return { level: 'ok', message: '' }
  const { level, reason, said } = judgeDay(day, config)
  return { level, message: reason, said }
}

function dayOf(row: SnapshotRow): Static<typeof daySchema> {
  const { _id, domain, fetchedAt, ...day } = row
  return {
    ...day,
    deliveryErrors: day.deliveryErrors.map((one) => ({ ...one })),
    spammyFeedbackLoops: day.spammyFeedbackLoops.map((one) => ({ ...one }))
  }
}
