// Conversions between types, as $convert and its short forms make them.

import { Decimal128, Double, Int32, Long, ObjectId, Timestamp } from 'bson'
import { toDecimal128 } from '../bson/arithmetic.ts'
import { DECIMAL_NAN, decimalInfinity, makeDecimal } from '../bson/decimal.ts'
import { isZero, MAX_LONG, MIN_LONG, toDouble, toTruncated } from '../bson/numbers.ts'
import { isNumeric, type Numeric, type Value } from '../bson/value.ts'
import { type CommandError, commandError } from '../errors.ts'
import { parseDate } from './date-parse.ts'
import { typeOf } from './expression.ts'

export type TargetType =
  | 'double'
  | 'string'
  | 'objectId'
  | 'bool'
  | 'date'
  | 'int'
  | 'long'
  | 'decimal'

/** Fails with ConversionFailure (241). The value is neither null nor missing. */
export function convert(value: Value, to: TargetType): Value {
  switch (to) {
    case 'bool':
      return isNumeric(value) ? !isZero(value) : value !== false
    case 'string':
      return toText(value)
    case 'double':
      return toDoubleValue(value)
    case 'decimal':
      return toDecimalValue(value)
    case 'int':
      return toInteger(value, 'int')
    case 'long':
      return toInteger(value, 'long')
    case 'date':
      return toDate(value)
    case 'objectId':
      return toObjectId(value)
  }
}

function failure(message: string): CommandError {
  return commandError('ConversionFailure', `${message} in $convert with no onError value`)
}

function unsupported(value: Value, to: TargetType): CommandError {
  return failure(`Unsupported conversion from ${typeOf(value)} to ${to}`)
}

/** How a number reads as text. */
export function numberText(value: Numeric): string {
  if (value._bsontype === 'Double' && Object.is(value.value, -0)) return '-0'
  return value._bsontype === 'Double' || value._bsontype === 'Int32'
    ? String(value.value)
    : value.toString()
}

/** How a date reads as text. */
export function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) throw failure('A date is out of range')
  return date.toISOString()
}

function toText(value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  if (value instanceof Date) return dateText(value)
  if (isNumeric(value)) return numberText(value)
  if (value instanceof ObjectId) return value.toHexString()
  throw unsupported(value, 'string')
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const SPECIAL = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i

function parseDouble(text: string): number {
  if (NUMBER.test(text)) {
    const number = Number(text)
    if (Number.isFinite(number)) return number
    throw failure(`Failed to parse number '${text}': Out of range`)
  }
  const special = SPECIAL.exec(text)
  if (!special) throw failure(`Failed to parse number '${text}': Did not consume whole string.`)
  if (!special[2]) return Number.NaN
  return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

function toDoubleValue(value: Value): Double {
  if (typeof value === 'string') return new Double(parseDouble(value))
  if (typeof value === 'boolean') return new Double(value ? 1 : 0)
  if (value instanceof Date) return new Double(value.getTime())
  if (!isNumeric(value)) throw unsupported(value, 'double')
  const number = toDouble(value)
  if (value instanceof Decimal128 && !Number.isFinite(number) && toTruncated(value) !== undefined) {
    throw failure(`Conversion would overflow target type: ${value.toString()}`)
  }
  return new Double(number)
}

function toDecimalValue(value: Value): Decimal128 {
  if (typeof value === 'string') return parseDecimal(value)
  if (typeof value === 'boolean') return toDecimal128(new Int32(value ? 1 : 0))
  if (value instanceof Date) return toDecimal128(Long.fromNumber(value.getTime()))
  if (isNumeric(value)) return toDecimal128(value)
  throw unsupported(value, 'decimal')
}

function parseDecimal(text: string): Decimal128 {
  const number = parseDoubleKind(text)
  if (Number.isNaN(number)) return makeDecimal(DECIMAL_NAN)
  if (!Number.isFinite(number) && SPECIAL.test(text))
    return makeDecimal(decimalInfinity(number < 0))
  return Decimal128.fromStringWithRounding(text)
}

/** Which kind of number a text is; its size does not matter. */
function parseDoubleKind(text: string): number {
  return NUMBER.test(text) ? 1 : parseDouble(text)
}

function toInteger(value: Value, to: 'int' | 'long'): Int32 | Long {
  const whole = wholeOf(value, to)
  const [least, most] = to === 'int' ? [-2_147_483_648n, 2_147_483_647n] : [MIN_LONG, MAX_LONG]
  if (whole < least || whole > most)
    throw failure(`Conversion would overflow target type: ${whole}`)
  return to === 'int' ? new Int32(Number(whole)) : Long.fromBigInt(whole)
}

function wholeOf(value: Value, to: 'int' | 'long'): bigint {
  if (typeof value === 'string') {
    if (/^[+-]?\d+$/.test(value)) return BigInt(value.replace('+', ''))
    throw failure(`Failed to parse number '${value}': Did not consume whole string.`)
  }
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (value instanceof Date && to === 'long') return BigInt(value.getTime())
  if (!isNumeric(value)) throw unsupported(value, to)
  const whole = toTruncated(value)
  if (whole === undefined)
    throw failure('Attempt to convert NaN or an infinite value to an integer type')
  return whole
}

function toDate(value: Value): Date {
  if (value instanceof Date) return value
  if (typeof value === 'string') return parseDate(value)
  if (value instanceof ObjectId) return value.getTimestamp()
  if (value instanceof Timestamp) return new Date(value.t * 1000)
  if (!isNumeric(value) || value instanceof Int32) throw unsupported(value, 'date')
  const millis = toTruncated(value)
  if (millis === undefined || millis > 8_640_000_000_000_000n || millis < -8_640_000_000_000_000n) {
    throw failure('Attempt to convert an out-of-range value to a date')
  }
  return new Date(Number(millis))
}

function toObjectId(value: Value): ObjectId {
  if (value instanceof ObjectId) return value
  if (typeof value !== 'string') throw unsupported(value, 'objectId')
  if (!/^[0-9a-fA-F]{24}$/.test(value)) {
    throw failure(`Failed to parse objectId '${value}': Invalid string length for parsing to OID`)
  }
  return ObjectId.createFromHexString(value)
}
