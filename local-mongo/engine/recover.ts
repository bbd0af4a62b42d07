// What the last process left half-done: unfinished index builds and results of `$out` are taken back.
import { dropCollection, singleTurn } from './collections.ts'
import type { EngineParts } from './parts.ts'
import { isTemporary } from './sinks.ts'

/** Nothing is at work yet. */
const NO_WAITS = { writers: () => undefined }

/** Runs once, before the first operation. */
export async function recover({ catalog, queue }: EngineParts): Promise<void> {
  const all = [...catalog.state.values()]
  const temporary = all.filter(isTemporary)
  const unfinished = all.filter((collection) => collection.isBuilding && !isTemporary(collection))
  if (unfinished.length === 0 && temporary.length === 0) return
  await queue.run(
    singleTurn((scope) => {
      for (const collection of unfinished) {
        for (const { tree, isReady } of collection.indexes) {
          if (!isReady) scope.catalog.discardTree(tree)
        }
        const indexes = collection.indexes.filter(({ isReady }) => isReady)
        scope.catalog.put({ ...collection, indexes, isBuilding: false })
      }
      for (const { db, name } of temporary) {
        dropCollection(scope, { db, collection: name }, NO_WAITS)
      }
    })
  )
}
