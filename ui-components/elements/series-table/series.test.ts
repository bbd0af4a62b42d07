// Series as they are drawn and told.
import fc from 'fast-check'
import { test } from 'tap'
import { createFormat } from '../../format.ts'
import {
  brushedBuckets,
  drawnSeries,
  isBlank,
  timeBounds,
  timeLabels,
  timeText,
  toneOf
} from './series.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 10, 21)
const series = (id: string, values: (number | null)[], more = {}) => ({
  id,
  label: id,
  values,
  ...more
})

test('tones are given out in order; ghosts and those with their own tone do not count', async (t) => {
  const all = [
    series('g', [], { ghost: true }),
    series('a', []),
    series('b', [], { tone: 'bad' as const })
  ]
  t.same(
    all.map((one) => toneOf(all, one)),
    ['ghost', 1, 'bad']
  )
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => series(id, []))
  t.equal(toneOf(many, many[5] as (typeof many)[0]), 1)
})

test('stacked series are sums, drawn from the highest down, below the ghosts', async (t) => {
  const all = [series('a', [1, null]), series('b', [2, 3]), series('g', [9, 9], { ghost: true })]
  t.same(
    drawnSeries(all, true).map(({ series: { id }, values }) => [id, values]),
    [
      ['b', [3, 3]],
      ['a', [1, 0]],
      ['g', [9, 9]]
    ]
  )
  t.same(
    drawnSeries(all, false).map(({ series: { id } }) => id),
    ['a', 'b', 'g']
  )
})

test('lines that run alike take turns, so that none hides another', async (t) => {
  const alike = ['a', 'b', 'c'].map((id) => series(id, [1, 2]))
  const all = [...alike, series('d', [1, 3]), series('g', [1, 2], { ghost: true })]
  t.same(
    drawnSeries(all, false).map(({ series: { id }, dash }) => [id, dash]),
    [
      ['a', [24, 0]],
      ['b', [16, 8]],
      ['c', [8, 16]],
      ['d', [8, 0]],
      ['g', [4, 4]]
    ]
  )
})

test('the top of a stack is the sum of all, whatever the values', async (t) => {
  const values = fc.array(fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 }), {
    minLength: 1,
    maxLength: 5
  })
  const sums = fc.check(
    fc.property(values, (rows) => {
      const [top] = drawnSeries(
        rows.map((row, at) => series(String(at), row)),
        true
      )
      return [0, 1, 2].every(
        (at) => top?.values[at] === rows.reduce((sum, row) => sum + (row[at] ?? 0), 0)
      )
    })
  )
  t.equal(sums.failed, false)
})

test('a chart reaches to the end of its last bucket', async (t) => {
  t.same(timeBounds([START, START + HOUR], HOUR), { from: START, to: START + 2 * HOUR })
  t.same(timeBounds([START], null), { from: START, to: START })
  t.same(timeBounds([], HOUR), { from: 0, to: HOUR })
})

test('a dragged stretch is widened to whole buckets', async (t) => {
  const times = [0, 1, 2, 3].map((at) => START + at * HOUR)
  t.same(brushedBuckets(times, HOUR, START + 1.5 * HOUR, START + 2.5 * HOUR), {
    from: START + HOUR,
    to: START + 3 * HOUR
  })
  t.equal(brushedBuckets(times, HOUR, START + 9 * HOUR, START + 10 * HOUR), undefined)
  t.equal(brushedBuckets(times, null, START, START), undefined)
})

test('nothing but zeros and gaps is blank', async (t) => {
  t.equal(isBlank([series('a', [0, null])]), true)
  t.equal(isBlank([series('a', [0, 1])]), false)
  t.equal(isBlank([]), true)
})

test('ticks say as much as their distance makes sense of', async (t) => {
  const midnight = Date.UTC(2026, 10, 21)
  const format = createFormat('en-GB')
  t.same(timeLabels([midnight, midnight + 6 * HOUR], 6 * HOUR, format), ['Sat 21', '06:00'])
  t.same(timeLabels([midnight], DAY, format), ['Sat 21'])
  t.same(timeLabels([midnight], 7 * DAY, format), ['21 Nov'])
  t.same(timeLabels([midnight], 30 * DAY, format), ['Nov 2026'])
  t.same(timeLabels([midnight + HOUR + 5000], 5000, format), ['01:00:05'])
})

test('ticks are those of the time zone', async (t) => {
  const start = Date.parse('2026-11-21T18:30:00Z')
  const format = createFormat('en-GB', 'Asia/Kolkata')
  t.same(timeLabels([start, start + 6 * HOUR], 6 * HOUR, format), ['Sun 22', '06:00'])
  t.equal(
    timeText(Date.parse('2026-11-16T08:00:00Z'), DAY, createFormat('en-GB', 'America/Los_Angeles')),
    '16 Nov 2026'
  )
})

test('buckets of a day and more show only the date', async (t) => {
  const format = createFormat('en-GB', 'UTC')
  t.equal(timeText(START, DAY, format), '21 Nov 2026')
  t.equal(timeText(START, HOUR, format), '21 Nov 2026, 00:00:00')
  t.equal(timeText(START, null, format), '21 Nov 2026, 00:00:00')
})
