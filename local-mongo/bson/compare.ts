// BSON's comparison order over decoded values.
import type { Binary, BSONRegExp, ObjectId, Timestamp } from 'bson'
import type { Collation } from './collation.ts'
import { compareIntegers } from './decimal.ts'
import { compareNumbers } from './numbers.ts'
import {
  type CodeWithScope,
  type DbPointer,
  type Doc,
  dateMillis,
  type Numeric,
  TYPE,
  typeCode,
  type Value
} from './value.ts'

const ORDER: readonly (readonly [readonly number[], number])[] = [
  [[TYPE.minKey], -1],
  [[TYPE.undefined], 0],
  [[TYPE.null], 5],
  [[TYPE.double, TYPE.int, TYPE.long, TYPE.decimal], 10],
  [[TYPE.string, TYPE.symbol], 15],
  [[TYPE.object], 20],
  [[TYPE.array], 25],
  [[TYPE.binData], 30],
  [[TYPE.objectId], 35],
  [[TYPE.bool], 40],
  [[TYPE.date], 45],
  [[TYPE.timestamp], 47],
  [[TYPE.regex], 50],
  [[TYPE.dbPointer], 55],
  [[TYPE.javascript], 60],
  [[TYPE.javascriptWithScope], 65],
  [[TYPE.maxKey], 127]
]
const CANONICAL = new Int8Array(256)
for (const [codes, place] of ORDER) for (const code of codes) CANONICAL[code] = place

/** The place of a type in the order of types; types that compare by value share one. */
export function canonicalType(type: number): number {
  return CANONICAL[type] as number
}

/** Negative, zero or positive as `a` sorts before, with or after `b`. */
export function compareValues(a: Value, b: Value, collation?: Collation): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b, collation)
  const typeA = typeCode(a)
  const canonical = canonicalType(typeA)
  const difference = canonical - canonicalType(typeCode(b))
  return difference === 0 ? compareAlike(a, b, canonical, collation) : difference
}

/** Whether two values are equal as queries see it: 1, 1.0 and the 64-bit 1 are. */
export function equalValues(a: Value, b: Value, collation?: Collation): boolean {
  return compareValues(a, b, collation) === 0
}

function compareAlike(
  a: Value,
  b: Value,
  canonical: number,
  collation: Collation | undefined
): number {
  switch (canonical) {
    case 10:
      return compareNumbers(a as Numeric, b as Numeric)
    case 15:
      return compareTexts(textOf(a), textOf(b), collation)
    case 20:
      return compareDocs(a as Doc, b as Doc, collation)
    case 25:
      return compareLists(a as Value[], b as Value[], collation)
    case 35:
      return Buffer.compare((a as ObjectId).id, (b as ObjectId).id)
    case 40:
      return Number(a) - Number(b)
    case 45:
      return compareDates(a as Date, b as Date)
    default:
      return compareRare(a, b, canonical, collation)
  }
}

function compareRare(
  a: Value,
  b: Value,
  canonical: number,
  collation: Collation | undefined
): number {
  switch (canonical) {
    case 30:
      return compareBinaries(a as Binary, b as Binary)
    case 47:
      return compareTimestamps(a as Timestamp, b as Timestamp)
    case 50:
      return compareRegexes(a as BSONRegExp, b as BSONRegExp)
    case 55:
      return comparePointers(a as DbPointer, b as DbPointer)
    case 60:
      return compareBytes((a as { code: string }).code, (b as { code: string }).code)
    case 65: {
      const left = a as CodeWithScope
      const right = b as CodeWithScope
      return compareBytes(left.code, right.code) || compareDocs(left.scope, right.scope, collation)
    }
    default:
      return 0
  }
}

function textOf(value: Value): string {
  return typeof value === 'string' ? value : (value as { value: string }).value
}

function compareTexts(a: string, b: string, collation: Collation | undefined): number {
  if (a === b) return 0
  return collation ? compareBytes(collation.key(a), collation.key(b)) : compareBytes(a, b)
}

/**
 * Compares by UTF-8 bytes, which is the order of code points. UTF-16 orders surrogates (beyond
 * U+FFFF) before U+E000 to U+FFFF, so those are lifted.
 */
export function compareBytes(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left !== right) return lift(left) - lift(right)
  }
  return a.length - b.length
}

function lift(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

function compareDates(a: Date, b: Date): number {
  const left = dateMillis(a)
  const right = dateMillis(b)
  if (left < right) return -1
  return Number(left > right)
}

function compareDocs(a: Doc, b: Doc, collation: Collation | undefined): number {
  const right = b.entries()
  for (const [name, value] of a) {
    const next = right.next()
    if (next.done) return 1
    const [otherName, other] = next.value
    const types = canonicalType(typeCode(value)) - canonicalType(typeCode(other))
    if (types !== 0) return types
    const order = compareBytes(name, otherName) || compareValues(value, other, collation)
    if (order !== 0) return order
  }
  return right.next().done ? 0 : -1
}

function compareLists(
  a: readonly Value[],
  b: readonly Value[],
  collation: Collation | undefined
): number {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i++) {
    const order = compareValues(a[i], b[i], collation)
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compareBinaries(a: Binary, b: Binary): number {
  return (
    a.position - b.position ||
    a.sub_type - b.sub_type ||
    Buffer.compare(a.buffer.subarray(0, a.position), b.buffer.subarray(0, b.position))
  )
}

function compareTimestamps(a: Timestamp, b: Timestamp): number {
  return a.t === b.t ? a.i - b.i : a.t - b.t
}

function compareRegexes(a: BSONRegExp, b: BSONRegExp): number {
  return compareBytes(a.pattern, b.pattern) || compareBytes(a.options, b.options)
}

function comparePointers(a: DbPointer, b: DbPointer): number {
  return (
    compareIntegers(
      BigInt(Buffer.byteLength(a.namespace)),
      BigInt(Buffer.byteLength(b.namespace))
    ) ||
    compareBytes(a.namespace, b.namespace) ||
    Buffer.compare(a.id.id, b.id.id)
  )
}
