// Moments as short text: relative up to a day, absolute after.
import { wallTime } from '@keelson/sdk/zoned-time'
import { type Format, relativeOf } from './format.ts'

const DAY = 86_400_000

/** Relative up to a day, after that day and time. The full time belongs into the tooltip. */
export function timeText(at: string, now: number, format: Format): string {
  const moment = Date.parse(at)
  if (Number.isNaN(moment)) return at
  // Narrow German writes minutes as “m”, which reads as metres.
  const style = format.locale.startsWith('en') ? 'narrow' : 'short'
  if (Math.abs(now - moment) < DAY) return relativeOf(moment - now, format.locale, style)
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
