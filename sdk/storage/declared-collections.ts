// What a manifest declares about storage, with the index that queues need.
import type { Manifest, ManifestCollection, ManifestIndex } from '../manifest/schema.ts'
import type { WantedIndex } from './plan-indexes.ts'

/**
 * The index that claiming reads. Sparse, because only items that wait or are leased have a `dueAt`:
 * it stays as small as the work in hand, however many items are done.
 */
export const QUEUE_INDEX = { name: 'keelson_due', keys: { dueAt: 1 }, sparse: true } as const

/** Whether an index has a name that is kept for queues. */
export const isQueueIndex = (name: string): boolean => name.startsWith(QUEUE_INDEX.name)

/** The part of a manifest that says what is stored. */
export type StorageManifest = Pick<Manifest, 'id' | 'collectionPrefix' | 'collections' | 'queues'>

/** A declared collection, and every index it should have. */
export interface DeclaredCollection {
  readonly collection: ManifestCollection
  readonly indexes: readonly WantedIndex[]
}

/**
 * Every collection with every index it should have at any time. Queue indexes are outside the plugin's budget; those
 * on demand are the business of `setPayloadIndexes`.
 */
export function declaredCollections(manifest: StorageManifest): DeclaredCollection[] {
  return (manifest.collections ?? []).map((collection) => ({
    collection,
    indexes: [
      ...collection.indexes.filter(({ onDemand }) => onDemand !== true),
      ...queueIndexes(manifest, collection.name)
    ]
  }))
}

/** The indexes that the plugin asks for while it needs them, by name. */
export const onDemandIndexes = ({
  indexes
}: Pick<ManifestCollection, 'indexes'>): ReadonlyMap<string, ManifestIndex> =>
  new Map(
    indexes.filter(({ onDemand }) => onDemand === true).map((index) => [index.name, index] as const)
  )

/** One index for each set of fields that queues of the collection select by. */
function queueIndexes({ queues = [] }: StorageManifest, collection: string): WantedIndex[] {
  const indexes = queues
    .filter((queue) => queue.collection === collection)
    .map(({ where = {} }) => queueIndex(Object.keys(where).sort()))
  return [...new Map(indexes.map((index) => [index.name, index])).values()]
}

function queueIndex(fields: readonly string[]): WantedIndex {
  if (fields.length === 0) return QUEUE_INDEX
  const keys = Object.fromEntries([...fields, 'dueAt'].map((field) => [field, 1 as const]))
  const name = `${QUEUE_INDEX.name}_${fields.join('_')}`
  return { name, keys, partial: { dueAt: { $exists: true } } }
}

/** What the names of a plugin's collections begin with. A collection may also be named exactly so. */
export function collectionPrefix(manifest: StorageManifest): string {
  return manifest.collectionPrefix ?? manifest.id.replaceAll('-', '_')
}

/** The name of a collection in the database, by its declared name. */
export type NameCollection = (declared: string) => string

/** Puts `prefix` in the place of the manifest's own at the front of every name. Without it names stay. */
export function collectionNaming(
  manifest: StorageManifest,
  prefix: string | undefined
): NameCollection {
  const declared = collectionPrefix(manifest)
  if (prefix === undefined || prefix === declared) return (name) => name
  return (name) => (name.startsWith(declared) ? prefix + name.slice(declared.length) : name)
}

/** A manifest with the names that its collections have in the database. */
export function withCollectionNames<T extends StorageManifest>(
  manifest: T,
  nameOf: NameCollection
): T {
  return {
    ...manifest,
    collections: (manifest.collections ?? []).map((collection) => ({
      ...collection,
      name: nameOf(collection.name)
    })),
    queues: (manifest.queues ?? []).map((queue) => ({
      ...queue,
      collection: nameOf(queue.collection)
    }))
  }
}
