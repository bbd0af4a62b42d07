// What people did with a broadcast: the links they clicked, and when.
import type { Document } from 'mongodb'
import type { MailerContext } from '../../ledger/context.ts'
import type { BroadcastHourRow } from '../../ledger/hour-row.ts'

/** A link of a broadcast, and how many mails it was clicked in. */
export interface ClickedLink {
  readonly url: string
  /** Mails in which a person clicked it. */
  readonly people: number
  /** Mails in which only machines did. */
  readonly machines: number
}

/** What happened in an hour; a count that is left out is 0. */
export type ReportedHour = Omit<BroadcastHourRow, '_id' | 'minutes'>

/** What people did with a broadcast. */
export interface BroadcastReport {
  /** The most clicked first, at most 50. */
  readonly links: readonly ClickedLink[]
  /** More mails were clicked than the links were counted from. */
  readonly isPartial: boolean
  /** Hours in which anything happened, at most 500; kept for 60 days. */
  readonly hours: readonly ReportedHour[]
}

const MOST_MAILS = 20_000
const MOST_LINKS = 50
const MOST_HOURS = 500

/** null when the slug is unknown. */
export async function readReport(
  context: Pick<MailerContext, 'collections'>,
  slug: string
): Promise<BroadcastReport | null> {
  const { broadcasts, sends, broadcastHours } = context.collections
  const broadcast = await broadcasts.findOne({ slug }, { projection: { _id: 1 } })
  if (broadcast === null) return null
  const clicked = { broadcastId: broadcast._id, status: 'clicked' } as const
  const [links, count, hours] = await Promise.all([
    sends.aggregate<ClickedLink>(clickedLinkStages(broadcast._id)).toArray(),
    sends.countDocuments(clicked, {
      limit: MOST_MAILS + 1,
      hint: { broadcastId: 1, status: 1, externalId: 1 }
    }),
    broadcastHours
      .find({ _id: { $gt: `${slug}:`, $lt: `${slug};` } }, { projection: { _id: 0, minutes: 0 } })
      .sort({ _id: 1 })
      .limit(MOST_HOURS)
      .toArray()
  ])
  return { links, isPartial: count > MOST_MAILS, hours }
}

/** The pipeline that counts links, by an index and of a bounded number of mails. */
export const clickedLinkStages = (broadcastId: string): Document[] => [
  { $match: { broadcastId, status: 'clicked' } },
  { $limit: MOST_MAILS },
  { $project: { clickedLinks: 1 } },
  { $unwind: '$clickedLinks' },
  {
    $group: {
      _id: { mail: '$_id', url: '$clickedLinks.url' },
      byPeople: { $max: { $cond: [{ $eq: [{ $type: '$clickedLinks.machine' }, 'array'] }, 0, 1] } }
    }
  },
  {
    $group: {
      _id: '$_id.url',
      people: { $sum: '$byPeople' },
      mails: { $sum: 1 }
    }
  },
  { $sort: { people: -1, mails: -1, _id: 1 } },
  { $limit: MOST_LINKS },
  { $project: { _id: 0, url: '$_id', people: 1, machines: { $subtract: ['$mails', '$people'] } } }
]
