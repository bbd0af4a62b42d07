// Remembers rollup documents that this process has written lately, and how early their first record is known
// to be: so most updates are small, and need not ask whether theirs is the first.
import { BoundedMap } from '../storage/bounded-map.ts'
import type { Increment } from './increment.ts'

const DOCUMENTS = 50_000
// Documents can go: by erasure in another process, or because they expired.
const LIFETIME_MS = 600_000

export interface KnownDocuments {
  /** Whether the document was there. It may be gone: who relies on it must check. */
  isThere(increment: Increment, now: number): boolean
  /** Whether the increment could hold the earliest record of a document that is there already. */
  mayBeFirst(increment: Increment, now: number): boolean
  /** Call it when increments are in the database. */
  learn(increments: Iterable<Increment>): void
  clear(): void
}

export function createKnownDocuments(): KnownDocuments {
  const firstAts = new BoundedMap<string, number>(DOCUMENTS)
  let since = 0

  function firstAtOf(increment: Increment, now: number): number | undefined {
    if (now - since > LIFETIME_MS || now < since) {
      firstAts.clear()
      since = now
    }
    return firstAts.get(increment.key._id)
  }

  return {
    isThere: (increment, now) => firstAtOf(increment, now) !== undefined,
    mayBeFirst(increment, now) {
      if (increment.capture === undefined) return false
      const known = firstAtOf(increment, now)
      return known === undefined || increment.firstAt <= known
    },
    learn(increments) {
      for (const { key, firstAt } of increments) {
        const known = firstAts.get(key._id)
        if (known === undefined || firstAt < known) firstAts.set(key._id, firstAt)
      }
    },
    clear: () => firstAts.clear()
  }
}
