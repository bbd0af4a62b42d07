// What a manifest declares about storage, with the index that queues need.
import type { Manifest, ManifestCollection } from '../manifest/schema.ts'
import type { WantedIndex } from './plan-indexes.ts'

/**
 * The index that claiming reads. Sparse, because only items that wait or are leased have a `dueAt`:
 * it stays as small as the work in hand, however many items are done.
 */
export const QUEUE_INDEX = { name: 'keelson_due', keys: { dueAt: 1 }, sparse: true } as const

/** The part of a manifest that says what is stored. */
export type StorageManifest = Pick<Manifest, 'id' | 'collectionPrefix' | 'collections' | 'queues'>

/** A declared collection, and every index it should have. */
export interface DeclaredCollection {
  readonly collection: ManifestCollection
  readonly indexes: readonly WantedIndex[]
}

/** Every collection with every index it should have. Queue indexes are outside the plugin's budget. */
export function declaredCollections(manifest: StorageManifest): DeclaredCollection[] {
  const queued = new Set((manifest.queues ?? []).map((queue) => queue.collection))
  return (manifest.collections ?? []).map((collection) => ({
    collection,
    indexes: queued.has(collection.name) ? [...collection.indexes, QUEUE_INDEX] : collection.indexes
  }))
}

/** What the names of a plugin's collections begin with. A collection may also be named exactly so. */
export function collectionPrefix(manifest: StorageManifest): string {
  return manifest.collectionPrefix ?? manifest.id.replaceAll('-', '_')
}
