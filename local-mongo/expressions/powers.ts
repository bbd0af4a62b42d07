// Powers and square roots of numbers of all types.
import { Double } from 'bson'
import { asDecimal } from '../bson/arithmetic.ts'
import { type DecimalParts, digitCount, finite, makeDecimal } from '../bson/decimal.ts'
import {
  bigIntToLong,
  integer,
  isZero,
  MAX_LONG,
  MIN_LONG,
  toDouble,
  toWhole
} from '../bson/numbers.ts'
import type { Numeric } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { isNothing, type Result } from './expression.ts'
import { needNumber } from './operator-arguments.ts'

export function squareRoot(value: Numeric): Numeric {
  if (toDouble(value) < 0) {
    throw commandError('Location28714', "$sqrt's argument must be greater than or equal to 0")
  }
  if (value._bsontype !== 'Decimal128') return new Double(Math.sqrt(toDouble(value)))
  const parts = asDecimal(value)
  return parts.kind === 'finite' ? makeDecimal(rootOfDecimal(parts)) : value
}

function rootOfDecimal({ coefficient, exponent }: DecimalParts): DecimalParts {
  if (coefficient === 0n) return finite(0n, Math.floor(exponent / 2))
  // Scaled to about 80 digits and an even exponent, so that the root has 40.
  let more = Math.max(0, 80 - digitCount(coefficient))
  if ((exponent - more) % 2 !== 0) more++
  const scaled = coefficient * 10n ** BigInt(more)
  const root = integerRoot(scaled)
  const place = (exponent - more) / 2
  if (root * root !== scaled) return finite(root * 10n + 1n, place - 1)
  let exact = root
  let at = place
  while (at < Math.ceil(exponent / 2) && exact % 10n === 0n) {
    exact /= 10n
    at++
  }
  return finite(exact, at)
}

function integerRoot(value: bigint): bigint {
  let root = 10n ** BigInt(Math.ceil(digitCount(value) / 2))
  for (;;) {
    const next = (root + value / root) / 2n
    if (next >= root) return root
    root = next
  }
}

export function power(base: Result, exponent: Result): Result {
  if (isNothing(base) || isNothing(exponent)) return null
  const a = needNumber(base, "$pow's base", 'Location28762')
  const b = needNumber(exponent, "$pow's exponent", 'Location28763')
  if (isZero(a) && toDouble(b) < 0) {
    throw commandError('Location28764', '$pow cannot take a base of 0 and a negative exponent')
  }
  if (a._bsontype === 'Decimal128' || b._bsontype === 'Decimal128') return decimalPower(a, b)
  if (a._bsontype === 'Double' || b._bsontype === 'Double') {
    return new Double(toDouble(a) ** toDouble(b))
  }
  return integerPower(a, b)
}

/** Whole numbers stay whole while the result fits into 64 bits. */
function integerPower(a: Numeric, b: Numeric): Numeric {
  const base = toWhole(a) ?? 0n
  const exponent = toWhole(b) ?? 0n
  const isTrivial = base >= -1n && base <= 1n
  if ((exponent < 0n && !isTrivial) || (exponent > 63n && !isTrivial)) {
    return new Double(toDouble(a) ** toDouble(b))
  }
  const steps = isTrivial ? (exponent < 0n ? -exponent : exponent) % 2n : exponent
  const result =
    isTrivial && exponent === 0n ? 1n : base ** (isTrivial && steps === 0n ? 2n : steps)
  if (result < MIN_LONG || result > MAX_LONG) return new Double(toDouble(a) ** toDouble(b))
  const isInt = a._bsontype === 'Int32' && b._bsontype === 'Int32'
  return (isInt ? integer(result) : undefined) ?? bigIntToLong(result)
}

/** Only whole exponents have an exact decimal power. */
function decimalPower(a: Numeric, b: Numeric): Numeric {
  const exponent = toWhole(b)
  const base = asDecimal(a)
  if (exponent === undefined || exponent < 0n || exponent > 1000n || base.kind !== 'finite') {
    throw commandError(
      'CommandNotSupported',
      '$pow of a decimal needs a whole exponent from 0 to 1000'
    )
  }
  const negative = base.negative && exponent % 2n === 1n
  const coefficient = base.coefficient ** exponent
  return makeDecimal({
    kind: 'finite',
    negative,
    coefficient,
    exponent: base.exponent * Number(exponent)
  })
}
