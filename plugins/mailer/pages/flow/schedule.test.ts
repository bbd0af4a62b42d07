// Schedules and the cron expressions that say the same.
import fc from 'fast-check'
import { test } from 'tap'
import { cronOf, MOST_DAYS, REPEATS, readSchedule, type Schedule } from './schedule.ts'

test('a schedule that is written as cron is read as what was chosen', async (t) => {
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
  const schedule: fc.Arbitrary<Schedule> = fc.record({
    repeat: fc.constantFrom(...REPEATS.filter((one) => one !== 'custom')),
    time,
    weekday: fc.integer({ min: 0, max: 6 }),
    day: fc.integer({ min: 1, max: MOST_DAYS }),
    cron: fc.constant('')
  })
  fc.assert(
    fc.property(schedule, (given) => {
      const read = readSchedule(cronOf(given))
      const isSame =
        read.repeat === given.repeat &&
        read.time === given.time &&
        (given.repeat !== 'week' || read.weekday === given.weekday) &&
        (given.repeat !== 'month' || read.day === given.day)
      return isSame && cronOf(read) === cronOf(given)
    })
  )
  t.pass()
})

for (const [cron, expected] of [
  ['0 9 * * 1', { repeat: 'week', time: '09:00', weekday: 1 }],
  ['0 9 * * 7', { repeat: 'week', weekday: 0 }],
  ['30  6 * * 1-5', { repeat: 'workday', time: '06:30' }],
  ['5 0 * * *', { repeat: 'day', time: '00:05' }],
  ['0 12 15 * *', { repeat: 'month', time: '12:00', day: 15 }],
  ['0 12 31 * *', { repeat: 'custom' }],
  ['0 12 1 * 1', { repeat: 'custom' }],
  ['*/15 * * * *', { repeat: 'custom', cron: '*/15 * * * *' }],
  ['61 9 * * 1', { repeat: 'custom' }],
  ['', { repeat: 'custom', cron: '' }]
] as const) {
  test(`the cron expression "${cron}" is shown as ${expected.repeat}`, async (t) => {
    t.match(readSchedule(cron), expected)
  })
}
