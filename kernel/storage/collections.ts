// The collections a plugin may touch: those it declared, and without the power over their indexes.
import type { Manifest, PayloadIndex } from '@keelson/sdk'
import type { Collection, Document } from 'mongodb'
import type { Storage } from './connect.ts'

export interface PluginCollections {
  /** Throws KRN_COLLECTION_UNDECLARED. */
  collection<T extends Document = Document>(name: string): Collection<T>
  payloadIndexes(collection: string, indexes: readonly PayloadIndex[]): Promise<void>
}

export function openCollections(
  _storage: Pick<Storage, 'db'>,
  _manifest: Manifest
): PluginCollections {
  throw new Error('openCollections is not there yet')
}
