import { ObjectId, Timestamp } from 'bson'
import fc from 'fast-check'
import { test } from 'tap'
import { caught } from '../bson/arbitrary-values.test.data.ts'
import { evaluate } from './evaluate.test.data.ts'
import { fromLocal, timeZone, toLocal } from './time-zone.ts'

type Case = readonly [expression: unknown, expected: unknown]

const check = (name: string, cases: readonly Case[]) => {
  test(`dates: ${name}`, async (t) => {
    for (const [expression, expected] of cases) {
      t.strictSame(
        evaluate(expression, { d: new Date('2017-11-27T11:30:05.123Z') }),
        expected,
        JSON.stringify(expression)
      )
    }
  })
}
const at = (text: string) => new Date(text)

check('parts', [
  [{ $year: '$d' }, 2017],
  [{ $month: '$d' }, 11],
  [{ $dayOfMonth: '$d' }, 27],
  [{ $dayOfYear: '$d' }, 331],
  [{ $dayOfWeek: '$d' }, 2],
  [{ $week: '$d' }, 48],
  [{ $hour: '$d' }, 11],
  [{ $minute: '$d' }, 30],
  [{ $second: '$d' }, 5],
  [{ $millisecond: '$d' }, 123],
  [{ $isoDayOfWeek: '$d' }, 1],
  [{ $isoWeek: '$d' }, 48],
  [{ $isoWeekYear: '$d' }, 2017],
  [{ $isoWeekYear: at('2016-01-01') }, 2015],
  [{ $isoWeek: at('2016-01-01') }, 53],
  [{ $isoWeekYear: at('2024-12-30') }, 2025],
  [{ $week: at('2017-01-01') }, 1],
  [{ $week: at('2016-01-01') }, 0],
  [{ $hour: { date: '$d', timezone: 'America/New_York' } }, 6],
  [{ $hour: { date: '$d', timezone: '+05:30' } }, 17],
  [{ $dayOfMonth: { date: '$d', timezone: '+1300' } }, 28],
  [{ $hour: { date: '$d', timezone: null } }, null],
  [{ $year: null }, null],
  [{ $year: ['$d'] }, 2017],
  [{ $year: new ObjectId('59c33016ccf5f5b5a0f1e9a0') }, 2017],
  [{ $year: new Timestamp({ t: 0, i: 1 }) }, 1970],
  [{ $year: at('-000044-03-15') }, -44],
  [
    { $dateToParts: { date: '$d' } },
    { year: 2017, month: 11, day: 27, hour: 11, minute: 30, second: 5, millisecond: 123 }
  ],
  [
    { $dateToParts: { date: '$d', iso8601: true, timezone: '-02' } },
    {
      isoWeekYear: 2017,
      isoWeek: 48,
      isoDayOfWeek: 1,
      hour: 9,
      minute: 30,
      second: 5,
      millisecond: 123
    }
  ],
  [{ $dateToParts: { date: null } }, null]
])

check('from parts', [
  [{ $dateFromParts: { year: 2017, month: 2, day: 8, hour: 12 } }, at('2017-02-08T12:00:00Z')],
  [{ $dateFromParts: { year: 2017, month: 14, day: 0 } }, at('2018-01-31')],
  [
    { $dateFromParts: { isoWeekYear: 2017, isoWeek: 6, isoDayOfWeek: 3, hour: 12 } },
    at('2017-02-08T12:00:00Z')
  ],
  [
    {
      $dateFromParts: {
        year: 2016,
        month: 12,
        day: 31,
        hour: 23,
        minute: 46,
        second: 12,
        timezone: 'America/New_York'
      }
    },
    at('2017-01-01T04:46:12Z')
  ],
  [{ $dateFromParts: { year: 2017, month: null } }, null]
])

check('adding and subtracting', [
  [{ $dateAdd: { startDate: at('2021-01-31'), unit: 'month', amount: 1 } }, at('2021-02-28')],
  [{ $dateAdd: { startDate: at('2020-02-29'), unit: 'year', amount: 1 } }, at('2021-02-28')],
  [{ $dateAdd: { startDate: at('2020-10-31'), unit: 'quarter', amount: -1 } }, at('2020-07-31')],
  [
    { $dateAdd: { startDate: at('2020-10-31'), unit: 'hour', amount: 25 } },
    at('2020-11-01T01:00:00Z')
  ],
  [{ $dateSubtract: { startDate: at('2020-10-31'), unit: 'week', amount: 1 } }, at('2020-10-24')],
  // A day is 23 hours long when the clocks go forward.
  [
    {
      $dateAdd: {
        startDate: at('2021-03-27T11:00:00Z'),
        unit: 'day',
        amount: 1,
        timezone: 'Europe/Berlin'
      }
    },
    at('2021-03-28T10:00:00Z')
  ],
  [
    {
      $dateAdd: {
        startDate: at('2021-03-27T11:00:00Z'),
        unit: 'hour',
        amount: 24,
        timezone: 'Europe/Berlin'
      }
    },
    at('2021-03-28T11:00:00Z')
  ],
  [{ $dateAdd: { startDate: null, unit: 'day', amount: 1 } }, null],
  [{ $dateDiff: { startDate: at('2020-12-31'), endDate: at('2021-01-01'), unit: 'year' } }, 1],
  [{ $dateDiff: { startDate: at('2021-01-31'), endDate: at('2021-04-01'), unit: 'quarter' } }, 1],
  [{ $dateDiff: { startDate: at('2021-01-31'), endDate: at('2021-03-01'), unit: 'month' } }, 2],
  [{ $dateDiff: { startDate: at('2021-01-02'), endDate: at('2021-01-03'), unit: 'week' } }, 1],
  [
    {
      $dateDiff: {
        startDate: at('2021-01-03'),
        endDate: at('2021-01-04'),
        unit: 'week',
        startOfWeek: 'Monday'
      }
    },
    1
  ],
  [
    {
      $dateDiff: {
        startDate: at('2021-01-03T23:59:00Z'),
        endDate: at('2021-01-04T00:01:00Z'),
        unit: 'day'
      }
    },
    1
  ],
  [
    {
      $dateDiff: {
        startDate: at('2021-01-03T23:59:00Z'),
        endDate: at('2021-01-04T00:01:00Z'),
        unit: 'hour'
      }
    },
    1
  ],
  [
    {
      $dateDiff: {
        startDate: at('2021-01-03T23:59:00Z'),
        endDate: at('2021-01-04T00:01:00Z'),
        unit: 'millisecond'
      }
    },
    120_000
  ],
  [
    {
      $dateDiff: {
        startDate: at('2021-03-27T12:00:00Z'),
        endDate: at('2021-03-28T12:00:00Z'),
        unit: 'hour',
        timezone: 'Europe/Berlin'
      }
    },
    24
  ],
  [{ $dateDiff: { startDate: null, endDate: at('2021-01-03'), unit: 'day' } }, null],
  [
    {
      $dateDiff: {
        startDate: at('2021-01-03'),
        endDate: at('2021-01-03'),
        unit: 'day',
        startOfWeek: null
      }
    },
    null
  ]
])

check('rounding down', [
  [{ $dateTrunc: { date: '$d', unit: 'day' } }, at('2017-11-27')],
  [{ $dateTrunc: { date: '$d', unit: 'month' } }, at('2017-11-01')],
  [{ $dateTrunc: { date: '$d', unit: 'quarter' } }, at('2017-10-01')],
  [{ $dateTrunc: { date: '$d', unit: 'year', binSize: 5 } }, at('2015-01-01')],
  [{ $dateTrunc: { date: '$d', unit: 'week' } }, at('2017-11-26')],
  [{ $dateTrunc: { date: '$d', unit: 'week', startOfWeek: 'mon' } }, at('2017-11-27')],
  [{ $dateTrunc: { date: '$d', unit: 'hour', binSize: 2 } }, at('2017-11-27T10:00:00Z')],
  [{ $dateTrunc: { date: '$d', unit: 'minute', binSize: 15 } }, at('2017-11-27T11:30:00Z')],
  [{ $dateTrunc: { date: '$d', unit: 'second' } }, at('2017-11-27T11:30:05Z')],
  [
    { $dateTrunc: { date: at('1999-12-31T23:59:59Z'), unit: 'month', binSize: 2 } },
    at('1999-11-01')
  ],
  [
    { $dateTrunc: { date: '$d', unit: 'day', timezone: 'America/New_York' } },
    at('2017-11-27T05:00:00Z')
  ],
  [
    { $dateTrunc: { date: at('2021-07-01T00:30:00Z'), unit: 'month', timezone: 'Europe/Berlin' } },
    at('2021-06-30T22:00:00Z')
  ],
  [{ $dateTrunc: { date: '$d', unit: 'hour', timezone: '+05:30' } }, at('2017-11-27T11:30:00Z')],
  [{ $dateTrunc: { date: null, unit: 'day' } }, null],
  [{ $dateTrunc: { date: '$d', unit: 'day', binSize: null } }, null]
])

check('as text', [
  [{ $dateToString: { date: '$d' } }, '2017-11-27T11:30:05.123Z'],
  [{ $dateToString: { date: '$d', timezone: '-03:30' } }, '2017-11-27T08:00:05.123'],
  [
    { $dateToString: { date: '$d', format: '%d/%m/%Y %H:%M:%S.%L %j %U %V %G %u %w %% %b %B' } },
    '27/11/2017 11:30:05.123 331 48 48 2017 1 2 % Nov November'
  ],
  [{ $dateToString: { date: '$d', format: '%z %Z', timezone: '-03:30' } }, '-0330 -210'],
  [{ $dateToString: { date: '$none', onNull: 'none' } }, 'none'],
  [{ $dateToString: { date: null } }, null],
  [{ $dateToString: { date: '$d', format: null } }, null]
])

check('from text', [
  [{ $dateFromString: { dateString: '2017-02-08T12:10:40.787' } }, at('2017-02-08T12:10:40.787Z')],
  [{ $dateFromString: { dateString: '2017-02-08' } }, at('2017-02-08')],
  [{ $dateFromString: { dateString: '2017-02' } }, at('2017-02-01')],
  [{ $dateFromString: { dateString: '20170208' } }, at('2017-02-08')],
  [{ $dateFromString: { dateString: '2017/2/8 12:10' } }, at('2017-02-08T12:10:00Z')],
  [{ $dateFromString: { dateString: '2017-02-08T12:10:40Z' } }, at('2017-02-08T12:10:40Z')],
  [{ $dateFromString: { dateString: '2017-02-08T12:10:40+02:00' } }, at('2017-02-08T10:10:40Z')],
  [
    { $dateFromString: { dateString: '2017-02-08 12:10:40 Europe/Berlin' } },
    at('2017-02-08T11:10:40Z')
  ],
  [
    { $dateFromString: { dateString: '2017-02-08T12:10:40', timezone: 'America/New_York' } },
    at('2017-02-08T17:10:40Z')
  ],
  [
    { $dateFromString: { dateString: '08-02-2017 3', format: '%d-%m-%Y %H' } },
    at('2017-02-08T03:00:00Z')
  ],
  [{ $dateFromString: { dateString: '2017 6 3', format: '%G %V %u' } }, at('2017-02-08')],
  [{ $dateFromString: { dateString: '2017-039', format: '%Y-%j' } }, at('2017-02-08')],
  [{ $dateFromString: { dateString: '8 feb 2017', format: '%d %b %Y' } }, at('2017-02-08')],
  [{ $dateFromString: { dateString: '8 February 2017', format: '%d %B %Y' } }, at('2017-02-08')],
  [
    { $dateFromString: { dateString: '2017-02-08 +0200', format: '%Y-%m-%d %z' } },
    at('2017-02-07T22:00:00Z')
  ],
  [
    { $dateFromString: { dateString: '2017-02-08 +120', format: '%Y-%m-%d %Z' } },
    at('2017-02-07T22:00:00Z')
  ],
  [{ $dateFromString: { dateString: '2017-02-08Z', format: '%Y-%m-%d%z' } }, at('2017-02-08')],
  [{ $dateFromString: { dateString: '(2017)%', format: '(%Y)%%' } }, at('2017-01-01')],
  [{ $dateFromString: { dateString: 'nonsense', onError: 'bad' } }, 'bad'],
  [{ $dateFromString: { dateString: null, onNull: 'none' } }, 'none'],
  [{ $dateFromString: { dateString: null } }, null]
])

test('dates: bins in UTC are those of a zone that is never ahead of it', async () => {
  const units = ['week', 'day', 'hour', 'minute', 'second', 'millisecond'] as const
  const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
  const dates = fc.date({
    min: at('-000900-01-01'),
    max: at('+012000-01-01'),
    noInvalidDate: true
  })
  fc.assert(
    fc.property(
      dates,
      fc.constantFrom(...units),
      fc.integer({ min: 1, max: 500 }),
      fc.constantFrom(...weekdays),
      (date, unit, binSize, startOfWeek) => {
        const bin = (timezone: string) =>
          evaluate({ $dateTrunc: { date, unit, binSize, startOfWeek, timezone } }, {}) as Date
        return bin('UTC').getTime() === bin('+00:00').getTime()
      }
    )
  )
})

test('dates: what is wrong is refused with its code', async (t) => {
  const date = at('2020-01-01')
  for (const [expression, code] of [
    [{ $year: 'x' }, 16006],
    [{ $year: { date, timezone: 'Nowhere/Land' } }, 40485],
    [{ $year: { date, timezone: 5 } }, 40517],
    [{ $dateToString: { date, format: '%q' } }, 18536],
    [{ $dateToString: { date, format: '%' } }, 18535],
    [{ $dateToString: { date: new Date('+010000-01-01'), format: '%Y' } }, 18537],
    [{ $dateToString: { date, format: 5 } }, 18533],
    [{ $dateToString: { nope: 1 } }, 9],
    [{ $dateFromString: { dateString: 'yesterday' } }, 241],
    [{ $dateFromString: { dateString: 5 } }, 241],
    [{ $dateFromString: { dateString: '2017-13-01' } }, 241],
    [{ $dateFromString: { dateString: '2017-02-08Z', timezone: 'Europe/Berlin' } }, 241],
    [{ $dateFromString: { dateString: '2017-02-08T10:00Z', timezone: 'Europe/Berlin' } }, 241],
    [{ $dateFromString: { dateString: '08', format: '%d' } }, 241],
    [{ $dateFromString: { dateString: '2017-99', format: '%Y-%m' } }, 241],
    [{ $dateFromString: { dateString: '2017 Foo', format: '%Y %b' } }, 241],
    [{ $dateFromString: { dateString: '2017Z', format: '%Y%z', timezone: 'Europe/Berlin' } }, 241],
    [{ $dateFromString: { dateString: '2017', format: '%q' } }, 18536],
    [{ $dateFromString: { dateString: '2017', format: 5 } }, 40684],
    [{ $dateFromString: 5 }, 9],
    [{ $dateAdd: { startDate: date, unit: 'nope', amount: 1 } }, 9],
    [{ $dateAdd: { startDate: date, unit: 5, amount: 1 } }, 5439013],
    [{ $dateAdd: { startDate: date, unit: 'day', amount: 1.5 } }, 5166405],
    [{ $dateAdd: { startDate: date, unit: 'year', amount: 1_000_000 } }, 15],
    [{ $dateDiff: { startDate: date, endDate: date, unit: 'week', startOfWeek: 'x' } }, 9],
    [{ $dateDiff: { startDate: date, endDate: date, unit: 'week', startOfWeek: 5 } }, 5439015],
    [{ $dateTrunc: { date, unit: 'day', binSize: 0 } }, 5439018],
    [{ $dateTrunc: { date, unit: 'day', binSize: 'x' } }, 5439017],
    [{ $dateFromParts: { year: 0 } }, 40523],
    [{ $dateFromParts: { year: 2000, month: 40_000 } }, 31034],
    [{ $dateFromParts: { year: 'x' } }, 40515],
    [{ $dateFromParts: { month: 1 } }, 9],
    [{ $dateToParts: { date, iso8601: 5 } }, 40521]
  ] as const) {
    t.equal(caught(() => evaluate(expression)).code, code, JSON.stringify(expression))
  }
})

test('dates: local time and back is the same moment, but for the hour that comes twice', async (t) => {
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'UTC',
    '+05:45'
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: -2_000_000_000, max: 4_000_000_000 }),
      (name, seconds) => {
        const zone = timeZone(name)
        const utc = seconds * 1000
        const back = fromLocal(toLocal(utc, zone), zone)
        return back === utc || (back < utc && toLocal(back, zone) === toLocal(utc, zone))
      }
    ),
    { numRuns: 2000 }
  )
  // A time that the clocks jump over is read with the offset from before.
  t.equal(
    fromLocal(Date.UTC(2021, 2, 28, 2, 30), timeZone('Europe/Berlin')),
    Date.UTC(2021, 2, 28, 1, 30)
  )
  for (let i = 0; i < 600; i++)
    timeZone(`+${String(i % 24).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}`)
  t.equal(timeZone('GMT').offsetAt(0), 0)
})
