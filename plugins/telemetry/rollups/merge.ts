// Joins what many records add to the same rollup document, so that each document is written once a flush.
import type { Contribution, RollupKey } from './contributions.ts'

/** What to add to one rollup document. */
export interface Increment {
  readonly key: RollupKey
  count: number
  firstAt: number
  lastAt: number
  /** Of the earliest record. */
  first: Contribution
  sums: Record<string, number> | undefined
  expiresAt: number | undefined
}

/** Whether record a comes before record b: by time, then by id. */
export function isEarlier(a: Contribution, b: Contribution): boolean {
  return a.at < b.at || (a.at === b.at && a.recordId < b.recordId)
}

/** Adds contributions to increments by document id. */
export function mergeInto(
  increments: Map<string, Increment>,
  contributions: readonly Contribution[]
): void {
  for (const one of contributions) {
    const known = increments.get(one.key._id)
    if (known === undefined) increments.set(one.key._id, startIncrement(one))
    else addTo(known, one)
  }
}

function startIncrement(one: Contribution): Increment {
  return {
    key: one.key,
    count: 1,
    firstAt: one.at,
    lastAt: one.at,
    first: one,
    sums: one.sums === undefined ? undefined : { ...one.sums },
    expiresAt: one.expiresAt
  }
}

function addTo(increment: Increment, one: Contribution): void {
  increment.count++
  if (one.at > increment.lastAt) increment.lastAt = one.at
  if (isEarlier(one, increment.first)) {
    increment.first = one
    increment.firstAt = one.at
  }
  if (one.expiresAt !== undefined && one.expiresAt > (increment.expiresAt ?? 0)) {
    increment.expiresAt = one.expiresAt
  }
  if (one.sums === undefined) return
  increment.sums ??= {}
  for (const [field, value] of Object.entries(one.sums)) {
    increment.sums[field] = (increment.sums[field] ?? 0) + value
  }
}
