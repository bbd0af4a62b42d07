// Reads the feed of outcomes: each exactly once per chain of cursors, whatever is written meanwhile.

import type { MailOutcome, MailOutcomes } from '../../contracts/mailer-core.ts'
import { errors } from '../../errors.ts'
import type { MailerContext } from '../context.ts'
import type { OutcomeRow } from '../outcome-row.ts'
import { placeOutcomes } from './place-outcomes.ts'

type Storage = Pick<MailerContext, 'collections' | 'withTransaction'>
/** An outcome in its place of the feed. */
export type PlacedRow = OutcomeRow & { readonly place: number }

const DEFAULT_LIMIT = 1000
const MAX_LIMIT = 10_000

/**
 * A page of the feed. Outcomes get their places here: they become visible in their order, so a reader that has
 * seen a place has seen every place before it.
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
  if (end.upTo === undefined) await placeOutcomes(context, end.limit)
  return placedAfter(context, place, end)
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

function outcomeOf(row: PlacedRow): MailOutcome {
  const { _id, recordedAt, place, unplaced, ...outcome } = row
  return outcome
}
