// What keeps the mails of a broadcast that cannot leave now: gates, and the rules of the contact policy.
import type { MailerContext } from '../../ledger/context.ts'
import type { StatusBreakdown } from './measure-broadcast.ts'

/** Mails that a gate or the contact policy keeps, by what it says. */
export interface KeptMails {
  readonly status: 'held' | 'deferred'
  readonly cause: string
  readonly message: string
  readonly count: number
  readonly since: Date
  /** When the last of them is looked at again; null when it waits to be released. */
  readonly until: Date | null
}

/** Mails that are looked at. */
const MOST = 10_000
/** A gate may have its own words for each mail. */
const MOST_CAUSES = 20

/** The mails that a gate or the contact policy keeps, by what it says: of up to 10,000 mails. */
export function keptMails(
  { collections }: Pick<MailerContext, 'collections'>,
  broadcastId: string,
  { held = 0, deferred = 0 }: StatusBreakdown
): Promise<readonly KeptMails[]> {
  if (held + deferred === 0) return Promise.resolve([])
  return collections.sends.aggregate<KeptMails>(keptStages(broadcastId)).toArray()
}

/** The pipeline; the index over status finds the mails. */
export const keptStages = (broadcastId: string) => [
  { $match: { broadcastId, status: { $in: ['held', 'deferred'] } } },
  { $limit: MOST },
  {
    $group: {
      _id: { status: '$status', cause: '$hold.cause', message: '$hold.message' },
      count: { $sum: 1 },
      since: { $min: '$hold.since' },
      until: { $max: '$dueAt' }
    }
  },
  {
    $project: {
      _id: 0,
      status: '$_id.status',
      cause: '$_id.cause',
      message: '$_id.message',
      count: 1,
      since: 1,
      until: 1
    }
  },
  { $sort: { count: -1, message: 1 } },
  { $limit: MOST_CAUSES }
]
