// The clock of the demo: the time of the machine, until the traffic takes it back to an earlier day.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '@keelson/sdk'

/** A clock that comes back by itself. */
export interface MovableClock extends Clock {
  /** Takes the time to `at`, from where it goes on. It comes back when nothing moves it for a minute. */
  moveTo(at: Date): void
  /** Another minute, while work is done. */
  stay(): void
  /** Back to the time of the machine. */
  comeBack(): void
  /** For all that `work` calls it is `at`; for the others it is not. */
  during<T>(at: Date, work: () => Promise<T>): Promise<T>
}

/** Traffic that was stopped must not leave the demo in another month; on a busy machine it may pause for long. */
const COMES_BACK_AFTER_MS = 60_000

/** Makes it. `machine` is the time of the machine in milliseconds. */
export function createMovableClock(machine: () => number = Date.now): MovableClock {
  const past = new AsyncLocalStorage<number>()
  let offset = 0
  let movedAt = 0
  const read = () => {
    const now = machine()
    if (now - movedAt >= COMES_BACK_AFTER_MS) offset = 0
    return now
  }
  return {
    now() {
      const now = read()
      return new Date(past.getStore() ?? now + offset)
    },
    moveTo(at) {
      movedAt = machine()
      offset = at.getTime() - movedAt
    },
    stay() {
      read()
      movedAt = machine()
    },
    comeBack() {
      offset = 0
    },
    during: (at, work) => past.run(at.getTime(), work)
  }
}
