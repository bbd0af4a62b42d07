// Figures as text, by the unit that their name says.
import type { Format } from '@keelson/ui'
import { figureUnit } from './records/record.ts'

/** A figure by the ending of its name: `load_ms` is a duration, `cost_usd` is money. */
export function figureText(key: string, value: number, format: Format): string {
  switch (figureUnit(key)) {
    case 'duration':
      return format.duration(value)
    case 'money':
      return format.money(value, 'USD')
    case 'bytes':
      return format.bytes(value)
    case 'number':
      return format.compact(value)
  }
}
