// Arithmetic of the calendar: parts of dates, adding, subtracting and rounding down to units.
import { commandError } from '../errors.ts'
import { fromLocal, type TimeZone, toLocal, utcMillis } from './time-zone.ts'

const DAY = 86_400_000
const LAST_DATE = 8_640_000_000_000_000

export type TimeUnit =
  | 'year'
  | 'quarter'
  | 'month'
  | 'week'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'millisecond'

const MILLIS: Readonly<
  Record<'week' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond', number>
> = {
  week: 7 * DAY,
  day: DAY,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1
}
const MONTHS: Readonly<Record<'year' | 'quarter' | 'month', number>> = {
  year: 12,
  quarter: 3,
  month: 1
}

function isMonths(unit: TimeUnit): unit is keyof typeof MONTHS {
  return Object.hasOwn(MONTHS, unit)
}

/** Whether the text names a unit. */
export function isTimeUnit(text: unknown): text is TimeUnit {
  return typeof text === 'string' && (Object.hasOwn(MONTHS, text) || Object.hasOwn(MILLIS, text))
}

/** The fields of a moment in a zone. */
export interface DateParts {
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly millisecond: number
  /** From 1, a Sunday. */
  readonly weekday: number
  readonly dayOfYear: number
  /** Of the year, from the first Sunday; days before it are in week 0. */
  readonly week: number
  readonly isoWeekday: number
  readonly isoWeek: number
  readonly isoYear: number
}

export function datePartsOf(date: Date, zone: TimeZone): DateParts {
  const local = new Date(toLocal(date.getTime(), zone))
  const year = local.getUTCFullYear()
  const dayOfYear = Math.floor((local.getTime() - utcMillis(year, 0, 1)) / DAY) + 1
  const weekday = local.getUTCDay()
  return {
    year,
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    millisecond: local.getUTCMilliseconds(),
    weekday: weekday + 1,
    dayOfYear,
    week: Math.floor((dayOfYear + 6 - weekday) / 7),
    isoWeekday: weekday === 0 ? 7 : weekday,
    ...isoWeekOf(local)
  }
}

/** The week that holds the day's Thursday, in that Thursday's year. */
function isoWeekOf(local: Date): { readonly isoWeek: number; readonly isoYear: number } {
  const day = Math.floor(local.getTime() / DAY)
  const thursday = day - mod(day + 3, 7) + 3
  const isoYear = new Date(thursday * DAY).getUTCFullYear()
  const first = Math.floor(utcMillis(isoYear, 0, 1) / DAY)
  return { isoWeek: Math.floor((thursday - first) / 7) + 1, isoYear }
}

/** The local day on which a year's first ISO week begins, in milliseconds. */
export function isoYearStart(isoYear: number): number {
  const fourth = Math.floor(utcMillis(isoYear, 0, 4) / DAY)
  return (fourth - mod(fourth + 3, 7)) * DAY
}

function mod(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor
}

/** A date from milliseconds; fails with Overflow (15) beyond the range of dates. */
export function dateOf(millis: number, name: string): Date {
  if (Math.abs(millis) <= LAST_DATE) return new Date(millis)
  throw commandError('Overflow', `${name}: the date is out of range`)
}

/** Adds units in the calendar of the zone: the end of a month stays within the month. */
export function addUnits(
  date: Date,
  unit: TimeUnit,
  amount: number,
  zone: TimeZone,
  name: string
): Date {
  if (isMonths(unit)) return addMonths(date, MONTHS[unit] * amount, zone, name)
  if (unit === 'day' || unit === 'week') {
    const local = toLocal(date.getTime(), zone) + amount * MILLIS[unit]
    return dateOf(fromLocal(dateOf(local, name).getTime(), zone), name)
  }
  return dateOf(date.getTime() + amount * MILLIS[unit], name)
}

function addMonths(date: Date, months: number, zone: TimeZone, name: string): Date {
  const local = new Date(toLocal(date.getTime(), zone))
  const total = local.getUTCFullYear() * 12 + local.getUTCMonth() + months
  const year = Math.floor(total / 12)
  const month = mod(total, 12)
  const lastDay = new Date(utcMillis(year, month + 1, 0)).getUTCDate()
  const day = Math.min(local.getUTCDate(), lastDay)
  const moved = utcMillis(year, month, day) + mod(local.getTime(), DAY)
  return dateOf(fromLocal(dateOf(moved, name).getTime(), zone), name)
}

/** The number of unit borders from one moment to another. Weeks begin on `startOfWeek` (0 is Sunday). */
export function diffUnits(
  start: Date,
  end: Date,
  unit: TimeUnit,
  zone: TimeZone,
  startOfWeek: number
): number {
  if (unit === 'millisecond') return end.getTime() - start.getTime()
  const [from, to] = [start, end].map((date) => toLocal(date.getTime(), zone)) as [number, number]
  if (isMonths(unit))
    return Math.floor(monthOf(to) / MONTHS[unit]) - Math.floor(monthOf(from) / MONTHS[unit])
  if (unit === 'day') return Math.floor(to / DAY) - Math.floor(from / DAY)
  if (unit === 'week') return weekOf(to, startOfWeek) - weekOf(from, startOfWeek)
  const size = MILLIS[unit]
  const shift = zone.offsetAt(end.getTime()) - zone.offsetAt(start.getTime())
  return Math.floor(to / size) - Math.floor(from / size) - Math.floor(shift / size)
}

function monthOf(local: number): number {
  const date = new Date(local)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** Weeks since one that began on that weekday; 1970 began on a Thursday. */
function weekOf(local: number, startOfWeek: number): number {
  return Math.floor((Math.floor(local / DAY) + 4 - startOfWeek) / 7)
}

/** The beginning of the bin of `binSize` units that holds the moment; bins are counted from 2000. */
export function truncateDate(
  date: Date,
  unit: TimeUnit,
  binSize: number,
  zone: TimeZone,
  startOfWeek: number
): Date {
  const name = '$dateTrunc'
  if (zone.isUtc && !isMonths(unit)) {
    // No clock changes: bins are equally long, weeks and days too.
    const first = unit === 'week' ? START_OF_2000 + firstDays(startOfWeek) * DAY : START_OF_2000
    return dateOf(date.getTime() - mod(date.getTime() - first, binSize * MILLIS[unit]), name)
  }
  const origin = referencePoint(unit, zone, startOfWeek)
  if (!isMonths(unit) && unit !== 'day' && unit !== 'week') {
    const size = binSize * MILLIS[unit]
    const distance = date.getTime() - origin.getTime()
    return dateOf(date.getTime() - mod(distance, size), name)
  }
  const distance = diffUnits(origin, date, unit, zone, startOfWeek)
  return addUnits(origin, unit, distance - mod(distance, binSize), zone, name)
}

/** The first of January 2000 in the zone; for weeks the first day after it that begins one. */
function referencePoint(unit: TimeUnit, zone: TimeZone, startOfWeek: number): Date {
  const days = unit === 'week' ? firstDays(startOfWeek) : 0
  return new Date(fromLocal(utcMillis(2000, 0, 1 + days), zone))
}

const START_OF_2000 = Date.UTC(2000, 0, 1)
const SATURDAY = 6

/** Days from the first of January 2000, a Saturday, to the first day that begins a week. */
const firstDays = (startOfWeek: number): number => mod(startOfWeek - SATURDAY, 7)

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** The number of a weekday by its name or first three letters; 0 is Sunday. */
export function weekdayNumber(text: string): number | undefined {
  const name = text.toLowerCase()
  const index = WEEKDAYS.findIndex((day) => day === name || day.slice(0, 3) === name)
  return index < 0 ? undefined : index
}
