// When a record happened: what clients claim, held to what is possible.

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const MAX_AHEAD = 10 * MINUTE
const MAX_AGE_PUBLISHABLE = 30 * DAY
const EARLIEST = Date.UTC(2000, 0, 1)

/** Milliseconds of a Date, text (ISO 8601 or what `Date.parse` reads; UTC when it names no zone) or epoch number; undefined when it is none. */
export function readTime(value: unknown): number | undefined {
  if (value instanceof Date) return finite(value.getTime())
  if (typeof value === 'number') return finite(Math.trunc(value))
  return typeof value === 'string' && value.length <= 40 ? finite(parse(value)) : undefined
}

const ISO =
  /^(\d{4})([-/])(\d{2})\2(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/i
const NAMED_ZONE = /(?:Z|GMT|UTC|[+-]\d{2}:?\d{2}|\b[ECMP][SD]T)(?: ?\(.*\))?$/i

// Without an offset it would be a time of the zone that this process runs in, and 30 February would be a day of March.
function parse(text: string): number {
  const [isIso, year = '', , month = '', day = '', time = '00:00', zone = 'Z'] =
    ISO.exec(text) ?? []
  if (isIso === undefined) return Date.parse(NAMED_ZONE.test(text) ? text : `${text} UTC`)
  const date = `${year}-${month}-${day}`
  if (new Date(`${date}T00:00Z`).getUTCDate() !== Number(day)) return Number.NaN
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase()
  return Date.parse(`${date}T${time.replace(',', '.')}${offset}`)
}

const finite = (ms: number) => (Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? ms : undefined)

export interface SettledTime {
  readonly at: number
  /** The claimed time was impossible and the time of receipt is used. */
  readonly isDefaulted: boolean
}

/**
 * Holds a claimed time to what is possible: more than 10 minutes ahead of receipt, or over 30 days
 * old from a browser, becomes the time of receipt.
 */
export function settleTime(
  claimed: number,
  receivedAt: number,
  isPublishable: boolean
): SettledTime {
  const isAhead = claimed > receivedAt + MAX_AHEAD
  const isStale = isPublishable && claimed < receivedAt - MAX_AGE_PUBLISHABLE
  return isAhead || isStale
    ? { at: receivedAt, isDefaulted: true }
    : { at: claimed, isDefaulted: false }
}

/** Whether a time is older than rows of that retention are kept, or older than anything can be. */
export function isExpired(at: number, now: number, retentionDays: number | undefined): boolean {
  return at < EARLIEST || (retentionDays !== undefined && at + retentionDays * DAY <= now)
}

export const addDays = (at: number, days: number): Date => new Date(at + days * DAY)
