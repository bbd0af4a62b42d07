// How a figure changed, in words: a percentage, or both figures where a percentage of so few says nothing. Pure.
import type { Format } from './format.ts'

/** Of fewer than these a percentage is not shown: 7 → 122 is not "1,643 % more". */
export const LEAST_BASE = 20

/**
 * The size of a change without its direction: `12.4%`, and of a figure below `LEAST_BASE` `7 → 122`. `change` is a
 * fraction of `before`, which is null where it does not matter; `write` says a figure, compact by default.
 */
export function trendText(
  change: number,
  before: number | null,
  format: Pick<Format, 'percent' | 'compact'>,
  write: (value: number) => string = format.compact
): string {
  if (before !== null && before < LEAST_BASE)
    return `${write(before)} → ${write(before + before * change)}`
  const by = Math.abs(change)
  return format.percent(by, by < 1 ? 1 : 0)
}
