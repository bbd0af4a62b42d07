// The warm-up of a new sender, and the mailbox providers it counts by.
import fc from 'fast-check'
import { test } from 'tap'
import { mailboxProviderOf } from '../ledger/mailbox-provider.ts'
import { dailyVolume, warmUpAllowance } from './warm-up.ts'

const schedule = { startsOn: '2026-11-02', startPerDay: 48, growth: 1.5, capPerDay: 1000 }
const at = (text: string) => new Date(`2026-11-${text}Z`)

test('the volume grows from day to day and stays at its cap', async (t) => {
  const days = ['01', '02', '03', '04', '12', '30'].map((day) =>
    dailyVolume(schedule, at(`${day}T13:00:00`))
  )
  t.same(days, [0, 48, 72, 108, 1000, 1000])
})

test('nothing leaves before the first day', async (t) => {
  t.same(warmUpAllowance(schedule, 0, at('01T23:59:59')), { now: 0, nextAt: at('02T00:00:00') })
})

test('a day is spread over its hours, and an hour may use what earlier ones left', async (t) => {
  t.same(warmUpAllowance(schedule, 0, at('02T00:10:00')), { now: 2, nextAt: at('02T01:00:00') })
  t.same(warmUpAllowance(schedule, 2, at('02T00:10:00')), { now: 0, nextAt: at('02T01:00:00') })
  t.same(warmUpAllowance(schedule, 2, at('02T11:59:59')), { now: 22, nextAt: at('02T12:00:00') })
})

test('a day that is full goes on at midnight', async (t) => {
  t.same(warmUpAllowance(schedule, 48, at('02T09:00:00')), { now: 0, nextAt: at('03T00:00:00') })
  t.same(warmUpAllowance(schedule, 60, at('02T09:00:00')), { now: 0, nextAt: at('03T00:00:00') })
})

test('no day exceeds its volume, every hour has its share, and the last hour can use it all', async (t) => {
  const times = fc.date({
    min: at('02T00:00:00'),
    max: new Date('2029-01-01'),
    noInvalidDate: true
  })
  const schedules = fc.record({
    startsOn: fc.constant('2026-11-02'),
    startPerDay: fc.integer({ min: 1, max: 1e6 }),
    growth: fc.double({ min: 1, max: 100, noNaN: true }),
    capPerDay: fc.integer({ min: 1, max: 1e9 })
  })
  fc.assert(
    fc.property(schedules, times, fc.nat(), (plan, time, sent) => {
      const volume = dailyVolume(plan, time)
      const { now, nextAt } = warmUpAllowance(plan, sent, time)
      const isLastHour = time.getUTCHours() === 23
      return (
        Number.isInteger(now) &&
        now >= 0 &&
        (now === 0 || now + sent <= volume) &&
        (!isLastHour || now === Math.max(0, volume - sent)) &&
        nextAt > time
      )
    })
  )
  t.pass()
})

test('a domain says who runs its mailboxes', async (t) => {
  const expected = {
    'a@gmail.com': 'gmail',
    'A@GoogleMail.com': 'gmail',
    'a@yahoo.co.uk': 'yahoo',
    'a@aol.com': 'yahoo',
    'a@hotmail.fr': 'microsoft',
    'a@live.nl': 'microsoft',
    'a@outlook.com.': 'microsoft',
    'msn.com': 'microsoft',
    'a@icloud.com': 'apple',
    'a@acme.test': 'other',
    'a@gmail.com.evil.test': 'other',
    'gmail.com@evil.test': 'other',
    'a@live.io': 'other',
    'a@constructor': 'other',
    '': 'other'
  }
  for (const [address, provider] of Object.entries(expected))
    t.equal(mailboxProviderOf(address), provider, address)
})
