// Migrations: which have not run, running them one after another, and remembering that they did.
import {
  type Clock,
  type Manifest,
  type ManifestMigration,
  type MigrationHost,
  runTransaction
} from '@keelson/sdk'
import { KERNEL_PREFIX } from '@keelson/sdk/storage'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from 'mongodb'
import { errors } from '../errors/errors.ts'
import { openCollections } from './collections.ts'

export type MigrationPhase = 'before' | 'after'
export type MigrationCode = Readonly<Record<string, (host: MigrationHost) => Promise<void>>>

/** A migration that ran to its end. */
export interface MigrationRecord {
  /** `<plugin>/<migration>`. */
  readonly _id: string
  readonly plugin: string
  readonly migration: string
  /** Of the plugin that brought it. */
  readonly version: string
  readonly finishedAt: Date
  readonly durationMs: number
}

const open = (db: Db) => db.collection<MigrationRecord>(`${KERNEL_PREFIX}migrations`)

export const migrationId = (plugin: string, migration: string): string => `${plugin}/${migration}`

/** The declared migrations that have no record, in the declared order. */
export function pendingMigrations(
  manifest: Manifest,
  finished: ReadonlySet<string>,
  phase: MigrationPhase
): ManifestMigration[] {
  return (manifest.migrations ?? []).filter(
    (migration) =>
      (migration.phase ?? 'after') === phase &&
      !finished.has(migrationId(manifest.id, migration.id))
  )
}

export async function readFinishedMigrations(
  db: Db,
  manifests: readonly Manifest[]
): Promise<Set<string>> {
  const ids = manifests.flatMap((manifest) =>
    (manifest.migrations ?? []).map((migration) => migrationId(manifest.id, migration.id))
  )
  if (ids.length === 0) return new Set()
  const records = await open(db)
    .find({ _id: { $in: ids } }, { projection: { _id: 1 } })
    .toArray()
  return new Set(records.map((record) => record._id))
}

/** For a plugin whose data is gone: installed again, it begins anew. */
export async function forgetMigrations(db: Db, plugin: string): Promise<void> {
  await open(db).deleteMany({ plugin })
}

export interface MigrateOptions {
  readonly log: FastifyBaseLogger
  readonly signal: AbortSignal
  readonly clock: Clock
}

/**
 * Runs migrations in order; stops at the first that fails. A record is written after each, so one that
 * was cut short by a crash runs again.
 */
export async function runMigrations(
  db: Db,
  plugin: { readonly manifest: Manifest; readonly migrations: MigrationCode },
  pending: readonly ManifestMigration[],
  options: MigrateOptions
): Promise<void> {
  const { manifest } = plugin
  for (const { id } of pending) {
    options.signal.throwIfAborted()
    const code = plugin.migrations[id]
    if (code === undefined) {
      throw errors.KRN_MIGRATION_CODE({ plugin: manifest.id, path: 'migrations', migration: id })
    }
    const startedAt = options.clock.now().getTime()
    options.log.info({ migration: id }, 'migration starts')
    try {
      await code(migrationHost(db, manifest, options))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw errors.KRN_MIGRATION_FAILED({
        plugin: manifest.id,
        migration: id,
        reason,
        cause: error
      })
    }
    const finishedAt = options.clock.now()
    const durationMs = finishedAt.getTime() - startedAt
    await record(db, manifest, id, finishedAt, durationMs)
    options.log.info({ migration: id, durationMs }, 'migration is done')
  }
}

async function record(
  db: Db,
  manifest: Manifest,
  migration: string,
  finishedAt: Date,
  durationMs: number
): Promise<void> {
  const { id: plugin, version } = manifest
  await open(db).updateOne(
    { _id: migrationId(plugin, migration) },
    { $set: { plugin, migration, version, finishedAt, durationMs } },
    { upsert: true, writeConcern: { w: 'majority', journal: true } }
  )
}

function migrationHost(db: Db, manifest: Manifest, options: MigrateOptions): MigrationHost {
  const { collection } = openCollections({ db }, manifest)
  return {
    id: manifest.id,
    log: options.log,
    clock: options.clock,
    collection,
    withTransaction: (fn) => runTransaction(db.client, fn)
  }
}
