// A clock that tests move, and that lets what became due happen.
import type { Clock } from '@keelson/sdk'

/** A clock that only tests move. */
export interface TestClock extends Clock {
  /**
   * Moves the time on by `ms`, stopping wherever a job or a queue item is due. Resolves when all of
   * them have run.
   */
  advance(ms: number): Promise<void>
  /**
   * Moves the time on by `ms` as if the host had been off: what became due meanwhile runs once, at the
   * end. Resolves when it has.
   */
  skip(ms: number): Promise<void>
}

/** The part of the kernel's schedule that the clock drives. */
export interface DueWork {
  nextDueAt(): Promise<Date | undefined>
  runDue(now: Date): Promise<void>
}

/** Stops on the way. After these, whatever else is due runs once, at the end. */
const MAX_STOPS = 1_000

/** The system's time plus an offset, so that time also passes by itself. */
export function createTestClock(startsAt: Date | undefined, work: () => DueWork): TestClock {
  let offset = startsAt === undefined ? 0 : startsAt.getTime() - Date.now()
  const now = () => new Date(Date.now() + offset)
  const moveTo = (time: number) => {
    offset = Math.max(offset, time - Date.now())
  }
  const skipTo = (time: number) => {
    moveTo(time)
    return work().runDue(now())
  }
  return {
    now,
    skip: (ms) => skipTo(now().getTime() + ms),
    async advance(ms) {
      const end = now().getTime() + ms
      for (let stop = 0; stop < MAX_STOPS; stop++) {
        const next = await work().nextDueAt()
        if (next === undefined || next.getTime() > end) break
        await skipTo(next.getTime())
      }
      await skipTo(end)
    }
  }
}
