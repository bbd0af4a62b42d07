// The four operations and the remainder on numbers of mixed types, with MongoDB's result types.
import { Decimal128, Double, Int32, Long } from 'bson'
import {
  DECIMAL_NAN,
  type DecimalParts,
  decimalInfinity,
  digitCount,
  finite,
  makeDecimal,
  readDecimal,
  scaleTo,
  shortDecimalOfDouble,
  signed
} from './decimal.ts'
import { integer, longToBigInt, MAX_LONG, MIN_LONG, toDouble } from './numbers.ts'
import type { Numeric } from './value.ts'

type IntegerOperation = (a: bigint, b: bigint) => bigint
type DoubleOperation = (a: number, b: number) => number
type DecimalOperation = (a: DecimalParts, b: DecimalParts) => DecimalParts

interface Operation {
  readonly integers: IntegerOperation
  readonly doubles: DoubleOperation
  readonly decimals: DecimalOperation
}

const ADD: Operation = {
  integers: (a, b) => a + b,
  doubles: (a, b) => a + b,
  decimals: addDecimals
}
const SUBTRACT: Operation = {
  integers: (a, b) => a - b,
  doubles: (a, b) => a - b,
  decimals: (a, b) => addDecimals(a, negated(b))
}
const MULTIPLY: Operation = {
  integers: (a, b) => a * b,
  doubles: (a, b) => a * b,
  decimals: multiplyDecimals
}
const REMAINDER: Operation = {
  integers: (a, b) => a % b,
  doubles: (a, b) => a % b,
  decimals: remainderOfDecimals
}

/** The sum. Beyond 64 bits whole numbers become a double. */
export function addNumbers(a: Numeric, b: Numeric): Numeric {
  return operate(ADD, a, b)
}

/** The difference. Beyond 64 bits whole numbers become a double. */
export function subtractNumbers(a: Numeric, b: Numeric): Numeric {
  return operate(SUBTRACT, a, b)
}

/** The product. Beyond 64 bits whole numbers become a double. */
export function multiplyNumbers(a: Numeric, b: Numeric): Numeric {
  return operate(MULTIPLY, a, b)
}

/** The remainder with the sign of `a`. `b` must not be zero. */
export function remainderOf(a: Numeric, b: Numeric): Numeric {
  return operate(REMAINDER, a, b)
}

/** The quotient: a double, or a decimal when either is one. `b` must not be zero. */
export function divideNumbers(a: Numeric, b: Numeric): Numeric {
  if (a._bsontype === 'Decimal128' || b._bsontype === 'Decimal128') {
    return makeDecimal(divideDecimals(asDecimal(a), asDecimal(b)))
  }
  return new Double(toDouble(a) / toDouble(b))
}

function operate({ integers, doubles, decimals }: Operation, a: Numeric, b: Numeric): Numeric {
  if (a._bsontype === 'Decimal128' || b._bsontype === 'Decimal128') {
    return makeDecimal(decimals(asDecimal(a), asDecimal(b)))
  }
  if (a._bsontype === 'Double' || b._bsontype === 'Double') {
    return new Double(doubles(toDouble(a), toDouble(b)))
  }
  if (a._bsontype === 'Int32' && b._bsontype === 'Int32') {
    const result = doubles(a.value, b.value)
    if (Number.isSafeInteger(result)) return smallInteger(result)
    return integer(integers(BigInt(a.value), BigInt(b.value))) ?? new Double(result)
  }
  const result = integers(bigIntOf(a), bigIntOf(b))
  if (result < MIN_LONG || result > MAX_LONG) return new Double(doubles(toDouble(a), toDouble(b)))
  return Long.fromBigInt(result)
}

function smallInteger(value: number): Int32 | Long {
  return value === (value | 0) ? new Int32(value) : Long.fromNumber(value)
}

function bigIntOf(value: Int32 | Long): bigint {
  return value._bsontype === 'Int32' ? BigInt(value.value) : longToBigInt(value)
}

/** Any number as MongoDB makes it a decimal: doubles with 15 digits. */
export function asDecimal(value: Numeric): DecimalParts {
  switch (value._bsontype) {
    case 'Int32':
      return finite(BigInt(value.value), 0)
    case 'Long':
      return finite(longToBigInt(value), 0)
    case 'Double':
      return shortDecimalOfDouble(value.value)
    case 'Decimal128':
      return readDecimal(value)
  }
}

/** Any number as a Decimal128. */
export function toDecimal128(value: Numeric): Decimal128 {
  return value instanceof Decimal128 ? value : makeDecimal(asDecimal(value))
}

export function negated(parts: DecimalParts): DecimalParts {
  return { ...parts, negative: !parts.negative }
}

export function addDecimals(a: DecimalParts, b: DecimalParts): DecimalParts {
  if (a.kind === 'nan' || b.kind === 'nan') return DECIMAL_NAN
  if (a.kind === 'infinity') {
    return b.kind === 'infinity' && a.negative !== b.negative ? DECIMAL_NAN : a
  }
  if (b.kind === 'infinity') return b
  const exponent = Math.min(a.exponent, b.exponent)
  const sum = scaleTo(signed(a), a.exponent, exponent) + scaleTo(signed(b), b.exponent, exponent)
  if (sum === 0n && a.negative && b.negative) return { ...finite(0n, exponent), negative: true }
  return finite(sum, exponent)
}

function multiplyDecimals(a: DecimalParts, b: DecimalParts): DecimalParts {
  if (a.kind === 'nan' || b.kind === 'nan') return DECIMAL_NAN
  const negative = a.negative !== b.negative
  if (a.kind === 'infinity' || b.kind === 'infinity') {
    const other = a.kind === 'infinity' ? b : a
    return other.kind === 'finite' && other.coefficient === 0n
      ? DECIMAL_NAN
      : decimalInfinity(negative)
  }
  const coefficient = a.coefficient * b.coefficient
  return { kind: 'finite', negative, coefficient, exponent: a.exponent + b.exponent }
}

const QUOTIENT_DIGITS = 37

export function divideDecimals(a: DecimalParts, b: DecimalParts): DecimalParts {
  if (a.kind === 'nan' || b.kind === 'nan') return DECIMAL_NAN
  const negative = a.negative !== b.negative
  if (a.kind === 'infinity') return b.kind === 'infinity' ? DECIMAL_NAN : decimalInfinity(negative)
  if (b.kind === 'infinity') return { ...finite(0n, 0), negative }
  if (b.coefficient === 0n) return a.coefficient === 0n ? DECIMAL_NAN : decimalInfinity(negative)
  const more = Math.max(0, QUOTIENT_DIGITS + digitCount(b.coefficient) - digitCount(a.coefficient))
  const dividend = a.coefficient * 10n ** BigInt(more)
  const quotient = dividend / b.coefficient
  const exponent = a.exponent - b.exponent - more
  // A digit behind the last one keeps rounding right when there is a remainder.
  if (dividend % b.coefficient !== 0n) {
    return { kind: 'finite', negative, coefficient: quotient * 10n + 1n, exponent: exponent - 1 }
  }
  return { ...shortened(quotient, exponent, a.exponent - b.exponent), negative }
}

/** Without zeros at the end, as long as the exponent stays at most `ideal`. */
function shortened(coefficient: bigint, exponent: number, ideal: number): DecimalParts {
  let rest = coefficient
  let place = exponent
  while (place < ideal && rest % 10n === 0n) {
    rest /= 10n
    place++
  }
  return finite(rest, place)
}

function remainderOfDecimals(a: DecimalParts, b: DecimalParts): DecimalParts {
  if (a.kind !== 'finite' || b.kind === 'nan') return DECIMAL_NAN
  if (b.kind === 'infinity') return a
  const exponent = Math.min(a.exponent, b.exponent)
  const dividend = scaleTo(a.coefficient, a.exponent, exponent)
  const remainder = dividend % scaleTo(b.coefficient, b.exponent, exponent)
  return { kind: 'finite', negative: a.negative, coefficient: remainder, exponent }
}
