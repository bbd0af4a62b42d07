// Numbers and dates for people, by Intl alone, in one language and time zone.
import { isTimeZone } from '@keelson/sdk/zoned-time'

/** Numbers and dates in one language and time zone. */
export interface Format {
  /** The language tag in force. */
  readonly locale: string
  /** The time zone of all dates: `UTC`, or an IANA name. */
  readonly timeZone: string
  /** `1,284`. */
  number(value: number, options?: Intl.NumberFormatOptions): string
  /** `1.3K` from 10,000 on; below as `number`. */
  compact(value: number): string
  /** A fraction as `61.8 %` (as the language writes it). `least` digits keep the numbers of a column alike. */
  percent(fraction: number, digits?: number, least?: number): string
  /** `US$12.40`. */
  money(value: number, currency: string): string
  /** Milliseconds as `96 ms`, `3.1 s`, `12 min`, `3.1 h`, `4 days`. */
  duration(ms: number): string
  /** `48.2 kB`. */
  bytes(value: number): string
  /** `21 Nov 2026, 14:02:11`. With `millis`: `…:11.408`. */
  dateTime(at: Date | string | number, options?: { readonly millis?: boolean }): string
  /** `21 Nov 2026`. */
  date(at: Date | string | number): string
  /** `14:02:11`. */
  time(at: Date | string | number): string
  /** `3 minutes ago` up to a day, then the date and time. */
  relative(at: Date | string | number, now?: Date): string
  /** Names as `a, b and c`. */
  list(items: readonly string[]): string
}

type At = Date | string | number

const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const
const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000

/** Makes formatters for a language; what Intl does not know falls back to English, and to UTC. */
export function createFormat(locale: string, zone = 'UTC'): Format {
  const language = supported(locale)
  const timeZone = isTimeZone(zone) ? zone : 'UTC'
  const numbers = new Map<string, Intl.NumberFormat>()
  const dates = new Map<string, Intl.DateTimeFormat>()
  const number = (value: number, options: Intl.NumberFormatOptions = {}): string => {
    const key = JSON.stringify(options)
    const made = numbers.get(key) ?? new Intl.NumberFormat(language, options)
    numbers.set(key, made)
    return made.format(value)
  }
  const moment = (at: At, options: Intl.DateTimeFormatOptions): string => {
    const when = new Date(at)
    if (Number.isNaN(when.getTime())) return '–'
    const key = JSON.stringify(options)
    const made = dates.get(key) ?? new Intl.DateTimeFormat(language, { ...options, timeZone })
    dates.set(key, made)
    return made.format(when)
  }
  const unit = (value: number, name: string): string =>
    number(value, {
      style: 'unit',
      unit: name,
      unitDisplay: name === 'day' ? 'long' : 'short',
      maximumFractionDigits: Math.abs(value) < 10 ? 1 : 0
    })
  const dateTime: Format['dateTime'] = (at, options = {}) =>
    moment(at, {
      ...DATE,
      ...TIME,
      ...(options.millis === true && { fractionalSecondDigits: 3 as const })
    })
  return {
    locale: language,
    timeZone,
    number,
    compact: (value) =>
      Math.abs(value) < 10_000
        ? number(value, { maximumFractionDigits: 1 })
        : number(value, { notation: 'compact', maximumFractionDigits: 1 }),
    percent: (fraction, digits = 1, least = 0) =>
      number(fraction, {
        style: 'percent',
        minimumFractionDigits: least,
        maximumFractionDigits: digits
      }),
    money: (value, currency) => number(value, { style: 'currency', currency }),
    duration: (ms) =>
      ms !== 0 && Math.abs(ms) < 1
        ? `${number(ms * 1000, { maximumFractionDigits: 0 })} µs`
        : durationOf(ms, unit),
    bytes: (value) => bytesOf(value, unit),
    dateTime,
    date: (at) => moment(at, DATE),
    time: (at) => moment(at, TIME),
    relative(at, now = new Date()) {
      const elapsed = now.getTime() - new Date(at).getTime()
      if (!(elapsed > -DAY && elapsed < DAY)) return dateTime(at)
      return relativeOf(-elapsed, language)
    },
    list: (items) => new Intl.ListFormat(language).format(items)
  }
}

function supported(locale: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

type Unit = (value: number, name: string) => string

function durationOf(ms: number, unit: Unit): string {
  const size = Math.abs(ms)
  if (size < 1000) return unit(ms, 'millisecond')
  if (size < MINUTE) return unit(ms / 1000, 'second')
  if (size < HOUR) return unit(ms / MINUTE, 'minute')
  return size < 2 * DAY ? unit(ms / HOUR, 'hour') : unit(ms / DAY, 'day')
}

function bytesOf(value: number, unit: Unit): string {
  const names = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
  const steps = Math.floor(Math.log10(Math.max(1, Math.abs(value))) / 3)
  const step = Math.min(names.length - 1, steps)
  return unit(value / 1000 ** step, names[step] ?? 'byte')
}

/** Milliseconds from now in words: `3 minutes ago`, or shorter by the style. */
export function relativeOf(
  distance: number,
  language: string,
  style: Intl.RelativeTimeFormatStyle = 'long'
): string {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style })
  const size = Math.abs(distance)
  if (size < MINUTE) return relative.format(Math.trunc(distance / 1000), 'second')
  if (size < HOUR) return relative.format(Math.trunc(distance / MINUTE), 'minute')
  return relative.format(Math.trunc(distance / HOUR), 'hour')
}
