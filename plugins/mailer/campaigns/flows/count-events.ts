// Which events there are: the registered ones, those that were only seen, and how many of each.
import type { Document } from 'mongodb'
import type { MailerContext } from '../../ledger/context.ts'
import type { EventRegistry, RegisteredEvent } from './event-registry.ts'

const DAY_MS = 86_400_000
const MAX_NAMES = 200

/** How often an event was recorded, and when. */
export interface EventStats {
  readonly total: number
  readonly last7d: number
  readonly last30d: number
  readonly firstAt: Date
  readonly lastAt: Date
}

/** Events for operators. */
export interface EventCounts {
  readonly registered: readonly RegisteredEvent[]
  /** Names among the stored events that this process does not register. */
  readonly seen: readonly string[]
  /** By name; names without an event are left out. At most 200. */
  readonly stats: Readonly<Record<string, EventStats>>
}

/** The registered events, those that were only seen, and how many of each. */
export async function countEvents(
  context: Pick<MailerContext, 'collections' | 'clock'>,
  registry: EventRegistry
): Promise<EventCounts> {
  const stats = await eventStats(context)
  const registered = registry.list()
  const known = new Set(registered.map(({ name }) => name))
  return { registered, seen: Object.keys(stats).filter((name) => !known.has(name)), stats }
}

/** How often each event was recorded, by name: one command, answered by the index over names and times alone. */
export async function eventStats({
  collections,
  clock
}: Pick<MailerContext, 'collections' | 'clock'>): Promise<EventCounts['stats']> {
  const found = await collections.events
    .aggregate<EventStats & { readonly _id: string }>(statsPipeline(clock.now()), {
      hint: { name: 1, occurredAt: -1 },
      batchSize: MAX_NAMES + 1
    })
    .toArray()
  return Object.fromEntries(found.map(({ _id, ...own }) => [_id, own]))
}

/** The statistics of each stored name, by name. */
function statsPipeline(now: Date): Document[] {
  const within = (days: number) => {
    const since = new Date(now.getTime() - days * DAY_MS)
    return { $sum: { $cond: [{ $gte: ['$occurredAt', since] }, 1, 0] } }
  }
  return [
    { $match: { name: { $gt: '' } } },
    { $project: { _id: 0, name: 1, occurredAt: 1 } },
    {
      $group: {
        _id: '$name',
        total: { $sum: 1 },
        last7d: within(7),
        last30d: within(30),
        firstAt: { $min: '$occurredAt' },
        lastAt: { $max: '$occurredAt' }
      }
    },
    { $sort: { _id: 1 } },
    { $limit: MAX_NAMES }
  ]
}
