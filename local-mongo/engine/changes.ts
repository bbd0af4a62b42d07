// Change streams of an engine: the log is turned on by the first, documents are looked up as they are.

import { decodeDoc } from '../bson/decode.ts'
import { openChangeStream } from '../change-log/change-stream.ts'
import type { ChangeStream, ChangeStreamRequest, Namespace, OperationContext } from '../engine.ts'
import { idKeyOf } from '../storage/documents.ts'
import { treeKey } from '../storage/tree-keys.ts'
import { singleTurn } from './collections.ts'
import type { EngineParts } from './parts.ts'

/** Opens a change stream. */
export async function changeStream(
  { queue, changes, catalog, environment }: EngineParts,
  ns: Namespace,
  request: ChangeStreamRequest,
  context: OperationContext
): Promise<ChangeStream> {
  await queue.run(singleTurn((scope) => changes.turnOn(scope)))
  return openChangeStream(
    changes,
    ns,
    {
      request,
      lookup({ db, collection: name }, documentKey) {
        const collection = catalog.find(db, name)
        if (collection === undefined) return undefined
        const id = idKeyOf(collection, documentKey.get('_id'))
        const bytes = environment.live.get(treeKey(collection.tree, id))
        return bytes === undefined ? undefined : decodeDoc(bytes)
      }
    },
    context
  )
}
