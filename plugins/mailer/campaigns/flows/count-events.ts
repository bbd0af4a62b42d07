// Which events there are: the registered ones, those that were only seen, and how many of each.
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

type Stored = Pick<MailerContext, 'collections'>

/** Each look-up is answered by the index over names and times. */
export async function countEvents(
  context: Pick<MailerContext, 'collections' | 'clock'>,
  registry: EventRegistry
): Promise<EventCounts> {
  const now = context.clock.now()
  const names = await storedNames(context)
  const stats = await Promise.all(names.map((name) => statsOf(context, name, now)))
  const registered = registry.list()
  const known = new Set(registered.map(({ name }) => name))
  return {
    registered,
    seen: names.filter((name) => !known.has(name)),
    stats: Object.fromEntries(names.map((name, at) => [name, stats[at] as EventStats]))
  }
}

/** The names of stored events: one look-up per name, however many events have it. At most 200. */
export async function storedNames({ collections }: Stored): Promise<readonly string[]> {
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
  const counts = await Promise.all(
    names.map((name) => collections.events.countDocuments({ name, occurredAt }))
  )
  return Object.fromEntries(names.map((name, at) => [name, counts[at] ?? 0]))
}

async function statsOf({ collections }: Stored, name: string, now: Date): Promise<EventStats> {
  const { events } = collections
  const since = (days: number) => ({ $gte: new Date(now.getTime() - days * DAY_MS) })
  const at = async (direction: 1 | -1) =>
    (
      await events.findOne(
        { name },
        { sort: { occurredAt: direction }, projection: { occurredAt: 1 } }
      )
    )?.occurredAt ?? now
  const [total, last7d, last30d, firstAt, lastAt] = await Promise.all([
    events.countDocuments({ name }),
    events.countDocuments({ name, occurredAt: since(7) }),
    events.countDocuments({ name, occurredAt: since(30) }),
    at(1),
    at(-1)
  ])
  return { total, last7d, last30d, firstAt, lastAt }
}
