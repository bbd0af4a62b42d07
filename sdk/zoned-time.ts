// Minutes, hours, days, weeks and months in a time zone: where one starts and where the next one does. Pure.

/** A length of time that readers look at. */
export type TimeUnit = 'minute' | 'hour' | 'day' | 'week' | 'month'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** 1970-01-01 was a Thursday: Monday is three days before it. */
const MONDAY_SHIFT = 3 * DAY

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric'
  })
  clocks.set(zone, made)
  return made
}

/** Whether a name is a time zone: `UTC`, or an IANA name such as `Europe/Berlin`. */
export function isTimeZone(zone: string): boolean {
  try {
    clockOf(zone)
    return true
  } catch {
    return false
  }
}

/** What clocks of the zone show at a moment, in milliseconds as if they showed UTC. */
export function wallTime(at: number, zone: string): number {
  if (zone === 'UTC') return at
  const ahead = aheadOn(Math.floor(at / DAY), zone)
  return ahead === undefined ? shownBy(at, zone) : at + ahead
}

/** How far clocks are ahead of UTC, by zone and UTC day: `Intl` takes microseconds, and readers ask for each record. */
const known = new Map<string, Map<number, number | undefined>>()
const MOST_KNOWN = 20_000
let knownDays = 0

/** Undefined for a day on which clocks are turned. No zone turns them and turns them back within a day. */
function aheadOn(day: number, zone: string): number | undefined {
  const ofZone = known.get(zone)
  if (ofZone?.has(day) === true) return ofZone.get(day)
  const [first, last] = [day * DAY, (day + 1) * DAY].map((at) => shownBy(at, zone) - at)
  const ahead = first === last ? first : undefined
  if (knownDays++ >= MOST_KNOWN) {
    known.clear()
    knownDays = 1
  }
  known.set(zone, (known.get(zone) ?? new Map<number, number | undefined>()).set(day, ahead))
  return ahead
}

function shownBy(at: number, zone: string): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of clockOf(zone).formatToParts(at)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  const millis = ((at % 1000) + 1000) % 1000
  return Date.UTC(year, month - 1, day, hour, minute, second) + millis
}

/**
 * The moment at which clocks of the zone show a wall time. One that clocks show twice is the first; one that
 * they leave out is the moment after the gap.
 */
export function momentAt(wall: number, zone: string): number {
  if (zone === 'UTC') return wall
  const offsets = [wall - DAY, wall + DAY].map((at) => wallTime(at, zone) - at)
  const moments = offsets.map((offset) => wall - offset)
  const shown = moments.filter((at) => wallTime(at, zone) === wall)
  return shown.length > 0 ? Math.min(...shown) : Math.max(...moments)
}

function startOfWall(wall: number, unit: 'day' | 'week' | 'month'): number {
  const day = Math.floor(wall / DAY) * DAY
  if (unit === 'day') return day
  if (unit === 'week') return Math.floor((wall + MONDAY_SHIFT) / (7 * DAY)) * 7 * DAY - MONDAY_SHIFT
  const date = new Date(wall)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

/**
 * Start of the unit that holds a moment. Weeks start on Monday. Minutes and hours are those of UTC in every
 * zone: an hour of Kolkata starts at half past.
 */
export function startOf(at: number, unit: TimeUnit, zone = 'UTC'): number {
  if (unit === 'minute') return Math.floor(at / MINUTE) * MINUTE
  if (unit === 'hour') return Math.floor(at / HOUR) * HOUR
  return momentAt(startOfWall(wallTime(at, zone), unit), zone)
}

/** Start of the unit after the one that starts at `start`. */
export function nextStart(start: number, unit: TimeUnit, zone = 'UTC'): number {
  if (unit === 'minute') return start + MINUTE
  if (unit === 'hour') return start + HOUR
  const wall = startOfWall(wallTime(start, zone), unit)
  if (unit !== 'month') return momentAt(wall + (unit === 'day' ? DAY : 7 * DAY), zone)
  const date = new Date(wall)
  return momentAt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1), zone)
}
