// Pauses after failures.
import { test } from 'tap'
import { pauseAfter } from './pause-after.ts'

const MINUTE_MS = 60_000

test('a read that went well comes again after the interval', async (t) => {
  t.equal(pauseAfter(0, 24 * 60 * MINUTE_MS), 24 * 60 * MINUTE_MS)
})

test('the pause doubles with each failure, up to the interval', async (t) => {
  const pauses = [1, 2, 3, 9].map((failures) => pauseAfter(failures, 60 * MINUTE_MS) / MINUTE_MS)
  t.same(pauses, [9.5, 19, 38, 60])
})
