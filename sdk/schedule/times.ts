// When jobs are due: intervals as written in manifests, and five-field cron expressions in UTC.
import { Cron } from 'croner'

export type { Cron } from 'croner'

const UNITS = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const

/** Milliseconds of `"5 minutes"`; undefined when it is not an interval of at least one second. */
export function parseEvery(every: string): number | undefined {
  const [, count, unit] = /^(\d+) (second|minute|hour|day)s?$/.exec(every) ?? []
  const milliseconds = Number(count) * UNITS[unit as keyof typeof UNITS]
  return Number.isSafeInteger(milliseconds) && milliseconds > 0 ? milliseconds : undefined
}

/** An expression, ready to be asked for its times, or what is wrong with it. */
export type CronResult =
  | { readonly ok: true; readonly cron: Cron }
  | { readonly ok: false; readonly reason: string }

/** Names, numbers, ranges, lists and steps; none of the extensions that croner knows besides. */
const FIELD = /^(\*|[0-9a-z]+(-[0-9a-z]+)?)(\/[0-9]+)?$/
const NAMES = /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)$/

/** The first value and the number of values of each field. */
const SPANS = [
  [0, 60],
  [0, 24],
  [1, 31],
  [1, 12],
  [0, 7]
] as const

/** Reads `minute hour day month weekday`: `*`, numbers, names, ranges, lists and steps. */
export function parseCron(expression: string): CronResult {
  const fields = expression.trim().toLowerCase().split(/\s+/)
  if (fields.length !== 5) return { ok: false, reason: `it has ${fields.length} fields, not 5` }
  const wrong = fields.find((field) => !field.split(',').every(isPlain))
  if (wrong !== undefined) return { ok: false, reason: `"${wrong}" is not a field` }
  // Where both are restricted either day will do, as in every cron since 1987.
  const isEitherDay = !fields[2]?.startsWith('*') && !fields[4]?.startsWith('*')
  try {
    const cron = new Cron(fields.map(withoutLongSteps).join(' '), {
      mode: '5-part',
      utcOffset: 0,
      paused: true,
      // "5/15" means from 5 on.
      sloppyRanges: true,
      domAndDow: !isEitherDay
    })
    if (nextAfter(cron, new Date(0)) === undefined) return { ok: false, reason: 'it never comes' }
    return { ok: true, cron }
  } catch (error) {
    return { ok: false, reason: (error as Error).message.replace(/^CronPattern: /, '') }
  }
}

/** A step longer than its field leaves the first value alone; croner would refuse it. */
function withoutLongSteps(field: string, at: number): string {
  const [first, count] = SPANS[at] ?? [0, 60]
  return field
    .split(',')
    .map((part) => {
      const [range = '', step] = part.split('/')
      if (step === undefined || Number(step) <= count) return part
      return range === '*' ? String(first) : (range.split('-')[0] ?? range)
    })
    .join(',')
}

function isPlain(part: string): boolean {
  const words = part.match(/[a-z][0-9a-z]*|[0-9]+[a-z][0-9a-z]*/g) ?? []
  return FIELD.test(part) && words.every((word) => NAMES.test(word))
}

/** The first instant after `date` that the expression names, to the minute, UTC. */
export function nextAfter(cron: Cron, date: Date): Date | undefined {
  return cron.nextRun(date) ?? undefined
}
