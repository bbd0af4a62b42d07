// Redefines methods on a Collection of the MongoDB driver: those that would go round the manifest.
import type { Collection, Document } from 'mongodb'

/** Methods that change what plugin.json declares. The contract test knows every other one. */
export const REFUSED_METHODS = {
  createIndex: 'index',
  createIndexes: 'index',
  dropIndex: 'index',
  dropIndexes: 'index',
  createSearchIndex: 'index',
  createSearchIndexes: 'index',
  updateSearchIndex: 'index',
  dropSearchIndex: 'index',
  drop: 'collection',
  rename: 'collection'
} as const

type RefusedMethod = keyof typeof REFUSED_METHODS

export interface CollectionGuard {
  /** Must throw: the error of a method that is refused; `first` is its first argument. */
  refuse(method: RefusedMethod, kind: 'index' | 'collection', first?: unknown): never
  /** Throws for a pipeline that is refused. */
  checkPipeline(pipeline: readonly Document[]): void
}

/**
 * Guards this one collection object. The driver makes an object for each `db.collection(name)`; of
 * its other methods only countDocuments calls one of these, aggregate.
 */
export function guardCollection<T extends Document>(
  collection: Collection<T>,
  guard: CollectionGuard
): Collection<T> {
  for (const [method, kind] of Object.entries(REFUSED_METHODS)) {
    const value = async (first?: unknown) => guard.refuse(method as RefusedMethod, kind, first)
    Object.defineProperty(collection, method, { value })
  }
  const aggregate = collection.aggregate.bind(collection)
  const guarded: typeof aggregate = (pipeline, options) => {
    guard.checkPipeline(pipeline ?? [])
    return aggregate(pipeline, options)
  }
  Object.defineProperty(collection, 'aggregate', { value: guarded })
  return collection
}
