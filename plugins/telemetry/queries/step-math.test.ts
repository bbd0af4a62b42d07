// How far people came through steps: in order, in any order, within a time.
import fc from 'fast-check'
import { test } from 'tap'
import { type Doings, walkOf } from './step-math.ts'

/** A step without a time was never done. */
const doings = (given: Readonly<Record<string, readonly number[]>>): Doings =>
  new Map(
    Object.entries(given)
      .filter(([, times]) => times.length > 0)
      .map(([step, times]) => [step, times.map((at) => ({ times: [at], value: `v${at}` }))])
  )

const reached = (
  given: Readonly<Record<string, readonly number[]>>,
  order: 'strict' | 'any' = 'strict',
  windowMs?: number
) => {
  const walk = walkOf(doings(given), { steps: ['a', 'b', 'c'], order, windowMs })
  return walk && [...walk.reached]
}

test('in strict order a step counts after the one before it', async (t) => {
  t.same(reached({ a: [5], b: [3, 7], c: [6, 9] }), [
    ['a', 5],
    ['b', 7],
    ['c', 9]
  ])
  t.same(reached({ a: [5], b: [3] }), [['a', 5]])
  t.same(reached({ a: [5], c: [9] }), [['a', 5]], 'no step is skipped')
  t.equal(reached({ b: [1] }), undefined)
})

test('in any order a step before the first counts too', async (t) => {
  t.same(reached({ a: [5], b: [3], c: [9] }, 'any'), [
    ['a', 5],
    ['b', 3],
    ['c', 9]
  ])
})

test('within a time the try that came furthest counts, with the value of its start', async (t) => {
  const given = { a: [0, 100], b: [50, 105], c: [108] }
  t.same(reached(given, 'strict', 10), [
    ['a', 100],
    ['b', 105],
    ['c', 108]
  ])
  const walk = walkOf(doings(given), { steps: ['a', 'b'], order: 'strict', windowMs: 10 })
  t.match(walk, { anchorAt: 100, value: 'v100' })
  t.same(reached({ a: [50], b: [45] }, 'any', 10), [
    ['a', 50],
    ['b', 45]
  ])
  t.same(reached({ a: [50], b: [39] }, 'any', 10), [['a', 50]])
})

test('no other choice of times comes further than the one that is made', async (t) => {
  const times = fc.array(fc.nat(60), { maxLength: 6 })
  const window = fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(times, times, times, window, async (a, b, c, windowMs) => {
      const within = (start: number, at: number) => at - start <= (windowMs ?? Infinity)
      const best = Math.max(
        0,
        ...a.map((start) => {
          const seconds = b.filter((at) => at >= start && within(start, at))
          const isWhole = seconds.some((second) =>
            c.some((at) => at >= second && within(start, at))
          )
          return isWhole ? 3 : seconds.length > 0 ? 2 : 1
        })
      )
      t.equal(reached({ a, b, c }, 'strict', windowMs)?.length ?? 0, best)
    })
  )
})

test('the walk is the same however the times of a step are put together', async (t) => {
  const times = fc.array(fc.nat(60), { minLength: 1, maxLength: 9 })
  const window = fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined })
  const orders = fc.constantFrom('strict' as const, 'any' as const)
  await fc.assert(
    fc.asyncProperty(times, times, window, orders, fc.nat(9), async (a, b, windowMs, order, at) => {
      const rules = { steps: ['a', 'b'], order, windowMs }
      const inParts = (all: readonly number[]) =>
        [all.slice(0, at), Float64Array.from(all.slice(at))].map((some) => ({
          times: some,
          value: null
        }))
      const joined = walkOf(new Map(Object.entries({ a: inParts(a), b: inParts(b) })), rules)
      const apart = walkOf(doings({ a, b }), rules)
      t.same([joined?.anchorAt, joined?.reached], [apart?.anchorAt, apart?.reached])
      // Any start, and the first time after it: as the definition says, without an order of times.
      const walks = a.map((start) => {
        const until = start + (windowMs ?? Infinity)
        const since = order === 'strict' ? start : start - (windowMs ?? Infinity)
        const next = Math.min(...b.filter((one) => one >= since && one <= until))
        return { start, next }
      })
      const first = (some: typeof walks) => some.sort((x, y) => x.start - y.start)[0]
      const whole = first(walks.filter(({ next }) => next < Infinity))
      const best = windowMs === undefined ? first(walks) : (whole ?? first(walks))
      t.equal(joined?.anchorAt, best?.start)
      t.equal(joined?.reached.get('b') ?? Infinity, best?.next)
    })
  )
})
