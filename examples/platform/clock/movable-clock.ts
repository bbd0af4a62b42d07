// The clock of the demo: the time of the machine, until the traffic takes it back to an earlier day.
import type { Clock } from '@keelson/sdk'

/** A clock that comes back by itself. */
export interface MovableClock extends Clock {
  /** Takes the time to `at`, from where it goes on. It comes back when nothing moves it for 20 s. */
  moveTo(at: Date): void
  /** Another 20 s, while work is done. */
  stay(): void
  /** Back to the time of the machine. */
  comeBack(): void
}

/** Traffic that was stopped must not leave the demo in another month. */
const COMES_BACK_AFTER_MS = 20_000

/** Makes it. `machine` is the time of the machine in milliseconds. */
export function createMovableClock(machine: () => number = Date.now): MovableClock {
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
      return new Date(now + offset)
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
    }
  }
}
