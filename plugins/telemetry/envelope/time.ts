// When a record happened: what clients claim, held to what is possible.

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const MAX_AHEAD = 10 * MINUTE
const MAX_AGE_PUBLISHABLE = 30 * DAY
const EARLIEST = Date.UTC(2000, 0, 1)

/** Milliseconds of a Date, ISO text (UTC when it names no offset) or epoch number; undefined when it is none. */
export function readTime(value: unknown): number | undefined {
  if (value instanceof Date) return finite(value.getTime())
  if (typeof value === 'number') return finite(Math.trunc(value))
  return typeof value === 'string' && value.length <= 40 ? finite(parse(value)) : undefined
}

const WITHOUT_OFFSET = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/

// Without an offset it would be a time of whatever zone this process runs in.
const parse = (text: string) =>
  Date.parse(!text.endsWith('Z') && WITHOUT_OFFSET.test(text) ? `${text}Z` : text)

const finite = (ms: number) => (Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? ms : undefined)

export interface SettledTime {
  readonly at: number
  /** The claimed time was impossible and the time of receipt stands in. */
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
