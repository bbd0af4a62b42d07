// Does what planIndexes decided: the only place that makes, hides or drops indexes.
import type { Db, IndexDescription } from 'mongodb'
import { indexErrors } from './index-errors.ts'
import { forgetIndexes, recordIndexes } from './index-records.ts'
import { type ActualIndex, asActual, type IndexStep } from './plan-indexes.ts'

/** MongoDB's codes that say that another process did it first. */
const NAMESPACE_NOT_FOUND = 26
const INDEX_NOT_FOUND = 27
const NAMESPACE_EXISTS = 48
const DUPLICATE_KEY = 11000
/** IndexOptionsConflict, IndexKeySpecsConflict: servers before 5.0 refuse two indexes on the same keys. */
const CONFLICTS: ReadonlySet<number> = new Set([85, 86])

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

/** Makes a collection unless it exists. */
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
  try {
    const builds = steps.filter((step) => step.action === 'create')
    const at = steps.findIndex((step) => step.action === 'create')
    const later = steps.slice(Math.max(at, 0)).filter((step) => step.action !== 'create')
    for (const step of steps.slice(0, Math.max(at, 0))) await change(db, target, step)
    await buildBeside(db, target, builds, later)
    for (const step of later) await change(db, target, step)
  } catch (error) {
    throw indexError(target, error)
  }
}

/** Builds the indexes of a collection that was not there and is on record; this makes the collection. */
export async function buildIndexes(
  db: Db,
  target: IndexTarget,
  steps: readonly IndexStep[]
): Promise<void> {
  const builds = steps.filter((step) => step.action === 'create')
  try {
    await db.collection(target.collection).createIndexes(builds.map(description))
  } catch (error) {
    throw indexError(target, error)
  }
}

function indexError({ plugin, collection }: IndexTarget, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return codeOf(cause) === DUPLICATE_KEY
    ? indexErrors.KRN_INDEX_NOT_UNIQUE({ plugin, collection, reason, cause })
    : indexErrors.KRN_INDEX_FAILED({ plugin, collection, reason, cause })
}

type Build = Extract<IndexStep, { readonly action: 'create' }>

/** Builds share one pass over the collection. A server that refuses them beside old ones gets those dropped first. */
async function buildBeside(
  db: Db,
  target: IndexTarget,
  builds: readonly Build[],
  later: readonly IndexStep[]
): Promise<void> {
  if (builds.length === 0) return
  const names = builds.map(({ name }) => name)
  await recordIndexes(db, target.collection, target.plugin, { [target.kind]: names })
  const build = () => db.collection(target.collection).createIndexes(builds.map(description))
  try {
    // What another process has built meanwhile is no error: the same definition is asked for.
    await build()
  } catch (error) {
    const drops = later.flatMap(({ action, name }): IndexStep[] =>
      action === 'drop' || action === 'hide' ? [{ action: 'drop', name }] : []
    )
    if (!CONFLICTS.has(codeOf(error) ?? 0) || drops.length === 0) throw error
    const before = await readIndexes(db, target.collection)
    for (const step of drops) await change(db, target, step)
    try {
      await build()
    } catch (failure) {
      await restore(db, target, before)
      throw failure
    }
  }
}

/** Builds again what was dropped for an index that could not be built: its queries must not lose it. */
async function restore(
  db: Db,
  { collection, plugin, kind }: IndexTarget,
  before: readonly ActualIndex[]
): Promise<void> {
  const there = new Set((await readIndexes(db, collection)).map(({ name }) => name))
  const gone = before.filter(({ name }) => !there.has(name))
  if (gone.length === 0) return
  await recordIndexes(db, collection, plugin, { [kind]: gone.map(({ name }) => name) })
  await db.collection(collection).createIndexes(gone.map((index) => index as IndexDescription))
}

function description({ index, name }: Build): IndexDescription {
  return { ...asActual(index), name } as IndexDescription
}

async function change(db: Db, target: IndexTarget, step: IndexStep): Promise<void> {
  const { collection } = target
  const { name } = step
  try {
    if (step.action === 'drop') await db.collection(collection).dropIndex(name)
    else if (step.action === 'hide') await modify(db, collection, { name, hidden: true })
    else if (step.action === 'modify') await modify(db, collection, { name, ...changeOf(step) })
  } catch (error) {
    const isGone = codeOf(error) === INDEX_NOT_FOUND || codeOf(error) === NAMESPACE_NOT_FOUND
    if (!isGone || step.action === 'modify') throw error
  }
  if (step.action === 'drop') await forgetIndexes(db, collection, [name])
}

const changeOf = ({ how, index }: Extract<IndexStep, { readonly action: 'modify' }>) =>
  how === 'unhide' ? { hidden: false } : { expireAfterSeconds: index.ttlSeconds }

const modify = (db: Db, collection: string, index: Record<string, unknown>) =>
  db.command({ collMod: collection, index })
