// Brings a plain host's database in line with the declarations of this version. Under the kernel the plan does it.
import type { Clock } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import type { Registry } from '../registry/types.ts'
import {
  ALERT_INDEXES,
  ALIAS_INDEXES,
  CHANGE_INDEXES,
  type IndexDeclaration,
  KEY_INDEXES,
  RATE_INDEXES,
  REJECT_INDEXES,
  ROLLUP_INDEXES,
  ROW_INDEXES,
  SEEN_INDEXES,
  VIEW_INDEXES
} from './indexes.ts'
import { moveStoredIdsOnce } from './move-stored-ids.ts'
import { PAYLOAD_NAME, payloadIndexesOf } from './payload-indexes.ts'
import type { StorageCollections, TelemetryStorage } from './storage.ts'

/** Role of a collection to its declared indexes. */
export const DECLARED_INDEXES: Readonly<
  Record<keyof StorageCollections, readonly IndexDeclaration[]>
> = {
  rows: ROW_INDEXES,
  rollups: ROLLUP_INDEXES,
  rejects: REJECT_INDEXES,
  seen: SEEN_INDEXES,
  aliases: ALIAS_INDEXES,
  checkpoints: [],
  keys: KEY_INDEXES,
  rates: RATE_INDEXES,
  views: VIEW_INDEXES,
  alerts: ALERT_INDEXES,
  changes: CHANGE_INDEXES
}

/**
 * Creates what is missing, then moves rows of earlier versions to their new ids. Payload indexes that the
 * registry no longer asks for are dropped first, so that the budget holds at every moment.
 *
 * @throws TEL_INDEX_BUDGET before anything is touched.
 */
export async function syncIndexes(
  storage: TelemetryStorage,
  registry: Registry,
  clock: Clock
): Promise<void> {
  const payload = payloadIndexesOf(registry)
  const { rows } = storage.collections
  const wanted = new Set(payload.map((index) => index.name))
  for (const name of await indexNames(rows)) {
    if (PAYLOAD_NAME.test(name) && !wanted.has(name)) await rows.dropIndex(name)
  }
  for (const [role, declared] of Object.entries(DECLARED_INDEXES)) {
    const collection = storage.collections[role as keyof StorageCollections]
    await create(
      collection as unknown as Collection,
      role === 'rows' ? [...declared, ...payload] : declared
    )
  }
  await moveStoredIdsOnce(storage, clock)
}

/** Names of the live indexes; none when the collection is not there yet. */
export async function indexNames<T extends object>(collection: Collection<T>): Promise<string[]> {
  try {
    const indexes = await collection.listIndexes().toArray()
    return indexes.map((index) => String(index['name']))
  } catch (error) {
    if ((error as { codeName?: string }).codeName === 'NamespaceNotFound') return []
    throw error
  }
}

async function create(collection: Collection, indexes: readonly IndexDeclaration[]): Promise<void> {
  if (indexes.length === 0) return
  await collection.createIndexes(
    indexes.map((index) => ({
      name: index.name,
      key: { ...index.keys },
      ...(index.unique === true && { unique: true }),
      ...(index.partial !== undefined && { partialFilterExpression: index.partial }),
      ...(index.ttlSeconds !== undefined && { expireAfterSeconds: index.ttlSeconds })
    }))
  )
}
