// Collections of a plugin with their indexes: what the database lacks of what is declared, and making it so.
import type { Db } from 'mongodb'
import { applyIndexes, createCollection, readIndexes } from './apply-indexes.ts'
import type { DeclaredCollection } from './declared-collections.ts'
import { indexErrors } from './index-errors.ts'
import { type IndexRecord, readIndexRecords, recordIndexes } from './index-records.ts'
import { type ActualIndex, type IndexRefusal, type IndexStep, planIndexes } from './plan-indexes.ts'

/** What the database holds of the collections in question. */
export interface CollectionState {
  /** Names of all collections of the database. */
  readonly collections: ReadonlySet<string>
  readonly indexes: ReadonlyMap<string, readonly ActualIndex[]>
  readonly records: ReadonlyMap<string, IndexRecord>
}

/** What has to change for one collection to be as declared. */
export interface CollectionPlan {
  readonly collection: string
  readonly isNew: boolean
  readonly steps: readonly IndexStep[]
  /** Indexes that are not declared and that Keelson did not make. */
  readonly strangers: readonly string[]
  /** Declared indexes that are there but not on record: made before Keelson, or the record was lost. */
  readonly unrecorded: readonly string[]
}

/** Reads what is there of some collections: existence, indexes, records. Changes nothing. */
export async function readCollections(db: Db, names: readonly string[]): Promise<CollectionState> {
  const [listed, records] = await Promise.all([
    db.listCollections({}, { nameOnly: true }).toArray(),
    readIndexRecords(db, names)
  ])
  const collections = new Set(listed.map((collection) => collection.name))
  const present = names.filter((name) => collections.has(name))
  const indexes = await Promise.all(
    present.map(async (name) => [name, await readIndexes(db, name)] as const)
  )
  return { collections, indexes: new Map(indexes), records }
}

/** @throws KRN_INDEX_CAP, KRN_INDEX_CONFLICT */
export function planCollection(
  plugin: string,
  { collection: { name }, indexes: wanted }: DeclaredCollection,
  state: CollectionState
): CollectionPlan {
  const record = state.records.get(name)
  const payload = new Set(record?.payload ?? [])
  const owned = new Set(record?.declared ?? [])
  const indexes = state.indexes.get(name) ?? []
  const answer = planIndexes({
    wanted,
    // Indexes of user configuration are payloadIndexes' business.
    actual: indexes.filter((index) => !payload.has(index.name)),
    owned
  })
  for (const refusal of answer.refusals) throw refusalError(plugin, name, refusal)
  return {
    collection: name,
    isNew: !state.collections.has(name),
    steps: answer.steps,
    strangers: answer.strangers,
    unrecorded: [...answer.present.values()].filter((index) => !owned.has(index))
  }
}

function refusalError(plugin: string, collection: string, refusal: IndexRefusal): Error {
  return refusal.kind === 'cap'
    ? indexErrors.KRN_INDEX_CAP({ plugin, collection, count: refusal.count })
    : indexErrors.KRN_INDEX_CONFLICT({ plugin, collection, ...refusal })
}

/** Makes the collection and does the steps. Safe to run again, and beside another process that does. */
export async function applyCollection(db: Db, plugin: string, plan: CollectionPlan): Promise<void> {
  const { collection, isNew, steps, unrecorded } = plan
  if (isNew) {
    // Recorded first: whose a collection is must be known when its plugin is gone.
    await recordIndexes(db, collection, plugin, {})
    await createCollection(db, collection)
  }
  if (unrecorded.length > 0) await recordIndexes(db, collection, plugin, { declared: unrecorded })
  if (steps.length > 0) {
    await applyIndexes(db, { plugin, collection, kind: 'declared' }, steps)
  }
}
