// The clock of the demo.
import { test } from 'tap'
import { createMovableClock } from './movable-clock.ts'

const YEAR = Date.parse('2026-01-01T00:00:00Z')
const EARLIER = new Date('2025-12-01T09:00:00Z')

test('time goes on from where it was taken to', async (t) => {
  let machine = YEAR
  const clock = createMovableClock(() => machine)
  t.same(clock.now(), new Date(YEAR))
  clock.moveTo(EARLIER)
  machine += 5_000
  t.same(clock.now(), new Date(EARLIER.getTime() + 5_000))
  clock.comeBack()
  t.same(clock.now(), new Date(machine))
})

test('it comes back by itself when nothing moves it for a minute', async (t) => {
  let machine = YEAR
  const clock = createMovableClock(() => machine)
  clock.moveTo(EARLIER)
  machine += 55_000
  clock.moveTo(EARLIER)
  machine += 59_000
  t.same(clock.now(), new Date(EARLIER.getTime() + 59_000))
  machine += 1_000
  t.same(clock.now(), new Date(machine))
})

test('work in the past has its own time, and others have theirs', async (t) => {
  const clock = createMovableClock(() => YEAR)
  const inPast = clock.during(EARLIER, async () => {
    await Promise.resolve()
    return clock.now()
  })
  t.same(clock.now(), new Date(YEAR))
  t.same(await inPast, EARLIER)
})
