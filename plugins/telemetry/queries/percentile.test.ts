// Percentiles: by selection as by order.
import fc from 'fast-check'
import { test } from 'tap'
import { finiteNumbers, percentileIn, percentileOf, sortedNumbers } from './percentile.ts'

const RANKS = [0, 0.5, 0.9, 0.95, 0.99, 1]

test('a percentile of values in any order is the one of the values in order', (t) => {
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
    fc.integer({ min: 0, max: 3 })
  )
  const lists = fc.array(fc.array(value, { maxLength: 120 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(lists, fc.constantFrom(0, 1, 3, 99), (some, turns) => {
      const sorted = sortedNumbers(some)
      const values = finiteNumbers(some)
      return (
        sorted.length === 0 ||
        RANKS.every((rank) => percentileIn(values, rank, turns) === percentileOf(sorted, rank))
      )
    })
  )
  t.end()
})

test('values are divided as often as may be, and then sorted', (t) => {
  const given = Array.from({ length: 1000 }, (_, at) => (at * 7919) % 1009)
  const expected = percentileOf(sortedNumbers([given]), 0.95)
  const isSorted = (values: Float64Array) =>
    values.every((value, at) => value === values.slice().sort()[at])
  for (const turns of [0, 1, 2, 3, 20]) {
    const values = finiteNumbers([given])
    t.equal(percentileIn(values, 0.95, turns), expected, `${turns} turns`)
    t.equal(isSorted(values), turns === 0)
  }
  t.end()
})

test('what is not a finite number has no percentile', (t) => {
  const lists = [
    [1, Number.NaN, Infinity, 'x'],
    [-Infinity, null, 3]
  ]
  t.same([...finiteNumbers(lists)], [1, 0, 3], 'null is zero, as a number')
  t.end()
})
