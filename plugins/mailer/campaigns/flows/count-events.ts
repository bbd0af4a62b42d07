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

/** One command, answered by the index over names and times alone. */
export async function countEvents(
  { collections, clock }: Pick<MailerContext, 'collections' | 'clock'>,
  registry: EventRegistry
): Promise<EventCounts> {
  const found = await collections.events
    .aggregate<EventStats & { readonly _id: string }>(statsPipeline(clock.now()), {
      hint: 'name_time',
      batchSize: MAX_NAMES + 1
    })
    .toArray()
  const stats = Object.fromEntries(found.map(({ _id, ...own }) => [_id, own]))
  const registered = registry.list()
  const known = new Set(registered.map(({ name }) => name))
  return { registered, seen: Object.keys(stats).filter((name) => !known.has(name)), stats }
}

/** The names of stored events: one look-up per name, however many events have it. At most 200. */
export async function storedNames({
  collections
}: Pick<MailerContext, 'collections'>): Promise<readonly string[]> {
  const names: string[] = []
  while (names.length < MAX_NAMES) {
    const next = await collections.events.findOne(
      { name: { $gt: names.at(-1) ?? '' } },
      { sort: { name: 1, occurredAt: -1 }, projection: { name: 1 } }
    )
    if (next === null) break
    names.push(next.name)
  }
  return names
}

/** How often each event was recorded in 30 days, by name. */
export async function countsOf(
  { collections, clock }: Pick<MailerContext, 'collections' | 'clock'>,
  names: readonly string[]
): Promise<Readonly<Record<string, number>>> {
  const occurredAt = { $gte: new Date(clock.now().getTime() - 30 * DAY_MS) }
  const counted = await collections.events
    .aggregate<{ readonly _id: string; readonly count: number }>([
      { $match: { name: { $in: [...names] }, occurredAt } },
      { $group: { _id: '$name', count: { $sum: 1 } } }
    ])
    .toArray()
  const found = new Map(counted.map(({ _id, count }) => [_id, count]))
  return Object.fromEntries(names.map((name) => [name, found.get(name) ?? 0]))
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
