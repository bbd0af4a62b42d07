// Time zones: offsets from UTC by name or as such, and the way from local time back to UTC.
import { commandError } from '../errors.ts'

const MINUTE = 60_000
const HOUR = 3_600_000
/** Offsets change at quarters of an hour only. */
const OFFSET_STEP = 15 * MINUTE
const OFFSETS_KEPT = 4096
const ZONES_KEPT = 512

export interface TimeZone {
  readonly name: string
  readonly isUtc: boolean
  /** Milliseconds that local time is ahead of UTC at this moment. */
  offsetAt(utc: number): number
}

export const UTC: TimeZone = { name: 'UTC', isUtc: true, offsetAt: () => 0 }

const zones = new Map<string, TimeZone>()

/** The zone of an Olson name or an offset such as `+05:30`. Fails with Location40485. */
export function timeZone(text: string): TimeZone {
  if (text === 'UTC' || text === 'GMT' || text === 'Z') return UTC
  const known = zones.get(text)
  if (known) return known
  const zone = fixedZone(text) ?? namedZone(text)
  if (zones.size >= ZONES_KEPT) zones.clear()
  zones.set(text, zone)
  return zone
}

function fixedZone(text: string): TimeZone | undefined {
  const match = /^([+-])(\d{2})(?::?(\d{2}))?$/.exec(text)
  if (!match) return undefined
  const size = Number(match[2]) * HOUR + Number(match[3] ?? 0) * MINUTE
  const offset = match[1] === '-' ? -size : size
  return { name: text, isUtc: false, offsetAt: () => offset }
}

function namedZone(name: string): TimeZone {
  const format = formatOf(name)
  const offsets = new Map<number, number>()
  const offsetAt = (utc: number): number => {
    const step = Math.floor(utc / OFFSET_STEP)
    const known = offsets.get(step)
    if (known !== undefined) return known
    if (offsets.size >= OFFSETS_KEPT) offsets.clear()
    const offset = localMillis(format, step * OFFSET_STEP) - step * OFFSET_STEP
    offsets.set(step, offset)
    return offset
  }
  return { name, isUtc: false, offsetAt }
}

function formatOf(name: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric'
    })
  } catch (cause) {
    throw commandError('Location40485', `unrecognized time zone identifier: "${name}"`, { cause })
  }
}

/** What the clocks of the zone show, as if it were UTC. */
function localMillis(format: Intl.DateTimeFormat, utc: number): number {
  const parts = Object.fromEntries(
    format.formatToParts(utc).map(({ type, value }) => [type, value])
  )
  const year = parts['era']?.startsWith('B') ? 1 - Number(parts['year']) : Number(parts['year'])
  return utcMillis(year, Number(parts['month']) - 1, Number(parts['day']), {
    hour: Number(parts['hour']),
    minute: Number(parts['minute']),
    second: Number(parts['second'])
  })
}

export interface TimeOfDay {
  readonly hour?: number
  readonly minute?: number
  readonly second?: number
  readonly millisecond?: number
}

/** Milliseconds since 1970 of a calendar day and time in UTC; fields may run over. Months from 0. */
export function utcMillis(year: number, month: number, day: number, time: TimeOfDay = {}): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  const { hour = 0, minute = 0, second = 0, millisecond = 0 } = time
  return date.getTime() + hour * HOUR + minute * MINUTE + second * 1000 + millisecond
}

/** Local time of a moment, as if it were UTC. */
export function toLocal(utc: number, zone: TimeZone): number {
  return utc + zone.offsetAt(utc)
}

/**
 * The moment of a local time. Of two moments the earlier; a time that clocks jump over is read with
 * the offset from before the jump.
 */
export function fromLocal(local: number, zone: TimeZone): number {
  if (zone.isUtc) return local
  const before = local - zone.offsetAt(local - 24 * HOUR)
  if (toLocal(before, zone) === local) return before
  const after = local - zone.offsetAt(local + 24 * HOUR)
  return toLocal(after, zone) === local ? after : before
}
