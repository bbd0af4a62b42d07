// Intervals and cron expressions.
import fc from 'fast-check'
import { test } from 'tap'
import { type Cron, nextAfter, parseCron, parseEvery } from './times.ts'

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

const cronOf = (expression: string): Cron => {
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
  '@daily'
]
for (const expression of wrong) {
  test(`"${expression}" is no cron expression, and the reason is said`, async (t) => {
    const result = parseCron(expression)
    t.equal(result.ok, false)
    t.ok(!result.ok && result.reason)
  })
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
  fc.assert(
    fc.property(field(0, 59), field(0, 23), field(0, 6), start, (minute, hour, weekday, from) => {
      const expression = `${minute} ${hour} * * ${weekday}`
      const cron = cronOf(expression)
      const found = nextAfter(cron, from)
      const at = new Date(Math.floor(from.getTime() / 60_000) * 60_000)
      for (;;) {
        at.setUTCMinutes(at.getUTCMinutes() + 1)
        const matches =
          cron.minutes.has(at.getUTCMinutes()) &&
          cron.hours.has(at.getUTCHours()) &&
          cron.weekdays.has(at.getUTCDay())
        if (matches) return at.getTime() === found?.getTime()
      }
    }),
    { numRuns: 200 }
  )
  t.pass()
})
