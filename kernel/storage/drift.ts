// The drift report: what is in the database without being declared, and how much each index is used.
import type { Manifest } from '@keelson/sdk'
import {
  declaredCollections,
  KERNEL_PREFIX,
  planIndexes,
  readIndexes,
  readIndexRecords
} from '@keelson/sdk/storage'
import type { Db } from 'mongodb'
import { collectionOwners } from './collections.ts'

/** How often an index was used, as the server counts since its start. */
export interface IndexUse {
  readonly collection: string
  readonly index: string
  readonly uses: number
  readonly since: Date
}

export interface DriftReport {
  /** Collections that no manifest declares. `plugin`: Keelson made it for that plugin; else it is the host's own. */
  readonly collections: readonly { readonly collection: string; readonly plugin?: string }[]
  /** Indexes that are not declared; `origin` says whether the kernel made them once. */
  readonly indexes: readonly {
    readonly collection: string
    readonly index: string
    readonly origin: 'kernel' | 'unknown'
    readonly hidden: boolean
  }[]
  /** Declared indexes that are not there. */
  readonly missing: readonly { readonly collection: string; readonly index: string }[]
  /** Absent when the server does not count it. */
  readonly use?: readonly IndexUse[]
}

/** Looks at the whole database and changes nothing. */
export async function readDrift(db: Db, manifests: readonly Manifest[]): Promise<DriftReport> {
  const owners = collectionOwners(manifests)
  const listed = await db.listCollections({}, { nameOnly: true }).toArray()
  const names = listed.map((collection) => collection.name)
  const declared = manifests.flatMap(declaredCollections)
  const present = declared.filter(({ collection }) => names.includes(collection.name))
  const records = await readIndexRecords(db, names)
  const indexes: DriftReport['indexes'][number][] = []
  const missing: DriftReport['missing'][number][] = []
  for (const { collection, indexes: wanted } of present) {
    const record = records.get(collection.name)
    const actual = await readIndexes(db, collection.name)
    const owned = new Set(record?.declared ?? [])
    const { present: found } = planIndexes({ wanted, actual, owned })
    const declaredNames = wanted.map((index) => index.name)
    const known = new Set(['_id_', ...declaredNames, ...found.values(), ...(record?.payload ?? [])])
    for (const { name, hidden } of actual) {
      if (known.has(name)) continue
      const origin = owned.has(name) ? 'kernel' : 'unknown'
      indexes.push({ collection: collection.name, index: name, origin, hidden: hidden === true })
    }
    const there = new Set(actual.map((index) => index.name))
    for (const { name } of wanted) {
      if (!there.has(name) && !found.has(name))
        missing.push({ collection: collection.name, index: name })
    }
  }
  const use = await readUse(
    db,
    present.map(({ collection }) => collection.name)
  )
  return {
    collections: names
      .filter((name) => !owners.has(name) && !isOwn(name))
      .map((collection) => {
        const plugin = records.get(collection)?.plugin
        return { collection, ...(plugin !== undefined && { plugin }) }
      }),
    indexes,
    missing,
    ...(use !== undefined && { use })
  }
}

const isOwn = (name: string) => name.startsWith(KERNEL_PREFIX) || name.startsWith('system.')

/** `$indexStats` of every collection; undefined where the server refuses the stage. */
async function readUse(db: Db, collections: readonly string[]): Promise<IndexUse[] | undefined> {
  try {
    const perCollection = await Promise.all(
      collections.map(async (collection) => {
        const stats = await db
          .collection(collection)
          .aggregate([{ $indexStats: {} }])
          .toArray()
        return stats.map(({ name, accesses }) => ({
          collection,
          index: String(name),
          uses: Number(accesses?.ops ?? 0),
          since: accesses?.since as Date
        }))
      })
    )
    return perCollection.flat()
  } catch {
    // The report is worth having without it: the built-in engine and some hosted ones do not count.
    return undefined
  }
}
