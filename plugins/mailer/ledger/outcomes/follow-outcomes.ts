// Takes readers of the feed on: their places are stored, so a crash repeats a page and skips none.
import { insertNew } from '@keelson/sdk'
import type { ClientSession } from 'mongodb'
import type { MailerContext } from '../context.ts'
import { type PlacedRow, readOutcomesAfter } from './read-outcomes.ts'

/** What a reader does with a page. */
export interface FeedReader {
  readonly name: string
  /** Before the place is stored: it may see a page again, so it must be safe to repeat. */
  take?(rows: readonly PlacedRow[]): Promise<void>
  /** In the transaction that stores the place: each page exactly once. */
  count?(rows: readonly PlacedRow[], session: ClientSession): Promise<void>
}

/** How far one call goes; the next one goes on there. */
export interface FollowOptions {
  readonly signal?: AbortSignal
  /** Outcomes per page. Default 10,000: a page costs as many commands as one of a hundred. */
  readonly limit?: number
}

const PAGE = 10_000
const MAX_PAGES = 50

/**
 * Reads what is new, page by page; readers at the same place share page and transaction. Two processes may do it at
 * once: one of them stores each place.
 */
export async function followOutcomes(
  context: MailerContext,
  readers: readonly FeedReader[],
  { signal, limit = PAGE }: FollowOptions = {}
): Promise<void> {
  let places = await placesOf(context, readers)
  for (let page = 0; page < MAX_PAGES && signal?.aborted !== true; page++) {
    const from = Math.min(...places.values())
    const behind = readers.filter(({ name }) => places.get(name) === from)
    const ahead = [...places.values()].filter((place) => place > from)
    const upTo = ahead.length === 0 ? undefined : Math.min(...ahead)
    const rows = await readOutcomesAfter(context, from, { limit, upTo })
    // Rows up to the place of another reader may have expired.
    const to = rows.at(-1)?.place ?? upTo
    if (to === undefined) return
    for (const reader of behind) await reader.take?.(rows)
    const isMoved = await movePlaces(context, behind, { from, to, rows })
    places = isMoved
      ? new Map([...places].map(([name, place]) => [name, place === from ? to : place]))
      : await placesOf(context, readers)
    if (isMoved && rows.length < limit && upTo === undefined) return
  }
}

interface Page {
  readonly from: number
  readonly to: number
  readonly rows: readonly PlacedRow[]
}

/** False when another process has moved one of them: then nothing is counted. */
function movePlaces(
  { collections: { feedReaders }, withTransaction }: MailerContext,
  readers: readonly FeedReader[],
  { from, to, rows }: Page
): Promise<boolean> {
  const names = readers.map(({ name }) => name)
  return withTransaction(async (session) => {
    const still = { _id: { $in: names }, place: from }
    const { matchedCount } = await feedReaders.updateMany(
      still,
      { $set: { place: to } },
      { session }
    )
    if (matchedCount !== names.length) {
      await session.abortTransaction()
      return false
    }
    if (rows.length > 0) for (const { count } of readers) await count?.(rows, session)
    return true
  })
}

/** By name. A reader that is new begins with the first place. */
async function placesOf(
  { collections: { feedReaders } }: MailerContext,
  readers: readonly FeedReader[]
): Promise<ReadonlyMap<string, number>> {
  const names = readers.map(({ name }) => name)
  const find = () => feedReaders.find({ _id: { $in: names } }).toArray()
  let rows = await find()
  if (rows.length < names.length) {
    const known = new Set(rows.map(({ _id }) => _id))
    const missing = names.filter((name) => !known.has(name))
    await insertNew(
      feedReaders,
      missing.map((_id) => ({ _id, place: 0 }))
    )
    rows = await find()
  }
  return new Map(rows.map(({ _id, place }) => [_id, place]))
}
