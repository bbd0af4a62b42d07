// The record of which indexes Keelson made: it hides and drops no others.
import type { Db } from 'mongodb'

/** Collections of Keelson itself. No plugin may own a name with this prefix. */
export const KERNEL_PREFIX = 'keelson_'
const COLLECTION = `${KERNEL_PREFIX}indexes`

/** An index that a version no longer declares. The next version drops it. */
export interface HiddenIndex {
  readonly name: string
  readonly version: string
}

/** The indexes of one collection that Keelson made. */
export interface IndexRecord {
  /** The collection. */
  readonly _id: string
  readonly plugin: string
  /** From the manifest, now or once. */
  readonly declared: readonly string[]
  /** From user configuration. */
  readonly payload: readonly string[]
  /** The newest version of the plugin that has changed the indexes. */
  readonly version?: string
  /** Indexes that a version hid, which the next one drops. */
  readonly hidden?: readonly HiddenIndex[]
}

const open = (db: Db) => db.collection<IndexRecord>(COLLECTION)

/** The records that Keelson keeps of the indexes it made, by collection. */
export async function readIndexRecords(
  db: Db,
  collections: readonly string[]
): Promise<Map<string, IndexRecord>> {
  const records = await open(db)
    .find({ _id: { $in: [...collections] } })
    .toArray()
  return new Map(records.map((record) => [record._id, record]))
}

/** The records of all collections that a plugin made, also of one whose package is gone. */
export function readRecordsOf(db: Db, plugin: string): Promise<IndexRecord[]> {
  return open(db).find({ plugin }).toArray()
}

/** Forgets a collection that is gone. */
export async function forgetCollection(db: Db, collection: string): Promise<void> {
  await open(db).deleteOne({ _id: collection })
}

interface NewNames {
  readonly declared?: readonly string[]
  readonly payload?: readonly string[]
}

const added = (plugin: string, { declared = [], payload = [] }: NewNames, version?: string) => ({
  $set: { plugin, ...(version !== undefined && { version }) },
  $addToSet: { declared: { $each: [...declared] }, payload: { $each: [...payload] } }
})

/** Adds names to a record. Call it before the indexes are made, so that none is ever made unrecorded. */
export async function recordIndexes(
  db: Db,
  collection: string,
  plugin: string,
  names: NewNames
): Promise<void> {
  await open(db).updateOne({ _id: collection }, added(plugin, names), { upsert: true })
}

/** `recordIndexes` for the declared indexes of many collections, in one write. */
export async function recordCollections(
  db: Db,
  plugin: string,
  records: readonly {
    readonly collection: string
    readonly declared: readonly string[]
    readonly version?: string
  }[]
): Promise<void> {
  if (records.length === 0) return
  await open(db).bulkWrite(
    records.map(({ collection, declared, version }) => ({
      updateOne: {
        filter: { _id: collection },
        update: added(plugin, { declared }, version),
        upsert: true
      }
    }))
  )
}

/** What a version of a plugin has done, or is about to do, to the indexes of a collection. */
export interface VersionNote {
  readonly collection: string
  /** The newest version; left out when it is on record already. */
  readonly version?: string
  readonly hidden: readonly HiddenIndex[]
}

/** Notes versions, many collections in one write. Call it before indexes are hidden. */
export async function recordVersions(
  db: Db,
  plugin: string,
  notes: readonly VersionNote[]
): Promise<void> {
  if (notes.length === 0) return
  await open(db).bulkWrite(
    notes.map(({ collection, version, hidden }) => {
      const { $set, $addToSet } = added(plugin, {}, version)
      const noted = { ...$set, hidden: [...hidden] }
      return {
        updateOne: {
          filter: { _id: collection },
          update: { $set: noted, $addToSet },
          upsert: true
        }
      }
    })
  )
}

/** Forgets indexes that were dropped. */
export async function forgetIndexes(
  db: Db,
  collection: string,
  names: readonly string[]
): Promise<void> {
  await open(db).updateOne(
    { _id: collection },
    { $pullAll: { declared: [...names], payload: [...names] } }
  )
}
