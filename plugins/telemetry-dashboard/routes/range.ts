// Reads the time range of a request: ISO dates, half-open, the last seven days by default.
import { accepted, type Parsed, refused } from './parsed.ts'

/** `from` is inside, `to` is outside. */
export interface TimeRange {
  readonly from: Date
  readonly to: Date
}

export const DEFAULT_RANGE_MS = 7 * 86_400_000

const INVALID = refused('invalid time range')

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/**
 * An ISO date, or undefined. Days that do not exist are none (2025-02-30 would else be March), and a
 * time without a zone is UTC (it would else be the server's).
 */
export function parseIsoDate(text: string): Date | undefined {
  const match = ISO.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = ''] = match
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  if (Number(day) > daysInMonth) return undefined
  const zone = (match[8] ?? 'Z').replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
  const millis = fraction.padEnd(3, '0').slice(0, 3)
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}${zone}`)
  return Number.isNaN(at.getTime()) ? undefined : at
}

/** The ends of a range as a query string holds them. */
export interface RangeQuery {
  readonly from?: string
  readonly to?: string
}

/** The range of a request; `to` defaults to now, `from` to seven days before `to`. */
export function readRange(given: RangeQuery, now: Date): Parsed<TimeRange> {
  const to = given.to === undefined ? now : parseIsoDate(given.to)
  if (to === undefined) return INVALID
  const from =
    given.from === undefined ? new Date(to.getTime() - DEFAULT_RANGE_MS) : parseIsoDate(given.from)
  if (from === undefined || Number.isNaN(from.getTime())) return INVALID
  return from < to ? accepted({ from, to }) : INVALID
}

/** As `readRange`, but undefined when neither end was given. */
export function readOptionalRange(given: RangeQuery, now: Date): Parsed<TimeRange | undefined> {
  const isGiven = given.from !== undefined || given.to !== undefined
  return isGiven ? readRange(given, now) : accepted(undefined)
}
