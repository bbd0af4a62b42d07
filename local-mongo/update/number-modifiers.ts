// Modifiers of numbers: $inc, $mul, $min, $max and $bit.
import { Int32, Long } from 'bson'
import { addNumbers, multiplyNumbers } from '../bson/arithmetic.ts'
import { compareValues } from '../bson/compare.ts'
import { longToBigInt } from '../bson/numbers.ts'
import { isDoc, isNumeric, type Numeric, typeName, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { MISSING } from '../expressions/expression.ts'
import { KEEP, type ModifierContext, type ModifierParser } from './modifier.ts'
import { shown } from './shown.ts'

type Combine = (a: Numeric, b: Numeric) => Numeric

function arithmetic(operator: '$inc' | '$mul', verb: string, combine: Combine): ModifierParser {
  return (argument, path) => {
    if (!isNumeric(argument)) {
      throw commandError(
        'TypeMismatch',
        `Cannot ${verb} with non-numeric argument: {${path}: ${shown(argument)}}`
      )
    }
    return {
      creates: true,
      change: (current, context) => {
        if (current === MISSING)
          return operator === '$inc' ? argument : multiplyNumbers(argument, new Int32(0))
        return combineNumbers(operator, current, argument, combine, context)
      }
    }
  }
}

function combineNumbers(
  operator: string,
  current: Value,
  argument: Numeric,
  combine: Combine,
  context: ModifierContext
): Numeric {
  if (!isNumeric(current)) {
    throw commandError(
      'TypeMismatch',
      `Cannot apply ${operator} to a value of non-numeric type. {_id: ${context.idOf()}} has the field '${context.path.at(-1)}' of non-numeric type ${typeName(current)}`
    )
  }
  const result = combine(current, argument)
  if (result._bsontype === 'Double' && isInteger(current) && isInteger(argument)) {
    throw commandError(
      'BadValue',
      `Failed to apply ${operator} operations to current value (${shown(current)}) for document {_id: ${context.idOf()}}`
    )
  }
  return result
}

function isInteger(value: Value): value is Int32 | Long {
  return value instanceof Int32 || value instanceof Long
}

function extreme(sign: 1 | -1): ModifierParser {
  return (argument, _path, { collation }) => ({
    creates: true,
    change: (current) => {
      if (current === MISSING) return argument
      return compareValues(argument, current, collation) * sign < 0 ? argument : KEEP
    }
  })
}

type BitOperation = (a: bigint, b: bigint) => bigint

const BIT_OPERATIONS: ReadonlyMap<string, BitOperation> = new Map<string, BitOperation>([
  ['and', (a, b) => a & b],
  ['or', (a, b) => a | b],
  ['xor', (a, b) => a ^ b]
])

const parseBit: ModifierParser = (argument, path) => {
  if (!isDoc(argument)) {
    throw commandError(
      'BadValue',
      `The $bit modifier is not compatible with a ${typeName(argument)}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`
    )
  }
  if (argument.size === 0) {
    throw commandError(
      'BadValue',
      `You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}`
    )
  }
  const steps = [...argument].map(([name, operand]) => parseBitStep(name, operand, path))
  return {
    creates: true,
    change: (current, context) => {
      const start: Value = current === MISSING ? new Int32(0) : current
      if (!isInteger(start)) {
        throw commandError(
          'BadValue',
          `Cannot apply $bit to a value of non-integral type. _id: ${context.idOf()} has the field ${context.path.at(-1)} of non-integer type ${typeName(start)}`
        )
      }
      return steps.reduce<Int32 | Long>((value, step) => step(value), start)
    }
  }
}

function parseBitStep(
  name: string,
  operand: Value,
  path: string
): (value: Int32 | Long) => Int32 | Long {
  const operation = BIT_OPERATIONS.get(name)
  if (operation === undefined) {
    throw commandError(
      'BadValue',
      `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator: {${path}: ${shown(operand)}}`
    )
  }
  if (!isInteger(operand)) {
    throw commandError(
      'BadValue',
      `The $bit modifier field must be an Integer(32/64 bit); a '${typeName(operand)}' is not supported here: {${name}: ${shown(operand)}}`
    )
  }
  return (value) => {
    const bits = operation(bigIntOf(value), bigIntOf(operand))
    const isLong = value instanceof Long || operand instanceof Long
    return isLong ? Long.fromBigInt(bits) : new Int32(Number(bits))
  }
}

function bigIntOf(value: Int32 | Long): bigint {
  return value instanceof Long ? longToBigInt(value) : BigInt(value.value)
}

export const NUMBER_MODIFIERS: Readonly<Record<string, ModifierParser>> = {
  $inc: arithmetic('$inc', 'increment', addNumbers),
  $mul: arithmetic('$mul', 'multiply', multiplyNumbers),
  $min: extreme(1),
  $max: extreme(-1),
  $bit: parseBit
}
