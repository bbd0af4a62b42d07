// Deletes documents whose TTL index says that they are over.
import { equalRange, typeBounds } from '../bson/key-string.ts'
import type { Collection } from '../storage/catalog.ts'
import { removeDocument } from '../storage/documents.ts'
import type { KeyRange } from '../storage/entry-range.ts'
import type { Index } from '../storage/index-definition.ts'
import { openEntries } from '../storage/index-entries.ts'
import { Held, type QueueScope } from '../storage/scope.ts'
import { idOfSharedKey, textOfKey, treeKey } from '../storage/tree-keys.ts'
import type { View } from '../storage/view.ts'
import type { Job } from '../storage/write-queue.ts'

const DOCUMENTS_PER_TURN = 200

/** The keys of dates that are over. */
function expiredRange(index: Index, cutoff: Date): KeyRange {
  const direction = index.parts[0]?.direction ?? 1
  const at = equalRange(cutoff, direction, index)
  const dates = typeBounds(cutoff, direction)
  // A TTL index has one field, of which entries share nothing.
  const shared = { lowShared: 0, highShared: 0 }
  return direction === 1
    ? { low: dates.low, high: at.high, ...shared }
    : { low: at.low, high: dates.high, ...shared }
}

/** Whether the index has an entry that is over. */
export function hasExpired(view: View, index: Index, now: Date): boolean {
  const cutoff = cutoffOf(index, now)
  if (cutoff === undefined || !index.isReady) return false
  const walk = openEntries(view, index, expiredRange(index, cutoff))
  const first = walk.next()
  walk.close()
  return first !== undefined
}

function cutoffOf({ expireAfterSeconds }: Index, now: Date): Date | undefined {
  return expireAfterSeconds === undefined
    ? undefined
    : new Date(now.getTime() - expireAfterSeconds * 1_000)
}

/** Documents with an expired key; those that a transaction holds are left for the next sweep. */
function expiredIds(
  { view }: QueueScope,
  index: Index,
  { cutoff, skipped }: { readonly cutoff: Date; readonly skipped: ReadonlySet<string> }
): Uint8Array[] {
  const ids = new Map<string, Uint8Array>()
  const walk = openEntries(view, index, expiredRange(index, cutoff))
  while (ids.size < DOCUMENTS_PER_TURN) {
    const entry = walk.next()
    if (entry === undefined) break
    const id = index.isUnique ? entry.value : idOfSharedKey(entry.key)
    const text = textOfKey(id)
    if (!skipped.has(text)) ids.set(text, id)
  }
  walk.close()
  return [...ids.values()]
}

/** The job that sweeps one index; its result is the number of deleted documents. */
export function expireJob(
  { db, name }: Collection,
  indexId: number,
  { now, signal }: { readonly now: Date; readonly signal: AbortSignal | undefined }
): Job<QueueScope, number, number> {
  const skipped = new Set<string>()
  return {
    start: 0,
    turn(scope, before) {
      if (signal?.aborted === true) return { done: before }
      const collection = scope.catalog.find(db, name)
      const index = collection?.indexes.find(({ id }) => id === indexId)
      const cutoff = index && cutoffOf(index, now)
      if (collection === undefined || index === undefined || cutoff === undefined) {
        return { done: before }
      }
      const ids = expiredIds(scope, index, { cutoff, skipped })
      let deleted = 0
      for (const id of ids) {
        const bytes = scope.view.get(treeKey(collection.tree, id))
        if (bytes === undefined) continue
        try {
          removeDocument(scope, collection, id, bytes)
          deleted++
        } catch (error) {
          if (!(error instanceof Held)) throw error
          skipped.add(textOfKey(id))
        }
      }
      return ids.length === 0 ? { done: before } : { progress: before + deleted }
    }
  }
}
