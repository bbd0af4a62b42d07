// How far the clocks of a time zone are ahead of UTC during a range: few spans, found before the rows are read. Pure.
import { wallTime } from '@keelson/sdk/zoned-time'
import { DAY_MS } from '../rollups/bucket.ts'

/** Clocks are `ahead` by so many milliseconds until a moment, which is not part of it. */
export interface OffsetSpan {
  readonly until: number
  readonly ahead: number
}

/** Of a longer range: to look at each of its days would hold others up. */
const MOST_DAYS = 4_000

/** In order; the last one ends the range. Undefined for a range that is too long to look through. */
export function offsetsOf(
  from: number,
  to: number,
  zone: string
): readonly OffsetSpan[] | undefined {
  if (to - from > MOST_DAYS * DAY_MS) return undefined
  const spans: OffsetSpan[] = []
  let at = from
  let ahead = aheadAt(at, zone)
  // No zone turns its clocks and turns them back within a day.
  while (at < to) {
    const next = Math.min(at + DAY_MS, to)
    if (aheadAt(next, zone) === ahead) at = next
    else {
      at = firstOther(at, next, ahead, zone)
      if (at < to) spans.push({ until: at, ahead })
      ahead = at < to ? aheadAt(at, zone) : ahead
    }
  }
  return [...spans, { until: to, ahead }]
}

const aheadAt = (at: number, zone: string): number => wallTime(at, zone) - at

/** The first moment after `low`, and up to `high`, at which clocks are not ahead by so much. */
function firstOther(low: number, high: number, ahead: number, zone: string): number {
  let [before, after] = [low, high]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (aheadAt(middle, zone) === ahead) before = middle
    else after = middle
  }
  return after
}
