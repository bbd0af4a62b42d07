// Reads the time range of a question from text: ISO dates, half-open, the last seven days by default.
import type { TimeRange } from './types.ts'

const DEFAULT_RANGE_MS = 7 * 86_400_000

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/**
 * An ISO date, or undefined. Days that do not exist are invalid (2025-02-30 would else be March), and a
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

/** The ends of a range as text. */
export interface RangeText {
  /** ISO 8601. Default: seven days before `to`. */
  readonly from?: string
  /** ISO 8601, not included. Default: now. */
  readonly to?: string
}

/** A range from its ends; undefined when one is invalid, or `from` is not before `to`. */
export function readTimeRange(given: RangeText, now: Date): TimeRange | undefined {
  const to = given.to === undefined ? now : parseIsoDate(given.to)
  if (to === undefined) return undefined
  const from =
    given.from === undefined ? new Date(to.getTime() - DEFAULT_RANGE_MS) : parseIsoDate(given.from)
  return from !== undefined && from < to ? { from, to } : undefined
}
