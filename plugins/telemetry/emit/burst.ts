// Burst caps: at most so many rows a minute for a tenant, a name and a key, in this process.

const WINDOW_MS = 60_000
const MAX_KEYS = 10_000

export interface BurstCaps {
  /** Counts one; false when it is over the cap. */
  take(key: string, maxPerMinute: number, now: number): boolean
}

/** Fixed windows of a minute. Forgets everything when there are too many keys to remember. */
export function createBurstCaps(): BurstCaps {
  const windows = new Map<string, { start: number; count: number }>()
  return {
    take(key, maxPerMinute, now) {
      const known = windows.get(key)
      if (known === undefined || now - known.start >= WINDOW_MS || now < known.start) {
        if (windows.size >= MAX_KEYS) windows.clear()
        windows.set(key, { start: now, count: 1 })
        return true
      }
      if (known.count >= maxPerMinute) return false
      known.count++
      return true
    }
  }
}
