// What a manifest declares about storage, with what the kernel adds for its queues.
import type { KeelsonError, Manifest, ManifestCollection } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'
import { checkIndexBudget, type WantedIndex } from './plan-indexes.ts'
import { KERNEL_PREFIX } from './registry.ts'

/**
 * The index that claiming reads. Sparse, because only items that wait or are leased have a `dueAt`:
 * it stays as small as the work in hand, however many items are done.
 */
export const QUEUE_INDEX = { name: 'keelson_due', keys: { dueAt: 1 }, sparse: true } as const

export interface DeclaredCollection {
  readonly collection: ManifestCollection
  readonly indexes: readonly WantedIndex[]
}

/** Every collection with every index it should have. Queue indexes are outside the plugin's budget. */
export function declaredCollections(manifest: Manifest): DeclaredCollection[] {
  const queued = new Set((manifest.queues ?? []).map((queue) => queue.collection))
  return (manifest.collections ?? []).map((collection) => ({
    collection,
    indexes: queued.has(collection.name) ? [...collection.indexes, QUEUE_INDEX] : collection.indexes
  }))
}

/** What is wrong with the declared storage of a plugin, as errors; empty when all is well. */
export function storageProblems(manifest: Manifest): KeelsonError[] {
  const plugin = manifest.id
  const indexes = declaredCollections(manifest).flatMap((declared, at) => {
    const { collection } = declared
    const path = `collections[${at}].indexes`
    const added = declared.indexes.length - collection.indexes.length
    return checkIndexBudget(collection, added).map((problem) => {
      if (problem.kind === 'budget') {
        return errors.KRN_INDEX_COUNT({ plugin, path, collection: collection.name, ...problem })
      }
      if (problem.kind === 'cap') {
        return errors.KRN_INDEX_CAP({ plugin, path, collection: collection.name, ...problem })
      }
      return errors.KRN_DUPLICATE({ plugin, path, what: `the index "${problem.index}"` })
    })
  })
  return [...reservedNames(manifest), ...indexes, ...sharedQueues(manifest)]
}

function reservedNames({ id, collections = [] }: Manifest): KeelsonError[] {
  return collections.flatMap(({ name }, at) =>
    name.startsWith(KERNEL_PREFIX)
      ? [
          errors.KRN_COLLECTION_RESERVED({
            plugin: id,
            path: `collections[${at}].name`,
            collection: name
          })
        ]
      : []
  )
}

function sharedQueues(manifest: Manifest): KeelsonError[] {
  const queues = manifest.queues ?? []
  return queues.flatMap((queue, at) => {
    const other = queues.slice(0, at).find((before) => before.collection === queue.collection)
    if (other === undefined) return []
    return [
      errors.KRN_QUEUE_SHARED({
        plugin: manifest.id,
        path: `queues[${at}].collection`,
        queue: queue.name,
        other: other.name,
        collection: queue.collection
      })
    ]
  })
}
