// Which events there are: the registered ones, and those that were only seen.
import type { MailerContext } from '../context.ts'
import type { EventRegistry, RegisteredEvent } from './event-registry.ts'

const DAYS = 30
const MAX_NAMES = 200

/** Events for operators. */
export interface EventCounts {
  readonly registered: readonly RegisteredEvent[]
  /** Seen in the last 30 days, and registered by no process that answers. */
  readonly unregistered: readonly string[]
  /** How often each name was recorded in the last 30 days, at most 200 names, the commonest first. */
  readonly volume: readonly { readonly name: string; readonly count: number }[]
}

/** Counts by the index over names. */
export async function countEvents(
  { collections, clock }: Pick<MailerContext, 'collections' | 'clock'>,
  registry: EventRegistry
): Promise<EventCounts> {
  const since = new Date(clock.now().getTime() - DAYS * 86_400_000)
  const volume = await collections.events
    .aggregate<{ _id: string; count: number }>([
      { $match: { name: { $gt: '' }, occurredAt: { $gte: since } } },
      { $group: { _id: '$name', count: { $sum: 1 } } },
      { $sort: { count: -1, _id: 1 } },
      { $limit: MAX_NAMES }
    ])
    .toArray()
  const registered = registry.list()
  const known = new Set(registered.map(({ name }) => name))
  return {
    registered,
    unregistered: volume.map(({ _id }) => _id).filter((name) => !known.has(name)),
    volume: volume.map(({ _id: name, count }) => ({ name, count }))
  }
}
