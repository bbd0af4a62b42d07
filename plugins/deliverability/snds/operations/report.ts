// What the operations say about SNDS: schemas, and the answer made from stored rows.
import { type Static, Type } from '@keelson/sdk'
import type { SndsContext } from '../pull/run-pull.ts'
import type { SnapshotRow } from '../storage/rows.ts'

const text = Type.Union([Type.String(), Type.Null()])
const count = Type.Union([Type.Integer(), Type.Null()])

const activitySchema = Type.Object(
  {
    activityStart: Type.String(),
    activityEnd: Type.String(),
    rcptCommands: count,
    dataCommands: count,
    messageRecipients: count,
    filterResult: Type.Enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']),
    complaintRate: Type.Union([Type.Number(), Type.Null()]),
    trapMessageStart: text,
    trapMessageEnd: text,
    trapMessageCount: count,
    sampleHelo: text,
    sampleMailFrom: text,
    comments: text
  },
  { title: 'SndsActivity' }
)

export const reportSchema = Type.Object(
  {
    configured: Type.Boolean(),
    intervalHours: Type.Number(),
    ips: Type.Array(
      Type.Object({
        ip: Type.String(),
        latest: activitySchema,
        history: Type.Array(activitySchema)
      })
    ),
    ranges: Type.Array(
      Type.Object({
        firstIp: Type.String(),
        lastIp: Type.String(),
        isBlocked: Type.Boolean(),
        reason: text
      })
    ),
    latestRunAt: text,
    errorMessage: text,
    reason: text
  },
  { title: 'SndsReport' }
)
/** The answer of `GET /snds`. */
export type SndsReport = Static<typeof reportSchema>

export const pullSchema = Type.Object(
  {
    ran: Type.Boolean(),
    reason: Type.Optional(Type.String()),
    message: Type.Optional(Type.String()),
    rowsParsed: Type.Optional(Type.Integer()),
    rowsPersisted: Type.Optional(Type.Integer()),
    rowsRefused: Type.Optional(Type.Integer()),
    blockedRanges: Type.Optional(Type.Integer())
  },
  { title: 'SndsPull' }
)

const HISTORY = 30
const MAX_ADDRESSES = 500

/** Reads what is stored. */
export async function readReport({
  config,
  stored,
  client
}: Pick<SndsContext, 'config' | 'stored' | 'client'>): Promise<SndsReport> {
  const { intervalHours } = config
  const nothing = { ips: [], ranges: [], latestRunAt: null, errorMessage: null }
  if (client === undefined) {
    return { configured: false, intervalHours, ...nothing, reason: 'not_configured' }
  }
  const [addresses, ranges, last] = await Promise.all([
    stored.addresses.find().sort({ _id: 1 }).limit(MAX_ADDRESSES).toArray(),
    stored.ranges.find().sort({ _id: 1 }).limit(MAX_ADDRESSES).toArray(),
    stored.pulls.findOne({ _id: 'pull' })
  ])
  const ips = await Promise.all(
    addresses.map(async ({ _id: ip }) => {
      const rows = stored.snapshots.find({ ip }).sort({ activityStart: -1 }).limit(HISTORY)
      const history = (await rows.toArray()).map(activityOf)
      return history[0] === undefined ? [] : [{ ip, latest: history[0], history }]
    })
  )
  return {
    configured: true,
    intervalHours,
    ips: ips.flat(),
    ranges: ranges.map(({ _id, fetchedAt, ...range }) => range),
    latestRunAt: last?.attemptedAt.toISOString() ?? null,
    errorMessage: last?.errorMessage ?? null,
    reason: intervalHours === 0 ? 'disabled' : null
  }
}

function activityOf(row: SnapshotRow): Static<typeof activitySchema> {
  const { _id, ip, fetchedAt, ...activity } = row
  return {
    ...activity,
    activityStart: activity.activityStart.toISOString(),
    activityEnd: activity.activityEnd.toISOString(),
    trapMessageStart: activity.trapMessageStart?.toISOString() ?? null,
    trapMessageEnd: activity.trapMessageEnd?.toISOString() ?? null
  }
}
