// The tickers that need no database, by the shared cases, and what is theirs alone.
// Runs beside the others: it waits for much of its time.
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'tap'
import { createManualTicker } from './manual-ticker.ts'
import { createProcessTicker } from './process-ticker.ts'
import { countingTick, INTERVAL_MS, testTicker } from './testing/ticker-cases.ts'

const systemClock = { now: () => new Date() }

function movableClock() {
  let now = new Date('2026-03-01T12:00:00Z')
  return {
    now: () => now,
    move: (ms: number) => {
      now = new Date(now.getTime() + ms)
    }
  }
}

testTicker('manual ticker', async () => {
  const clock = movableClock()
  const ticker = createManualTicker(clock)
  return {
    ticker,
    async advance(ms) {
      clock.move(ms)
      await ticker.runDue(clock.now())
    }
  }
})

testTicker('process ticker', async () => ({
  ticker: createProcessTicker(systemClock),
  advance: (ms) => sleep(ms)
}))

test('a manual ticker says when the next job is due', async (t) => {
  const clock = movableClock()
  const ticker = createManualTicker(clock)
  t.equal(ticker.nextDueAt(), undefined)
  await ticker.start([countingTick('a/b').tick])
  t.same(ticker.nextDueAt(), clock.now())
  await ticker.runDue(clock.now())
  t.same(ticker.nextDueAt(), new Date(clock.now().getTime() + INTERVAL_MS))
})

test('a manual ticker makes up for missed ticks once', async (t) => {
  const clock = movableClock()
  const ticker = createManualTicker(clock)
  const { tick, runs } = countingTick('a/b')
  await ticker.start([tick])
  await ticker.runDue(clock.now())
  clock.move(10 * INTERVAL_MS)
  await ticker.runDue(clock.now())
  t.equal(runs(), 2)
})

test('a process ticker does not start a run before the last is over', async (t) => {
  const ticker = createProcessTicker(systemClock)
  t.teardown(() => ticker.stop())
  let finish = () => {}
  const slow = countingTick(
    'a/slow',
    {},
    () =>
      new Promise((resolve) => {
        finish = resolve
      })
  )
  const fast = countingTick('a/fast')
  await ticker.start([slow.tick, fast.tick])
  await fast.ran(3)
  t.equal(slow.runs(), 1)
  finish()
  await slow.ran(2)
  finish()
})

test('a process ticker goes on within an interval when the clock is set back', async (t) => {
  let offset = 0
  const ticker = createProcessTicker({ now: () => new Date(Date.now() + offset) })
  t.teardown(() => ticker.stop())
  const { tick, ran } = countingTick('a/journal')
  await ticker.start([tick])
  await ran(1)
  offset = -30 * 86_400_000
  await ran(3)
  t.pass()
})
