// The next longer range.
import type { Range } from '@keelson/ui'

const WIDER: readonly string[] = ['24h', '7d', '30d', '90d', '365d']
const HOURS = { h: 1, d: 24 }

const hoursOf = (range: string): number =>
  Number(range.slice(0, -1)) * (HOURS[range.slice(-1) as 'h' | 'd'] ?? 0)

/** The next longer range, undefined when there is none or the range has fixed ends. */
export function widerRange(range: Range): string | undefined {
  if ('from' in range) return undefined
  return WIDER.find((wider) => hoursOf(wider) > hoursOf(range.range))
}
