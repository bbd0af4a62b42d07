// Figures and times as text, by the unit that their name says.
import type { Format } from '@keelson/ui'
import { figureUnit } from './record.ts'

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

const DAY = 86_400_000

/** Relative up to a day, after that day and time. The full time belongs into the tooltip. */
export function timeText(at: string, now: number, format: Format): string {
  const moment = Date.parse(at)
  if (Number.isNaN(moment)) return at
  if (Math.abs(now - moment) < DAY) return format.relative(at, new Date(now))
  const isThisYear = new Date(now).getFullYear() === new Date(moment).getFullYear()
  return new Intl.DateTimeFormat(format.locale, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : { year: 'numeric' })
  }).format(moment)
}
