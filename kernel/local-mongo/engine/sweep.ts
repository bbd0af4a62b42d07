// The sweep: expired documents, and records of sessions that are long over.
import { pruneRetries } from '../storage/retry-log.ts'
import { singleTurn } from './collections.ts'
import { expireJob } from './expire.ts'
import type { EngineParts } from './parts.ts'

const RETRIES_PER_TURN = 500

/** Deletes what is over; answers the number of documents. */
export async function sweepExpired(
  { catalog, queue, changes }: EngineParts,
  now: Date
): Promise<number> {
  let deleted = 0
  for (const collection of catalog.state.values()) {
    for (const { id, expireAfterSeconds } of collection.indexes) {
      if (expireAfterSeconds !== undefined)
        deleted += await queue.run(expireJob(collection, id, now))
    }
  }
  let pruned = RETRIES_PER_TURN
  while (pruned === RETRIES_PER_TURN) {
    pruned = await queue.run(singleTurn(({ view }) => pruneRetries(view, now, RETRIES_PER_TURN)))
  }
  while (await queue.run(singleTurn(({ view }) => changes.prune(view, now)))) {
    // One turn after the other, so that others have theirs.
  }
  return deleted
}
