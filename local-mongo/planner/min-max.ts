// The options min and max of find: ends of the hinted index, given as keys.
import { encodeKey } from '../bson/key-string.ts'
import type { Doc } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import type { KeyRange } from '../storage/entry-range.ts'
import { type Index, limitOfPart } from '../storage/index-definition.ts'
import { showValue } from '../storage/show-value.ts'
import { afterPrefix } from '../storage/tree-keys.ts'
import type { IndexBounds } from './index-bounds.ts'
import { FULL } from './intervals.ts'

const NO_KEY = { bytes: new Uint8Array(0), shared: 0 }

/** The ends of the hinted index, as the client gave them. */
interface Ends {
  /** Inclusive. */
  readonly min?: Doc | undefined
  /** Exclusive. */
  readonly max?: Doc | undefined
}

/** Fails with Location51173 when there is no index for the ends. */
export function checkEnds({
  min,
  max,
  hint
}: Ends & { readonly hint: string | Doc | undefined }): void {
  if (min === undefined && max === undefined) return
  const isIndex = typeof hint === 'string' || (hint !== undefined && !hint.has('$natural'))
  if (isIndex) return
  throw commandError(
    'Location51173',
    'When using min()/max() a hint of which index to use must be provided'
  )
}

/** A key of the index, and how much of it entries share. */
interface Key {
  readonly bytes: Uint8Array
  readonly shared: number
}

function keyOf(end: Doc, index: Index): Key {
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
  const shared = pieces.slice(0, index.sharedParts).reduce((sum, { length }) => sum + length, 0)
  return { bytes: Buffer.concat(pieces), shared }
}

/** Past all that begin with a key. */
function past({ bytes, shared }: Key): Key {
  return { bytes: afterPrefix(bytes) ?? bytes, shared }
}

/** The ends in the order in which the index is written, the lower inclusive, the upper exclusive. */
function endsOf(
  index: Index,
  { min, max }: Ends
): { readonly low: Key; readonly high: Key | undefined } {
  const [from, to] = [min, max].map((end) => (end === undefined ? undefined : keyOf(end, index)))
  if (!index.layout.isTurned) return { low: from ?? NO_KEY, high: to }
  return {
    low: to === undefined ? NO_KEY : past(to),
    high: from === undefined ? undefined : past(from)
  }
}

/** Cuts a range at the ends; undefined when nothing is left. */
function cut(range: KeyRange, low: Key, high: Key | undefined): KeyRange | undefined {
  const from =
    Buffer.compare(range.low, low.bytes) < 0 ? low : { bytes: range.low, shared: range.lowShared }
  const to =
    high !== undefined && Buffer.compare(high.bytes, range.high) < 0
      ? high
      : { bytes: range.high, shared: range.highShared }
  if (Buffer.compare(from.bytes, to.bytes) >= 0) return undefined
  return { low: from.bytes, lowShared: from.shared, high: to.bytes, highShared: to.shared }
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
    fixedParts: 0,
    isWhole: false
  }
}
