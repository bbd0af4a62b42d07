// Collections of a plugin with their indexes: what the database lacks of what is declared, and making it so.
import type { Db } from 'mongodb'
import { applyIndexes, buildIndexes, createCollection, readIndexes } from './apply-indexes.ts'
import { type DeclaredCollection, onDemandIndexes } from './declared-collections.ts'
import { indexErrors } from './index-errors.ts'
import {
  type IndexRecord,
  readIndexRecords,
  recordCollections,
  recordIndexes,
  recordVersions,
  type VersionNote
} from './index-records.ts'
import { type ActualIndex, type IndexRefusal, type IndexStep, planIndexes } from './plan-indexes.ts'
import { isOlder, versionedSteps } from './versioned-steps.ts'

/** New collections that are made at the same time. Each takes a connection. */
const LANES = 4

/** What the database holds of the collections in question. */
export interface CollectionState {
  /** Names of all collections of the database. */
  readonly collections: ReadonlySet<string>
  readonly indexes: ReadonlyMap<string, readonly ActualIndex[]>
  readonly records: ReadonlyMap<string, IndexRecord>
}

/** What is there, and the version of the plugin that asks. Without one, removals take two runs. */
export interface AskedState extends CollectionState {
  readonly version?: string | undefined
  readonly isByCommand?: boolean | undefined
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
  /** The newest version that has changed these indexes, when that is newer than the one that asks. */
  readonly newer?: string
  /** What is to be noted of versions. */
  readonly note?: VersionNote
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
  { collection, indexes: wanted }: DeclaredCollection,
  state: AskedState
): CollectionPlan {
  const { name } = collection
  const record = state.records.get(name)
  const payload = new Set([...(record?.payload ?? []), ...onDemandIndexes(collection).keys()])
  const owned = new Set(record?.declared ?? [])
  const indexes = state.indexes.get(name) ?? []
  const answer = planIndexes({
    wanted,
    // Indexes of user configuration and on demand are payloadIndexes' business.
    actual: indexes.filter((index) => !payload.has(index.name)),
    owned
  })
  for (const refusal of answer.refusals) throw refusalError(plugin, name, refusal)
  const { steps, ...versions } = withVersion(name, answer.steps, { state, indexes, record })
  return {
    collection: name,
    isNew: !state.collections.has(name),
    steps,
    ...versions,
    strangers: answer.strangers,
    unrecorded: [...answer.present.values()].filter((index) => !owned.has(index))
  }
}

interface VersionParts {
  readonly state: AskedState
  readonly indexes: readonly ActualIndex[]
  readonly record: IndexRecord | undefined
}

/** The steps that this version may do, and what to note of it. */
function withVersion(
  collection: string,
  planned: readonly IndexStep[],
  { state: { version, isByCommand }, indexes, record }: VersionParts
): Pick<CollectionPlan, 'steps' | 'newer' | 'note'> {
  if (version === undefined) return { steps: planned }
  const before = record?.hidden ?? []
  const versions = { version, newest: record?.version, hidden: before, isByCommand }
  const steps = versionedSteps(planned, indexes, versions)
  const isNewer = isOlder(versions)
  const changed = new Set(steps.map(({ name }) => name))
  const hidden = [
    ...before.filter(({ name }) => !changed.has(name)),
    ...steps.flatMap(({ action, name }) => (action === 'hide' ? [{ name, version }] : []))
  ]
  const isNoted = isNewer || record?.version === version
  const hasChanged =
    hidden.length !== before.length || steps.some(({ action }) => action === 'hide')
  return {
    steps,
    ...(isNewer && record?.version !== undefined && { newer: record.version }),
    ...((!isNoted || hasChanged) && {
      note: { collection, hidden, ...(!isNoted && { version }) }
    })
  }
}

function refusalError(plugin: string, collection: string, refusal: IndexRefusal): Error {
  return refusal.kind === 'cap'
    ? indexErrors.KRN_INDEX_CAP({ plugin, collection, count: refusal.count })
    : indexErrors.KRN_INDEX_CONFLICT({ plugin, collection, ...refusal })
}

/** Reports progress while collections are made. */
export interface ApplyProgress {
  /** Called before a collection is changed; a throw ends the work. */
  readonly onCollection?: (plan: CollectionPlan) => void
}

/**
 * Makes collections and does the steps. New ones are made a few at a time, because they are empty; the others
 * one by one. Safe to run again, and beside another process that does.
 *
 * @throws KRN_INDEX_NOT_UNIQUE, KRN_INDEX_FAILED
 */
export async function applyCollections(
  db: Db,
  plugin: string,
  plans: readonly CollectionPlan[],
  { onCollection = () => {} }: ApplyProgress = {}
): Promise<void> {
  const made = plans.filter(({ isNew }) => isNew)
  // Recorded first: whose a collection is must be known when its plugin is gone.
  const records = made.map(({ collection, steps, note }) => ({
    collection,
    ...(note?.version !== undefined && { version: note.version }),
    declared: steps.flatMap((step) => (step.action === 'create' ? [step.name] : []))
  }))
  await recordCollections(db, plugin, records)
  await inLanes(made, async (plan) => {
    onCollection(plan)
    const { collection, steps } = plan
    if (steps.length === 0) await createCollection(db, collection)
    else await buildIndexes(db, { plugin, collection, kind: 'declared' }, steps)
  })
  for (const plan of plans) {
    if (plan.isNew) continue
    onCollection(plan)
    await applyCollection(db, plugin, plan)
  }
}

async function applyCollection(db: Db, plugin: string, plan: CollectionPlan): Promise<void> {
  const { collection, steps, unrecorded, note } = plan
  if (unrecorded.length > 0) await recordIndexes(db, collection, plugin, { declared: unrecorded })
  if (note !== undefined) await recordVersions(db, plugin, [note])
  if (steps.length > 0) {
    await applyIndexes(db, { plugin, collection, kind: 'declared' }, steps)
  }
}

/** Works on the items a few at a time; after a failure no further one begins. */
async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const lane = async () => {
    try {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
    } finally {
      waiting.length = 0
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: LANES }, lane))
  const failed = ended.find((lane) => lane.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}
