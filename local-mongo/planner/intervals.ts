// Sets of byte strings as sorted, disjoint intervals: what a condition leaves of one part of an index.
import { afterPrefix } from '../storage/tree-keys.ts'

/** `low <= key < high`, with the keys that begin with a value in between. No `high`: to the end. */
export interface Interval {
  readonly low: Uint8Array
  readonly high: Uint8Array | undefined
  /** True when all keys in it stand for one value. */
  readonly isPoint: boolean
}

const EMPTY = new Uint8Array(0)

/** Everything. */
export const FULL: readonly Interval[] = [{ low: EMPTY, high: undefined, isPoint: false }]

function compareHigh(a: Uint8Array | undefined, b: Uint8Array | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
  return Buffer.compare(a, b)
}

/** Whether the intervals are everything. */
export function isFull(intervals: readonly Interval[]): boolean {
  const [only] = intervals
  return (
    intervals.length === 1 && only !== undefined && only.low.length === 0 && only.high === undefined
  )
}

/** Everything that begins with these bytes. */
export function startingWith(low: Uint8Array): Interval {
  return { low, high: afterPrefix(low), isPoint: false }
}

/** The union, sorted and without overlap. */
export function union(intervals: readonly Interval[]): Interval[] {
  const sorted = [...intervals].sort((a, b) => Buffer.compare(a.low, b.low))
  const merged: Interval[] = []
  for (const next of sorted) {
    const last = merged.at(-1)
    if (
      last === undefined ||
      (last.high !== undefined && Buffer.compare(next.low, last.high) >= 0)
    ) {
      merged.push(next)
    } else if (compareHigh(next.high, last.high) > 0 || next.isPoint !== last.isPoint) {
      const high = compareHigh(next.high, last.high) > 0 ? next.high : last.high
      merged[merged.length - 1] = { low: last.low, high, isPoint: false }
    }
  }
  return merged
}

/** The intersection. */
export function intersection(a: readonly Interval[], b: readonly Interval[]): Interval[] {
  const both: Interval[] = []
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const left = a[i] as Interval
    const right = b[j] as Interval
    const low = Buffer.compare(left.low, right.low) >= 0 ? left.low : right.low
    const isLeftFirst = compareHigh(left.high, right.high) <= 0
    const high = isLeftFirst ? left.high : right.high
    if (high === undefined || Buffer.compare(low, high) < 0) {
      both.push({ low, high, isPoint: left.isPoint || right.isPoint })
    }
    if (isLeftFirst) i++
    else j++
  }
  return both
}

/** The complement. */
export function complement(intervals: readonly Interval[]): Interval[] {
  const gaps: Interval[] = []
  let low: Uint8Array | undefined = EMPTY
  for (const interval of intervals) {
    if (low !== undefined && Buffer.compare(low, interval.low) < 0) {
      gaps.push({ low, high: interval.low, isPoint: false })
    }
    low = interval.high
  }
  if (low !== undefined) gaps.push({ low, high: undefined, isPoint: false })
  return gaps
}
