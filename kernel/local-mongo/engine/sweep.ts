// The sweep: expired documents, records of sessions that are long over, and what the change log has too much.
import { hasOldRetries, pruneRetries } from '../storage/retry-log.ts'
import { singleTurn } from './collections.ts'
import { expireJob, hasExpired } from './expire.ts'
import type { EngineParts } from './parts.ts'

const RETRIES_PER_TURN = 500

/** Deletes what is over; answers the number of documents. Nothing is written when nothing is. */
export async function sweepExpired(parts: EngineParts, now: Date): Promise<number> {
  const { catalog, queue, changes, environment } = parts
  let deleted = 0
  for (const collection of catalog.state.values()) {
    for (const index of collection.indexes) {
      if (!hasExpired(environment.live, index, now)) continue
      deleted += await queue.run(expireJob(collection, index.id, now))
    }
  }
  while (hasOldRetries(environment.live, now)) {
    await queue.run(singleTurn(({ view }) => pruneRetries(view, now, RETRIES_PER_TURN)))
  }
  while (changes.hasTooMuch(now))
    await queue.run(singleTurn(({ view }) => changes.prune(view, now)))
  return deleted
}
