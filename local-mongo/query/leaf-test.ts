// The conditions of a filter on a single value.
import type { Binary } from 'bson'
import type { Collation } from '../bson/collation.ts'
import { canonicalType, compareValues } from '../bson/compare.ts'
import { isNaNumber, toTruncated, toWhole } from '../bson/numbers.ts'
import { type Doc, isNumeric, TYPE, typeCode, type Value } from '../bson/value.ts'
import { ValueSet } from '../bson/value-set.ts'
import { MISSING, type Missing } from '../expressions/expression.ts'
import type { CompiledRegex } from '../regex/regex.ts'
import type { BitsOperator, CompareOperator, LeafNode } from './filter-node.ts'
import { matchesSchema } from './json-schema.ts'

export type LeafTest = (value: Value | Missing) => boolean
type Leaf = Exclude<LeafNode, { kind: 'elemMatchObject' | 'elemMatchValue' }>

/** The condition of a leaf as a function of one value. */
export function leafTest(node: Leaf, collation: Collation | undefined): LeafTest {
  switch (node.kind) {
    case 'compare':
      return compareTest(node.operator, node.value, collation)
    case 'in':
      return inTest(node.values, node.regexes, collation)
    case 'exists':
      return (value) => value !== MISSING
    case 'type':
      return (value) => value !== MISSING && node.types.has(typeCode(value))
    case 'regex':
      return (value) => matchesRegex(value, node.regex)
    case 'mod':
      return (value) => matchesMod(value, node.divisor, node.remainder)
    case 'size':
      return (value) => Array.isArray(value) && value.length === node.size
    case 'bits':
      return (value) => matchesBits(value, node.operator, node.mask)
    case 'schema':
      return (value) => matchesSchema(node.schema, value as Doc)
  }
}

function compareTest(
  operator: CompareOperator,
  expected: Value,
  collation: Collation | undefined
): LeafTest {
  const canonical = canonicalType(typeCode(expected))
  const isExtreme =
    canonical === canonicalType(TYPE.minKey) || canonical === canonicalType(TYPE.maxKey)
  const allowsEqual = operator === 'eq' || operator === 'lte' || operator === 'gte'
  if (expected === null) return (value) => allowsEqual && isNullish(value)
  if (isNumeric(expected) && isNaNumber(expected)) {
    return (value) => allowsEqual && isNaNValue(value)
  }
  return (value) => {
    if (value === MISSING) return isExtreme && satisfies(operator, -canonical)
    const difference = canonicalType(typeCode(value)) - canonical
    if (difference !== 0) return isExtreme && satisfies(operator, difference)
    if (isNaNValue(value)) return false
    return satisfies(operator, compareValues(value, expected, collation))
  }
}

function isNullish(value: Value | Missing): boolean {
  return value === null || value === undefined || value === MISSING
}

function isNaNValue(value: Value | Missing): boolean {
  return value !== MISSING && isNumeric(value) && isNaNumber(value)
}

function satisfies(operator: CompareOperator, order: number): boolean {
  switch (operator) {
    case 'eq':
      return order === 0
    case 'lt':
      return order < 0
    case 'lte':
      return order <= 0
    case 'gt':
      return order > 0
    case 'gte':
      return order >= 0
  }
}

function inTest(
  values: readonly Value[],
  regexes: readonly CompiledRegex[],
  collation: Collation | undefined
): LeafTest {
  // Not before it is needed: a filter is compiled for bytes and for documents, and asked for one.
  let set: ValueSet | undefined
  const hasNull = values.includes(null)
  return (value) => {
    if (isNullish(value)) return hasNull
    set ??= new ValueSet(values, collation)
    return set.has(value as Value) || regexes.some((regex) => matchesRegex(value, regex))
  }
}

function matchesRegex(value: Value | Missing, regex: CompiledRegex): boolean {
  if (typeof value === 'string') return regex.test(value)
  if (value === MISSING) return false
  const type = typeCode(value)
  if (type === TYPE.symbol) return regex.test((value as { value: string }).value)
  if (type !== TYPE.regex) return false
  const { pattern, options } = value as { pattern: string; options: string }
  return pattern === regex.pattern && options === regex.options
}

function matchesMod(value: Value | Missing, divisor: bigint, remainder: bigint): boolean {
  if (value === MISSING || !isNumeric(value)) return false
  const whole = toTruncated(value)
  return whole !== undefined && whole % divisor === remainder
}

function matchesBits(value: Value | Missing, operator: BitsOperator, mask: bigint): boolean {
  const bits = bitsOf(value)
  if (bits === undefined) return false
  switch (operator) {
    case 'allSet':
      return (bits & mask) === mask
    case 'allClear':
      return (bits & mask) === 0n
    case 'anySet':
      return (bits & mask) !== 0n
    case 'anyClear':
      return (bits & mask) !== mask
  }
}

/** A whole number with its sign running on for ever, or binary data from its first byte upwards. */
function bitsOf(value: Value | Missing): bigint | undefined {
  if (value === MISSING) return undefined
  if (isNumeric(value)) {
    const whole = toWhole(value)
    return whole !== undefined && BigInt.asIntN(64, whole) === whole ? whole : undefined
  }
  return typeCode(value) === TYPE.binData ? bitsOfBinary(value as Binary) : undefined
}

/** Binary data read as a little-endian whole number. */
export function bitsOfBinary(binary: Binary): bigint {
  const bytes = Buffer.from(binary.buffer.subarray(0, binary.position)).reverse()
  return bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`)
}
