// A ticker on timers, for jobs that every process runs for itself.
import type { Clock } from '@keelson/sdk'
import { dueAt, type Tick, type Ticker } from './ticker.ts'

/** Longest delay of a timer in Node. */
const MAX_DELAY_MS = 2 ** 31 - 1

const earlier = (one: Date, other: Date): Date => (other < one ? other : one)

/** Makes a ticker that forgets everything when the process ends. */
export function createProcessTicker(clock: Clock): Ticker {
  const timers = new Map<Tick, NodeJS.Timeout>()
  let isStopped = false

  const arm = (tick: Tick, planned: Date) => {
    const now = clock.now()
    // A clock that was set back must not keep the tick waiting for longer than its interval.
    const due = earlier(planned, dueAt(tick.times, now, now))
    const delay = Math.min(Math.max(due.getTime() - now.getTime(), 0), MAX_DELAY_MS)
    timers.set(
      tick,
      setTimeout(() => void fire(tick, due), delay)
    )
  }
  const fire = async (tick: Tick, due: Date) => {
    const now = clock.now()
    // A timer may be cut short by its limit or come early by a rounding.
    if (now < due) return arm(tick, due)
    await tick.run()
    if (!isStopped) arm(tick, dueAt(tick.times, now, now))
  }

  return {
    async start(ticks) {
      const now = clock.now()
      for (const tick of ticks) arm(tick, dueAt(tick.times, undefined, now))
    },
    async stop() {
      isStopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    }
  }
}
