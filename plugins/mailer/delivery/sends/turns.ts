// Turns at work that only so many may do at a time: urgent mail goes before bulk mail.
import type { Lane } from '../../ledger/send-row.ts'

/** Each `take` is followed by one `give`. */
export interface Turns {
  take(lane: Lane): Promise<void>
  give(): void
}

/** Makes turns for `most` at a time. */
export function createTurns(most: number): Turns {
  let free = most
  const waiting: Readonly<Record<Lane, (() => void)[]>> = { urgent: [], bulk: [] }
  return {
    async take(lane) {
      if (free === 0) return new Promise((resolve) => void waiting[lane].push(resolve))
      free -= 1
    },
    give() {
      const next = waiting.urgent.shift() ?? waiting.bulk.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}

/** Work that has begun. */
export interface WorkInHand {
  begin(work: Promise<void>): void
  /** Resolves when no more than `count` are left. Ask once at a time. */
  untilAtMost(count: number): Promise<void>
}

/** Counts work until it ends. */
export function createWorkInHand(): WorkInHand {
  let count = 0
  let reached = () => {}
  return {
    begin(work) {
      count += 1
      const end = () => {
        count -= 1
        reached()
      }
      work.then(end, end)
    },
    untilAtMost: (most) =>
      new Promise((resolve) => {
        reached = () => {
          if (count <= most) resolve()
        }
        reached()
      })
  }
}
