// The path of a sparkline.
import fc from 'fast-check'
import { test } from 'tap'
import { sparkline } from './sparkline.ts'

test('the lowest point is at the bottom and the highest at the top', async (t) => {
  t.equal(sparkline([0, 10, 5], 80, 20), 'M0 20L40 0L80 10')
})

test('a flat line is in the middle; one point draws nothing', async (t) => {
  t.equal(sparkline([3, 3], 80, 20), 'M0 10L80 10')
  t.equal(sparkline([3], 80, 20), '')
})

test('no point leaves the box', async (t) => {
  const points = fc.array(fc.integer(), { minLength: 2, maxLength: 50 })
  const isInside = fc.check(
    fc.property(points, (values) =>
      [...sparkline(values, 80, 20).matchAll(/[ML]([\d.]+) ([\d.]+)/g)].every(
        ([, x, y]) => Number(x) <= 80 && Number(y) <= 20
      )
    )
  )
  t.equal(isInside.failed, false)
})
