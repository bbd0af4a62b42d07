// Dates from texts without a format: ISO 8601 and its close relatives; anything else is refused.

import { commandError } from '../errors.ts'
import { dateOf } from './calendar.ts'
import { unreadable } from './date-format.ts'
import { fromLocal, type TimeZone, timeZone, UTC, utcMillis } from './time-zone.ts'

const DATE = '(\\d{4})(?:-(\\d{1,2})(?:-(\\d{1,2}))?|/(\\d{1,2})/(\\d{1,2})|(\\d{2})(\\d{2}))'
const TIME = '(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?'
const ZONE = '\\s*(Z|UTC|GMT|[+-]\\d{2}:?(?:\\d{2})?|[A-Za-z_]+/[A-Za-z_/]+)'
const PATTERN = new RegExp(`^\\s*${DATE}(?:(?:[Tt]|\\s+)${TIME}(?:${ZONE})?)?\\s*$`)

/** Fails with ConversionFailure (241). `zone` is for texts without one. */
export function parseDate(text: string, zone: TimeZone = UTC): Date {
  const match = PATTERN.exec(text)
  if (!match) throw unreadable(text)
  const [, year, monthA, dayA, monthB, dayB, monthC, dayC, hour, minute, second, fraction, given] =
    match
  const month = number(monthA ?? monthB ?? monthC, 1, 12, 1, text)
  const day = number(dayA ?? dayB ?? dayC, 1, 31, 1, text)
  const local = utcMillis(Number(year), month - 1, day, {
    hour: number(hour, 0, 24, 0, text),
    minute: number(minute, 0, 59, 0, text),
    second: number(second, 0, 59, 0, text),
    millisecond: Number((fraction ?? '0').padEnd(3, '0').slice(0, 3))
  })
  if (given !== undefined && !zone.isUtc) {
    throw commandError(
      'ConversionFailure',
      `you cannot pass in a date/time string with time zone information ('${text}') together with a timezone argument`
    )
  }
  return dateOf(fromLocal(local, given === undefined ? zone : zoneOf(given)), 'a date')
}

function zoneOf(text: string): TimeZone {
  return text === 'Z' ? UTC : timeZone(text)
}

function number(
  digits: string | undefined,
  low: number,
  high: number,
  otherwise: number,
  text: string
): number {
  if (digits === undefined) return otherwise
  const value = Number(digits)
  if (value < low || value > high) throw unreadable(text)
  return value
}
