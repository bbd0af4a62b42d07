// The plan phase: what the database lacks of what the manifests declare, and making it so.
import type { Manifest, MigrationHost } from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from 'mongodb'

/** A plugin as the plan phase sees it. */
export interface PlannedPlugin {
  readonly manifest: Manifest
  /** The code of each declared migration, by id, as in the plugin's definition. */
  readonly migrations: Readonly<Record<string, (host: MigrationHost) => Promise<void>>>
}

/** One step. Without `index` and `migration`, `create` makes the collection. */
export interface PlanStep {
  readonly action: 'create' | 'hide' | 'drop' | 'migrate'
  readonly plugin: string
  /** The collection; for a migration, the empty string. */
  readonly collection: string
  readonly index?: string
  readonly migration?: string
}

export interface StoragePlan {
  readonly steps: readonly PlanStep[]
}

export interface ApplyOptions {
  readonly log: FastifyBaseLogger
  readonly signal: AbortSignal
  /** Only the steps of this plugin. */
  readonly only?: string
}

/** Throws KRN_INDEX_BUDGET and the like before anything is touched. Changes nothing. */
export async function planStorage(
  _db: Db,
  _plugins: readonly PlannedPlugin[]
): Promise<StoragePlan> {
  throw new Error('planStorage is not there yet')
}

/** Does the steps. Safe beside other processes that do the same, and safe to run again after a crash. */
export async function applyPlan(
  _db: Db,
  _plan: StoragePlan,
  _options: ApplyOptions
): Promise<void> {
  throw new Error('applyPlan is not there yet')
}
