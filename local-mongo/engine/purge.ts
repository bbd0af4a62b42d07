// Removes the entries of dropped collections and indexes, a few at a time.

import { openTree } from '../storage/index-entries.ts'
import type { QueueScope } from '../storage/scope.ts'
import { numberKey, numberOfKey, TREE, treeStart } from '../storage/tree-keys.ts'
import type { View, WriteView } from '../storage/view.ts'
import type { Job } from '../storage/write-queue.ts'

const ENTRIES_PER_TURN = 1_000
/** Most trees of a dropped database are small or empty. */
const TREES_PER_TURN = 100

/** The first trees that were discarded, by number. */
export function garbage(view: View, most: number): number[] {
  const trees: number[] = []
  const walk = view.range(treeStart(TREE.garbage), treeStart(TREE.garbage + 1), false)
  while (trees.length < most) {
    const entry = walk.next()
    if (entry === undefined) break
    trees.push(numberOfKey(entry.key))
  }
  walk.close()
  return trees
}

/** Removes at most so many entries of a tree, and says how many. */
function removeSome(view: WriteView, tree: number, most: number): number {
  const keys: Uint8Array[] = []
  const walk = openTree(view, tree)
  while (keys.length < most) {
    const entry = walk.next()
    if (entry === undefined) break
    keys.push(entry.key)
  }
  walk.close()
  for (const key of keys) view.remove(key)
  return keys.length
}

/** The job that removes all that was discarded; what `signal` leaves of it is for the next start. */
export function purgeJob(signal: AbortSignal): Job<QueueScope, undefined, undefined> {
  return {
    start: undefined,
    turn({ view }) {
      if (signal.aborted) return { done: undefined }
      const trees = garbage(view, TREES_PER_TURN)
      if (trees.length === 0) return { done: undefined }
      let room = ENTRIES_PER_TURN
      for (const tree of trees) {
        room -= removeSome(view, tree, room)
        if (room === 0) break
        view.remove(numberKey(TREE.garbage, tree))
      }
      return { progress: undefined }
    }
  }
}

/** Whether something was discarded and not yet removed. */
export function hasGarbage(view: View): boolean {
  return garbage(view, 1).length > 0
}
