// Which mails the address of the Sends page selects, as the API asks for them: days become moments. Pure.
import { momentAt } from '@keelson/sdk/zoned-time'
import type { Narrowing } from '@keelson/ui'

const DAY_MS = 86_400_000
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Of the address: what narrows the list. */
export const NARROWED_BY = [
  'status',
  'reason',
  'broadcast',
  'flow',
  'template',
  'kind',
  'domain',
  'sender',
  'email',
  'from',
  'to'
] as const

/** Both days are inside: `to` ends when the next day begins. What is not a day stays, and the API says so. */
export function selectionOf(narrowing: Narrowing, timeZone: string): Narrowing {
  const { from, to, ...more } = narrowing
  return {
    ...more,
    ...(from !== undefined && { from: startOf(from, 0, timeZone) }),
    ...(to !== undefined && { to: startOf(to, 1, timeZone) })
  }
}

function startOf(day: string, later: number, timeZone: string): string {
  const at = DAY.test(day) ? Date.parse(`${day}T00:00Z`) : Number.NaN
  if (Number.isNaN(at)) return day
  return new Date(momentAt(at + later * DAY_MS, timeZone)).toISOString()
}

/** Days to offer: today, yesterday, a week and a month ago. */
export function recentDays(now: number, timeZone: string): readonly string[] {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  return [0, 1, 7, 30].map((ago) => day.format(now - ago * DAY_MS))
}
