// Rate limits: a fixed window per key, where the key is something a caller cannot choose.
import type { Clock } from '@keelson/sdk'

export interface RateLimit {
  /** Counts one request. Zero when it may go on, else the seconds until the window is over. */
  take(key: string): number
}

/** Keys that are remembered; the ones whose window began longest ago go first. */
const MAX_KEYS = 20_000

interface Window {
  count: number
  readonly endsAt: number
}

export function createRateLimit(
  { max, windowSeconds }: { readonly max: number; readonly windowSeconds: number },
  clock: Clock
): RateLimit {
  // In the order the windows began, and so in the order they end.
  const windows = new Map<string, Window>()
  return {
    take(key) {
      const now = clock.now().getTime()
      const open = windows.get(key)
      if (open !== undefined && open.endsAt > now) {
        open.count++
        return open.count <= max ? 0 : Math.max(1, Math.ceil((open.endsAt - now) / 1000))
      }
      windows.delete(key)
      if (windows.size >= MAX_KEYS) forgetOldest(windows, now)
      windows.set(key, { count: 1, endsAt: now + windowSeconds * 1000 })
      return 0
    }
  }
}

function forgetOldest(windows: Map<string, Window>, now: number): void {
  for (const [key, { endsAt }] of windows) {
    if (endsAt > now && windows.size < MAX_KEYS) return
    windows.delete(key)
  }
}

/** One key per caller: an IPv6 address counts by its /64, since whoever has one has them all. */
export function addressKey(ip: string): string {
  if (!ip.includes(':')) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1] !== undefined) return mapped[1]
  const [head = '', tail] = (ip.split('%', 1)[0] ?? ip).split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')
}
