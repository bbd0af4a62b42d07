// Takes a reader of the feed on: its place is stored, so a crash repeats a page and skips none.
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
  /** Outcomes per page. Default 1000. */
  readonly limit?: number
}

const PAGE = 1000
const MAX_PAGES = 50

/** Reads what is new, page by page. Two processes may do it at once: one of them stores each place. */
export async function followOutcomes(
  context: MailerContext,
  reader: FeedReader,
  { signal, limit = PAGE }: FollowOptions = {}
): Promise<void> {
  for (let page = 0; page < MAX_PAGES && signal?.aborted !== true; page++) {
    const from = await placeOf(context, reader)
    const rows = await readOutcomesAfter(context, from, limit)
    const to = rows.at(-1)?.place
    if (to === undefined) return
    await reader.take?.(rows)
    await context.withTransaction(async (session) => {
      const { feedReaders } = context.collections
      const still = { _id: reader.name, place: from }
      const moved = await feedReaders.updateOne(still, { $set: { place: to } }, { session })
      if (moved.matchedCount === 1) await reader.count?.(rows, session)
    })
  }
}

async function placeOf({ collections }: MailerContext, { name: _id }: FeedReader): Promise<number> {
  const row = await collections.feedReaders.findOneAndUpdate(
    { _id },
    { $setOnInsert: { place: 0 } },
    { upsert: true, returnDocument: 'after' }
  )
  return row?.place ?? 0
}
