// Delivery windows: slots, weekends, time zones, changes of clocks.

import fc from 'fast-check'
import { test } from 'tap'
import { wallTime } from '../zoned-time.ts'
import { nextInWindow, timeOf } from './delivery-window.ts'

const at = (iso: string) => new Date(iso)
const nine = { timeOfDay: '09:00' }

test('a slot that is still to come is waited for, in UTC without a zone', async (t) => {
  t.same(nextInWindow(nine, at('2026-03-04T07:00:00Z'), 'Asia/Tokyo'), at('2026-03-04T09:00:00Z'))
})

test('a slot missed by up to an hour is used at once, then the next day is', async (t) => {
  const late = at('2026-03-04T10:00:00Z')
  t.same(nextInWindow(nine, late, undefined), late)
  const tooLate = at('2026-03-04T10:00:01Z')
  t.same(nextInWindow(nine, tooLate, undefined), at('2026-03-05T09:00:00Z'))
})

test('a slot before midnight is still used after midnight', async (t) => {
  const now = at('2026-03-04T00:10:00Z')
  t.same(nextInWindow({ timeOfDay: '23:30' }, now, undefined), now)
})

test('a slot within 30 seconds is not waited for', async (t) => {
  const now = at('2026-03-04T08:59:35Z')
  t.same(nextInWindow(nine, now, undefined), now)
})

test('the zone of the contact is used where it is wanted and known', async (t) => {
  const window = { ...nine, useContactTimezone: true, timezone: 'Europe/Berlin' }
  const now = at('2026-01-14T20:00:00Z')
  t.same(nextInWindow(window, now, 'America/New_York'), at('2026-01-15T14:00:00Z'))
  t.same(nextInWindow(window, now, 'Mars/Base'), at('2026-01-15T08:00:00Z'))
  t.same(nextInWindow(window, now, undefined), at('2026-01-15T08:00:00Z'))
})

test('a weekend leads to Monday: at the slot, or at the same clock time', async (t) => {
  const saturday = at('2026-03-07T11:00:00Z')
  const weekdaysOnly = true
  t.same(nextInWindow({ weekdaysOnly }, saturday, undefined), at('2026-03-09T11:00:00Z'))
  t.same(nextInWindow({ weekdaysOnly, ...nine }, saturday, undefined), at('2026-03-09T09:00:00Z'))
  const friday = at('2026-03-06T12:00:00Z')
  t.same(nextInWindow({ weekdaysOnly }, friday, undefined), friday)
  t.same(nextInWindow({ weekdaysOnly, ...nine }, friday, undefined), at('2026-03-09T09:00:00Z'))
})

test('a slot that clocks leave out is the moment after the gap', async (t) => {
  const window = { timeOfDay: '02:30', timezone: 'Europe/Berlin' }
  const slot = nextInWindow(window, at('2026-03-28T12:00:00Z'), undefined)
  t.same(slot, at('2026-03-29T01:30:00Z'))
  t.same(nextInWindow(window, slot, undefined), slot)
})

test('a slot that clocks show twice is the first of the two', async (t) => {
  const window = { timeOfDay: '02:30', timezone: 'Europe/Berlin' }
  const slot = nextInWindow(window, at('2026-10-24T12:00:00Z'), undefined)
  t.same(slot, at('2026-10-25T00:30:00Z'))
})

test('Monday keeps its clock time across a change of clocks', async (t) => {
  const window = { weekdaysOnly: true, timezone: 'Europe/Berlin' }
  const saturday = at('2026-03-28T11:00:00Z')
  t.same(nextInWindow(window, saturday, undefined), at('2026-03-30T10:00:00Z'))
})

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata']
const windows = fc.record(
  {
    weekdaysOnly: fc.boolean(),
    timeOfDay: fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map((pair) => pair.map((part) => String(part).padStart(2, '0')).join(':')),
    timezone: fc.constantFrom(...zones)
  },
  { requiredKeys: [] }
)
const moments = fc.date({
  min: at('2020-01-01T00:00:00Z'),
  max: at('2035-01-01T00:00:00Z'),
  noInvalidDate: true
})

test('a slot is within four days, never before now, on a weekday, and is taken once it comes', async (t) => {
  fc.assert(
    fc.property(windows, moments, (window, now) => {
      const slot = nextInWindow(window, now, undefined)
      const wait = slot.getTime() - now.getTime()
      const day = new Date(wallTime(slot.getTime(), window.timezone ?? 'UTC')).getUTCDay()
      const isWorkday = day !== 0 && day !== 6
      const again = nextInWindow(window, slot, undefined)
      const isOnWeekday = window.weekdaysOnly !== true || isWorkday || wait === 0
      return (
        wait >= 0 && wait < 4.2 * 86_400_000 && isOnWeekday && again.getTime() === slot.getTime()
      )
    }),
    { numRuns: 2000 }
  )
  t.pass()
})

test('times without an offset are clock times of the zone; nonsense is not a time', async (t) => {
  t.same(timeOf('2026-07-01T09:00', 'Europe/Berlin'), at('2026-07-01T07:00:00Z'))
  t.same(timeOf('2026-07-01', 'Europe/Berlin'), at('2026-06-30T22:00:00Z'))
  t.same(timeOf('2026-07-01T09:00:00+05:00', 'Europe/Berlin'), at('2026-07-01T04:00:00Z'))
  for (const value of ['soon', 7, null, new Date('x')]) t.equal(timeOf(value, 'UTC'), undefined)
})
