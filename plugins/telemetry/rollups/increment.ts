// What to add to one rollup document: made by the first record that touches it, added to by the others.
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
  /** What is kept of the first record, besides its id and trace. undefined: nothing at all. */
  readonly capture: readonly CompiledDimension[] | undefined
  count: number
  firstAt: number
  lastAt: number
  /** The earliest record; of two at the same time the one with the smaller id. */
  first: StoredRow
  /** Keys encoded. */
  sums: Record<string, number> | undefined
  /** Milliseconds. */
  expiresAt: number | undefined
}

/** Document id to increment. */
export type Increments = Map<string, Increment>

export function startIncrement(
  key: RollupKey,
  capture: readonly CompiledDimension[] | undefined,
  row: StoredRow,
  at: number
): Increment {
  return {
    key,
    capture,
    count: 0,
    firstAt: at,
    lastAt: at,
    first: row,
    sums: undefined,
    expiresAt: undefined
  }
}

/** Counts one record. */
export function countRecord(
  increment: Increment,
  row: StoredRow,
  at: number,
  expiresAt: number | undefined
): void {
  increment.count++
  if (at > increment.lastAt) increment.lastAt = at
  const isFirst =
    at < increment.firstAt ||
    (at === increment.firstAt && compareIds(row._id, increment.first._id) < 0)
  if (isFirst) {
    increment.first = row
    increment.firstAt = at
  }
  if (expiresAt !== undefined && expiresAt > (increment.expiresAt ?? 0)) {
    increment.expiresAt = expiresAt
  }
}

/** Adds to a sum; a sum that is declared is there, even at zero. */
export function addSum(increment: Increment, field: string, value: number): void {
  increment.sums ??= {}
  increment.sums[field] = (increment.sums[field] ?? 0) + value
}
