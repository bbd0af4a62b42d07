// Time ranges as text: zones, and dates that read as themselves.
import fc from 'fast-check'
import { test } from 'tap'
import { parseIsoDate, readTimeRange } from './read-range.ts'

const now = new Date('2025-06-15T12:00:00.000Z')

test('a range ends now and starts seven days before its end by default', async (t) => {
  const from = new Date('2025-06-08T12:00:00.000Z')
  t.same(readTimeRange({}, now), { from, to: now })
  t.same(readTimeRange({ to: '2025-06-08T12:00' }, now), {
    from: new Date('2025-06-01T12:00:00.000Z'),
    to: from
  })
})

test('an invalid date, or a start that is not before the end, is not a range', async (t) => {
  for (const ends of [{ from: 'Jan 1 2025' }, { to: '2025-02-30' }, { from: '2025-07-01' }]) {
    t.equal(readTimeRange(ends, now), undefined)
  }
  t.equal(readTimeRange({ from: '2025-01-01', to: '2025-01-01' }, now), undefined)
})

test('a zone is honoured, and a time without one is UTC', async (t) => {
  t.same(parseIsoDate('2025-01-01T10:00'), new Date('2025-01-01T10:00:00Z'))
  t.same(parseIsoDate('2025-01-01T10:00:00+02:00'), new Date('2025-01-01T08:00:00Z'))
  t.same(parseIsoDate('2025-01-01T10:00:00-0230'), new Date('2025-01-01T12:30:00Z'))
})

test('every instant that is written as ISO reads as itself', async (t) => {
  const years = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z') }
  fc.assert(
    fc.property(fc.date({ ...years, noInvalidDate: true }), (date) => {
      return parseIsoDate(date.toISOString())?.getTime() === date.getTime()
    })
  )
  t.pass('for a hundred dates')
})
