// Rounding numbers to a place.
import { Double } from 'bson'
import { asDecimal } from '../bson/arithmetic.ts'
import { type DecimalParts, decimalToDouble, divideHalfEven, makeDecimal } from '../bson/decimal.ts'
import { bigIntToLong, integer, MAX_LONG, MIN_LONG, toWhole } from '../bson/numbers.ts'
import type { Numeric } from '../bson/value.ts'
import { commandError } from '../errors.ts'

/** Rounds to whole numbers, toward +∞ or −∞; the type stays. */
export function roundWhole(value: Numeric, toward: 'up' | 'down'): Numeric {
  switch (value._bsontype) {
    case 'Int32':
    case 'Long':
      return value
    case 'Double':
      return new Double(toward === 'up' ? Math.ceil(value.value) : Math.floor(value.value))
    case 'Decimal128': {
      const parts = asDecimal(value)
      const isAway = (toward === 'up') !== parts.negative
      return makeDecimal(quantize(parts, 0, isAway ? 'away' : 'down'))
    }
  }
}

/** Rounds to `place` digits after the point, half to even or toward zero; the type stays. */
export function roundToPlace(value: Numeric, place: number, mode: 'even' | 'down'): Numeric {
  switch (value._bsontype) {
    case 'Double':
      if (!Number.isFinite(value.value)) return value
      return new Double(decimalToDouble(quantize(asDecimal(value), -place, mode)))
    case 'Decimal128':
      return makeDecimal(quantize(asDecimal(value), -place, mode))
    default:
      return place >= 0 ? value : roundInteger(value, -place, mode)
  }
}

function roundInteger(value: Numeric, exponent: number, mode: 'even' | 'down'): Numeric {
  const { coefficient, negative } = quantize(asDecimal(value), exponent, mode)
  const whole = coefficient * 10n ** BigInt(exponent) * (negative ? -1n : 1n)
  if (whole < MIN_LONG || whole > MAX_LONG) {
    throw commandError(
      'Location51080',
      `invalid conversion from Decimal128 result in $round resulting from arguments: [${toWhole(value)}, ${-exponent}]`
    )
  }
  const small = value._bsontype === 'Int32' ? integer(whole) : undefined
  return small ?? bigIntToLong(whole)
}

/** A decimal with no digits below 10^exponent. */
function quantize(
  parts: DecimalParts,
  exponent: number,
  mode: 'even' | 'down' | 'away'
): DecimalParts {
  if (parts.kind !== 'finite' || parts.exponent >= exponent) return parts
  const places = exponent - parts.exponent
  return { ...parts, coefficient: cut(parts.coefficient, places, mode), exponent }
}

function cut(coefficient: bigint, places: number, mode: 'even' | 'down' | 'away'): bigint {
  if (mode === 'even') return divideHalfEven(coefficient, places)
  const divisor = 10n ** BigInt(Math.min(places, 7000))
  const quotient = coefficient / divisor
  return mode === 'away' && coefficient % divisor !== 0n ? quotient + 1n : quotient
}
