// The clock that tests move.
import { test } from 'tap'
import { createTestClock, type DueWork } from './test-clock.ts'

/** Work that is due every so often, and what it saw. */
function every(ms: number, from: () => Date) {
  let next = from().getTime() + ms
  const runs: number[] = []
  const work: DueWork = {
    nextDueAt: async () => new Date(next),
    async runDue(now) {
      if (now.getTime() < next) return
      runs.push(now.getTime())
      next += ms
    }
  }
  return { work, runs }
}

test('time starts where it was set, and goes on', async (t) => {
  const start = new Date('2030-01-01T00:00:00Z')
  const clock = createTestClock(start, () => every(1e9, () => start).work)
  const gap = clock.now().getTime() - start.getTime()
  t.ok(gap >= 0 && gap < 1_000)
  await clock.advance(60_000)
  t.ok(clock.now().getTime() >= start.getTime() + 60_000)
})

test('without a start it tells the time of the system', async (t) => {
  const clock = createTestClock(undefined, () => every(1e9, () => new Date()).work)
  t.ok(Math.abs(clock.now().getTime() - Date.now()) < 1_000)
})

test('on its way it stops wherever something is due', async (t) => {
  const clock = createTestClock(undefined, () => work)
  const { work, runs } = every(3_600_000, () => clock.now())
  await clock.advance(3 * 3_600_000 + 60_000)
  t.equal(runs.length, 3)
})

test('what became due in skipped time runs once, at its end', async (t) => {
  const clock = createTestClock(undefined, () => work)
  const { work, runs } = every(3_600_000, () => clock.now())
  const end = clock.now().getTime() + 20 * 86_400_000
  await clock.skip(20 * 86_400_000)
  t.equal(runs.length, 1)
  t.ok(runs[0] !== undefined && runs[0] >= end)
})

test('a long way has an end', async (t) => {
  const clock = createTestClock(undefined, () => work)
  const { work, runs } = every(1_000, () => clock.now())
  await clock.advance(365 * 86_400_000)
  t.equal(runs.length, 1_001)
})

test('time advances when no timer is due', async (t) => {
  const work = { nextDueAt: async () => undefined, async runDue() {} }
  const clock = createTestClock(undefined, () => work)
  await clock.advance(1_000)
  t.ok(clock.now().getTime() >= Date.now() + 900)
})
