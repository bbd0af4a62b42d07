// The sweep: expired documents, records of sessions that are long over, and what the change log has too much.
import type { SweepOptions } from '../engine.ts'
import { hasOldRetries, pruneRetries } from '../storage/retry-log.ts'
import { singleTurn } from './collections.ts'
import { expireJob, hasExpired } from './expire.ts'
import type { EngineParts } from './parts.ts'

const RETRIES_PER_TURN = 500
/** All records are read to find the old ones: seldom enough. */
const RETRIES_EVERY_MS = 60_000

/** Sweeps one at a time. Nothing is written when there is nothing to sweep. */
export class Sweeper {
  readonly #parts: EngineParts
  #running: Promise<number> | undefined
  #lastRetries = 0

  constructor(parts: EngineParts) {
    this.#parts = parts
  }

  /** Deletes what is over; answers the number of documents. Joins a sweep that is at work. */
  sweep(now: Date, options: SweepOptions): Promise<number> {
    this.#running ??= this.#run(now, options).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #run(now: Date, { signal, ttl = true }: SweepOptions): Promise<number> {
    const { queue, changes, environment, builds } = this.#parts
    await builds.takeBackLeft()
    const deleted = ttl ? await this.#expire(now, signal) : 0
    if (Math.abs(now.getTime() - this.#lastRetries) >= RETRIES_EVERY_MS) {
      this.#lastRetries = now.getTime()
      while (signal?.aborted !== true && hasOldRetries(environment.live, now)) {
        await queue.run(singleTurn(({ view }) => pruneRetries(view, now, RETRIES_PER_TURN)))
      }
    }
    while (signal?.aborted !== true && changes.hasTooMuch(now)) {
      await queue.run(singleTurn((scope) => changes.prune(scope, now)))
    }
    return deleted
  }

  async #expire(now: Date, signal: AbortSignal | undefined): Promise<number> {
    const { catalog, queue, environment } = this.#parts
    let deleted = 0
    for (const collection of catalog.state.values()) {
      for (const index of collection.indexes) {
        if (signal?.aborted === true) return deleted
        if (!hasExpired(environment.live, index, now)) continue
        deleted += await queue.run(expireJob(collection, index.id, { now, signal }))
      }
    }
    return deleted
  }
}
