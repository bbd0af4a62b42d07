// When a mail may leave under a delivery window, and when a wait ends. Pure.
import { type Static, Type } from '../typebox.ts'
import { isTimeZone, momentAt, wallTime } from '../zoned-time.ts'

/** When a mail may leave: the next slot in the contact's time zone, else in `timezone`, else UTC. */
export const delivery = Type.Object(
  {
    weekdaysOnly: Type.Optional(Type.Boolean()),
    timeOfDay: Type.Optional(Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })),
    useContactTimezone: Type.Optional(Type.Boolean()),
    timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 }))
  },
  { additionalProperties: false }
)

/** Days and clock times at which mail may leave. */
export type DeliveryWindow = Static<typeof delivery>

const MINUTE = 60_000
const DAY = 86_400_000
/** A slot that is missed by less still counts. */
const LATE_MS = 60 * MINUTE
/** A slot that is nearer is not worth a wait. */
const NEAR_MS = 30_000
/** A date, or a date and time, without a time zone. */
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?)?$/

/** The zone of a window: the contact's where it is wanted and known, else the window's, else UTC. */
export function zoneOf(
  window: DeliveryWindow | undefined,
  contactZone: string | undefined
): string {
  const wanted = window?.useContactTimezone === true ? [contactZone] : []
  const zones = [...wanted, window?.timezone]
  return zones.find((zone) => zone !== undefined && isTimeZone(zone)) ?? 'UTC'
}

/**
 * The next moment in the window, `at` itself included. A slot that passed less than an hour ago is still
 * used; one that a change of clocks leaves out is the moment after the gap.
 */
export function nextInWindow(
  window: DeliveryWindow,
  at: Date,
  contactZone: string | undefined
): Date {
  const zone = zoneOf(window, contactZone)
  const now = at.getTime()
  const wall = wallTime(now, zone)
  const today = Math.floor(wall / DAY) * DAY
  const timeOfDay = minutesOf(window.timeOfDay)
  // Without a time of day a weekend goes to Monday at the same clock time.
  const clock = timeOfDay === undefined ? wall - today : timeOfDay * MINUTE
  const first = timeOfDay === undefined ? 0 : -1
  for (let day = first; day <= 7; day++) {
    const start = today + day * DAY
    if (window.weekdaysOnly === true && isWeekend(start)) continue
    const slot = timeOfDay === undefined && day === 0 ? now : momentAt(start + clock, zone)
    if (slot + LATE_MS < now) continue
    return slot <= now + NEAR_MS ? at : new Date(slot)
  }
  return at
}

/** A time as authors and hosts write it; without an offset it is a clock time of `zone`. */
export function timeOf(value: unknown, zone: string): Date | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value
  if (typeof value !== 'string') return undefined
  const isLocal = LOCAL_TIME.test(value)
  const iso = isLocal && value.length > 10 ? `${value.replace(' ', 'T')}Z` : value
  const parsed = Date.parse(iso)
  if (Number.isNaN(parsed)) return undefined
  return new Date(isLocal ? momentAt(parsed, zone) : parsed)
}

function minutesOf(clockTime: string | undefined): number | undefined {
  if (clockTime === undefined) return undefined
  const [hours = 0, minutes = 0] = clockTime.split(':').map(Number)
  return hours * 60 + minutes
}

/** 1970-01-01 was a Thursday. */
const isWeekend = (wallDay: number): boolean => {
  const weekday = (((wallDay / DAY + 4) % 7) + 7) % 7
  return weekday === 0 || weekday === 6
}
