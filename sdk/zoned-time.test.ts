// Days, weeks and months in time zones, on the days that clocks change and in zones of half hours.
import fc from 'fast-check'
import { test } from 'tap'
import { isTimeZone, momentAt, nextStart, startOf, type TimeUnit, wallTime } from './zoned-time.ts'

const LA = 'America/Los_Angeles'
const KOLKATA = 'Asia/Kolkata'
const iso = (at: number) => new Date(at).toISOString()
const start = (at: string, unit: TimeUnit, zone: string) => iso(startOf(Date.parse(at), unit, zone))
const next = (at: string, unit: TimeUnit, zone: string) =>
  iso(nextStart(Date.parse(at), unit, zone))

test('a day of Los Angeles starts at its midnight, also when clocks change', async (t) => {
  t.equal(start('2026-11-22T05:00:00Z', 'day', LA), '2026-11-21T08:00:00.000Z')
  t.equal(start('2026-03-08T20:00:00Z', 'day', LA), '2026-03-08T08:00:00.000Z')
  t.equal(next('2026-03-08T08:00:00Z', 'day', LA), '2026-03-09T07:00:00.000Z', '23 hours')
  t.equal(next('2026-11-01T07:00:00Z', 'day', LA), '2026-11-02T08:00:00.000Z', '25 hours')
})

test('a day of Kolkata starts at half past six of UTC', async (t) => {
  t.equal(start('2026-11-22T18:29:59Z', 'day', KOLKATA), '2026-11-21T18:30:00.000Z')
  t.equal(start('2026-11-22T18:30:00Z', 'day', KOLKATA), '2026-11-22T18:30:00.000Z')
})

test('weeks start on Monday and months on the first, in their zone', async (t) => {
  t.equal(start('2026-11-02T07:00:00Z', 'week', LA), '2026-10-26T07:00:00.000Z')
  t.equal(next('2026-10-26T07:00:00Z', 'week', LA), '2026-11-02T08:00:00.000Z')
  t.equal(start('2026-11-30T18:45:00Z', 'month', KOLKATA), '2026-11-30T18:30:00.000Z')
  t.equal(next('2026-02-28T18:30:00Z', 'month', KOLKATA), '2026-03-31T18:30:00.000Z')
})

test('minutes and hours are those of UTC in every zone', async (t) => {
  t.equal(start('2026-11-22T05:10:20Z', 'hour', KOLKATA), '2026-11-22T05:00:00.000Z')
  t.equal(next('2026-11-22T05:10:00Z', 'minute', LA), '2026-11-22T05:11:00.000Z')
})

test('a wall time in a gap is the moment after it; one that comes twice is the first', async (t) => {
  // Clocks of Santiago go from 24:00 to 01:00: that day has no midnight.
  t.equal(iso(momentAt(Date.UTC(2026, 8, 6), 'America/Santiago')), '2026-09-06T04:00:00.000Z')
  // Clocks of Havana go from 01:00 back to 00:00: that day has two midnights.
  t.equal(iso(momentAt(Date.UTC(2026, 10, 1), 'America/Havana')), '2026-11-01T04:00:00.000Z')
})

test('units follow each other without a gap, and each holds its moments', async (t) => {
  const zones = ['UTC', LA, KOLKATA, 'Australia/Lord_Howe', 'America/Santiago', 'Africa/Cairo']
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2035, 0) }),
      fc.constantFrom<TimeUnit>('minute', 'hour', 'day', 'week', 'month'),
      fc.constantFrom(...zones),
      (at, unit, zone) => {
        const from = startOf(at, unit, zone)
        const to = nextStart(from, unit, zone)
        return (
          from <= at &&
          at < to &&
          startOf(from, unit, zone) === from &&
          startOf(to, unit, zone) === to &&
          startOf(to - 1, unit, zone) === from
        )
      }
    )
  )
  t.pass()
})

/** Told by `Intl` alone. */
function shownAt(at: number, timeZone: string): string {
  const text = new Date(at).toLocaleString('sv-SE', { timeZone })
  return `${text.replace(' ', 'T')}.${String(((at % 1000) + 1000) % 1000).padStart(3, '0')}Z`
}

test('a wall time is what Intl shows at every moment of every zone, also when clocks change', async (t) => {
  const zones = Intl.supportedValuesOf('timeZone')
  const turns = [...zones.entries()].flatMap(([at, zone]) => {
    const year = Date.UTC(1975 + (at % 60), 0, 1)
    const days = Array.from({ length: 366 }, (_, day) => year + day * 86_400_000)
    const offset = (moment: number) => wallTime(moment, zone) - moment
    return days.filter((day) => offset(day) !== offset(day + 86_400_000)).map((day) => [zone, day])
  }) as [string, number][]
  t.ok(turns.length > 100, `${turns.length} days on which clocks change`)
  fc.assert(
    fc.property(
      fc.oneof(
        fc.constantFrom(...turns),
        fc.tuple(
          fc.constantFrom(...zones),
          fc.integer({ min: Date.UTC(1970, 0, 2), max: Date.UTC(2040, 0, 1) })
        )
      ),
      fc.nat(86_400_000),
      ([zone, day], later) => iso(wallTime(day + later, zone)) === shownAt(day + later, zone)
    ),
    { numRuns: 2_000 }
  )
})

test('a wall time is what Intl shows', async (t) => {
  t.equal(iso(wallTime(Date.parse('2026-11-22T05:00:00.250Z'), LA)), '2026-11-21T21:00:00.250Z')
  t.same([isTimeZone('Asia/Kolkata'), isTimeZone('Mars/Olympus')], [true, false])
})
