// Removes the entries of dropped collections and indexes, a few at a time.

import { openTree } from '../storage/index-entries.ts'
import type { QueueScope } from '../storage/scope.ts'
import { numberKey, numberOfKey, TREE, treeStart } from '../storage/tree-keys.ts'
import type { View } from '../storage/view.ts'
import type { Job } from '../storage/write-queue.ts'

const ENTRIES_PER_TURN = 1_000

function firstGarbage(view: View): number | undefined {
  const walk = view.range(treeStart(TREE.garbage), treeStart(TREE.garbage + 1), false)
  const entry = walk.next()
  walk.close()
  return entry === undefined ? undefined : numberOfKey(entry.key)
}

/** Removes some entries of a tree; false when there was none. */
function removeSome({ view }: QueueScope, tree: number): boolean {
  const keys: Uint8Array[] = []
  const walk = openTree(view, tree)
  while (keys.length < ENTRIES_PER_TURN) {
    const entry = walk.next()
    if (entry === undefined) break
    keys.push(entry.key)
  }
  walk.close()
  for (const key of keys) view.remove(key)
  return keys.length > 0
}

/** The job that removes all that was discarded; what `signal` leaves of it is for the next start. */
export function purgeJob(signal: AbortSignal): Job<QueueScope, undefined, undefined> {
  return {
    start: undefined,
    turn(scope) {
      if (signal.aborted) return { done: undefined }
      const tree = firstGarbage(scope.view)
      if (tree === undefined) return { done: undefined }
      if (!removeSome(scope, tree)) scope.view.remove(numberKey(TREE.garbage, tree))
      return { progress: undefined }
    }
  }
}

/** Whether something was discarded and not yet removed. */
export function hasGarbage(view: View): boolean {
  return firstGarbage(view) !== undefined
}
