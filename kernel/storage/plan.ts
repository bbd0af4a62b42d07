// The plan phase: what the database lacks of what the manifests declare, and making it so.
import type { Clock, Manifest } from '@keelson/sdk'
import {
  applyCollections,
  asActual,
  type CollectionPlan,
  declaredCollections,
  type IndexStep,
  planCollection,
  readCollections
} from '@keelson/sdk/storage'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from 'mongodb'
import { withLease } from './lease.ts'
import {
  type MigrationCode,
  type MigrationPhase,
  migrationId,
  pendingMigrations,
  readFinishedMigrations,
  runMigrations
} from './migrate.ts'
import { storageProblems } from './storage-problems.ts'

/** A plugin as the plan phase sees it. */
export interface PlannedPlugin {
  readonly manifest: Manifest
  /** The code of each declared migration, by id, as in the plugin's definition. */
  readonly migrations: MigrationCode
}

/** One step. Without `index` and `migration`, `create` makes the collection. */
export interface PlanStep {
  /** `modify` changes an index in place, by collMod: its time limit, or that it is hidden. */
  readonly action: 'create' | 'modify' | 'hide' | 'drop' | 'migrate'
  readonly plugin: string
  /** The collection; for a migration, the empty string. */
  readonly collection: string
  /** The name of the index in the database. */
  readonly index?: string
  /** Of the index that is created or modified, as it will be. */
  readonly definition?: PlannedDefinition
  /** The time limit before, where it changes. */
  readonly wasSeconds?: number
  readonly migration?: string
}

/** One line: `mailer: create mailer_sends by_time`. */
export const stepText = ({ action, plugin, collection, index, migration }: PlanStep): string =>
  [`${plugin}:`, action, migration ?? collection, index].filter(Boolean).join(' ')

/** The parts of an index that a reader of the plan needs. */
export interface PlannedDefinition {
  readonly keys: Readonly<Record<string, unknown>>
  readonly unique?: true
  readonly sparse?: true
  readonly partial?: unknown
  readonly ttlSeconds?: number
}

/** An undeclared index that the kernel did not make. */
export interface StrangeIndex {
  readonly plugin: string
  readonly collection: string
  readonly index: string
}

/** A collection whose indexes a newer version of its plugin has changed: nothing of that is taken back. */
export interface NewerCollection {
  readonly plugin: string
  readonly collection: string
  /** The newer version. */
  readonly version: string
}

export interface StoragePlan {
  /** In the order they are done. */
  readonly steps: readonly PlanStep[]
  /** Reported only, never touched. */
  readonly strangers: readonly StrangeIndex[]
  /** Reported only: left as the newer version has made them. */
  readonly newer: readonly NewerCollection[]
  readonly plugins: readonly PlannedPlugin[]
  /** Plugins whose indexes or version are not on the kernel's record; applying puts them on it. */
  readonly unrecorded: ReadonlySet<string>
  /** A person runs it by a command, which may drop what the same version hid before. */
  readonly isByCommand: boolean
}

export interface ApplyOptions {
  readonly log: FastifyBaseLogger
  readonly signal: AbortSignal
  /** Only the steps of this plugin. */
  readonly only?: string
  /** The clock that migrations see. */
  readonly clock: Clock
}

type StorageState = Awaited<ReturnType<typeof readState>>

/**
 * Compares declarations with the database and changes nothing.
 *
 * @throws KRN_INDEX_COUNT, KRN_INDEX_CAP, KRN_DUPLICATE, KRN_QUEUE_SHARED from the declarations alone,
 * before the database is asked; KRN_INDEX_CONFLICT when an index made by hand is in the way.
 */
export async function planStorage(
  db: Db,
  plugins: readonly PlannedPlugin[],
  { isByCommand = false }: { readonly isByCommand?: boolean } = {}
): Promise<StoragePlan> {
  for (const { manifest } of plugins) {
    const [problem] = storageProblems(manifest)
    if (problem !== undefined) throw problem
  }
  const manifests = plugins.map((plugin) => plugin.manifest)
  const state = await readState(db, manifests)
  const steps: PlanStep[] = []
  const strangers: StrangeIndex[] = []
  const newer: NewerCollection[] = []
  const unrecorded = new Set<string>()
  for (const manifest of manifests) {
    const plans = planCollections(manifest, { ...state, isByCommand })
    steps.push(...describe(manifest, plans, state.finished))
    if (plans.some((each) => each.unrecorded.length > 0 || each.note !== undefined))
      unrecorded.add(manifest.id)
    for (const { collection, strangers: names, newer: version } of plans) {
      if (version !== undefined) newer.push({ plugin: manifest.id, collection, version })
      strangers.push(...names.map((index) => ({ plugin: manifest.id, collection, index })))
    }
  }
  return { steps, strangers, newer, plugins, unrecorded, isByCommand }
}

/**
 * Does the steps, plugin by plugin, each under a lease, so that hosts that start together do not run
 * one thing twice. Safe to run again after a crash. Throws KRN_INDEX_* and KRN_MIGRATION_FAILED.
 */
export async function applyPlan(db: Db, plan: StoragePlan, options: ApplyOptions): Promise<void> {
  for (const plugin of plan.plugins) {
    const { id } = plugin.manifest
    if (options.only !== undefined && options.only !== id) continue
    const hasSteps = plan.steps.some((step) => step.plugin === id)
    if (!hasSteps && !plan.unrecorded.has(id)) continue
    const onWait = () =>
      options.log.info({ plugin: id }, 'waiting: another process is at its storage')
    await withLease(db, `storage/${id}`, { signal: options.signal, onWait }, () =>
      applyPlugin(db, plugin, { ...options, isByCommand: plan.isByCommand })
    )
  }
}

/** Plans again under the lease: its previous holder may have done all of it. */
async function applyPlugin(
  db: Db,
  plugin: PlannedPlugin,
  options: ApplyOptions & Pick<StoragePlan, 'isByCommand'>
): Promise<void> {
  const { manifest } = plugin
  const { isByCommand } = options
  const state = await readState(db, [manifest])
  const pending = (phase: MigrationPhase) => pendingMigrations(manifest, state.finished, phase)
  const before = pending('before')
  await runMigrations(db, plugin, before, options)
  // A migration may have changed what there is.
  const now = before.length > 0 ? await readState(db, [manifest]) : state
  const planned = planCollections(manifest, { ...now, isByCommand })
  const onCollection = ({ collection, steps }: CollectionPlan) => {
    options.signal.throwIfAborted()
    if (steps.length === 0) return
    const names = steps.map((step) => `${step.action} ${step.name}`)
    options.log.info({ collection, steps: names }, 'indexes are being changed')
  }
  await applyCollections(db, manifest.id, planned, { onCollection })
  await runMigrations(db, plugin, pending('after'), options)
}

async function readState(db: Db, manifests: readonly Manifest[]) {
  const names = manifests.flatMap(({ collections = [] }) => collections.map(({ name }) => name))
  const [collections, finished] = await Promise.all([
    readCollections(db, names),
    readFinishedMigrations(db, manifests)
  ])
  return { ...collections, finished }
}

function planCollections(
  manifest: Manifest,
  state: StorageState & Pick<StoragePlan, 'isByCommand'>
): CollectionPlan[] {
  return declaredCollections(manifest).map((declared) =>
    planCollection(manifest.id, declared, { ...state, version: manifest.version })
  )
}

function describe(
  manifest: Manifest,
  plans: readonly CollectionPlan[],
  finished: ReadonlySet<string>
): PlanStep[] {
  const plugin = manifest.id
  const migrations = (phase: MigrationPhase): PlanStep[] =>
    pendingMigrations(manifest, finished, phase).map((migration) => ({
      action: 'migrate',
      plugin,
      collection: '',
      migration: migrationId(plugin, migration.id)
    }))
  const storage = plans.flatMap(({ collection, isNew, steps }): PlanStep[] => [
    ...(isNew ? [{ action: 'create' as const, plugin, collection }] : []),
    ...merged(steps).map((step) => describeIndex(plugin, collection, step))
  ])
  return [...migrations('before'), ...storage, ...migrations('after')]
}

function describeIndex(plugin: string, collection: string, step: IndexStep): PlanStep {
  const { action, name } = step
  const about = { action, plugin, collection, index: name }
  if (step.action !== 'create' && step.action !== 'modify') return about
  const { key, unique, sparse, partialFilterExpression, expireAfterSeconds } = asActual(step.index)
  const definition = {
    keys: key,
    ...(unique === true && { unique }),
    ...(sparse === true && { sparse }),
    ...(partialFilterExpression !== undefined && { partial: partialFilterExpression }),
    ...(expireAfterSeconds !== undefined && { ttlSeconds: expireAfterSeconds })
  }
  const was = step.action === 'modify' ? step.wasSeconds : undefined
  return { ...about, definition, ...(was !== undefined && { wasSeconds: was }) }
}

/** An index that is both changed and shown again is one step to a reader. */
function merged(steps: readonly IndexStep[]): IndexStep[] {
  return steps.filter(
    (step, at) =>
      step.action !== 'modify' ||
      !steps.slice(0, at).some((before) => before.action === 'modify' && before.name === step.name)
  )
}
