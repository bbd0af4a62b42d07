// Gives outcomes their places in the feed. Readers of a process that come at the same time share one transaction.
import type { Collection } from 'mongodb'
import type { MailerContext } from '../context.ts'

/** The row that holds the last place: processes that give places at the same time conflict on it. */
interface LastPlace {
  readonly _id: 'last-place'
  readonly lastPlace: number
}

type Storage = Pick<MailerContext, 'collections' | 'withTransaction'>

/** What a process does now, and what begins after it. */
interface Placing {
  readonly ended: Promise<void>
  next: Promise<void> | undefined
  nextWanted: number
}

/** Rows placed in one transaction. */
const CHUNK = 5000
const placings = new WeakMap<MailerContext['collections'], Placing>()

/**
 * Gives places to the oldest `wanted` rows without one, so that a page is as full as it can be. One who comes while
 * this is done waits, with all the others, for one more time: it may have recorded rows that the first has not seen.
 */
export function placeOutcomes(storage: Storage, wanted: number): Promise<void> {
  const now = placings.get(storage.collections)
  if (now === undefined) return begin(storage, wanted)
  now.nextWanted = Math.max(now.nextWanted, wanted)
  now.next ??= now.ended.then(() => begin(storage, now.nextWanted))
  return now.next
}

function begin(storage: Storage, wanted: number): Promise<void> {
  const { collections } = storage
  const placed = placeNext(storage, wanted)
  const ended = placed.catch(() => {})
  const placing: Placing = { ended, next: undefined, nextWanted: 0 }
  placings.set(collections, placing)
  void ended.then(() => {
    if (placing.next === undefined) placings.delete(collections)
  })
  return placed
}

async function placeNext(storage: Storage, wanted: number): Promise<void> {
  for (let placed = 0; placed < wanted; ) {
    const most = Math.min(wanted - placed, CHUNK)
    const count = await givePlaces(storage, most)
    if (count < most) return
    placed += count
  }
}

/** Gives the next places to rows in the order they were recorded. Returns how many got one. */
function givePlaces({ collections, withTransaction }: Storage, limit: number): Promise<number> {
  const { outcomes } = collections
  const counter = outcomes as unknown as Collection<LastPlace>
  return withTransaction(async (session) => {
    const rows = await outcomes
      .find({ unplaced: true }, { session, projection: { _id: 1 }, batchSize: limit + 1 })
      .sort({ unplaced: 1, recordedAt: 1 })
      .limit(limit)
      .toArray()
    if (rows.length === 0) return 0
    const taken = await counter.findOneAndUpdate(
      { _id: 'last-place' },
      { $inc: { lastPlace: rows.length } },
      { session, upsert: true, returnDocument: 'before' }
    )
    const first = (taken?.lastPlace ?? 0) + 1
    const operations = rows.map(({ _id }, at) => ({
      updateOne: {
        filter: { _id },
        update: { $set: { place: first + at }, $unset: { unplaced: '' } } as const
      }
    }))
    await outcomes.bulkWrite(operations, { session })
    return rows.length
  })
}
