// Operators on documents, and the few that stand alone.
import { Binary, Double, Int32, Long, Timestamp } from 'bson'
import { sizeOfDoc } from '../bson/encode.ts'
import { longToBigInt } from '../bson/numbers.ts'
import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import {
  type Expression,
  isNothing,
  MISSING,
  type Result,
  typeOf,
  unionFields
} from './expression.ts'
import { mergeInto } from './merge-documents.ts'
import { namedDoc, needText, unaryOrNull, variadic } from './operator-arguments.ts'
import {
  combine,
  fieldOf,
  literal,
  type OperatorParser,
  parseExpression
} from './parse-expression.ts'

function mergeObjects(values: readonly Result[]): Doc {
  const merged: Doc = new Map()
  for (const value of values) mergeInto(merged, value)
  return merged
}

const parseGetField: OperatorParser = (argument, context, name) => {
  const isShort = !isDoc(argument) || [...argument.keys()][0]?.startsWith('$') === true
  const object = isShort ? undefined : namedDoc(name, argument, ['field', 'input'], [])
  const field = parseExpression(object ? object.get('field') : argument, context)
  const input = object
    ? parseExpression(object.get('input'), context)
    : parseExpression('$$CURRENT', context)
  return combine([field, input], (env) => {
    const key = needText(
      field.evaluate(env),
      "$getField requires 'field' to evaluate to a string: it",
      'Location3041704'
    )
    const value = input.evaluate(env)
    return value === null ? null : fieldOf(value, key)
  })
}

const parseSetField: OperatorParser = (argument, context, name) => {
  const object = namedDoc(name, argument, ['field', 'input', 'value'], [])
  const value = parseExpression(object.get('value'), context)
  return fieldSetter(
    name,
    object.get('field'),
    parseExpression(object.get('input'), context),
    value,
    context
  )
}

const parseUnsetField: OperatorParser = (argument, context, name) => {
  const object = namedDoc(name, argument, ['field', 'input'], [])
  return fieldSetter(
    name,
    object.get('field'),
    parseExpression(object.get('input'), context),
    literal(MISSING),
    context
  )
}

function fieldSetter(
  name: string,
  fieldName: Value,
  input: Expression,
  value: Expression,
  context: Parameters<OperatorParser>[1]
): Expression {
  const field = parseExpression(fieldName, context)
  const key = field.constant?.value
  if (typeof key !== 'string') {
    throw commandError(
      'Location4161106',
      `${name} requires 'field' to evaluate to a constant string`
    )
  }
  return {
    fields: unionFields(input.fields, value.fields),
    evaluate: (env) => {
      const target = input.evaluate(env)
      if (isNothing(target)) return null
      if (!isDoc(target))
        throw commandError('Location4161105', `${name} requires 'input' to evaluate to type Object`)
      const result: Doc = new Map(target)
      const made = value.evaluate(env)
      if (made === MISSING) result.delete(key)
      else result.set(key, made)
      return result
    }
  }
}

function binarySize(value: Value): Int32 {
  if (typeof value === 'string') return new Int32(Buffer.byteLength(value))
  if (value instanceof Binary) return new Int32(value.position)
  throw commandError(
    'Location51276',
    `$binarySize requires a string or BinData argument, found: ${typeOf(value)}`
  )
}

function bsonSize(value: Value): Int32 {
  if (isDoc(value)) return new Int32(sizeOfDoc(value))
  throw commandError(
    'Location31393',
    `$bsonSize requires a document input, found: ${typeOf(value)}`
  )
}

function timestampPart(name: string, part: (timestamp: Timestamp) => number): OperatorParser {
  return unaryOrNull((value) => {
    if (value instanceof Timestamp) return Long.fromNumber(part(value))
    throw commandError(
      'Location5687301',
      `${name} argument must be a timestamp, found: ${typeOf(value)}`
    )
  })
}

type BitOperation = (a: bigint, b: bigint) => bigint

function bitwise(name: string, start: bigint, operation: BitOperation): OperatorParser {
  return variadic((values) => {
    if (values.some(isNothing)) return null
    let bits = start
    let isLong = false
    for (const value of values) {
      isLong ||= value instanceof Long
      bits = operation(bits, wholeNumber(value, name))
    }
    return isLong ? Long.fromBigInt(bits) : new Int32(Number(bits))
  })
}

function wholeNumber(value: Result, name: string): bigint {
  if (value instanceof Int32) return BigInt(value.value)
  if (value instanceof Long) return longToBigInt(value)
  throw commandError(
    'TypeMismatch',
    `${name} only supports int and long operands, not ${typeOf(value)}`
  )
}

function bitNot(value: Value): Value {
  const bits = ~wholeNumber(value, '$bitNot')
  return value instanceof Long ? Long.fromBigInt(bits) : new Int32(Number(bits))
}

const parseRandom: OperatorParser = (argument) => {
  const isEmpty = isDoc(argument)
    ? argument.size === 0
    : Array.isArray(argument) && argument.length === 0
  if (!isEmpty) throw commandError('Location3040501', '$rand does not currently accept arguments')
  return { evaluate: () => new Double(Math.random()), fields: new Set() }
}

export const OBJECTS: Readonly<Record<string, OperatorParser>> = {
  $literal: (argument) => literal(argument),
  // The entries of a list are merged; a single operand is a document.
  $mergeObjects: variadic(mergeObjects),
  $getField: parseGetField,
  $setField: parseSetField,
  $unsetField: parseUnsetField,
  $binarySize: unaryOrNull(binarySize),
  $bsonSize: unaryOrNull(bsonSize),
  $rand: parseRandom,
  $tsSecond: timestampPart('$tsSecond', ({ t }) => t),
  $tsIncrement: timestampPart('$tsIncrement', ({ i }) => i),
  $bitAnd: bitwise('$bitAnd', -1n, (a, b) => a & b),
  $bitOr: bitwise('$bitOr', 0n, (a, b) => a | b),
  $bitXor: bitwise('$bitXor', 0n, (a, b) => a ^ b),
  $bitNot: unaryOrNull(bitNot),
  $meta: () => {
    throw commandError('Location40218', 'query requires metadata that is not available')
  }
}
