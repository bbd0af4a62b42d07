// Writes of a flush that are made ready while the database answers the one before: making one takes this process
// about as long as the database needs for it.
import { setImmediate } from 'node:timers/promises'
import type {
  AnyBulkWriteOperation,
  BulkWriteResult,
  ClientSession,
  Collection,
  Document
} from 'mongodb'

/** A write whose commands are there already; it is sent once. */
export interface ReadyWrite {
  send(session: ClientSession): Promise<BulkWriteResult>
}

/** Makes the commands of a write, one operation after the other; undefined when there is none. */
export function readyWrite<T extends Document>(
  collection: Collection<T>,
  operations: readonly AnyBulkWriteOperation<T>[]
): ReadyWrite | undefined {
  if (operations.length === 0) return undefined
  const bulk = collection.initializeOrderedBulkOp({ ignoreUndefined: true })
  for (const operation of operations) bulk.raw(operation as AnyBulkWriteOperation)
  return { send: (session) => bulk.execute({ session }) }
}

/** As `readyWrite`, of documents to insert. */
export const readyInsert = <T extends Document>(
  collection: Collection<T>,
  documents: readonly T[]
): ReadyWrite | undefined =>
  readyWrite(
    collection,
    documents.map(
      (document) => ({ insertOne: { document } }) as unknown as AnyBulkWriteOperation<T>
    )
  )

/** Does work of this process once a request has left, and answers both. It ends after both, also when one fails. */
export async function meanwhile<A, B>(
  request: Promise<A>,
  work: () => B
): Promise<readonly [A, B]> {
  const settled = request.catch(() => undefined)
  await setImmediate()
  try {
    const done = work()
    return [await request, done]
  } finally {
    // A session takes one command at a time, and the failure of the work is followed by another.
    await settled
  }
}
