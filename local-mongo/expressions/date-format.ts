// Dates as text by a format, and back.
import { commandError } from '../errors.ts'
import { type DateParts, dateOf, datePartsOf, isoYearStart } from './calendar.ts'
import { fromLocal, type TimeZone, timeZone, UTC, utcMillis } from './time-zone.ts'

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December'
]
const ISO = '%Y-%m-%dT%H:%M:%S.%L'

/** The format that is used when none is given. */
export function defaultFormat(zone: TimeZone): string {
  return zone.isUtc ? `${ISO}Z` : ISO
}

const pad = (value: number, width: number): string => String(value).padStart(width, '0')

/** Fails with Location18535 or 18536 for a wrong format, 18537 for a year beyond four digits. */
export function formatDate(date: Date, format: string, zone: TimeZone): string {
  const parts = datePartsOf(date, zone)
  const offset = zone.offsetAt(date.getTime()) / 60_000
  let text = ''
  for (let i = 0; i < format.length; i++) {
    if (format[i] !== '%') {
      text += format[i]
      continue
    }
    i++
    text += formatPart(format[i], parts, offset)
  }
  return text
}

function formatPart(letter: string | undefined, parts: DateParts, offset: number): string {
  switch (letter) {
    case 'Y':
      return pad(year(parts.year), 4)
    case 'G':
      return pad(year(parts.isoYear), 4)
    case 'm':
      return pad(parts.month, 2)
    case 'd':
      return pad(parts.day, 2)
    case 'H':
      return pad(parts.hour, 2)
    case 'M':
      return pad(parts.minute, 2)
    case 'S':
      return pad(parts.second, 2)
    case 'L':
      return pad(parts.millisecond, 3)
    case 'b':
      return (MONTHS[parts.month - 1] as string).slice(0, 3)
    case 'B':
      return MONTHS[parts.month - 1] as string
    default:
      return formatRarePart(letter, parts, offset)
  }
}

function formatRarePart(letter: string | undefined, parts: DateParts, offset: number): string {
  switch (letter) {
    case 'j':
      return pad(parts.dayOfYear, 3)
    case 'w':
      return String(parts.weekday)
    case 'u':
      return String(parts.isoWeekday)
    case 'U':
      return pad(parts.week, 2)
    case 'V':
      return pad(parts.isoWeek, 2)
    case 'z': {
      const size = Math.abs(offset)
      return `${offset < 0 ? '-' : '+'}${pad(Math.floor(size / 60), 2)}${pad(size % 60, 2)}`
    }
    case 'Z':
      return String(offset)
    case '%':
      return '%'
    case undefined:
      throw commandError('Location18535', "Unmatched '%' at end of format string")
    default:
      throw commandError('Location18536', `Invalid format character '%${letter}' in format string`)
  }
}

function year(value: number): number {
  if (value >= 0 && value <= 9999) return value
  throw commandError(
    'Location18537',
    `Could not convert date to string: date component was outside the supported range of 0-9999: ${value}`
  )
}

const PATTERNS: Readonly<Record<string, string>> = {
  Y: '(?<Y>\\d{4})',
  G: '(?<G>\\d{4})',
  m: '(?<m>\\d{1,2})',
  d: '(?<d>\\d{1,2})',
  H: '(?<H>\\d{1,2})',
  M: '(?<M>\\d{1,2})',
  S: '(?<S>\\d{1,2})',
  L: '(?<L>\\d{1,3})',
  j: '(?<j>\\d{1,3})',
  u: '(?<u>[1-7])',
  V: '(?<V>\\d{1,2})',
  z: '(?<z>Z|[+-]\\d{2}:?(?:\\d{2})?)',
  Z: '(?<Z>[+-]\\d{1,4})',
  b: '(?<b>[A-Za-z]{3})',
  B: '(?<B>[A-Za-z]{3,9})',
  '%': '%'
}

/** Reads a date by a format. Fails with ConversionFailure (241), or Location18536 for the format. */
export function readDate(text: string, format: string, zone: TimeZone): Date {
  const match = new RegExp(`^${formatPattern(format)}$`).exec(text)
  if (!match) throw unreadable(text)
  const fields = match.groups ?? {}
  const local = localOf(fields, text)
  const given = zoneOf(fields)
  if (given && !zone.isUtc) {
    throw commandError(
      'ConversionFailure',
      `you cannot pass in a date/time string with time zone information ('${text}') together with a timezone argument`
    )
  }
  return dateOf(fromLocal(local, given ?? zone), '$dateFromString')
}

export function unreadable(text: string): Error {
  return commandError('ConversionFailure', `Error parsing date string '${text}'`)
}

function formatPattern(format: string): string {
  return format.replace(
    /%([\s\S]?)|([\s\S])/g,
    (_whole, letter: string | undefined, plain: string | undefined) => {
      if (plain !== undefined) return plain.replace(/[\^$\\.*+?()[\]{}|/]/, '\\$&')
      const pattern = letter === undefined || letter === '' ? undefined : PATTERNS[letter]
      if (pattern === undefined) {
        throw commandError(
          'Location18536',
          `Invalid format character '%${letter ?? ''}' in format string`
        )
      }
      return pattern
    }
  )
}

type Fields = Readonly<Record<string, string | undefined>>

function localOf(fields: Fields, text: string): number {
  const time = {
    hour: inRange(fields['H'], 0, 23, text) ?? 0,
    minute: inRange(fields['M'], 0, 59, text) ?? 0,
    second: inRange(fields['S'], 0, 59, text) ?? 0,
    millisecond: Number((fields['L'] ?? '0').padEnd(3, '0'))
  }
  if (fields['G'] !== undefined) {
    const week = inRange(fields['V'], 1, 53, text) ?? 1
    const weekday = inRange(fields['u'], 1, 7, text) ?? 1
    return (
      isoYearStart(Number(fields['G'])) +
      ((week - 1) * 7 + weekday - 1) * 86_400_000 +
      utcMillis(1970, 0, 1, time)
    )
  }
  if (fields['Y'] === undefined) throw unreadable(text)
  const dayOfYear = inRange(fields['j'], 1, 366, text)
  if (dayOfYear !== undefined) return utcMillis(Number(fields['Y']), 0, dayOfYear, time)
  const month = monthOf(fields, text)
  const day = inRange(fields['d'], 1, 31, text) ?? 1
  return utcMillis(Number(fields['Y']), month - 1, day, time)
}

function monthOf(fields: Fields, text: string): number {
  const name = (fields['b'] ?? fields['B'])?.toLowerCase()
  if (name === undefined) return inRange(fields['m'], 1, 12, text) ?? 1
  const index = MONTHS.findIndex((month) =>
    [month, month.slice(0, 3)].some((form) => form.toLowerCase() === name)
  )
  if (index < 0) throw unreadable(text)
  return index + 1
}

function inRange(
  digits: string | undefined,
  low: number,
  high: number,
  text: string
): number | undefined {
  if (digits === undefined) return undefined
  const value = Number(digits)
  if (value < low || value > high) throw unreadable(text)
  return value
}

function zoneOf(fields: Fields): TimeZone | undefined {
  if (fields['z'] !== undefined) return fields['z'] === 'Z' ? UTC : timeZone(fields['z'])
  if (fields['Z'] === undefined) return undefined
  const minutes = Number(fields['Z'])
  return { name: fields['Z'], isUtc: false, offsetAt: () => minutes * 60_000 }
}
