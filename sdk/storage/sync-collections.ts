// syncCollections: the collections and indexes of a manifest, made on a database without the kernel.

import type { Db } from 'mongodb'
import { fitsSchema } from '../fits-schema.ts'
import type { PayloadIndex } from '../host.ts'
import { collectionSchema, queueSchema } from '../manifest/schema.ts'
import { Type, Value } from '../typebox.ts'
import {
  collectionNaming,
  declaredCollections,
  type StorageManifest,
  withCollectionNames
} from './declared-collections.ts'
import { indexErrors } from './index-errors.ts'
import { checkPayload, setPayloadIndexes } from './payload-indexes.ts'
import { applyCollections, planCollection, readCollections } from './plan-collections.ts'

/** How `syncCollections` differs from the manifest. */
export interface SyncOptions {
  /**
   * Takes the place of the manifest's `collectionPrefix` (default: its id, `-` as `_`) at the front of every
   * name: with `shop`, the collection `telemetry_keys` of the plugin `telemetry` is `shop_keys`.
   */
  readonly prefix?: string
  /** Indexes that user configuration asks for, by the declared name of their collection. */
  readonly payload?: Readonly<Record<string, readonly PayloadIndex[]>>
}

/** The part of a manifest that `syncCollections` reads; other keys are left alone. */
const storageSchema = Type.Object({
  id: Type.String({ minLength: 1 }),
  collectionPrefix: Type.Optional(Type.String()),
  collections: Type.Optional(Type.Array(collectionSchema)),
  queues: Type.Optional(Type.Array(queueSchema))
})

/**
 * Brings the collections and indexes of a database in line with a manifest, as the kernel does at its start: makes
 * what is missing, hides what is no longer declared and drops it with the next version. What Keelson did not make stays.
 * Safe to run again, after a crash, and in several processes at once.
 *
 * @param manifest the content of a `plugin.json`.
 * @throws KRN_COLLECTIONS_INVALID, KRN_PAYLOAD_BUDGET, KRN_PAYLOAD_NAME before anything is made;
 * KRN_INDEX_CONFLICT, KRN_INDEX_CAP, KRN_INDEX_NOT_UNIQUE, KRN_INDEX_FAILED.
 * @example
 * import manifest from './plugin.json' with { type: 'json' }
 * await syncCollections(client.db('shop'), manifest)
 */
export async function syncCollections(
  db: Db,
  manifest: StorageManifest | Readonly<Record<string, unknown>>,
  options: SyncOptions = {}
): Promise<void> {
  const given = checked(manifest)
  const { id } = given
  const rename = collectionNaming(given, options.prefix)
  const declared = declaredCollections(withCollectionNames(given, rename))
  const byName = new Map(declared.map(({ collection }) => [collection.name, collection]))
  const payload = Object.entries(options.payload ?? {}).map(([name, indexes]) => {
    const collection = byName.get(rename(name))
    if (collection === undefined) {
      const problem = `does not declare "${name}", for which payload indexes are given`
      throw indexErrors.KRN_COLLECTIONS_INVALID({ plugin: id, path: 'collections', problem })
    }
    checkPayload(id, collection, indexes)
    return { collection, indexes }
  })
  const state = await readCollections(db, [...byName.keys()])
  const { version } = manifest as { version?: unknown }
  const asked = { ...state, version: typeof version === 'string' ? version : undefined }
  const plans = declared.map((each) => planCollection(id, each, asked))
  await applyCollections(db, id, plans)
  for (const { collection, indexes } of payload) {
    await setPayloadIndexes(db, id, collection, indexes)
  }
}

function checked(manifest: unknown): StorageManifest {
  if (fitsSchema(storageSchema, manifest)) return manifest as StorageManifest
  const [first] = Value.Errors(storageSchema, manifest)
  const { id } = (manifest ?? {}) as { id?: unknown }
  throw indexErrors.KRN_COLLECTIONS_INVALID({
    plugin: typeof id === 'string' ? id : 'unnamed',
    path: first?.instancePath ?? '',
    problem: first?.message ?? 'is invalid'
  })
}
