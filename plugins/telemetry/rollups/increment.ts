// One rollup document: what the flush in hand adds to it, and what is known of it from earlier ones.
import { compareIds } from '../envelope/stored-id.ts'
import type { StoredRow } from '../envelope/stored-row.ts'
import type { CompiledDimension } from '../registry/types.ts'

/** Which document, and everything about it that never changes. */
export interface RollupKey {
  readonly _id: string
  readonly tenantId: string
  readonly as: string
  readonly dims: readonly string[]
  readonly subjectType: string | undefined
  /** Milliseconds; undefined on lifetime families. */
  readonly bucketAt: number | undefined
}

export interface Increment {
  readonly key: RollupKey
  /** The document's first record happened then or earlier; undefined when it is not known to be there. */
  knownFirstAt: number | undefined
  /** The round of the ledger that all the rest is of. */
  round: number
  count: number
  firstAt: number
  lastAt: number
  /** What is kept of the earliest record, besides its id and trace. undefined: nothing at all. */
  capture: Capture | undefined
  /** The earliest record; of two at the same time the one with the smaller id. None between rounds. */
  first: StoredRow | undefined
  /** Keys encoded. */
  sums: Record<string, number> | undefined
  /** Milliseconds. */
  expiresAt: number | undefined
}

export type Capture = readonly CompiledDimension[]

/** The part of a ledger that counting needs. */
interface CountingRound {
  /** Number of the current round. */
  readonly round: number
  /** Notes an increment of the current round. */
  touch(increment: Increment): void
}

/** A record that is counted, and in which round. */
export interface Counting {
  readonly ledger: CountingRound
  readonly row: StoredRow
  readonly at: number
  readonly capture: Capture | undefined
}

/** A document that nothing has been counted for. */
export const emptyIncrement = (key: RollupKey): Increment => ({
  key,
  knownFirstAt: undefined,
  round: -1,
  count: 0,
  firstAt: 0,
  lastAt: 0,
  capture: undefined,
  first: undefined,
  sums: undefined,
  expiresAt: undefined
})

/** Counts a record in its round. */
export function countIn(
  increment: Increment,
  counting: Counting,
  expiresAt: number | undefined
): void {
  const { at, ledger } = counting
  if (increment.round !== ledger.round) {
    increment.round = ledger.round
    increment.count = 0
    increment.firstAt = at
    increment.lastAt = at
    increment.first = undefined
    increment.sums = undefined
    increment.expiresAt = undefined
    ledger.touch(increment)
  }
  increment.count++
  if (at > increment.lastAt) increment.lastAt = at
  if (at <= increment.firstAt) countEarly(increment, counting)
  if (expiresAt !== undefined && expiresAt > (increment.expiresAt ?? 0)) {
    increment.expiresAt = expiresAt
  }
}

function countEarly(increment: Increment, { row, at, capture }: Counting): void {
  const { first, firstAt } = increment
  increment.firstAt = at
  if (capture === undefined) return
  if (first !== undefined && at === firstAt && compareIds(row._id, first._id) >= 0) return
  increment.first = row
  increment.capture = capture
}

/** Adds to a sum; a sum that is declared is there, even at zero. */
export function addSum(increment: Increment, field: string, value: number): void {
  increment.sums ??= {}
  increment.sums[field] = (increment.sums[field] ?? 0) + value
}

/** Whether the round could hold the earliest record of a document that is there already. */
export const mayBeFirst = ({ first, knownFirstAt, firstAt }: Increment): boolean =>
  first !== undefined && (knownFirstAt === undefined || firstAt <= knownFirstAt)
