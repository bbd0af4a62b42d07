// How many mails each word held, by day: counted in memory, written with each tick.
import type { Collection } from 'mongodb'
import type { Day } from './schemas.ts'

/** A day as it is stored. `lastAt` lets the database remove it. */
export interface StoredDay extends Day {
  readonly lastAt: Date
}

const LISTED = 100

/**
 * A gate runs once for each mail: it must not wait for the database. Counts that are not yet written are lost
 * when the process is killed; they are statistics, and the mail itself is held by the mailer.
 */
export class HeldCounts {
  readonly #stored: Collection<StoredDay>
  #waiting = new Map<string, StoredDay>()

  constructor(stored: Collection<StoredDay>) {
    this.#stored = stored
  }

  count(word: string, at: Date): void {
    const day = at.toISOString().slice(0, 10)
    const key = `${day} ${word}`
    const held = (this.#waiting.get(key)?.held ?? 0) + 1
    this.#waiting.set(key, { day, word, held, lastAt: at })
  }

  async write(): Promise<void> {
    const counts = [...this.#waiting.values()]
    if (counts.length === 0) return
    this.#waiting = new Map()
    await this.#stored.bulkWrite(
      counts.map(({ day, word, held, lastAt }) => ({
        updateOne: {
          filter: { day, word },
          update: { $inc: { held }, $max: { lastAt } },
          upsert: true
        }
      })),
      { ordered: false }
    )
  }

  async latest(): Promise<Day[]> {
    const days = await this.#stored.find().sort({ day: -1, word: 1 }).limit(LISTED).toArray()
    return days.map(({ day, word, held }) => ({ day, word, held }))
  }
}
