// Change streams of an engine: the log is turned on by the first, documents are looked up as they are.

import { decodeDoc } from '../bson/decode.ts'
import type { ChangeStream, ChangeStreamRequest, Namespace, OperationContext } from '../engine.ts'
import { idKeyOf } from '../storage/documents.ts'
import { treeKey } from '../storage/tree-keys.ts'
import { type Lookup, openChangeStream } from './change-stream.ts'
import { singleTurn } from './collections.ts'
import type { EngineParts } from './parts.ts'

/** Opens a change stream. It sees every write that was not yet answered when it was asked for. */
export async function changeStream(
  { queue, changes, catalog, environment }: EngineParts,
  ns: Namespace,
  request: ChangeStreamRequest,
  context: OperationContext
): Promise<ChangeStream> {
  const mark = changes.mark()
  const lookup: Lookup = ({ db, collection: name }, documentKey) => {
    const collection = catalog.find(db, name)
    if (collection === undefined) return undefined
    const id = idKeyOf(collection, documentKey.get('_id'))
    const bytes = environment.live.get(treeKey(collection.tree, id))
    return bytes === undefined ? undefined : decodeDoc(bytes)
  }
  const unfollow = changes.follow()
  try {
    await queue.runFirst(singleTurn((scope) => changes.turnOn(scope, mark)))
    return openChangeStream(changes, ns, { request, lookup, after: mark.last }, context)
  } finally {
    unfollow()
  }
}
