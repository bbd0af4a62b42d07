// Decimal128 taken apart, rounded and put together again, in exact integer arithmetic.
import { Decimal128 } from 'bson'

/** A decimal as (−1)^negative × coefficient × 10^exponent, or one of the special values. */
export interface DecimalParts {
  readonly kind: 'finite' | 'infinity' | 'nan'
  readonly negative: boolean
  readonly coefficient: bigint
  readonly exponent: number
}

const DIGITS = 34
const BIAS = 6176
const MIN_EXPONENT = -BIAS
const MAX_EXPONENT = 6111
const LARGEST = 10n ** BigInt(DIGITS) - 1n

export const DECIMAL_NAN: DecimalParts = {
  kind: 'nan',
  negative: false,
  coefficient: 0n,
  exponent: 0
}

export function decimalInfinity(negative: boolean): DecimalParts {
  return { kind: 'infinity', negative, coefficient: 0n, exponent: 0 }
}

export function finite(signed: bigint, exponent: number): DecimalParts {
  const negative = signed < 0n
  return { kind: 'finite', negative, coefficient: negative ? -signed : signed, exponent }
}

/** The coefficient with its sign. */
export function signed(parts: DecimalParts): bigint {
  return parts.negative ? -parts.coefficient : parts.coefficient
}

/** Takes a Decimal128 apart (binary integer encoding, IEEE 754-2008). */
export function readDecimal(value: Decimal128): DecimalParts {
  const view = new DataView(value.bytes.buffer, value.bytes.byteOffset, 16)
  const high = view.getBigUint64(8, true)
  const negative = high >> 63n === 1n
  if (((high >> 58n) & 0x1fn) === 0x1fn) return DECIMAL_NAN
  if (((high >> 58n) & 0x1fn) === 0x1en) return decimalInfinity(negative)
  // A coefficient that begins with 100 would be beyond 34 digits: such encodings mean zero.
  const isLarge = ((high >> 61n) & 3n) === 3n
  const exponent = Number((high >> (isLarge ? 47n : 49n)) & 0x3fffn) - BIAS
  const coefficient = isLarge
    ? 0n
    : ((high & 0x1_ffff_ffff_ffffn) << 64n) | view.getBigUint64(0, true)
  return {
    kind: 'finite',
    negative,
    coefficient: coefficient > LARGEST ? 0n : coefficient,
    exponent
  }
}

/** Puts a Decimal128 together; rounds half to even, to 34 digits. */
export function makeDecimal(parts: DecimalParts): Decimal128 {
  if (parts.kind === 'nan') return encode(false, 0x7c00_0000_0000_0000n)
  if (parts.kind === 'infinity') return encode(parts.negative, 0x7800_0000_0000_0000n)
  const { coefficient, exponent } = fit(parts.coefficient, parts.exponent)
  if (exponent > MAX_EXPONENT) return encode(parts.negative, 0x7800_0000_0000_0000n)
  const high = (BigInt(exponent + BIAS) << 49n) | (coefficient >> 64n)
  return encode(parts.negative, high, coefficient & 0xffff_ffff_ffff_ffffn)
}

function encode(negative: boolean, high: bigint, low = 0n): Decimal128 {
  const bytes = new Uint8Array(16)
  const view = new DataView(bytes.buffer)
  view.setBigUint64(0, low, true)
  view.setBigUint64(8, negative ? high | (1n << 63n) : high, true)
  return new Decimal128(bytes)
}

/** Brings coefficient and exponent into the range of Decimal128; an exponent beyond it is overflow. */
function fit(
  coefficient: bigint,
  exponent: number
): { readonly coefficient: bigint; readonly exponent: number } {
  let cut = Math.max(0, digitCount(coefficient) - DIGITS, MIN_EXPONENT - exponent)
  let rounded = divideHalfEven(coefficient, cut)
  if (rounded > LARGEST) {
    cut++
    rounded = divideHalfEven(coefficient, cut)
  }
  let placed = exponent + cut
  if (rounded === 0n) return { coefficient: 0n, exponent: Math.min(placed, MAX_EXPONENT) }
  while (placed > MAX_EXPONENT && rounded * 10n <= LARGEST) {
    rounded *= 10n
    placed--
  }
  return { coefficient: rounded, exponent: placed }
}

export function digitCount(coefficient: bigint): number {
  return coefficient === 0n ? 1 : coefficient.toString().length
}

/** `value / 10^places`, rounded half to even; `value` is not negative. */
export function divideHalfEven(value: bigint, places: number): bigint {
  if (places <= 0) return value
  if (places > 10_000) return 0n
  const divisor = 10n ** BigInt(places)
  const quotient = value / divisor
  const twice = (value % divisor) * 2n
  if (twice > divisor || (twice === divisor && quotient % 2n === 1n)) return quotient + 1n
  return quotient
}

/** The exact value of a finite double. */
export function decimalOfDouble(value: number): DecimalParts {
  if (Number.isNaN(value)) return DECIMAL_NAN
  if (!Number.isFinite(value)) return decimalInfinity(value < 0)
  const bits = doubleBits(Math.abs(value))
  const power = Number(bits >> 52n)
  const fraction = bits & 0xf_ffff_ffff_ffffn
  const mantissa = power === 0 ? fraction : fraction | (1n << 52n)
  const exponent = Math.max(power, 1) - 1075
  const negative = value < 0 || Object.is(value, -0)
  if (exponent >= 0) {
    return { kind: 'finite', negative, coefficient: mantissa << BigInt(exponent), exponent: 0 }
  }
  return { kind: 'finite', negative, coefficient: mantissa * 5n ** BigInt(-exponent), exponent }
}

/** A double as MongoDB converts it to decimal: rounded to 15 significant digits. */
export function shortDecimalOfDouble(value: number): DecimalParts {
  if (!Number.isFinite(value)) return decimalOfDouble(value)
  const [digits = '0', power = '0'] = value.toExponential(14).split('e')
  const coefficient = BigInt(digits.replace('.', '').replace('-', ''))
  const negative = value < 0 || Object.is(value, -0)
  if (coefficient === 0n) return { kind: 'finite', negative, coefficient, exponent: 0 }
  return { kind: 'finite', negative, coefficient, exponent: Number(power) - 14 }
}

const bitsView = new DataView(new ArrayBuffer(8))

/** The 64 bits of a double as a whole number. */
export function doubleBits(value: number): bigint {
  bitsView.setFloat64(0, value)
  return bitsView.getBigUint64(0)
}

/** The double of these 64 bits. */
export function doubleOfBits(bits: bigint): number {
  bitsView.setBigUint64(0, bits)
  return bitsView.getFloat64(0)
}

/** The double nearest to a decimal. */
export function decimalToDouble(parts: DecimalParts): number {
  if (parts.kind === 'nan') return Number.NaN
  const sign = parts.negative ? -1 : 1
  if (parts.kind === 'infinity') return sign * Number.POSITIVE_INFINITY
  return sign * Number(`${parts.coefficient}e${parts.exponent}`)
}

/** Compares two finite decimals by value. */
export function compareFinite(a: DecimalParts, b: DecimalParts): number {
  const left = signed(a)
  const right = signed(b)
  const signs = Number(left > 0n) - Number(left < 0n) - (Number(right > 0n) - Number(right < 0n))
  if (signs !== 0 || (left === 0n && right === 0n)) return Math.sign(signs)
  // Sizes first: scaling 10^6000 to 10^-6000 would make numbers of 12,000 digits.
  const size = digitCount(a.coefficient) + a.exponent - (digitCount(b.coefficient) + b.exponent)
  if (size !== 0) return left < 0n ? -Math.sign(size) : Math.sign(size)
  const exponent = Math.min(a.exponent, b.exponent)
  return compareIntegers(scaleTo(left, a.exponent, exponent), scaleTo(right, b.exponent, exponent))
}

/** A coefficient for a lower exponent. */
export function scaleTo(coefficient: bigint, exponent: number, lower: number): bigint {
  return coefficient * 10n ** BigInt(exponent - lower)
}

export function compareIntegers(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b)
}
