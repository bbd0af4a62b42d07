// How much each collection holds, and what rows cost by kind: for the System page and `keelson telemetry usage`.
import type { Clock } from '@keelson/sdk'
import type { Collection, Document } from 'mongodb'
import { KINDS, type Kind } from '../contracts/telemetry-registry.ts'
import type { RetentionOptions } from '../emit/settings.ts'
import { DEFAULT_RETENTION_DAYS } from '../registry/check.ts'
import { bucketStart, DAY_MS } from '../rollups/bucket.ts'
import { DAILY } from '../rollups/system.ts'
import type { StorageUse } from '../schemas/system.ts'
import { COLLECTION_SUFFIXES, type StorageCollections } from '../storage/storage.ts'
import { scopeFilter } from './row-filter.ts'

type Measured = StorageUse['collections'][number]

const NONE = { documents: 0, bytes: 0, storedBytes: 0, indexBytes: 0, indexes: 0 }

/** Sizes of all collections, as the database tells them. */
async function measureStorage(collections: StorageCollections): Promise<readonly Measured[]> {
  const roles = [...Object.keys(COLLECTION_SUFFIXES), 'views'] as (keyof StorageCollections)[]
  const measured = await Promise.all(
    roles.flatMap((role) => {
      const collection = collections[role] as unknown as Collection | undefined
      return collection === undefined ? [] : [measureOne(collection)]
    })
  )
  return measured
}

async function measureOne(collection: Collection): Promise<Measured> {
  const name = collection.collectionName
  try {
    const [stats] = await collection.aggregate([{ $collStats: { storageStats: {} } }]).toArray()
    return { name, ...readStats(stats?.['storageStats'] ?? {}) }
  } catch (error) {
    if ((error as { code?: unknown }).code === 26) return { name, ...NONE }
    throw error
  }
}

const readStats = (stats: Document): Omit<Measured, 'name'> => ({
  documents: Number(stats['count'] ?? 0),
  bytes: Number(stats['size'] ?? 0),
  storedBytes: Number(stats['storageSize'] ?? 0),
  indexBytes: Number(stats['totalIndexSize'] ?? 0),
  indexes: Number(stats['nindexes'] ?? 0)
})

/** Records of each kind since a time, from the daily totals; every kind is there. */
async function countKinds(
  { rollups }: StorageCollections,
  scope: string,
  from: Date,
  daysOf: (kind: Kind) => number | null
): Promise<StorageUse['kinds']> {
  const found = await rollups
    .aggregate<{ _id: string; records: number; lastAt: Date }>([
      { $match: { ...scopeFilter(scope), as: DAILY, bucketAt: { $gte: from } } },
      {
        $group: {
          _id: { $arrayElemAt: ['$dims', 0] },
          records: { $sum: '$count' },
          lastAt: { $max: '$lastAt' }
        }
      }
    ])
    .toArray()
  return KINDS.map((kind) => {
    const total = found.find(({ _id }) => _id === `kind=${kind}`)
    const { records = 0, lastAt = null } = total ?? {}
    return { kind, records, lastAt, retentionDays: daysOf(kind) }
  })
}

const USE_DAYS = 30

/** How much is stored and for how long: sizes of the whole platform, records in a scope. */
export async function readStorageUse(
  collections: StorageCollections,
  scope: string,
  { clock, retention = {} }: { clock: Clock; retention: RetentionOptions | undefined }
): Promise<StorageUse> {
  const from = new Date(bucketStart(clock.now().getTime() - USE_DAYS * DAY_MS, 'day'))
  const daysOf = (kind: Kind) => {
    const days = retention[kind]
    return days === undefined ? (DEFAULT_RETENTION_DAYS[kind] ?? null) : days
  }
  return {
    collections: await measureStorage(collections),
    kinds: await countKinds(collections, scope, from, daysOf)
  }
}
