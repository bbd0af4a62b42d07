// $inc, $mul, $min, $max and $bit: what they make of the value at their path.
import { Int32, type Long } from 'bson'
import { addNumbers, multiplyNumbers } from '../bson/arithmetic.ts'
import type { Collation } from '../bson/collation.ts'
import { compareValues } from '../bson/compare.ts'
import { bigIntToLong, longToBigInt } from '../bson/numbers.ts'
import { isDoc, isNumeric, type Numeric, typeName, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { ABSENT, KEEP, type Modifier } from './modify.ts'
import { isSame } from './same.ts'
import { shown } from './shown.ts'

type Arithmetic = (a: Numeric, b: Numeric) => Numeric

/** `$inc` */
export function increment(argument: Value, path: string): Modifier {
  return arithmetic('$inc', 'increment', argument, path, addNumbers, (amount) => amount)
}

/** `$mul`; a missing field becomes zero of the factor's type. */
export function multiply(argument: Value, path: string): Modifier {
  return arithmetic('$mul', 'multiply', argument, path, multiplyNumbers, (factor) =>
    multiplyNumbers(factor, new Int32(0))
  )
}

function arithmetic(
  name: '$inc' | '$mul',
  verb: string,
  argument: Value,
  path: string,
  operate: Arithmetic,
  whenAbsent: (argument: Numeric) => Numeric
): Modifier {
  if (!isNumeric(argument)) {
    throw commandError(
      'TypeMismatch',
      `Cannot ${verb} with non-numeric argument: {${path}: ${shown(argument)}}`
    )
  }
  return (current, at) => {
    if (current === ABSENT) return whenAbsent(argument)
    if (!isNumeric(current)) {
      throw commandError(
        'TypeMismatch',
        `Cannot apply ${name} to a value of non-numeric type. The field '${at}' is of non-numeric type ${typeName(current)}`
      )
    }
    const result = operate(current, argument)
    if (isWhole(current) && isWhole(argument) && !isWhole(result)) {
      throw commandError(
        'BadValue',
        `Failed to apply ${name} operations to current value (${shown(current)}) of '${at}': the result does not fit 64 bits`
      )
    }
    return isSame(result, current) ? KEEP : result
  }
}

const isWhole = (value: Numeric) => value._bsontype === 'Int32' || value._bsontype === 'Long'

/** `$min` (sign -1) and `$max` (sign 1). */
export function extreme(argument: Value, sign: 1 | -1, collation: Collation | undefined): Modifier {
  return (current) => {
    if (current === ABSENT) return argument
    return compareValues(argument, current, collation) * sign > 0 ? argument : KEEP
  }
}

type BitOperation = (a: bigint, b: bigint) => bigint
const BIT_OPERATIONS: ReadonlyMap<string, BitOperation> = new Map<string, BitOperation>([
  ['and', (a, b) => a & b],
  ['or', (a, b) => a | b],
  ['xor', (a, b) => a ^ b]
])

/** `$bit` */
export function bits(argument: Value, path: string): Modifier {
  const operations = bitOperations(argument, path)
  return (current, at) => {
    const before: Value = current === ABSENT ? new Int32(0) : current
    if (!isInteger(before)) {
      throw commandError(
        'BadValue',
        `Cannot apply $bit to a value of non-integral type. The field '${at}' is of type ${typeName(before)}`
      )
    }
    let isLong = before._bsontype === 'Long'
    let result = toBigInt(before)
    for (const [operate, operand] of operations) {
      isLong ||= operand._bsontype === 'Long'
      result = operate(result, toBigInt(operand))
    }
    const after = isLong ? bigIntToLong(result) : new Int32(Number(BigInt.asIntN(32, result)))
    return current !== ABSENT && isSame(after, before) ? KEEP : after
  }
}

function bitOperations(
  argument: Value,
  path: string
): readonly (readonly [BitOperation, Int32 | Long])[] {
  if (!isDoc(argument) || argument.size === 0) {
    throw commandError(
      'BadValue',
      `The $bit modifier is not compatible with ${shown(argument)} at '${path}'. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`
    )
  }
  return [...argument].map(([name, operand]) => {
    const operate = BIT_OPERATIONS.get(name)
    if (operate === undefined) {
      throw commandError(
        'BadValue',
        `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator: {${name}: ${shown(operand)}}`
      )
    }
    if (!isInteger(operand)) {
      throw commandError(
        'BadValue',
        `The $bit modifier field must be an Integer(32/64 bit); a '${typeName(operand)}' is not supported here: {${name}: ${shown(operand)}}`
      )
    }
    return [operate, operand] as const
  })
}

function isInteger(value: Value): value is Int32 | Long {
  return isNumeric(value) && isWhole(value)
}

const toBigInt = (value: Int32 | Long) =>
  value._bsontype === 'Long' ? longToBigInt(value) : BigInt(value.value)
