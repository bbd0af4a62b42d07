// Figures as text, by the unit that their name says.
import type { Format } from '@keelson/ui'
import { figureUnit } from './records/record.ts'

/** A figure by the ending of its name: `load_ms` is a duration, `cost_usd` is money. */
export function figureText(key: string, value: number, format: Format): string {
  switch (figureUnit(key)) {
    case 'duration':
      return format.duration(value)
    case 'money':
      return moneyText(value, format)
    case 'bytes':
      return format.bytes(value)
    case 'number':
      return format.compact(value)
  }
}

/** To the cent; what is less than a cent keeps two digits, so that it is not shown as nothing. */
const moneyText = (value: number, format: Format): string =>
  value !== 0 && Math.abs(value) < 0.01
    ? format.number(value, { style: 'currency', currency: 'USD', maximumSignificantDigits: 2 })
    : format.money(value, 'USD')

/** What a grouping such as `attr:route` or `field:code` names: its key. A field is its own. */
export const groupKey = (by: string): string => by.replace(/^[a-z]+:/, '')

/** A name of the registry as a label: `model` is "Model", `cost_usd` "Cost (USD)", `durationMs` "Duration". */
export function keyHeading(key: string): string {
  const words = key
    .replace(/_usd$/, ' (USD)')
    .replace(/_ms$/, ' (ms)')
    .replace(/Ms$/, '')
    .replace(/[_.]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
