// What is wrong with the collections that a manifest declares.
import type { KeelsonError, Manifest, ManifestQueue } from '@keelson/sdk'
import {
  checkIndexBudget,
  declaredCollections,
  KERNEL_PREFIX,
  QUEUE_INDEX
} from '@keelson/sdk/storage'
import { errors } from '../errors/errors.ts'

/** What is wrong with the declared storage of a plugin, as errors; empty when all is well. */
export function storageProblems(manifest: Manifest): KeelsonError[] {
  const plugin = manifest.id
  const indexes = declaredCollections(manifest).flatMap((declared, at) => {
    const { collection } = declared
    const path = `collections[${at}].indexes`
    const added = declared.indexes.filter(({ name }) => name.startsWith(QUEUE_INDEX.name)).length
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
    const other = queues.slice(0, at).find((before) => overlap(before, queue))
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

/** Queues of one collection are apart when a field that both name has different values. */
function overlap(one: ManifestQueue, other: ManifestQueue): boolean {
  if (one.collection !== other.collection) return false
  const { where: mine = {} } = one
  const { where: theirs = {} } = other
  return !Object.keys(mine).some((field) => field in theirs && mine[field] !== theirs[field])
}
