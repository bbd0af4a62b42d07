// Buckets of a chart: intervals, starts, the previous period.
import { test } from 'tap'
import {
  bucketStarts,
  change,
  chooseInterval,
  fillBuckets,
  fits,
  ghostValues,
  INTERVALS,
  partialBuckets,
  previousSpan,
  total
} from './buckets.ts'

const at = (text: string) => Date.parse(text)
const DAY = 86_400_000
const span = (from: string, to: string) => ({ from: at(from), to: at(to) })

test('the interval suits the length of the range', async (t) => {
  const interval = (days: number) => chooseInterval({ from: 0, to: days * DAY }, null)
  t.same([1 / 24, 1, 3, 7, 90, 365, 1000].map(interval), [
    'minute',
    'hour',
    'hour',
    'day',
    'day',
    'week',
    'month'
  ])
})

test('an asked interval is taken when an answer can hold it', async (t) => {
  t.equal(chooseInterval({ from: 0, to: 7 * DAY }, 'hour'), 'hour')
  t.equal(chooseInterval({ from: 0, to: 90 * DAY }, 'hour'), 'day')
  t.equal(chooseInterval({ from: 0, to: 7 * DAY }, 'minute'), 'day')
  t.equal(chooseInterval({ from: 0, to: DAY }, 'minute'), 'minute')
})

test('every bucket that a range touches has a start, the end being outside', async (t) => {
  const days = bucketStarts(span('2025-06-01T12:00:00Z', '2025-06-03T00:00:00Z'), 'day')
  t.same(days, [at('2025-06-01T00:00:00Z'), at('2025-06-02T00:00:00Z')])
  const months = bucketStarts(span('2024-12-31T23:00:00Z', '2025-03-01T00:00:00Z'), 'month')
  t.equal(months.length, 3)
})

test('a fitting interval never makes more buckets than one answer holds', async (t) => {
  for (const interval of INTERVALS) {
    const wide = {
      from: at('2025-06-15T13:45:00Z') - 743 * 3_600_000,
      to: at('2025-06-15T13:45:00Z')
    }
    if (fits(interval, wide)) t.ok(bucketStarts(wide, interval).length <= 744, interval)
  }
  t.notOk(fits('hour', { from: 0, to: 743 * 3_600_000 }))
  t.equal(bucketStarts({ from: 0, to: 10_000 * DAY }, 'hour').length, 744)
  t.equal(bucketStarts({ from: 30_000, to: DAY + 30_000 }, 'minute').length, 1441)
})

test('buckets that were left out are filled', async (t) => {
  const starts = [at('2025-06-01'), at('2025-06-02'), at('2025-06-03')]
  const buckets = [{ at: '2025-06-02T00:00:00.000Z', value: 5 }]
  t.same(fillBuckets(buckets, starts, 0), [0, 5, 0])
  t.same(fillBuckets(buckets, starts, null), [null, 5, null])
})

test('the previous period lies bucket by bucket under this one', async (t) => {
  const june = span('2025-06-01T00:00:00Z', '2025-06-04T00:00:00Z')
  t.same(previousSpan(june), span('2025-05-29T00:00:00Z', '2025-06-01T00:00:00Z'))
  const buckets = [
    { at: '2025-05-29T00:00:00.000Z', value: 1 },
    { at: '2025-05-31T00:00:00.000Z', value: 3 }
  ]
  const earlier = bucketStarts(previousSpan(june), 'day')
  t.same(ghostValues(buckets, earlier, 3, 0), [1, 0, 3])
  t.same(ghostValues(buckets, earlier, 4, 0), [1, 0, 3, 0])
  t.same(ghostValues(buckets, earlier, 4, null), [1, null, 3, null])
})

test('a first bucket that the range cuts off is a part', async (t) => {
  const cut = span('2025-06-01T12:00:00Z', '2025-06-05T00:00:00Z')
  const starts = bucketStarts(cut, 'day')
  t.equal(partialBuckets(starts, cut), 1)
  t.equal(partialBuckets(starts, { ...cut, from: starts[0] ?? 0 }), 0)
  t.equal(partialBuckets([], cut), 0)
})

test('days of a zone have 23 and 25 hours when its clocks change', async (t) => {
  const zone = 'America/Los_Angeles'
  const november = span('2026-10-31T07:00:00Z', '2026-11-03T08:00:00Z')
  t.same(
    bucketStarts(november, 'day', zone).map((start) => new Date(start).toISOString()),
    ['2026-10-31T07:00:00.000Z', '2026-11-01T07:00:00.000Z', '2026-11-02T08:00:00.000Z']
  )
})

test('totals add what is there, and a change needs something before', async (t) => {
  t.equal(total([1, null, 2]), 3)
  t.equal(change(15, 10), 0.5)
  t.equal(change(15, 0), null)
})
