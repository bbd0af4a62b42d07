// Intervals and cron expressions.
import fc from 'fast-check'
import { test } from 'tap'
import { nextAfter, parseCron, parseEvery } from './times.ts'

const intervals: [string, number | undefined][] = [
  ['1 second', 1_000],
  ['90 seconds', 90_000],
  ['5 minutes', 300_000],
  ['1 hour', 3_600_000],
  ['2 days', 172_800_000],
  ['0 seconds', undefined],
  ['1 week', undefined],
  ['soon', undefined],
  ['99999999999999999 days', undefined]
]
for (const [every, expected] of intervals) {
  test(`"${every}" is ${expected ?? 'not an interval'}`, async (t) => {
    t.equal(parseEvery(every), expected)
  })
}

const cronOf = (expression: string) => {
  const result = parseCron(expression)
  if (!result.ok) throw new Error(result.reason)
  return result.cron
}
const next = (expression: string, from: string) =>
  nextAfter(cronOf(expression), new Date(from))?.toISOString()

const crons: [expression: string, from: string, expected: string][] = [
  ['* * * * *', '2026-01-01T00:00:00.000Z', '2026-01-01T00:01:00.000Z'],
  ['* * * * *', '2026-01-01T00:00:59.999Z', '2026-01-01T00:01:00.000Z'],
  ['0 * * * *', '2026-01-01T10:00:00.000Z', '2026-01-01T11:00:00.000Z'],
  ['*/15 * * * *', '2026-01-01T10:16:00.000Z', '2026-01-01T10:30:00.000Z'],
  ['5/20 * * * *', '2026-01-01T10:26:00.000Z', '2026-01-01T10:45:00.000Z'],
  ['0 3 * * *', '2026-01-01T03:00:00.000Z', '2026-01-02T03:00:00.000Z'],
  ['30 23 31 12 *', '2026-12-31T23:30:00.000Z', '2027-12-31T23:30:00.000Z'],
  ['0 0 29 2 *', '2025-03-01T00:00:00.000Z', '2028-02-29T00:00:00.000Z'],
  ['0 9 * * mon-fri', '2026-01-02T09:00:00.000Z', '2026-01-05T09:00:00.000Z'],
  ['0 9 * * 7', '2026-01-01T00:00:00.000Z', '2026-01-04T09:00:00.000Z'],
  ['0 0 1,15 * *', '2026-01-02T00:00:00.000Z', '2026-01-15T00:00:00.000Z'],
  ['0 0 13 * fri', '2026-01-03T00:00:00.000Z', '2026-01-09T00:00:00.000Z'],
  ['0 0 * JAN,JUL *', '2026-02-01T00:00:00.000Z', '2026-07-01T00:00:00.000Z'],
  ['0 0 */2 * mon', '2026-01-01T00:00:00.000Z', '2026-01-05T00:00:00.000Z'],
  ['0 0 * * 5-7', '2026-01-03T00:00:00.000Z', '2026-01-04T00:00:00.000Z'],
  ['0 0 * * 0-7', '2026-01-03T00:00:00.000Z', '2026-01-04T00:00:00.000Z'],
  ['*/90 * * * *', '2026-01-01T00:30:00.000Z', '2026-01-01T01:00:00.000Z'],
  ['10-12 5 * * *', '2026-01-01T05:11:30.000Z', '2026-01-01T05:12:00.000Z']
]
for (const [expression, from, expected] of crons) {
  test(`after ${from}, "${expression}" comes at ${expected}`, async (t) => {
    t.equal(next(expression, from), expected)
  })
}

const wrong = [
  '',
  '* * * *',
  '* * * * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * * 13 *',
  '* * * * 8',
  '*/0 * * * *',
  '5-1 * * * *',
  '1-2-3 * * * *',
  'a * * * *',
  '1,,2 * * * *',
  '-1 * * * *',
  '1. * * * *',
  '0 0 30 2 *',
  '@daily',
  '0 0 L * *',
  '0 0 15W * *',
  '0 0 * * 5#2',
  '0 0 ? * *',
  '* * * * MONDAY'
]
for (const expression of wrong) {
  test(`"${expression}" is not a cron expression, and the reason is given`, async (t) => {
    const result = parseCron(expression)
    t.equal(result.ok, false)
    t.ok(!result.ok && result.reason)
  })
}

/** The rule itself, minute by minute: what fields of `*`, steps and lists allow. */
function matches(field: string, value: number, from: number): boolean {
  const [range = '', step] = field.split('/')
  if (range === '*') return (value - from) % Number(step ?? 1) === 0
  return field.split(',').map(Number).includes(value)
}

test('the next instant is the first minute that matches, whatever the expression', async (t) => {
  const field = (from: number, to: number) =>
    fc.oneof(
      fc.constant('*'),
      fc.integer({ min: 1, max: 9 }).map((step) => `*/${step}`),
      fc.uniqueArray(fc.integer({ min: from, max: to }), { minLength: 1, maxLength: 3 }).map(String)
    )
  const start = fc.date({
    min: new Date('2024-01-01'),
    max: new Date('2030-01-01'),
    noInvalidDate: true
  })
  const fields = fc.tuple(field(0, 59), field(0, 23), field(1, 28), field(0, 6))
  fc.assert(
    fc.property(fields, start, ([minute, hour, day, weekday], from) => {
      const found = nextAfter(cronOf(`${minute} ${hour} ${day} * ${weekday}`), from)
      const isEitherDay = !day.startsWith('*') && !weekday.startsWith('*')
      const at = new Date(Math.floor(from.getTime() / 60_000) * 60_000)
      for (;;) {
        at.setUTCMinutes(at.getUTCMinutes() + 1)
        const isDay = matches(day, at.getUTCDate(), 1)
        const isWeekday = matches(weekday, at.getUTCDay(), 0)
        if (!(isEitherDay ? isDay || isWeekday : isDay && isWeekday)) continue
        if (!matches(hour, at.getUTCHours(), 0) || !matches(minute, at.getUTCMinutes(), 0)) continue
        return at.getTime() === found?.getTime()
      }
    }),
    { numRuns: 200 }
  )
  t.pass()
})
