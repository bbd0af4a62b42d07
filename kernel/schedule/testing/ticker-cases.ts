// What every ticker must do, whatever tells it the time.

import { parseCron } from '@keelson/sdk/schedule'
import { type Test, test } from 'tap'
import type { Tick, Ticker, TickTimes } from '../ticker.ts'

export interface TickerBench {
  readonly ticker: Ticker
  /** Lets this much time go by: at once for a ticker moved by hand, really for the others. */
  advance(ms: number): Promise<void>
}

/** The interval that the cases use: long enough for the slowest poll, a quarter of a second. */
export const INTERVAL_MS = 500

const every: TickTimes = { kind: 'every', intervalMs: INTERVAL_MS }

/** A tick that counts, and resolves `ran(n)` when its nth run has started. */
export function countingTick(name: string, more: Partial<Tick> = {}, act = async () => {}) {
  let runs = 0
  const waiting: { readonly at: number; readonly resolve: () => void }[] = []
  const tick: Tick = {
    name,
    times: every,
    scope: 'platform',
    ...more,
    async run() {
      runs++
      for (const each of waiting) if (runs >= each.at) each.resolve()
      await act()
    }
  }
  const ran = (at: number) =>
    runs >= at
      ? Promise.resolve()
      : new Promise<void>((resolve) => void waiting.push({ at, resolve }))
  return { tick, ran, runs: () => runs }
}

/** Runs the cases against a ticker; `open` makes a fresh one, stopped by the cases themselves. */
export function testTicker(name: string, open: (t: Test) => Promise<TickerBench>): void {
  const start = async (t: Test, ...ticks: readonly Tick[]) => {
    const bench = await open(t)
    t.teardown(() => bench.ticker.stop())
    await bench.ticker.start(ticks)
    return bench
  }

  test(`${name}: a job that never ran is due at once`, async (t) => {
    const { tick, ran } = countingTick('alpha/sweep')
    const { advance } = await start(t, tick)
    await advance(0)
    await ran(1)
    t.pass()
  })

  test(`${name}: a job is due again after its interval`, async (t) => {
    const { tick, ran } = countingTick('alpha/sweep')
    const { advance } = await start(t, tick)
    await advance(0)
    await ran(1)
    await advance(INTERVAL_MS)
    await ran(2)
    await advance(INTERVAL_MS)
    await ran(3)
    t.pass()
  })

  test(`${name}: jobs of every name run, side by side`, async (t) => {
    const first = countingTick('alpha/one')
    const second = countingTick('beta/one')
    const { advance } = await start(t, first.tick, second.tick)
    await advance(0)
    await Promise.all([first.ran(1), second.ran(1)])
    t.pass()
  })

  test(`${name}: a job with a cron expression waits for its instant`, async (t) => {
    const parsed = parseCron('0 0 1 1 *')
    if (!parsed.ok) throw new Error(parsed.reason)
    const times: TickTimes = { kind: 'cron', expression: '0 0 1 1 *', cron: parsed.cron }
    const yearly = countingTick('alpha/yearly', { times })
    const { tick, ran } = countingTick('alpha/sweep')
    const { advance } = await start(t, yearly.tick, tick)
    await advance(0)
    await ran(1)
    await advance(INTERVAL_MS)
    await ran(2)
    t.equal(yearly.runs(), 0)
  })

  test(`${name}: after the stop nothing runs`, async (t) => {
    const { tick, ran, runs } = countingTick('alpha/sweep')
    const { ticker, advance } = await start(t, tick)
    await advance(0)
    await ran(1)
    await ticker.stop()
    await advance(2 * INTERVAL_MS)
    t.equal(runs(), 1)
  })

  test(`${name}: without jobs it starts and stops`, async (t) => {
    const { ticker } = await start(t)
    await ticker.stop()
    t.pass()
  })
}
