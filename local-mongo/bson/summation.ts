// Sums of many numbers: whole numbers exactly, doubles with a running correction, decimals as such.
import { Double, type Int32, type Long } from 'bson'
import { addDecimals, asDecimal, divideDecimals } from './arithmetic.ts'
import { type DecimalParts, finite, makeDecimal } from './decimal.ts'
import { bigIntToLong, integer, longToBigInt, MAX_LONG, MIN_LONG } from './numbers.ts'
import type { Numeric } from './value.ts'

/** A running sum; its result has the widest type among what was added. */
export class Summation {
  count = 0
  #small = 0
  #whole = 0n
  #sum = 0
  #correction = 0
  #decimal: DecimalParts | undefined
  #hasLong = false
  #hasDouble = false

  add(value: Numeric): void {
    this.count++
    switch (value._bsontype) {
      case 'Int32':
        this.#addSmall(value.value)
        break
      case 'Long':
        this.#hasLong = true
        this.#whole += longToBigInt(value)
        break
      case 'Double':
        this.#hasDouble = true
        this.#addDouble(value.value)
        break
      case 'Decimal128':
        this.#decimal = addDecimals(this.#decimal ?? finite(0n, 0), asDecimal(value))
    }
  }

  #addSmall(value: number): void {
    this.#small += value
    if (!Number.isSafeInteger(this.#small * 2)) {
      this.#whole += BigInt(this.#small)
      this.#small = 0
    }
  }

  /** Neumaier's summation: what rounding loses is kept beside the sum. */
  #addDouble(value: number): void {
    const sum = this.#sum + value
    if (Number.isFinite(sum)) {
      const [larger, smaller] =
        Math.abs(this.#sum) >= Math.abs(value) ? [this.#sum, value] : [value, this.#sum]
      this.#correction += larger - sum + smaller
    }
    this.#sum = sum
  }

  #wholeSum(): bigint {
    return this.#whole + BigInt(this.#small)
  }

  #double(): number {
    const whole = this.#wholeSum()
    // Both halves of the whole part are exact as doubles.
    const high = Number(BigInt.asIntN(128, (whole >> 32n) << 32n))
    const copy = new Summation()
    for (const part of [this.#sum, this.#correction, high, Number(whole & 0xffff_ffffn)]) {
      copy.#addDouble(part)
    }
    return Number.isFinite(copy.#sum) ? copy.#sum + copy.#correction : copy.#sum
  }

  #asDecimal(): DecimalParts {
    const whole = addDecimals(this.#decimal ?? finite(0n, 0), finite(this.#wholeSum(), 0))
    return this.#hasDouble
      ? addDecimals(whole, asDecimal(new Double(this.#sum + this.#correction)))
      : whole
  }

  total(): Numeric {
    if (this.#decimal) return makeDecimal(this.#asDecimal())
    if (this.#hasDouble) return new Double(this.#double())
    const whole = this.#wholeSum()
    if (whole < MIN_LONG || whole > MAX_LONG) return new Double(Number(whole))
    return this.#hasLong ? bigIntToLong(whole) : (integer(whole) as Int32 | Long)
  }

  /** The mean; undefined when nothing was added. */
  average(): Numeric | undefined {
    if (this.count === 0) return undefined
    if (this.#decimal) {
      return makeDecimal(divideDecimals(this.#asDecimal(), finite(BigInt(this.count), 0)))
    }
    return new Double(this.#double() / this.count)
  }
}
