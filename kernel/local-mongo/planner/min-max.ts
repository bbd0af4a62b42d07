// The options min and max of find: ends of the hinted index, given as keys.
import { encodeKey } from '../bson/key-string.ts'
import type { Doc } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import type { Index } from '../storage/index-definition.ts'
import { showValue } from '../storage/show-value.ts'
import type { IndexBounds, KeyRange } from './index-bounds.ts'
import { FULL } from './intervals.ts'
import type { PlanRequest } from './plan.ts'

type Ends = Pick<PlanRequest, 'min' | 'max' | 'hint'>

/** Fails with Location51173 when there is no index for the ends. */
export function checkEnds({ min, max, hint }: Ends): void {
  if (min === undefined && max === undefined) return
  const isIndex = typeof hint === 'string' || (hint !== undefined && !hint.has('$natural'))
  if (isIndex) return
  throw commandError(
    'Location51173',
    'When using min()/max() a hint of which index to use must be provided'
  )
}

function keyOf(end: Doc, index: Index): Uint8Array {
  const names = [...end.keys()]
  if (names.join('\0') !== index.parts.map(({ path }) => path).join('\0')) {
    throw commandError(
      'Location51174',
      `The index chosen is not compatible with min/max: ${showValue(index.key)}, ${showValue(end)}`
    )
  }
  const directions = index.parts.map(({ direction }) => direction)
  return encodeKey([...end.values()], directions, index)
}

/** Cuts a range at the ends; undefined when nothing is left. */
function cut(range: KeyRange, low: Uint8Array, high: Uint8Array | undefined): KeyRange | undefined {
  const from = Buffer.compare(range.low, low) < 0 ? low : range.low
  const to = high !== undefined && Buffer.compare(high, range.high) < 0 ? high : range.high
  return Buffer.compare(from, to) < 0 ? { low: from, high: to } : undefined
}

/** The bounds within `min` and `max`. */
export function cutBounds(bounds: IndexBounds, index: Index, { min, max }: Ends): IndexBounds {
  if (min === undefined && max === undefined) return bounds
  const low = min === undefined ? new Uint8Array(0) : keyOf(min, index)
  const high = max === undefined ? undefined : keyOf(max, index)
  const ranges = bounds.ranges
    .map((range) => cut(range, low, high))
    .filter((range) => range !== undefined)
  return {
    ...bounds,
    ranges,
    parts: bounds.parts.map(() => FULL),
    settled: new Set(),
    fixedParts: 0
  }
}
