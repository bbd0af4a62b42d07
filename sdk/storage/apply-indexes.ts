// Does what planIndexes decided: the only place that makes, hides or drops indexes.
import type { Db, IndexDescription } from 'mongodb'
import { indexErrors } from './index-errors.ts'
import { forgetIndexes, recordIndexes } from './index-records.ts'
import { type ActualIndex, asActual, type IndexStep, type WantedIndex } from './plan-indexes.ts'

/** MongoDB's codes that say that another process did it first. */
const NAMESPACE_NOT_FOUND = 26
const INDEX_NOT_FOUND = 27
const NAMESPACE_EXISTS = 48
const DUPLICATE_KEY = 11000

// Not by instanceof: the host may have another copy of the driver.
function codeOf(error: unknown): number | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'number' ? code : undefined
}

/** The indexes of a collection; none when the collection is not there. */
export async function readIndexes(db: Db, collection: string): Promise<ActualIndex[]> {
  try {
    return (await db.collection(collection).listIndexes().toArray()) as ActualIndex[]
  } catch (error) {
    if (codeOf(error) === NAMESPACE_NOT_FOUND) return []
    throw error
  }
}

export async function createCollection(db: Db, collection: string): Promise<void> {
  try {
    await db.createCollection(collection)
  } catch (error) {
    if (codeOf(error) !== NAMESPACE_EXISTS) throw error
  }
}

/** Whose indexes are changed, for records and messages. */
export interface IndexTarget {
  readonly plugin: string
  readonly collection: string
  readonly kind: 'declared' | 'payload'
}

/** Does the steps in order. Other processes may do the same at the same time. */
export async function applyIndexes(
  db: Db,
  target: IndexTarget,
  steps: readonly IndexStep[]
): Promise<void> {
  const { plugin, collection } = target
  const builds: WantedIndex[] = []
  try {
    for (const step of steps) {
      if (step.action === 'create' && step.how === 'build') builds.push(step.index)
      else {
        // Builds share one pass over the collection, after the drops that make room for them.
        if (step.action !== 'drop') await build(db, target, builds.splice(0))
        await change(db, target, step)
      }
    }
    await build(db, target, builds)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (codeOf(error) === DUPLICATE_KEY) {
      throw indexErrors.KRN_INDEX_NOT_UNIQUE({ plugin, collection, reason, cause: error })
    }
    throw indexErrors.KRN_INDEX_FAILED({ plugin, collection, reason, cause: error })
  }
}

async function build(db: Db, target: IndexTarget, indexes: readonly WantedIndex[]): Promise<void> {
  if (indexes.length === 0) return
  const names = indexes.map((index) => index.name)
  await recordIndexes(db, target.collection, target.plugin, { [target.kind]: names })
  // What another process has built meanwhile is no error: the same definition is asked for.
  await db.collection(target.collection).createIndexes(indexes.map(description))
}

function description(wanted: WantedIndex): IndexDescription {
  return asActual(wanted) as IndexDescription
}

async function change(db: Db, target: IndexTarget, step: IndexStep): Promise<void> {
  const { collection } = target
  const { name } = step.index
  try {
    if (step.action === 'drop') await db.collection(collection).dropIndex(name)
    else if (step.action === 'hide') await modify(db, collection, { name, hidden: true })
    else if (step.how === 'unhide') await modify(db, collection, { name, hidden: false })
    else await modify(db, collection, { name, expireAfterSeconds: step.index.ttlSeconds })
  } catch (error) {
    const isGone = codeOf(error) === INDEX_NOT_FOUND || codeOf(error) === NAMESPACE_NOT_FOUND
    if (!isGone || step.action === 'create') throw error
  }
  if (step.action === 'drop') await forgetIndexes(db, collection, [name])
}

const modify = (db: Db, collection: string, index: Record<string, unknown>) =>
  db.command({ collMod: collection, index })
