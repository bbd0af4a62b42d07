// Figures and times as text, by the unit that their name says.
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

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

function relativeText(distance: number, locale: string): string {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' })
  const size = Math.abs(distance)
  if (size < MINUTE) return relative.format(Math.round(distance / 1000), 'second')
  if (size < HOUR) return relative.format(Math.round(distance / MINUTE), 'minute')
  return relative.format(Math.round(distance / HOUR), 'hour')
}

/** Relative up to a day, after that day and time. The full time belongs into the tooltip. */
export function timeText(at: string, now: number, format: Format): string {
  const moment = Date.parse(at)
  if (Number.isNaN(moment)) return at
  if (Math.abs(now - moment) < DAY) return relativeText(moment - now, format.locale)
  return dayText(moment, now, format)
}

/** Day and minute; the year in place of the minute when it is not this one. */
export function dayText(moment: number, now: number, format: Format): string {
  const isThisYear = new Date(now).getFullYear() === new Date(moment).getFullYear()
  return new Intl.DateTimeFormat(format.locale, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : { year: 'numeric' })
  }).format(moment)
}
