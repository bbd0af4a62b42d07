// Sources of failing mail: all that are kept by their sums, those of a shorter window from its records.
import type { ClientSession, Document } from 'mongodb'
import type { AuthResult, Disposition } from '../aggregate/report.ts'
import type { DmarcContext } from '../context.ts'
import { type FailingSource, failingSource } from '../sources/source-sums.ts'
import type { FindTag } from '../sources/source-tags.ts'
import type { SourceRow as StoredSource } from '../storage/rows.ts'

/** Which records to look at. */
export interface SourceFilter {
  readonly receivedSince: Date
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

/** Those with most failing messages first, of all records that are kept. */
export async function readFailing(
  { collections: { sources } }: Pick<DmarcContext, 'collections'>,
  limit: number
): Promise<readonly FailingSource[]> {
  return (await readSourceRows({ sources }, limit)).map(failingSource)
}

/** Their sums as they are stored. */
export const readSourceRows = (
  { sources }: Pick<DmarcContext['collections'], 'sources'>,
  limit: number
): Promise<StoredSource[]> => sources.find().sort({ messages: -1, _id: 1 }).limit(limit).toArray()

/** Whether any source of a domain without a tag fails. Ends at the first. */
export async function hasUnknownFailures(
  { collections: { ingests, sources } }: Pick<DmarcContext, 'collections'>,
  { domain, endedSince }: { readonly domain: string; readonly endedSince: Date },
  findTag: FindTag
): Promise<boolean> {
  // Until all sources of a report are summed, any may be among the others.
  if ((await ingests.findOne({ 'summing.domain': domain })) !== null) return true
  const found = sources
    .find({ domain, rangeEnd: { $gte: endedSince } })
    .project<{ readonly sourceIp: string }>({ sourceIp: 1 })
  for await (const { sourceIp } of found) if (findTag(sourceIp) === undefined) return true
  return false
}

/** Those of a shorter window, with most failing messages first. */
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

/** Both reads see the same moment: a report is in the sums whole, or not at all. */
async function sourceStages(
  { ingests }: DmarcContext['collections'],
  { receivedSince }: SourceFilter,
  session: ClientSession
): Promise<Document[]> {
  const isStaged = { summing: { $exists: false } }
  const pending = await ingests.find(isStaged, { session, projection: { _id: 1 } }).toArray()
  const match = {
    aligned: false,
    receivedAt: { $gte: receivedSince },
    sourceIp: { $ne: null },
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
