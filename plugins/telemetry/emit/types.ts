// The telemetry handle: what createTelemetry returns and the capability telemetry.store/v1 provides.
import type { Clock } from '@keelson/sdk'
import type { Collection, Document } from 'mongodb'
import type { Alerts } from '../alerts/types.ts'
import type { EmitRecord, EmitResult } from '../envelope/types.ts'
import type { CreatedKey, CreateKeyOptions, KeyRow } from '../keys/types.ts'
import type { EventSpec } from '../registry/spec.ts'
import type { Registry } from '../registry/types.ts'

/** Totals of this process since it started. */
export interface Counters {
  /** Refused and quarantined writes. */
  readonly rejected: number
  /** Rows not stored because of a sample rate. */
  readonly sampled: number
  /** Rows not stored because of a burst cap, and records over a key's rate. */
  readonly capped: number
  /** Repeats that wrote nothing. */
  readonly deduped: number
  /** Values that were clipped. */
  readonly truncated: number
  /** Missing service or release filled, impossible times replaced. */
  readonly defaulted: number
  /** Records a rollup could not place. */
  readonly rollupSkipped: number
}

/** A write that was refused. */
export interface QuarantineRow {
  readonly at: Date
  readonly name: string
  readonly reason: string
  /** What was sent; a clipped one has `clipped` with its beginning as text. */
  readonly raw: Readonly<Record<string, unknown>>
  readonly tenantId: string | null
}

/** Where a job of the host stopped, kept in the database. */
export interface Checkpoint {
  get(): Promise<Date | null>
  advance(to: Date): Promise<void>
}

/** What an erasure did: counts, and the proof that nothing is left. */
export interface ForgetReceipt {
  readonly tenantId: string
  /** What stands in place of the subject where rows had to stay. */
  readonly pseudonym: string
  readonly deleted: number
  readonly redacted: number
  readonly rollups: number
  readonly aliases: number
  readonly views: number
  readonly rejects: number
  /** Alert rules about the subject, removed with their history. */
  readonly alerts: number
  /** Every collection that was searched, and how many documents still name the subject. All zero. */
  readonly remaining: Readonly<Record<string, number>>
  /** The filters behind `remaining`, by collection: whoever audits can run them again. They name the subject. */
  readonly proof: Readonly<Record<string, readonly Document[]>>
  readonly at: Date
}

/**
 * Reads pinned to one tenant, for host code. `*` matches nothing here. Documents come as they are stored:
 * `wireId` reads the `_id` of a row, `storedId` makes one.
 */
export interface ScopedReads {
  find(filter?: Document, options?: { readonly limit?: number }): Promise<Document[]>
  rollups(filter?: Document, options?: { readonly limit?: number }): Promise<Document[]>
  aggregate(pipeline: readonly Document[]): Promise<Document[]>
  rollupAggregate(pipeline: readonly Document[]): Promise<Document[]>
}

/** The collections of one telemetry instance. `views` belongs to the dashboard's code. */
export interface TelemetryCollections {
  readonly rows: Collection
  readonly rollups: Collection
  readonly rejects: Collection
  readonly aliases: Collection
  readonly checkpoints: Collection
  readonly keys: Collection
  readonly views: Collection
}

/** Most payload indexes (of indexed attrs and metrics) the rows collection may have. */
export const INDEX_BUDGET = 24

/** The reserved tenant of a viewer who sees all tenants. Never stored. */
export const PLATFORM_SCOPE = '*'

export interface Telemetry {
  /**
   * Records one event. Resolves when it is in the bounded queue (`queued`), or after the write when
   * the record is durable, is usage or has a dedupeKey. Never throws for a bad record: that is
   * quarantined and answered `rejected`, usage excepted.
   *
   * @throws TEL_USAGE_REJECTED for a bad usage record, TEL_WRITE_FAILED when a durable write failed.
   */
  emit(name: string, record: EmitRecord): Promise<EmitResult>
  /** Resolves when everything accepted so far is written. */
  flush(): Promise<void>
  readonly registry: Registry
  /** Totals of this process; a snapshot. */
  readonly counters: Counters
  readonly clock: Clock
  readonly collections: TelemetryCollections

  /** @throws TEL_KEY_INVALID with a sentence about what is wrong; status 400. */
  createKey(options: CreateKeyOptions): Promise<CreatedKey>
  /** The newest 100 keys of a tenant; of all under `*`. */
  listKeys(scope: string): Promise<KeyRow[]>
  /** 1 when an active key of that scope was revoked, else 0. */
  revokeKey(id: string, scope: string): Promise<{ readonly revoked: 0 | 1 }>
  /** The newest refused writes of a tenant; of all under `*`. Default 50. */
  quarantine(scope: string, limit?: number): Promise<QuarantineRow[]>
  /** Live indexes on the rows collection, `_id` included. */
  indexCount(): Promise<number>

  /** Rules that watch the numbers and tell people. */
  readonly alerts: Alerts

  /** Erases a subject (`<type>:<id>`) of a tenant. Repeatable. */
  forget(tenantId: string, ref: string): Promise<ForgetReceipt>
  scoped(tenantId: string): ScopedReads
  checkpoint(key: string): Checkpoint
  /**
   * Makes the indexes of all collections be what the registry needs, and gives rows of earlier versions
   * their new ids. Call it once at start on a plain host, before anything is written; under the kernel
   * the plan does it.
   */
  syncIndexes(): Promise<void>
  /** Adds event names before the first write; checked together with those that are there. */
  extendRegistry(more: Readonly<Record<string, EventSpec>>): void
  /** Writes what is queued and stops. */
  close(): Promise<void>
}
