// Sources of failing mail, over all records of the window; records of reports that are being stored do not count.
import type { ClientSession, Document } from 'mongodb'
import type { AuthResult, Disposition } from '../aggregate/report.ts'
import type { DmarcContext } from '../context.ts'
import type { FindTag } from '../sources/source-tags.ts'

/** One address that sends failing mail in the name of one domain. */
export interface FailingSource {
  readonly sourceIp: string
  readonly domain: string
  readonly totalMessages: number
  readonly daysSeen: number
  /** A day, as `2026-11-20`. */
  readonly lastSeen: string
  readonly dkimResult: AuthResult
  readonly spfResult: AuthResult
  readonly dispositionApplied: Disposition
}

/** Which records to look at. */
export interface SourceFilter {
  readonly receivedSince: Date
  /** Only records of ranges that end later. */
  readonly endedSince?: Date
  readonly domain?: string
}

interface SourceRow {
  readonly _id: { readonly sourceIp: string; readonly domain: string }
  readonly totalMessages: number
  readonly days: readonly string[]
  readonly latest: {
    readonly day: string
    readonly dkim: AuthResult
    readonly spf: AuthResult
    readonly disposition: Disposition
  }
}

type ReadContext = Pick<DmarcContext, 'collections' | 'withTransaction'>

/** Those with most failing messages first. */
export async function readSources(
  { collections, withTransaction }: ReadContext,
  filter: SourceFilter,
  limit: number
): Promise<readonly FailingSource[]> {
  const rows = await withTransaction(async (session) => {
    const stages = [
      ...(await sourceStages(collections, filter, session)),
      { $sort: { totalMessages: -1, _id: 1 } },
      { $limit: limit }
    ]
    return collections.records.aggregate<SourceRow>(stages, { session }).toArray()
  })
  return rows.map(({ _id, totalMessages, days, latest }) => ({
    ..._id,
    totalMessages,
    daysSeen: days.length,
    lastSeen: latest.day,
    dkimResult: latest.dkim,
    spfResult: latest.spf,
    dispositionApplied: latest.disposition
  }))
}

/** Whether any source without a tag fails. Ends at the first. */
export function hasUnknownFailures(
  { collections, withTransaction }: ReadContext,
  filter: SourceFilter,
  findTag: FindTag
): Promise<boolean> {
  return withTransaction(async (session) => {
    const stages = await sourceStages(collections, filter, session)
    const found = collections.records.aggregate<SourceRow>(stages, { session })
    for await (const { _id } of found) if (findTag(_id.sourceIp) === undefined) return true
    return false
  })
}

/** Both reads see the same moment: a report is in the sums whole, or not at all. */
async function sourceStages(
  { ingests }: DmarcContext['collections'],
  { receivedSince, endedSince, domain }: SourceFilter,
  session: ClientSession
): Promise<Document[]> {
  const pending = await ingests.find({}, { session, projection: { _id: 1 } }).toArray()
  const match = {
    aligned: false,
    receivedAt: { $gte: receivedSince },
    sourceIp: { $ne: null },
    ...(domain !== undefined && { domain }),
    ...(endedSince !== undefined && { rangeEnd: { $gte: endedSince } }),
    ...(pending.length > 0 && { ingest: { $nin: pending.map(({ _id }) => _id) } })
  }
  const latest = { day: '$day', dkim: '$dkim', spf: '$spf', disposition: '$disposition' }
  return [
    { $match: match },
    {
      $group: {
        _id: { sourceIp: '$sourceIp', domain: '$domain' },
        totalMessages: { $sum: '$count' },
        days: { $addToSet: '$day' },
        latest: { $max: latest }
      }
    },
    // A record may be about no message at all.
    { $match: { totalMessages: { $gt: 0 } } }
  ]
}
