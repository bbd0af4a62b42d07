// When jobs are due: intervals as written in manifests, and five-field cron expressions in UTC.

const UNITS = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const

/** Milliseconds of `"5 minutes"`; undefined when it is not an interval of at least one second. */
export function parseEvery(every: string): number | undefined {
  const [, count, unit] = /^(\d+) (second|minute|hour|day)s?$/.exec(every) ?? []
  const milliseconds = Number(count) * UNITS[unit as keyof typeof UNITS]
  return Number.isSafeInteger(milliseconds) && milliseconds > 0 ? milliseconds : undefined
}

/** A parsed cron expression: the allowed values of each field. */
export interface Cron {
  readonly minutes: ReadonlySet<number>
  readonly hours: ReadonlySet<number>
  readonly days: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  readonly weekdays: ReadonlySet<number>
  /** Day and weekday are both restricted: either will do, as in every cron since 1987. */
  readonly isEitherDay: boolean
}

export type CronResult =
  | { readonly ok: true; readonly cron: Cron }
  | { readonly ok: false; readonly reason: string }

interface Field {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly words?: readonly string[]
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const WEEKDAYS = 'sun mon tue wed thu fri sat'.split(' ')
const FIELDS: readonly Field[] = [
  { name: 'minute', from: 0, to: 59 },
  { name: 'hour', from: 0, to: 23 },
  { name: 'day', from: 1, to: 31 },
  { name: 'month', from: 1, to: 12, words: ['', ...MONTHS] },
  { name: 'weekday', from: 0, to: 7, words: WEEKDAYS }
]

/** Reads `minute hour day month weekday`: `*`, numbers, names, ranges, lists and steps. */
export function parseCron(expression: string): CronResult {
  const parts = expression.trim().split(/\s+/)
  if (parts.length !== 5) return { ok: false, reason: `it has ${parts.length} fields` }
  const sets: Set<number>[] = []
  for (const [at, field] of FIELDS.entries()) {
    const part = parts[at] as string
    const values = parseField(part, field)
    if (values === undefined) return { ok: false, reason: `its ${field.name} is "${part}"` }
    sets.push(values)
  }
  const [minutes, hours, days, months, weekdays] = sets as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>
  ]
  // Sunday is both 0 and 7.
  if (weekdays.delete(7)) weekdays.add(0)
  const isEitherDay = !parts[2]?.startsWith('*') && !parts[4]?.startsWith('*')
  const cron: Cron = { minutes, hours, days, months, weekdays, isEitherDay }
  if (nextAfter(cron, new Date(0)) === undefined) return { ok: false, reason: 'it never comes' }
  return { ok: true, cron }
}

function parseField(text: string, field: Field): Set<number> | undefined {
  const values = new Set<number>()
  for (const part of text.split(',')) {
    const [, range, step = '1'] = /^([^/]+)(?:\/(\d+))?$/.exec(part) ?? []
    const bounds = range === undefined ? undefined : parseRange(range, part.includes('/'), field)
    if (bounds === undefined || Number(step) < 1) return undefined
    for (let value = bounds.from; value <= bounds.to; value += Number(step)) values.add(value)
  }
  return values
}

function parseRange(
  range: string,
  hasStep: boolean,
  field: Field
): { readonly from: number; readonly to: number } | undefined {
  if (range === '*') return { from: field.from, to: field.name === 'weekday' ? 6 : field.to }
  const [first = '', last, ...more] = range.split('-')
  const from = parseValue(first, field)
  // "5/15" means from 5 on.
  const to = last === undefined ? (hasStep ? field.to : from) : parseValue(last, field)
  if (from === undefined || to === undefined || more.length > 0 || from > to) return undefined
  return { from, to }
}

function parseValue(text: string, field: Field): number | undefined {
  const word = field.words?.indexOf(text.toLowerCase()) ?? -1
  const value = word >= 0 && text !== '' ? word : /^\d+$/.test(text) ? Number(text) : Number.NaN
  return value >= field.from && value <= field.to ? value : undefined
}

/** Enough for 29 February across a century that skips it. */
const HORIZON_YEARS = 9

/** The first instant after `date` that the expression names, to the minute, UTC. */
export function nextAfter(cron: Cron, date: Date): Date | undefined {
  const at = new Date(date)
  at.setUTCSeconds(0, 0)
  at.setUTCMinutes(at.getUTCMinutes() + 1)
  const end = date.getUTCFullYear() + HORIZON_YEARS
  while (at.getUTCFullYear() <= end) {
    if (!cron.months.has(at.getUTCMonth() + 1)) {
      at.setUTCMonth(at.getUTCMonth() + 1, 1)
      at.setUTCHours(0, 0)
    } else if (!isDay(cron, at)) {
      at.setUTCDate(at.getUTCDate() + 1)
      at.setUTCHours(0, 0)
    } else if (!cron.hours.has(at.getUTCHours())) at.setUTCHours(at.getUTCHours() + 1, 0)
    else if (!cron.minutes.has(at.getUTCMinutes())) at.setUTCMinutes(at.getUTCMinutes() + 1)
    else return at
  }
  return undefined
}

function isDay(cron: Cron, at: Date): boolean {
  const day = cron.days.has(at.getUTCDate())
  const weekday = cron.weekdays.has(at.getUTCDay())
  return cron.isEitherDay ? day || weekday : day && weekday
}
