// The options min and max of find: ends of the hinted index, given as keys.
import { encodeKey } from '../bson/key-string.ts'
import type { Doc } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { type Index, limitOfPart } from '../storage/index-definition.ts'
import { showValue } from '../storage/show-value.ts'
import { afterPrefix } from '../storage/tree-keys.ts'
import type { IndexBounds, KeyRange } from './index-bounds.ts'
import { FULL } from './intervals.ts'
import type { PlanRequest } from './plan.ts'

const NO_KEY = new Uint8Array(0)

type Ends = Pick<PlanRequest, 'min' | 'max'>

/** Fails with Location51173 when there is no index for the ends. */
export function checkEnds({ min, max, hint }: Ends & Pick<PlanRequest, 'hint'>): void {
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
  const pieces = [...end.values()].map((value, part) => {
    const { collation } = index
    const direction = index.parts[part]?.direction ?? 1
    return encodeKey([value], [direction], { collation, partLimit: limitOfPart(index, part) })
  })
  return Buffer.concat(pieces)
}

/** The ends in the order in which the index is written, the lower inclusive, the upper exclusive. */
function endsOf(
  index: Index,
  { min, max }: Ends
): { readonly low: Uint8Array; readonly high: Uint8Array | undefined } {
  const [from, to] = [min, max].map((end) => (end === undefined ? undefined : keyOf(end, index)))
  if (!index.layout.isTurned) return { low: from ?? NO_KEY, high: to }
  return {
    low: to === undefined ? NO_KEY : (afterPrefix(to) ?? to),
    high: from === undefined ? undefined : afterPrefix(from)
  }
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
  const { low, high } = endsOf(index, { min, max })
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
