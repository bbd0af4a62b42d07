// Numbers of the four types read as one: comparing by value and converting exactly.
import { Double, Int32, Long } from 'bson'
import {
  compareFinite,
  compareIntegers,
  type DecimalParts,
  decimalOfDouble,
  decimalToDouble,
  finite,
  readDecimal
} from './decimal.ts'
import type { Numeric } from './value.ts'

const MAX_INT = 2_147_483_647
const MIN_INT = -2_147_483_648
export const MAX_LONG = 9_223_372_036_854_775_807n
export const MIN_LONG = -9_223_372_036_854_775_808n

/** The nearest double. */
export function toDouble(value: Numeric): number {
  switch (value._bsontype) {
    case 'Int32':
    case 'Double':
      return value.value
    case 'Long':
      return value.high * 4_294_967_296 + (value.low >>> 0)
    case 'Decimal128':
      return decimalToDouble(readDecimal(value))
  }
}

/** The exact value as a decimal of any length. */
export function toDecimalParts(value: Numeric): DecimalParts {
  switch (value._bsontype) {
    case 'Int32':
      return finite(BigInt(value.value), 0)
    case 'Double':
      return decimalOfDouble(value.value)
    case 'Long':
      return finite(longToBigInt(value), 0)
    case 'Decimal128':
      return readDecimal(value)
  }
}

export function longToBigInt(value: Long): bigint {
  return (BigInt(value.high) << 32n) | BigInt(value.low >>> 0)
}

export function bigIntToLong(value: bigint): Long {
  return new Long(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)))
}

/** An int32 when it fits, else a 64-bit number; undefined beyond 64 bits. */
export function integer(value: bigint): Int32 | Long | undefined {
  if (value >= MIN_INT && value <= MAX_INT) return new Int32(Number(value))
  return value >= MIN_LONG && value <= MAX_LONG ? bigIntToLong(value) : undefined
}

/** The number for a safe integer or a fraction, in the smallest type that holds it. */
export function numberValue(value: number): Int32 | Long | Double {
  if (!Number.isInteger(value) || Object.is(value, -0)) return new Double(value)
  if (value >= MIN_INT && value <= MAX_INT) return new Int32(value)
  return Number.isSafeInteger(value) ? Long.fromNumber(value) : new Double(value)
}

/** The whole number that a value is; undefined when it has a fraction or is not finite. */
export function toWhole(value: Numeric): bigint | undefined {
  switch (value._bsontype) {
    case 'Int32':
      return BigInt(value.value)
    case 'Double':
      return Number.isInteger(value.value) ? BigInt(value.value) : undefined
    case 'Long':
      return longToBigInt(value)
    case 'Decimal128':
      return wholeOf(readDecimal(value))
  }
}

function wholeOf(parts: DecimalParts): bigint | undefined {
  const truncated = truncate(parts)
  if (truncated === undefined) return undefined
  return compareFinite(finite(truncated, 0), parts) === 0 ? truncated : undefined
}

/** Without the fraction, toward zero; undefined when it is not finite. */
export function truncate(parts: DecimalParts): bigint | undefined {
  if (parts.kind !== 'finite') return undefined
  const { coefficient, exponent, negative } = parts
  const whole =
    exponent >= 0
      ? coefficient * 10n ** BigInt(exponent)
      : coefficient / 10n ** BigInt(Math.min(-exponent, 7000))
  return negative ? -whole : whole
}

/** Without the fraction, toward zero; undefined for NaN and the infinities. */
export function toTruncated(value: Numeric): bigint | undefined {
  return truncate(toDecimalParts(value))
}

export function isNaNumber(value: Numeric): boolean {
  if (value._bsontype === 'Double') return Number.isNaN(value.value)
  return value._bsontype === 'Decimal128' && readDecimal(value).kind === 'nan'
}

/** Whether the value is zero of any type and sign. */
export function isZero(value: Numeric): boolean {
  return toDouble(value) === 0 && compareNumbers(value, new Int32(0)) === 0
}

/** Compares by value across the types. NaN is less than every number and equal to itself. */
export function compareNumbers(a: Numeric, b: Numeric): number {
  if (isSmall(a) && isSmall(b)) return compareDoubles(a.value, b.value)
  if (a._bsontype === 'Long' && b._bsontype === 'Long') {
    return a.high === b.high ? (a.low >>> 0) - (b.low >>> 0) : a.high < b.high ? -1 : 1
  }
  return compareExactly(toDecimalParts(a), toDecimalParts(b))
}

function isSmall(value: Numeric): value is Int32 | Double {
  return value._bsontype === 'Int32' || value._bsontype === 'Double'
}

function compareDoubles(a: number, b: number): number {
  if (a < b) return -1
  if (a > b) return 1
  if (a === b) return 0
  return Number(Number.isNaN(b)) - Number(Number.isNaN(a))
}

function compareExactly(a: DecimalParts, b: DecimalParts): number {
  if (a.kind === 'finite' && b.kind === 'finite') {
    if (a.exponent === 0 && b.exponent === 0) {
      return compareIntegers(
        a.negative ? -a.coefficient : a.coefficient,
        b.negative ? -b.coefficient : b.coefficient
      )
    }
    return compareFinite(a, b)
  }
  return rank(a) - rank(b)
}

/** Orders NaN, −∞, finite, ∞. */
function rank(parts: DecimalParts): number {
  if (parts.kind === 'nan') return 0
  if (parts.kind === 'finite') return 2
  return parts.negative ? 1 : 3
}
