// An amount without a unit as text.
import type { Format } from '@keelson/ui'

/** What is less than 1 keeps two digits, so that a rate is not shown as nothing. */
export const amountText = (value: number, format: Format): string =>
  Math.abs(value) < 1
    ? format.number(value, { maximumSignificantDigits: 2 })
    : format.compact(value)
