// Reads the feed of outcomes: each exactly once per chain of cursors, whatever is written meanwhile.

import type { Collection } from 'mongodb'
import type { MailOutcome, MailOutcomes } from '../../contracts/mailer-core.ts'
import { errors } from '../../errors.ts'
import type { MailerContext } from '../context.ts'
import type { OutcomeRow } from '../outcome-row.ts'

/** The row that holds the last place: readers who give places at the same time conflict on it. */
interface LastPlace {
  readonly _id: 'last-place'
  readonly lastPlace: number
}

type Storage = Pick<MailerContext, 'collections' | 'withTransaction'>
/** An outcome in its place of the feed. */
export type PlacedRow = OutcomeRow & { readonly place: number }

const DEFAULT_LIMIT = 1000
const MAX_LIMIT = 10_000
/** Rows placed in one transaction. */
const CHUNK = 5000

/**
 * A page of the feed. Outcomes get their places here, in a transaction: places become visible in their
 * order, so a reader that has seen a place has seen every place before it.
 *
 * @throws MLR_INPUT_INVALID when `after` is not a cursor of an earlier page.
 */
export async function readOutcomes(
  context: Storage,
  { after, limit = DEFAULT_LIMIT }: { readonly after?: string; readonly limit?: number } = {}
): Promise<MailOutcomes> {
  const wanted = Math.min(Math.max(Math.trunc(limit) || 1, 1), MAX_LIMIT)
  const from = placeOf(after)
  const rows = await readOutcomesAfter(context, from, { limit: wanted })
  return { items: rows.map(outcomeOf), cursor: String(rows.at(-1)?.place ?? from) }
}

/** Which rows behind a place. */
export interface PageEnd {
  readonly limit: number
  /** The last place that may be among them. Default: there is none. */
  readonly upTo?: number | undefined
}

/** The rows behind a place, with their ids, for the mailer's own readers. */
export async function readOutcomesAfter(
  context: Storage,
  place: number,
  end: PageEnd
): Promise<readonly PlacedRow[]> {
  // What ends at a place has places.
  if (end.upTo === undefined) await placeNext(context, end.limit)
  return placedAfter(context, place, end)
}

/** Gives places to the oldest `wanted` rows without one, so that a page is as full as it can be. */
async function placeNext(context: Storage, wanted: number): Promise<void> {
  for (let placed = 0; placed < wanted; ) {
    const most = Math.min(wanted - placed, CHUNK)
    const count = await givePlaces(context, most)
    if (count < most) return
    placed += count
  }
}

function placeOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const place = /^\d{1,15}$/.test(cursor) ? Number(cursor) : undefined
  if (place === undefined) {
    const problem = 'must be the cursor of an earlier page'
    throw errors.MLR_INPUT_INVALID({ operation: 'outcomes', path: 'after', problem })
  }
  return place
}

function placedAfter(
  { collections }: Storage,
  from: number,
  { limit, upTo }: PageEnd
): Promise<PlacedRow[]> {
  const place = { $gt: from, ...(upTo !== undefined && { $lte: upTo }) }
  // One command for a page.
  const options = { readConcern: { level: 'majority' }, batchSize: limit + 1 } as const
  return collections.outcomes
    .find<PlacedRow>({ place }, options)
    .sort({ place: 1 })
    .limit(limit)
    .toArray()
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

function outcomeOf(row: PlacedRow): MailOutcome {
  const { _id, recordedAt, place, unplaced, ...outcome } = row
  return outcome
}
