// Where the newest rows up to a limit end: found by counts of hours, the newest first, so that few rows are sorted and
// older segments are not read. Pure.
import { HOUR_MS } from '../rollups/bucket.ts'
import type { SegmentEntry } from './segment-store.ts'

/** Rows that fit, by the start of their hour or by their millisecond. */
export type TimeCounts = ReadonlyMap<number, number>

/** The hour in which a limit is reached, and how many of its rows are taken. */
export interface HourCut {
  readonly hour: number
  readonly rest: number
}

/** The newest rows up to a limit. */
export interface Cut {
  /** All rows from here on. */
  readonly from: number
  /** So many of the rows of one millisecond, which is before `from`. */
  readonly tied?: { readonly at: number; readonly rest: number }
  /** The time of the oldest row of an hour that is not taken whole. */
  readonly oldest?: number
}

/** The hour of a limit; undefined when there are not more rows. */
export function hourCutOf(hours: TimeCounts, limit: number): HourCut | undefined {
  let taken = 0
  for (const [hour, count] of newestFirst(hours)) {
    if (taken + count > limit) return { hour, rest: limit - taken }
    taken += count
  }
  return undefined
}

/** By the milliseconds of that hour. */
export function cutOf(times: TimeCounts, { hour, rest }: HourCut): Cut {
  let cut: Cut = { from: hour + HOUR_MS }
  let left = rest
  for (const [at, count] of newestFirst(times)) {
    if (left === 0) return cut
    if (count > left) return { ...cut, tied: { at, rest: left }, oldest: at }
    cut = { from: at, oldest: at }
    left -= count
  }
  return cut
}

const newestFirst = (counts: TimeCounts) => [...counts].sort(([a], [b]) => b - a)

type Extent = Pick<SegmentEntry, 'from' | 'to' | 'rows'>

/** Rows from a time on, if those of each segment are spread evenly. */
const rowsSince = (segments: readonly Extent[], at: number): number =>
  segments.reduce((sum, { from, to, rows }) => {
    const length = to.getTime() - from.getTime() + 1
    const part = (to.getTime() + 1 - at) / length
    return sum + rows * Math.min(1, Math.max(0, part))
  }, 0)

/** The start of an hour since when segments have about so many rows; undefined when they have fewer. */
export function startOfNewest(segments: readonly Extent[], rows: number): number | undefined {
  if (segments.reduce((sum, one) => sum + one.rows, 0) <= rows) return undefined
  let low = Math.min(...segments.map(({ from }) => from.getTime()))
  let high = Math.max(...segments.map(({ to }) => to.getTime()))
  while (high - low > HOUR_MS) {
    const middle = (low + high) / 2
    if (rowsSince(segments, middle) >= rows) low = middle
    else high = middle
  }
  return Math.floor(low / HOUR_MS) * HOUR_MS
}

/** More than the limit: rows are not spread evenly. */
const MARGIN = 1.25
/** Of a filter, before any is looked at: a second look costs more than more rows. */
const SHARE_THAT_FITS = 0.3

/** How many rows are looked at first. `isAll`: every row fits. */
export const rowsToLookAtFirst = (limit: number, isAll: boolean): number =>
  (limit * MARGIN) / (isAll ? 1 : SHARE_THAT_FITS)

/** How many are looked at next, when of so many so many fit. */
export function rowsToLookAt(limit: number, looked: number, fit: number): number {
  return Math.max(looked * 2, fit === 0 ? looked * 8 : (limit * MARGIN * looked) / fit)
}
