// The statement about the arms of a split test, against values from tables and by other programs.
import fc from 'fast-check'
import { test } from 'tap'
import { type ArmResult, significanceOf } from './significance.ts'

const arms = (...given: readonly (readonly [handed: number, reactions: number])[]): ArmResult[] =>
  given.map(([handed, reactions], at) => ({ name: 'abcd'[at] ?? '', handed, reactions }))

const isNear = (value: number | undefined, expected: number) =>
  value !== undefined && Math.abs(value - expected) < 1e-5

/** Two-sided p of a test of two proportions with a pooled variance. */
const known: readonly (readonly [string, ArmResult[], number, string])[] = [
  ['50 and 70 of 500', arms([500, 50], [500, 70]), 0.051625, 'open'],
  ['120 and 90 of 1000', arms([1000, 120], [1000, 90]), 0.02865, 'better'],
  ['200 of 1000 and 150 of 900', arms([1000, 200], [900, 150]), 0.061284, 'open'],
  ['equal rates', arms([200, 20], [400, 40]), 1, 'open'],
  ['13 and 27 mails', arms([13, 3], [27, 9]), 0.507335, 'too_few']
]
for (const [name, given, pValue, verdict] of known) {
  test(`${name} have the p that tables give`, async (t) => {
    const found = significanceOf(given)
    t.equal(found?.verdict, verdict)
    t.ok(isNear(found?.pValue, pValue), `${found?.pValue}`)
  })
}

test('the best arm is compared with the next one, more strictly the more arms there are', async (t) => {
  const two = significanceOf(arms([1000, 120], [1000, 90]))
  const three = significanceOf(arms([1000, 90], [1000, 120], [1000, 40]))
  t.match(two, { best: 'a', next: 'b', verdict: 'better' })
  t.match(three, { best: 'b', next: 'a', verdict: 'open' })
  t.ok(isNear(three?.pValue, 2 * (two?.pValue ?? 0)))
})

test('arms without mails say nothing, and one arm is not compared', async (t) => {
  t.match(significanceOf(arms([0, 0], [0, 0])), { verdict: 'too_few', pValue: 1 })
  t.match(significanceOf(arms([100, 0], [100, 0])), { verdict: 'too_few', pValue: 1 })
  t.match(significanceOf(arms([100, 100], [0, 0])), { verdict: 'too_few' })
  t.equal(significanceOf(arms([10, 1])), undefined)
})

test('p is a share whatever the numbers, and does not depend on the order of arms', async (t) => {
  const arm = fc
    .tuple(fc.nat(10_000), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([handed, rate]) => [handed, Math.floor(handed * rate)] as const)
  fc.assert(
    fc.property(arm, arm, (one, other) => {
      const p = significanceOf(arms(one, other))?.pValue ?? -1
      const swapped = significanceOf(arms(other, one))?.pValue ?? -1
      return p >= 0 && p <= 1 && Math.abs(p - swapped) < 1e-12
    })
  )
  t.pass()
})

test('the difference has its interval, and the mails that would tell it apart', async (t) => {
  const found = significanceOf(arms([56, 9], [57, 6]))
  t.ok(Math.abs((found?.difference ?? 0) - 0.0554) < 1e-3)
  t.ok((found?.low ?? 0) < -0.06 && (found?.high ?? 0) > 0.17, `${found?.low} ${found?.high}`)
  t.equal(found?.needed, 585)
  t.equal(significanceOf(arms([200, 20], [400, 40]))?.needed, null)
})
