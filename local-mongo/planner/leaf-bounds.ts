// What one condition of a filter says about one part of an index.
import { Binary, BSONRegExp, Double, Int32, ObjectId, Timestamp } from 'bson'
import type { Collation } from '../bson/collation.ts'
import { type Direction, equalRange, prefixRange, typeBounds } from '../bson/key-string.ts'
import { TYPE, typeCode, type Value } from '../bson/value.ts'
import { ValueSet } from '../bson/value-set.ts'
import type { CompareOperator, FilterNode, LeafNode } from '../query/filter-node.ts'
import { afterPrefix } from '../storage/tree-keys.ts'
import { complement, FULL, type Interval, intersection, union } from './intervals.ts'

/** The part of an index that bounds are made for. */
export interface BoundedPart {
  readonly direction: Direction
  readonly partLimit: number
  readonly collation: Collation | undefined
  /** True when some document has an array on the path: a document has several keys then. */
  readonly isArray: boolean
  /**
   * True when the path has a numeric piece (`a.0`). It names an element of an array or a field of its
   * elements: a document whose key is not null may still match null by the other reading.
   */
  readonly isPositional: boolean
}

/** The keys that documents which satisfy a condition must have one of. */
export interface Bounds {
  readonly intervals: readonly Interval[]
  /** True when a document with a key in the intervals satisfies the condition for certain. */
  readonly isExact: boolean
}

/** More ranges than this cost more than what they leave out. */
export const MOST_RANGES = 10_000
const HASH_BYTES = 16
const ANYTHING: Bounds = { intervals: FULL, isExact: false }
const NOTHING: Bounds = { intervals: [], isExact: true }

/** One value for each type, by which its bracket is found. */
const SAMPLES: ReadonlyMap<number, Value> = new Map<number, Value>([
  [TYPE.double, new Double(0)],
  [TYPE.int, new Int32(0)],
  [TYPE.long, new Int32(0)],
  [TYPE.decimal, new Int32(0)],
  [TYPE.string, ''],
  [TYPE.object, new Map()],
  [TYPE.binData, new Binary()],
  [TYPE.objectId, new ObjectId('000000000000000000000000')],
  [TYPE.bool, true],
  [TYPE.date, new Date(0)],
  [TYPE.timestamp, new Timestamp(0n)],
  [TYPE.null, null],
  [TYPE.regex, new BSONRegExp('')]
])
const NUMBERS: ReadonlySet<number> = new Set([TYPE.double, TYPE.int, TYPE.long, TYPE.decimal])
const NAN = new Double(Number.NaN)

function isNaNValue(value: Value): boolean {
  return NUMBERS.has(typeCode(value)) && Number.isNaN(Number(String(value)))
}

function point(value: Value, part: BoundedPart): Interval & { readonly isExact: boolean } {
  const { low, high, exact } = equalRange(value, part.direction, part)
  return { low, high, isPoint: exact, isExact: exact }
}

function equalBounds(value: Value, part: BoundedPart): Bounds {
  if (value === null || value === undefined) {
    if (part.isPositional) return ANYTHING
    // Missing fields are kept as null, empty arrays as undefined.
    return { intervals: union([point(null, part), point(undefined, part)]), isExact: false }
  }
  if (Array.isArray(value)) {
    // The elements are the keys; the array itself is one only where arrays are nested.
    const first = value.length === 0 ? undefined : value[0]
    const inner = first === null ? equalBounds(null, part).intervals : [point(first, part)]
    return { intervals: union([point(value, part), ...inner]), isExact: false }
  }
  const { isExact, ...interval } = point(value, part)
  return { intervals: [interval], isExact: isExact && typeCode(value) !== TYPE.symbol }
}

/** Where values equal to this one lie, widened so that no cut key can stand on the wrong side. */
function widenedPoint(
  value: Value,
  part: BoundedPart
): { low: Uint8Array; high: Uint8Array | undefined; isExact: boolean } {
  const { low, high, exact } = equalRange(value, part.direction, part)
  const certain = part.partLimit - HASH_BYTES
  if (exact && low.length <= certain) return { low, high, isExact: true }
  const start = low.subarray(0, certain)
  return { low: start, high: afterPrefix(start), isExact: false }
}

function rangeBounds(operator: CompareOperator, value: Value, part: BoundedPart): Bounds {
  const isInclusive = operator === 'gte' || operator === 'lte'
  const type = typeCode(value)
  if (isNaNValue(value)) return isInclusive ? equalBounds(value, part) : NOTHING
  if (value === null || value === undefined) return isInclusive ? equalBounds(null, part) : ANYTHING
  if (Array.isArray(value) || type === TYPE.minKey || type === TYPE.maxKey) return ANYTHING
  const bracket = typeBounds(value, part.direction)
  const at = widenedPoint(value, part)
  const isInside = isInclusive || !at.isExact
  const goesUp = (operator === 'gt' || operator === 'gte') === (part.direction === 1)
  const interval = goesUp
    ? { low: isInside ? at.low : (at.high ?? at.low), high: bracket.high }
    : { low: bracket.low, high: isInside ? at.high : at.low }
  const isExact = at.isExact && bracket.exact && type !== TYPE.object
  return { intervals: [{ ...interval, isPoint: false }], isExact }
}

function prefixBounds(prefix: string, isPrefixOnly: boolean, part: BoundedPart): Bounds {
  if (part.collation !== undefined) return ANYTHING
  const { low, high, exact } = prefixRange(prefix, part.direction, part)
  return { intervals: [{ low, high, isPoint: false }], isExact: exact && isPrefixOnly }
}

/** More than `MOST_RANGES` different values: no index takes so many ranges, so none is made. */
function hasTooMany({ values }: Extract<LeafNode, { kind: 'in' }>, part: BoundedPart): boolean {
  if (values.length <= MOST_RANGES) return false
  const different = new ValueSet([], part.collation)
  return values.some((value) => different.add(value) && different.size > MOST_RANGES)
}

function inBounds(node: Extract<LeafNode, { kind: 'in' }>, part: BoundedPart): Bounds {
  if (hasTooMany(node, part)) return ANYTHING
  const all: Interval[] = []
  let isExact = true
  const add = (bounds: Bounds) => {
    all.push(...bounds.intervals)
    isExact = isExact && bounds.isExact
  }
  for (const value of node.values) add(equalBounds(value, part))
  for (const regex of node.regexes) add(regexBounds(regex, part))
  return { intervals: union(all), isExact }
}

function regexBounds(
  regex: Extract<LeafNode, { kind: 'regex' }>['regex'],
  part: BoundedPart
): Bounds {
  // A regular expression also matches stored regular expressions that are the same.
  const own = point(new BSONRegExp(regex.pattern, regex.options), part)
  const bounds =
    regex.prefix === undefined || part.collation !== undefined
      ? { intervals: [{ ...typeBounds('', part.direction), isPoint: false }], isExact: false }
      : prefixBounds(regex.prefix, regex.isPrefixOnly, part)
  return { intervals: union([...bounds.intervals, own]), isExact: bounds.isExact && own.isExact }
}

function typesBounds(types: ReadonlySet<number>, part: BoundedPart): Bounds {
  const all: Interval[] = []
  for (const type of types) {
    if (!SAMPLES.has(type)) return ANYTHING
    const { low, high } = typeBounds(SAMPLES.get(type), part.direction)
    all.push({ low, high, isPoint: false })
    if (NUMBERS.has(type)) all.push(point(NAN, part))
  }
  return { intervals: union(all), isExact: false }
}

function notBounds(child: FilterNode, part: BoundedPart): Bounds {
  if (child.kind === 'exists') return equalBounds(null, part)
  if (child.kind !== 'compare' && child.kind !== 'in') return ANYTHING
  const bounds = child.kind === 'compare' ? compareBounds(child, part) : inBounds(child, part)
  const isNull = bounds.intervals.length > 0 && isNullOnly(child)
  if (isNull && !part.isArray) {
    return { intervals: complement([point(null, part)]), isExact: false }
  }
  if (!bounds.isExact) return ANYTHING
  return { intervals: complement(bounds.intervals), isExact: !part.isArray }
}

function isNullOnly(node: FilterNode): boolean {
  return node.kind === 'compare' && node.operator === 'eq' && node.value === null
}

function compareBounds(node: Extract<LeafNode, { kind: 'compare' }>, part: BoundedPart): Bounds {
  return node.operator === 'eq'
    ? equalBounds(node.value, part)
    : rangeBounds(node.operator, node.value, part)
}

/** The bounds of a condition whose path is that of the part. */
export function boundsOf(node: FilterNode, part: BoundedPart): Bounds {
  switch (node.kind) {
    case 'compare':
      return compareBounds(node, part)
    case 'in':
      return inBounds(node, part)
    case 'regex':
      return regexBounds(node.regex, part)
    case 'type':
      return typesBounds(node.types, part)
    case 'not':
      return notBounds(node.child, part)
    case 'elemMatchValue':
      return elementBounds(node.children, part)
    default:
      return ANYTHING
  }
}

/** All conditions hold of one element, which is one key: their bounds may be cut with each other. */
function elementBounds(children: readonly FilterNode[], part: BoundedPart): Bounds {
  let intervals = FULL
  for (const child of children) {
    intervals = intersection(intervals, boundsOf(child, part).intervals)
  }
  return { intervals, isExact: false }
}

/** Whether a document without the field can never satisfy the condition. */
export function needsField(node: FilterNode): boolean {
  switch (node.kind) {
    case 'compare':
      return (
        node.value !== null &&
        node.value !== undefined &&
        typeCode(node.value) !== TYPE.minKey &&
        typeCode(node.value) !== TYPE.maxKey
      )
    case 'in':
      return node.values.every((value) => value !== null && value !== undefined)
    case 'exists':
    case 'regex':
    case 'type':
    case 'mod':
    case 'size':
    case 'bits':
    case 'elemMatchObject':
    case 'elemMatchValue':
      return true
    case 'not':
      return isNullOnly(node.child)
    default:
      return false
  }
}
