// Operators on numbers, and on dates where they are added and subtracted.
import { Double, Int32, Long } from 'bson'
import {
  asDecimal,
  divideNumbers,
  multiplyNumbers,
  remainderOf,
  subtractNumbers
} from '../bson/arithmetic.ts'
import { makeDecimal } from '../bson/decimal.ts'
import { isZero, longToBigInt, MIN_LONG, toDouble } from '../bson/numbers.ts'
import { Summation } from '../bson/summation.ts'
import { isNumeric, type Numeric } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { isNothing, MISSING, type Result, typeOf } from './expression.ts'
import { needInteger, needNumber, positional, unaryOrNull, variadic } from './operator-arguments.ts'
import type { OperatorParser } from './parse-expression.ts'
import { power, squareRoot } from './powers.ts'
import { roundToPlace, roundWhole } from './rounding.ts'

const ZERO = new Int32(0)
const LAST_DATE = 8_640_000_000_000_000

/** A date so many milliseconds later. */
export function shiftDate(date: Date, millis: number, name: string): Date {
  const shifted = date.getTime() + Math.round(millis)
  if (Math.abs(shifted) <= LAST_DATE) return new Date(shifted)
  throw commandError('Overflow', `date overflow in ${name}`)
}

function add(values: readonly Result[]): Result {
  if (values.some(isNothing)) return null
  const sum = new Summation()
  let date: Date | undefined
  for (const value of values) {
    if (value instanceof Date) {
      if (date) throw commandError('Location16612', 'only one date allowed in an $add expression')
      date = value
    } else if (value !== MISSING && isNumeric(value)) {
      sum.add(value)
    } else {
      throw commandError(
        'TypeMismatch',
        `$add only supports numeric or date types, not ${typeOf(value)}`
      )
    }
  }
  return date ? shiftDate(date, toDouble(sum.total()), '$add') : sum.total()
}

function subtract(a: Result, b: Result): Result {
  if (isNothing(a) || isNothing(b)) return null
  if (isNumeric(a) && isNumeric(b)) return subtractNumbers(a, b)
  if (a instanceof Date && b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime())
  if (a instanceof Date && isNumeric(b)) return shiftDate(a, -toDouble(b), '$subtract')
  throw commandError('TypeMismatch', `can't $subtract ${typeOf(b)} from ${typeOf(a)}`)
}

function multiply(values: readonly Result[]): Result {
  if (values.some(isNothing)) return null
  let product: Numeric = new Int32(1)
  for (const value of values) {
    product = multiplyNumbers(product, needNumber(value, '$multiply', 'TypeMismatch'))
  }
  return product
}

function divide(a: Result, b: Result): Result {
  if (isNothing(a) || isNothing(b)) return null
  if (!isNumeric(a) || !isNumeric(b)) {
    throw commandError(
      'TypeMismatch',
      `$divide only supports numeric types, not ${typeOf(a)} and ${typeOf(b)}`
    )
  }
  if (isZero(b)) throw commandError('BadValue', "can't $divide by zero")
  return divideNumbers(a, b)
}

function remainder(a: Result, b: Result): Result {
  if (isNothing(a) || isNothing(b)) return null
  if (!isNumeric(a) || !isNumeric(b)) {
    throw commandError(
      'Location16611',
      `$mod only supports numeric types, not ${typeOf(a)} and ${typeOf(b)}`
    )
  }
  if (isZero(b)) throw commandError('Location16610', "can't $mod by zero")
  return remainderOf(a, b)
}

function absolute(value: Numeric): Numeric {
  switch (value._bsontype) {
    case 'Double':
      return new Double(Math.abs(value.value))
    case 'Decimal128':
      return makeDecimal({ ...asDecimal(value), negative: false })
    case 'Long':
      if (longToBigInt(value) === MIN_LONG) {
        throw commandError('Location28680', "can't take $abs of long long min")
      }
      return value.high < 0 ? value.negate() : value
    case 'Int32':
      return value.value < 0 ? subtractNumbers(ZERO, value) : value
  }
}

/** An operator of one number that answers a double. Decimals would need 34 digits: refused. */
export function real(
  name: string,
  apply: (value: number) => number,
  check?: (value: number) => Error | undefined
): OperatorParser {
  return unaryOrNull((value) => {
    const number = needNumber(value, name)
    refuseDecimal(number, name)
    const problem = check?.(toDouble(number))
    if (problem) throw problem
    return new Double(apply(toDouble(number)))
  })
}

export function refuseDecimal(value: Numeric, name: string): void {
  if (value._bsontype === 'Decimal128') {
    throw commandError(
      'CommandNotSupported',
      `${name} of a decimal is not supported by this engine`
    )
  }
}

function logarithm(value: Result, base: Result): Result {
  if (isNothing(value) || isNothing(base)) return null
  const number = needNumber(value, '$log', 'Location28756')
  const root = needNumber(base, '$log', 'Location28757')
  refuseDecimal(number, '$log')
  refuseDecimal(root, '$log')
  if (toDouble(number) <= 0)
    throw commandError('Location28758', "$log's argument must be a positive number")
  if (toDouble(root) <= 0 || toDouble(root) === 1) {
    throw commandError('Location28759', "$log's base must be a positive number not equal to 1")
  }
  return new Double(Math.log(toDouble(number)) / Math.log(toDouble(root)))
}

function positive(name: string, code: `Location${number}`): (value: number) => Error | undefined {
  return (value) =>
    value <= 0
      ? commandError(code, `${name}'s argument must be a positive number, but is ${value}`)
      : undefined
}

function placed(name: string, mode: 'even' | 'down'): OperatorParser {
  return positional(1, 2, ([value = MISSING, place = ZERO]) => {
    if (isNothing(value) || isNothing(place)) return null
    const number = needNumber(value, name, 'Location51081')
    const digits = needInteger(place, `precision of ${name}`, 'Location51082')
    if (digits < -20 || digits > 100) {
      throw commandError(
        'Location51083',
        `cannot apply ${name} with precision value ${digits} value must be in [-20, 100]`
      )
    }
    return roundToPlace(number, digits, mode)
  })
}

export const ARITHMETIC: Readonly<Record<string, OperatorParser>> = {
  $add: variadic(add),
  $subtract: positional(2, 2, ([a = MISSING, b = MISSING]) => subtract(a, b)),
  $multiply: variadic(multiply),
  $divide: positional(2, 2, ([a = MISSING, b = MISSING]) => divide(a, b)),
  $mod: positional(2, 2, ([a = MISSING, b = MISSING]) => remainder(a, b)),
  $abs: unaryOrNull((value) => absolute(needNumber(value, '$abs'))),
  $ceil: unaryOrNull((value) => roundWhole(needNumber(value, '$ceil'), 'up')),
  $floor: unaryOrNull((value) => roundWhole(needNumber(value, '$floor'), 'down')),
  $round: placed('$round', 'even'),
  $trunc: placed('$trunc', 'down'),
  $sqrt: unaryOrNull((value) => squareRoot(needNumber(value, '$sqrt'))),
  $pow: positional(2, 2, ([a = MISSING, b = MISSING]) => power(a, b)),
  $exp: real('$exp', Math.exp),
  $ln: real('$ln', Math.log, positive('$ln', 'Location28766')),
  $log10: real('$log10', Math.log10, positive('$log10', 'Location28761')),
  $log: positional(2, 2, ([a = MISSING, b = MISSING]) => logarithm(a, b))
}
