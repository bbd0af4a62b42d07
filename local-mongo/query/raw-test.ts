// Conditions on a value's bytes: equality and ranges of the common types.
import type { ObjectId } from 'bson'
import type { Collation } from '../bson/collation.ts'
import { doubleAt, int32At } from '../bson/decode.ts'
import { isNaNumber, toDouble } from '../bson/numbers.ts'
import type { RawValue } from '../bson/raw.ts'
import { dateMillis, isNumeric, TYPE, type Value } from '../bson/value.ts'
import type { CompareOperator, LeafNode } from './filter-node.ts'

/** True or false when the bytes decide, undefined when the value must be decoded. */
export type RawTest = (bytes: Uint8Array, value: RawValue) => boolean | undefined

const LARGEST_EXACT = 2 ** 53

/** A test for values that are not arrays; undefined when bytes cannot decide the condition. */
export function rawTest(node: LeafNode, collation: Collation | undefined): RawTest | undefined {
  switch (node.kind) {
    case 'exists':
      return () => true
    case 'type':
      return (_bytes, { type }) => node.types.has(type)
    case 'compare':
      return compareTest(node.operator, node.value, collation)
    default:
      return undefined
  }
}

function compareTest(
  operator: CompareOperator,
  expected: Value,
  collation: Collation | undefined
): RawTest | undefined {
  if (isNumeric(expected)) {
    const number = toDouble(expected)
    const isExact = Math.abs(number) < LARGEST_EXACT && expected._bsontype !== 'Decimal128'
    return isExact && !isNaNumber(expected) ? numberTest(operator, number) : undefined
  }
  if (expected instanceof Date) {
    const millis = dateMillis(expected)
    return typeof millis === 'number' ? dateTest(operator, millis) : undefined
  }
  if (operator !== 'eq') return undefined
  if (typeof expected === 'string') return collation ? undefined : textTest(expected)
  if (typeof expected === 'boolean') {
    return (bytes, { type, start }) => type === TYPE.bool && (bytes[start] === 1) === expected
  }
  if (expected !== null && (expected as ObjectId | undefined)?._bsontype === 'ObjectId') {
    return bytesTest(TYPE.objectId, (expected as ObjectId).id)
  }
  return undefined
}

function numberTest(operator: CompareOperator, expected: number): RawTest {
  return (bytes, { type, start }) => {
    switch (type) {
      case TYPE.int:
        return satisfies(operator, int32At(bytes, start), expected)
      case TYPE.double:
        return satisfies(operator, doubleAt(bytes, start), expected)
      case TYPE.long: {
        const high = int32At(bytes, start + 4)
        const number = high * 4_294_967_296 + (int32At(bytes, start) >>> 0)
        // Rounding cannot move a larger number across one that is exact.
        return satisfies(operator, number, expected)
      }
      case TYPE.decimal:
        return undefined
      default:
        return false
    }
  }
}

/** NaN satisfies nothing here, as it should. */
function satisfies(operator: CompareOperator, actual: number, expected: number): boolean {
  switch (operator) {
    case 'eq':
      return actual === expected
    case 'lt':
      return actual < expected
    case 'lte':
      return actual <= expected
    case 'gt':
      return actual > expected
    case 'gte':
      return actual >= expected
  }
}

function dateTest(operator: CompareOperator, expected: number): RawTest {
  return (bytes, { type, start }) => {
    if (type !== TYPE.date) return false
    const millis = int32At(bytes, start + 4) * 4_294_967_296 + (int32At(bytes, start) >>> 0)
    return satisfies(operator, millis, expected)
  }
}

function textTest(expected: string): RawTest {
  const text = Buffer.from(expected)
  return (bytes, { type, start, end }) => {
    if (type === TYPE.symbol) return undefined
    return type === TYPE.string && end - start === text.length + 5 && isSame(bytes, start + 4, text)
  }
}

function bytesTest(wanted: number, expected: Uint8Array): RawTest {
  return (bytes, { type, start }) => type === wanted && isSame(bytes, start, expected)
}

function isSame(bytes: Uint8Array, start: number, expected: Uint8Array): boolean {
  for (let i = 0; i < expected.length; i++) if (bytes[start + i] !== expected[i]) return false
  return true
}
