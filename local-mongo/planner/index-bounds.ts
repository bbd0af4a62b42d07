// The ranges of an index in which the documents of a filter must lie.
import type { FilterNode } from '../query/filter-node.ts'
import type { KeyRange } from '../storage/entry-range.ts'
import { type Index, limitOfPart } from '../storage/index-definition.ts'
import { afterPrefix } from '../storage/tree-keys.ts'
import type { Condition } from './conditions.ts'
import { FULL, type Interval, intersection, isFull, startingWith } from './intervals.ts'
import { boundsOf, MOST_RANGES } from './leaf-bounds.ts'

/** Values of the leading parts, and how much of them is what entries share. */
interface Prefix {
  readonly bytes: Uint8Array
  readonly shared: number | undefined
}

/** What a filter makes of an index. */
export interface IndexBounds {
  /** For each part. */
  readonly parts: readonly (readonly Interval[])[]
  /** Sorted and disjoint. */
  readonly ranges: readonly KeyRange[]
  /** The conjuncts that need not be checked again. */
  readonly settled: ReadonlySet<FilterNode>
  /** How many leading parts are held to one value each. */
  readonly fixedParts: number
  /** True when each range gives every part one value. */
  readonly isWhole: boolean
  /** Larger is narrower. */
  readonly score: number
}

const NO_KEY = new Uint8Array(0)
const LAST_KEY = Uint8Array.of(0xff)

const SCORE = { point: 100, fewPoints: 60, bothSides: 30, oneSide: 20, gaps: 2, full: 0 }

interface PartBounds {
  readonly intervals: readonly Interval[]
  readonly settled: readonly FilterNode[]
}

function firstName(path: string): string {
  const dot = path.indexOf('.')
  return dot < 0 ? path : path.slice(0, dot)
}

function scoreOf(intervals: readonly Interval[]): number {
  if (isFull(intervals)) return SCORE.full
  if (intervals.every(({ isPoint }) => isPoint)) {
    return intervals.length <= 1 ? SCORE.point : SCORE.fewPoints
  }
  if (intervals.some(({ low, high }) => low.length === 0 || high === undefined)) return SCORE.gaps
  // A one-sided range ends where the type's bracket ends, which is one byte.
  const isOneSided = intervals.some(({ low, high }) => low.length === 1 || high?.length === 1)
  return isOneSided ? SCORE.oneSide : SCORE.bothSides
}

/** A path with a numeric piece, as in `a.0` and `a.0.x`. */
const NUMERIC_PIECE = /(^|\.)\d+(\.|$)/

/** The conditions on one part, cut with each other where a document has a single key there. */
function boundPart(index: Index, part: number, conditions: readonly Condition[]): PartBounds {
  const { path, direction } = index.parts[part] as Index['parts'][number]
  const { collation, flags } = index
  const partLimit = limitOfPart(index, part)
  const isArray = flags.arrays[part] === true
  const isPositional = NUMERIC_PIECE.test(path)
  const bounded = { direction, partLimit, collation, isArray, isPositional }
  let best: PartBounds = { intervals: FULL, settled: [] }
  for (const condition of conditions) {
    if (condition.path !== path) continue
    const bounds = boundsOf(condition.node, bounded)
    const settled = bounds.isExact && condition.isWhole ? [condition.source] : []
    if (!isArray) {
      const intervals = intersection(best.intervals, bounds.intervals)
      best = { intervals, settled: [...best.settled, ...settled] }
    } else if (scoreOf(bounds.intervals) > scoreOf(best.intervals) || isFull(best.intervals)) {
      best = { intervals: bounds.intervals, settled }
    }
  }
  return best
}

/** Parts under one array may be met by different elements: only the first of them is bounded. */
function isBlocked(index: Index, part: number, bounded: readonly PartBounds[]): boolean {
  if (index.flags.arrays[part] !== true) return false
  const own = firstName(index.parts[part]?.path ?? '')
  return bounded.some(
    ({ intervals }, earlier) =>
      index.flags.arrays[earlier] === true &&
      !isFull(intervals) &&
      firstName(index.parts[earlier]?.path ?? '') === own
  )
}

function concat(prefix: Uint8Array, rest: Uint8Array): Uint8Array {
  return rest.length === 0 ? prefix : Buffer.concat([prefix, rest])
}

function rangesUnder({ bytes, shared }: Prefix, intervals: readonly Interval[]): KeyRange[] {
  return intervals.map(({ low, high }) => ({
    low: concat(bytes, low),
    lowShared: shared,
    high: high === undefined ? (afterPrefix(bytes) ?? LAST_KEY) : concat(bytes, high),
    highShared: shared
  }))
}

function longer(prefix: Prefix, { low }: Interval, isShared: boolean): Prefix {
  const bytes = concat(prefix.bytes, low)
  return { bytes, shared: isShared ? bytes.length : prefix.shared }
}

/** The ranges of whole keys: every leading value, then the intervals of the first part that is none. */
function rangesOf(
  parts: readonly PartBounds[],
  { sharedParts }: Index
): { ranges: KeyRange[]; usedParts: number } {
  let prefixes: Prefix[] = [{ bytes: NO_KEY, shared: sharedParts === 0 ? 0 : undefined }]
  for (const [part, { intervals }] of parts.entries()) {
    const isLast = part === parts.length - 1
    const tooMany = prefixes.length * intervals.length > MOST_RANGES
    const used = tooMany ? [startingWith(NO_KEY)] : intervals
    if (isLast || tooMany || !intervals.every(({ isPoint }) => isPoint)) {
      const ranges = prefixes.flatMap((prefix) => rangesUnder(prefix, used))
      return { ranges, usedParts: tooMany ? part : part + 1 }
    }
    const isShared = part === sharedParts - 1
    prefixes = prefixes.flatMap((prefix) => intervals.map((one) => longer(prefix, one, isShared)))
  }
  return { ranges: [], usedParts: 0 }
}

/** Bounds of `index` for the conditions. */
export function boundIndex(index: Index, conditions: readonly Condition[]): IndexBounds {
  const bounded: PartBounds[] = []
  for (let part = 0; part < index.parts.length; part++) {
    const isFree = isBlocked(index, part, bounded)
    bounded.push(isFree ? { intervals: FULL, settled: [] } : boundPart(index, part, conditions))
  }
  const { ranges, usedParts } = rangesOf(bounded, index)
  const settled = new Set<FilterNode>()
  let score = 0
  let fixedParts = 0
  for (const [part, { intervals, settled: own }] of bounded.entries()) {
    if (part >= usedParts) break
    if (part === fixedParts && intervals.length === 1 && intervals[0]?.isPoint) fixedParts++
    score += scoreOf(intervals)
    for (const node of own) settled.add(node)
  }
  if (!index.flags.isExact) settled.clear()
  return {
    parts: bounded.map(({ intervals }) => intervals),
    ranges,
    settled,
    fixedParts,
    isWhole:
      usedParts === index.parts.length &&
      bounded.every(({ intervals }) => intervals.every(({ isPoint }) => isPoint)),
    score
  }
}
