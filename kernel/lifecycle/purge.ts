// Removing what a plugin has in the database: what is its own, and dropping that.
import type { Manifest } from '@keelson/sdk'
import { forgetCollection, KERNEL_PREFIX, readRecordsOf } from '@keelson/sdk/storage'
import type { Db } from 'mongodb'
import { forgetFailures } from '../schedule/failures.ts'
import { readCollectionSize } from '../storage/index-sizes.ts'
import { withLease } from '../storage/lease.ts'
import { forgetMigrations } from '../storage/migrate.ts'

/** A collection that goes. */
export interface PurgedCollection {
  readonly collection: string
  readonly documents: number
  /** Of documents and indexes. */
  readonly bytes: number
}

export interface PurgeQuestion {
  readonly plugin: string
  /** Of the plugin, when its package is still there. */
  readonly manifest?: Manifest | undefined
  /** Of all other plugins that the config names: what they declare stays. */
  readonly others: readonly Manifest[]
}

/** The collections of a plugin: those its manifest declares and those the kernel's registry says it made for it. */
export async function planPurge(db: Db, question: PurgeQuestion): Promise<PurgedCollection[]> {
  const { plugin, manifest, others } = question
  const [listed, records] = await Promise.all([
    db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray(),
    readRecordsOf(db, plugin)
  ])
  const declared = (manifest?.collections ?? []).map(({ name }) => name)
  const own = new Set([...declared, ...records.map(({ _id }) => _id)])
  const foreign = new Set(others.flatMap(({ collections = [] }) => collections.map((c) => c.name)))
  const names = listed
    .map(({ name }) => name)
    .filter((name) => own.has(name) && !foreign.has(name) && !name.startsWith(KERNEL_PREFIX))
    .sort()
  const sizes = names.map(async (collection) => {
    const { documents, bytes, indexBytes } = await readCollectionSize(db, collection)
    const all = Object.values(indexBytes).reduce((sum, size) => sum + size, bytes)
    return { collection, documents, bytes: all }
  })
  return Promise.all(sizes)
}

/** Drops the collections, then forgets them and the plugin's migrations. Run again after a crash, it goes on. */
export async function applyPurge(
  db: Db,
  plugin: string,
  collections: readonly PurgedCollection[],
  signal: AbortSignal
): Promise<void> {
  await withLease(db, `storage/${plugin}`, { signal }, async () => {
    for (const { collection } of collections) {
      signal.throwIfAborted()
      await db.dropCollection(collection)
      await forgetCollection(db, collection)
    }
    await forgetMigrations(db, plugin)
    await forgetFailures(db, plugin)
  })
}
