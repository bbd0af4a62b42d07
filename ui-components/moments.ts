// Moments as short text: relative up to a day, absolute after.
import { wallTime } from '@keelson/sdk/zoned-time'
import type { Format } from './format.ts'

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
  const { locale, timeZone } = format
  const year = (at: number) => new Date(wallTime(at, timeZone)).getUTCFullYear()
  const isThisYear = year(now) === year(moment)
  return new Intl.DateTimeFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : { year: 'numeric' })
  }).format(moment)
}
