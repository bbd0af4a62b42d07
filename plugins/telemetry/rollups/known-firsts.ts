// Remembers how early the first record of a rollup document is known to be, so that most writes need not ask.
import { BoundedMap } from '../storage/bounded-map.ts'
import type { Increment } from './increment.ts'

const DOCUMENTS = 50_000
// Documents can go: by erasure in another process, or because they expired.
const LIFETIME_MS = 600_000

export interface KnownFirsts {
  /** Whether the increment could hold the earliest record of a document that is there already. */
  mayBeFirst(increment: Increment, now: number): boolean
  /** Call it when increments are in the database. */
  learn(increments: Iterable<Increment>): void
  clear(): void
}

export function createKnownFirsts(): KnownFirsts {
  const latest = new BoundedMap<string, number>(DOCUMENTS)
  let since = 0
  return {
    mayBeFirst({ key, firstAt, capture }, now) {
      if (capture === undefined) return false
      if (now - since > LIFETIME_MS || now < since) {
        latest.clear()
        since = now
      }
      const known = latest.get(key._id)
      return known === undefined || firstAt <= known
    },
    learn(increments) {
      for (const { key, firstAt, capture } of increments) {
        if (capture === undefined) continue
        const known = latest.get(key._id)
        if (known === undefined || firstAt < known) latest.set(key._id, firstAt)
      }
    },
    clear: () => latest.clear()
  }
}
