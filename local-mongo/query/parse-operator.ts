// Reads the operators on a field of a filter that hold no further conditions.
import { BSONRegExp } from 'bson'
import { toTruncated, toWhole } from '../bson/numbers.ts'
import { type Doc, isDoc, isNumeric, TYPE, typeCode, type Value } from '../bson/value.ts'
import { type CommandError, commandError } from '../errors.ts'
import { isTrue } from '../expressions/expression.ts'
import { type CompiledRegex, compileRegex } from '../regex/regex.ts'
import type { BitsOperator, CompareOperator, FilterNode } from './filter-node.ts'
import { bitsOfBinary } from './leaf-test.ts'
import { parseTypes } from './type-names.ts'

const COMPARES: ReadonlyMap<string, CompareOperator> = new Map([
  ['$eq', 'eq'],
  ['$lt', 'lt'],
  ['$lte', 'lte'],
  ['$gt', 'gt'],
  ['$gte', 'gte']
])
const BITS: ReadonlyMap<string, BitsOperator> = new Map([
  ['$bitsAllSet', 'allSet'],
  ['$bitsAllClear', 'allClear'],
  ['$bitsAnySet', 'anySet'],
  ['$bitsAnyClear', 'anyClear']
])
export function badValue(message: string): CommandError {
  return commandError('BadValue', message)
}

const REFERENCE_FIELDS: ReadonlySet<string> = new Set(['$ref', '$id', '$db'])

/** Whether a name is a field of a database reference (DBRef): the `$` names that documents may hold. */
export function isReferenceField(name: string): boolean {
  return REFERENCE_FIELDS.has(name)
}

/** Whether a value holds operators: its first field begins with `$`, and it is not a database reference. */
export function isOperatorDoc(value: Value): value is Doc {
  if (!isDoc(value)) return false
  const [first] = value.keys()
  return first?.startsWith('$') === true && !isReferenceField(first)
}

/** One operator; `operators` are all operators of the field. undefined: not one of these. */
export function parseOperator(
  path: string,
  name: string,
  value: Value,
  operators: Doc
): FilterNode | undefined {
  const compare = COMPARES.get(name)
  if (compare !== undefined) return parseCompare(path, compare, value)
  const bits = BITS.get(name)
  if (bits !== undefined)
    return { kind: 'bits', path, operator: bits, mask: parseMask(name, value) }
  switch (name) {
    case '$ne':
      return { kind: 'not', child: parseNotEqual(path, value) }
    case '$in':
      return parseIn(path, name, value)
    case '$nin':
      return { kind: 'not', child: parseIn(path, name, value) }
    case '$exists':
      return isTrue(value)
        ? { kind: 'exists', path }
        : { kind: 'not', child: { kind: 'exists', path } }
    case '$type':
      return { kind: 'type', path, types: parseTypes(value) }
    case '$regex':
      return { kind: 'regex', path, regex: parseRegex(value, operators.get('$options')) }
    case '$mod':
      return parseMod(path, value)
    case '$size':
      return { kind: 'size', path, size: parseSize(value) }
    default:
      return undefined
  }
}

export function parseCompare(path: string, operator: CompareOperator, value: Value): FilterNode {
  if (value === undefined) throw badValue('cannot compare to undefined')
  if (operator !== 'eq' && typeCode(value) === TYPE.regex) {
    throw badValue(`Can't have RegEx as arg to predicate over field '${path}'.`)
  }
  return { kind: 'compare', path, operator, value }
}

function parseNotEqual(path: string, value: Value): FilterNode {
  if (typeCode(value) === TYPE.regex) throw badValue("Can't have regex as arg to $ne.")
  return parseCompare(path, 'eq', value)
}

function parseIn(path: string, name: string, value: Value): FilterNode {
  if (!Array.isArray(value)) throw badValue(`${name} needs an array`)
  const regexes: CompiledRegex[] = []
  const values: Value[] = []
  for (const element of value) {
    if (isOperatorDoc(element)) throw badValue(`cannot nest $ under ${name}`)
    if (element === undefined) throw badValue('InMatchExpression equality cannot be undefined')
    if (typeCode(element) === TYPE.regex) regexes.push(regexOf(element))
    // A stored regular expression equals itself, besides the texts that it matches.
    else values.push(element)
  }
  return { kind: 'in', path, values, regexes }
}

/** A BSON regular expression, compiled. */
export function regexOf(value: Value): CompiledRegex {
  const { pattern, options } = value as BSONRegExp
  return compileRegex(pattern, options)
}

function parseRegex(value: Value, options: Value): CompiledRegex {
  if (options !== undefined && typeof options !== 'string')
    throw badValue('$options has to be a string')
  if (typeof value === 'string') return compileRegex(value, options ?? '')
  if (!(value instanceof BSONRegExp)) throw badValue('$regex has to be a string')
  if (options !== undefined && value.options !== '') {
    throw commandError('Location51075', 'options set in both $regex and $options')
  }
  return compileRegex(value.pattern, options ?? value.options)
}

function parseMod(path: string, value: Value): FilterNode {
  if (!Array.isArray(value)) throw badValue('malformed mod, needs to be an array')
  if (value.length < 2) throw badValue('malformed mod, not enough elements')
  if (value.length > 2) throw badValue('malformed mod, too many elements')
  const divisor = modOperand('divisor', value[0])
  if (divisor === 0n) throw badValue('divisor cannot be 0')
  return { kind: 'mod', path, divisor, remainder: modOperand('remainder', value[1]) }
}

function modOperand(name: string, value: Value): bigint {
  const whole = isNumeric(value) ? toTruncated(value) : undefined
  if (whole === undefined) throw badValue(`malformed mod, ${name} is not a number`)
  return whole
}

function parseSize(value: Value): number {
  const whole = isNumeric(value) ? toWhole(value) : undefined
  if (whole === undefined) throw badValue('Failed to parse $size. Expected an integer')
  if (whole < 0n) throw badValue('Failed to parse $size. Expected a non-negative number')
  return Number(whole)
}

function parseMask(name: string, value: Value): bigint {
  if (Array.isArray(value))
    return value.reduce((mask: bigint, bit) => mask | (1n << bitPosition(name, bit)), 0n)
  if (typeCode(value) === TYPE.binData)
    return bitsOfBinary(value as Parameters<typeof bitsOfBinary>[0])
  const whole = isNumeric(value) ? toWhole(value) : undefined
  if (whole === undefined) throw badValue(`${name} takes an Array, a number, or a BinData`)
  if (whole < 0n) throw commandError('FailedToParse', `Expected a non-negative number in: ${name}`)
  return whole
}

/** Far beyond any number, and far below what would cost memory. */
const LAST_BIT = 1_048_575n

function bitPosition(name: string, value: Value): bigint {
  const bit = isNumeric(value) ? toWhole(value) : undefined
  if (bit === undefined || bit < 0n || bit > LAST_BIT) {
    throw badValue(`Failed to parse bit position in ${name}. Expected a non-negative integer`)
  }
  return bit
}
