// Trends in words: no percentage of a few.
import fc from 'fast-check'
import { test } from 'tap'
import { createFormat } from './format.ts'
import { LEAST_BASE, trendText } from './trend.ts'

const format = createFormat('en')
const trend = (before: number, now: number) => trendText((now - before) / before, before, format)

test('a change is a percentage, and of fewer than 20 both figures', async (t) => {
  for (const [before, now, text] of [
    [7, 122, '7 → 122'],
    [19, 20, '19 → 20'],
    [20, 21, '5%'],
    [1000, 1124, '12.4%'],
    [1000, 5200, '420%'],
    [50, 0, '100%']
  ] as const)
    t.equal(trend(before, now), text)
  t.equal(trendText(0.124, null, format), '12.4%', 'a figure that is no count')
  t.equal(
    trendText(5, 0.5, format, (value) => `$${value}`),
    '$0.5 → $3'
  )
})

test('a percentage is never of fewer than 20', async () => {
  const count = fc.integer({ min: 1, max: 100_000 })
  fc.assert(
    fc.property(
      count,
      count,
      (now, before) => trend(before, now).endsWith('%') === before >= LEAST_BASE
    )
  )
})
