// A ticker that is moved by hand: for the test kit, where time is an argument.
import type { Clock } from '@keelson/sdk'
import { dueAt, type ManualTicker, type Tick } from './ticker.ts'

/** Makes the ticker of the test kit. Jobs of every scope run in it. */
export function createManualTicker(clock: Clock): ManualTicker {
  const lastRuns = new Map<Tick, Date>()
  let ticks: readonly Tick[] = []
  let startedAt = clock.now()
  const dueAtOf = (tick: Tick) => dueAt(tick.times, lastRuns.get(tick), startedAt)
  return {
    async start(all) {
      ticks = all
      startedAt = clock.now()
    },
    async stop() {
      ticks = []
    },
    async runDue(now) {
      const due = ticks.filter((tick) => dueAtOf(tick) <= now)
      for (const tick of due) lastRuns.set(tick, now)
      await Promise.all(due.map((tick) => tick.run()))
    },
    nextDueAt() {
      const times = ticks.map((tick) => dueAtOf(tick).getTime())
      return times.length === 0 ? undefined : new Date(Math.min(...times))
    }
  }
}
