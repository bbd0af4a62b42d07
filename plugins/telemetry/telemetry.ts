// The telemetry handle: what createTelemetry returns and the capability telemetry.store/v1 provides.
import type { StandaloneHost } from '@keelson/kernel/standalone'
import type { Clock } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import type { Alerts } from './alerts/types.ts'
import type { BackfillOptions, BackfillResult } from './backfill/backfill.ts'
import type { EventSpec } from './contracts/telemetry-registry.ts'
import type { TelemetryStore } from './contracts/telemetry-store.ts'
import type { SealOptions } from './history/history.ts'
import type { Sealed } from './history/seal.ts'
import type { Registry } from './registry/types.ts'
import type { RegroupOptions, RegroupResult } from './regroup/regroup.ts'
import type {
  BackfillState,
  CreatedKey,
  CreateKeyOptions,
  Erasure,
  HistoryUse,
  KeyRow,
  StorageUse
} from './schemas/system.ts'

export type {
  Checkpoint,
  ForgetReceipt,
  ScopedReads
} from './contracts/telemetry-store.ts'

/** The collections of one telemetry instance. */
export interface TelemetryCollections {
  readonly rows: Collection
  readonly rollups: Collection
  readonly rejects: Collection
  readonly aliases: Collection
  readonly checkpoints: Collection
  readonly keys: Collection
  /** Saved views. Absent under the kernel until the dashboard hands them over. */
  readonly views?: Collection
}

/** The reserved tenant of a viewer who sees all tenants. Never stored. */
export const PLATFORM_SCOPE = '*'

/** The store, and what only the code around it needs: the dashboard, host code, commands. */
export interface Telemetry extends TelemetryStore {
  readonly registry: Registry
  readonly clock: Clock
  readonly collections: TelemetryCollections

  /** @throws TEL_KEY_INVALID with a sentence about what is wrong; status 400. */
  createKey(options: CreateKeyOptions): Promise<CreatedKey>
  /** The newest 100 keys of a tenant; of all under `*`. */
  listKeys(scope: string): Promise<KeyRow[]>
  /** 1 when an active key of that scope was revoked, else 0. */
  revokeKey(id: string, scope: string): Promise<{ readonly revoked: 0 | 1 }>
  /** Live indexes on the rows collection, `_id` included. */
  indexCount(): Promise<number>

  /**
   * Recounts a rollup family from rows: one that was declared later, or whose shape has changed. Writes may go on;
   * run again after a crash, it goes on.
   *
   * @throws TEL_BACKFILL_INVALID
   */
  backfill(options: BackfillOptions): Promise<BackfillResult>
  /**
   * Groups stored errors by the rule of today, with what rollups count of them; issues that senders name stay. Writes may
   * go on; run again after a crash, it goes on. Run it when all hosts have the version with the rule.
   *
   * @throws TEL_HISTORY_ENGINE where records are sealed and DuckDB is not installed
   */
  regroup(options?: RegroupOptions): Promise<RegroupResult>
  /** The newest erasures of a tenant, at most `limit` (default 20); of all under `*`. */
  erasures(scope: string, limit?: number): Promise<Erasure[]>
  /** Families that `backfill` has begun to recount and not finished, and how far it has come. */
  backfills(): Promise<BackfillState[]>
  /** How much is stored and for how long: sizes of the whole platform, records in a scope. */
  storageUse(scope: string): Promise<StorageUse>

  /**
   * Seals records into columns now, of this tenant, or before this time; merges small segments and drops expired ones.
   *
   * @throws TEL_HISTORY_ENGINE where DuckDB is not installed
   */
  seal(options?: SealOptions): Promise<Sealed>
  /** How much is sealed, and what reads it. */
  historyUse(): Promise<HistoryUse>

  /** Rules that watch the numbers and tell people. */
  readonly alerts: Alerts

  /**
   * Makes the indexes of all collections be what the registry needs, and gives rows of earlier versions
   * their new ids. Call it once at start on a plain host, before anything is written; under the kernel
   * the plan does it.
   */
  syncIndexes(): Promise<void>
  /**
   * Where it runs without the kernel: plugins that build on this store are added to it, and get their collections
   * under the base name of this instance. Undefined under the kernel.
   */
  readonly host?: Pick<StandaloneHost, 'add' | 'open'>
  /**
   * Evaluates alerts, sends their messages, and completes erasures that commands asked for, in this process until
   * `close`. Call it in worker processes of a plain host; under the kernel its schedule does it.
   */
  start(): Promise<void>
  /** Takes the collection of saved views from the plugin that declares it: erasure and reports reach it. */
  useViews(views: Collection): void
  /** Adds event names before the first write; checked together with those that are there. */
  extendRegistry(more: Readonly<Record<string, EventSpec>>): void
  /** Writes what is queued and stops. */
  close(): Promise<void>
}
