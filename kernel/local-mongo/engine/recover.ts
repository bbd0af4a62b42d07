// What the last process left half-done: unfinished index builds are taken back.
import { singleTurn } from './collections.ts'
import type { EngineParts } from './parts.ts'

/** Runs once, before the first operation. */
export async function recover({ catalog, queue }: EngineParts): Promise<void> {
  const unfinished = [...catalog.state.values()].filter(({ isBuilding }) => isBuilding)
  if (unfinished.length === 0) return
  await queue.run(
    singleTurn((scope) => {
      for (const collection of unfinished) {
        for (const { tree, isReady } of collection.indexes) {
          if (!isReady) scope.catalog.discardTree(tree)
        }
        const indexes = collection.indexes.filter(({ isReady }) => isReady)
        scope.catalog.put({ ...collection, indexes, isBuilding: false })
      }
    })
  )
}
