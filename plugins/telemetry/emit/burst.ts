// Burst caps: at most so many rows a minute for a tenant, a name and a key, in this process.
import { createBoundedMap } from '@keelson/sdk'

const WINDOW_MS = 60_000
const MAX_KEYS = 10_000

export interface BurstCaps {
  /** Counts one; false when it is over the cap. */
  take(key: string, maxPerMinute: number, now: number): boolean
}

/** Fixed windows of a minute. Forgets the keys used longest ago when there are too many. */
export function createBurstCaps(): BurstCaps {
  const windows = createBoundedMap<string, { start: number; count: number }>(MAX_KEYS)
  return {
    take(key, maxPerMinute, now) {
      const known = windows.get(key)
      if (known === undefined || now - known.start >= WINDOW_MS || now < known.start) {
        windows.set(key, { start: now, count: 1 })
        return true
      }
      if (known.count >= maxPerMinute) return false
      known.count++
      return true
    }
  }
}
