// Reads the operators that stand on a field of a filter.
import { BSONRegExp } from 'bson'
import { isTrue } from '../aggregate/expression.ts'
import { toTruncated, toWhole } from '../bson/numbers.ts'
import { type Doc, isDoc, isNumeric, TYPE, typeCode, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import type { BitsOperator, CompareOperator, FilterNode } from './filter-node.ts'
import { bitsOfBinary } from './leaf-test.ts'
import {
  badValue,
  conjunction,
  deeper,
  isOperatorDoc,
  type ParseContext,
  parseFilterDoc,
  parseOperators
} from './parse-filter.ts'
import { type CompiledRegex, compileRegex } from './regex.ts'
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
const GEO = new Set(['$near', '$nearSphere', '$geoNear'])
const GEO_WITHIN = new Set([
  '$geoWithin',
  '$geoIntersects',
  '$within',
  '$maxDistance',
  '$minDistance'
])

/** One operator; `operators` are all that stand beside it. */
export function parseOperator(
  path: string,
  name: string,
  value: Value,
  operators: Doc,
  context: ParseContext
): FilterNode {
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
      return parseNested(path, name, value, context)
  }
}

function parseNested(path: string, name: string, value: Value, context: ParseContext): FilterNode {
  switch (name) {
    case '$not':
      return { kind: 'not', child: parseNot(path, value, context) }
    case '$all':
      return parseAll(path, value, context)
    case '$elemMatch':
      return parseElemMatch(path, value, context)
    default:
      throw refusedOperator(path, name)
  }
}

function refusedOperator(path: string, name: string): Error {
  if (GEO.has(name)) {
    return commandError(
      'NoQueryExecutionPlans',
      `error processing query: unable to find index for $geoNear query on ${path}: geospatial indexes are not supported by this engine`
    )
  }
  if (GEO_WITHIN.has(name)) return badValue(`${name} is not supported by this engine`)
  return badValue(`unknown operator: ${name}`)
}

function parseCompare(path: string, operator: CompareOperator, value: Value): FilterNode {
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

function parseNot(path: string, value: Value, context: ParseContext): FilterNode {
  if (typeCode(value) === TYPE.regex) return { kind: 'regex', path, regex: regexOf(value) }
  if (!isDoc(value)) throw badValue('$not needs a regex or a document')
  if (value.size === 0) throw badValue('$not cannot be empty')
  return parseOperators(path, value, deeper(context))
}

function parseAll(path: string, value: Value, context: ParseContext): FilterNode {
  if (!Array.isArray(value)) throw badValue('$all needs an array')
  if (value.length === 0) return { kind: 'always', value: false }
  const isElemMatch = value.map(
    (element) => isDoc(element) && [...element.keys()][0] === '$elemMatch'
  )
  if (isElemMatch.includes(true) && isElemMatch.includes(false)) {
    throw badValue('$all/$elemMatch has to be consistent')
  }
  return conjunction(value.map((element) => parseAllElement(path, element, context)))
}

function parseAllElement(path: string, element: Value, context: ParseContext): FilterNode {
  if (isOperatorDoc(element)) {
    if (!element.has('$elemMatch')) throw badValue('no $ expressions in $all')
    return parseElemMatch(path, element.get('$elemMatch'), context)
  }
  if (typeCode(element) === TYPE.regex) return { kind: 'regex', path, regex: regexOf(element) }
  return parseCompare(path, 'eq', element)
}

const LOGICAL = new Set(['$and', '$or', '$nor', '$where', '$expr', '$jsonSchema'])

function parseElemMatch(path: string, value: Value, context: ParseContext): FilterNode {
  if (!isDoc(value)) throw badValue('$elemMatch needs an Object')
  const [first] = value.keys()
  const inner = deeper(context, false)
  if (isOperatorDoc(value) && !LOGICAL.has(first ?? '')) {
    const node = parseOperators('', value, inner)
    return { kind: 'elemMatchValue', path, children: node.kind === 'and' ? node.children : [node] }
  }
  return { kind: 'elemMatchObject', path, child: parseFilterDoc(value, inner) }
}
