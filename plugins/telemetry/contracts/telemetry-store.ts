// telemetry.store/v1: writing telemetry records, and what a plugin may ask of the store.

import {
  type Capability,
  defineCapability,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'
import type { Document } from 'mongodb'
import type { Kind, Origin } from './telemetry-registry.ts'

/** How bad it is, rising from debug to fatal. */
export type Severity = 'debug' | 'info' | 'warn' | 'error' | 'fatal'

/** Where it happened. */
export type Env = 'prod' | 'staging' | 'dev'

/** Who or what a record is about. The ref is `<type>:<id>`; ids may contain `:`, types may not. */
export interface Subject {
  readonly type: string
  readonly id: string
  /** What part the subject plays in the record, as `buyer`. */
  readonly role?: string
}

/** One frame of a stack, innermost first. */
export interface ErrorFrame {
  readonly filename?: string
  readonly fn?: string
  readonly lineno?: number
  readonly colno?: number
  /** Code of the app itself, not of a package. */
  readonly inApp?: boolean
  /** Source lines around the frame. */
  readonly context?: readonly string[]
}

/** What failed; belongs to records of the kind `error`. */
export interface ErrorInfo {
  readonly type: string
  readonly message: string
  /** Default false. */
  readonly handled?: boolean
  /** Groups equal errors. Default: made from type and frames, or from type and message without frames. */
  readonly fingerprint?: string
  readonly frames?: readonly ErrorFrame[]
}

/** A change of state; belongs to records of the kind `state`. */
export interface StateInfo {
  readonly key: string
  readonly from?: string
  readonly to: string
  /** How long the state before lasted, in milliseconds. */
  readonly previousSinceMs?: number
}

/** Something that is billed; belongs to records of the kind `usage`. */
export interface UsageInfo {
  readonly meter: string
  readonly quantity: number
  readonly unit: string
  /** Money as decimal text, so that nothing is rounded. */
  readonly amount?: string
  /** ISO 4217. */
  readonly currency?: string
  /** The same key in one tenant is one row. */
  readonly idempotencyKey?: string
  /** A subject ref. */
  readonly billedTo?: string
  /** Default true. */
  readonly billable?: boolean
  readonly priceVersion?: string
  /** The idempotency key of the usage that this one takes back. */
  readonly reverses?: string
}

/** The program that sent a record. */
export interface ClientInfo {
  readonly platform: string
  readonly appVersion: string
  readonly [field: string]: unknown
}

/** What `emit` takes. */
export interface EmitRecord {
  readonly tenantId: string
  /** Default: now. */
  readonly occurredAt?: Date | string | number
  /** Default: `info`, `error` for errors. */
  readonly severity?: Severity
  /** Default `unknown`, counted as defaulted. */
  readonly service?: string
  /** Default `unknown`, counted as defaulted. */
  readonly release?: string
  /** Default: prod when NODE_ENV is production, else dev. */
  readonly env?: Env
  readonly subjects?: readonly Subject[]
  /** `<type>:<id>`. A record without actor is a customer fact. */
  readonly actor?: string
  readonly onBehalfOf?: string
  readonly traceId?: string
  readonly spanId?: string
  readonly parentId?: string
  readonly durationMs?: number
  readonly attrs?: Readonly<Record<string, string | number | boolean | null | undefined>>
  readonly metrics?: Readonly<Record<string, number | null | undefined>>
  /** Free data, when the event declares it. */
  readonly data?: unknown
  /** The text of a log record. */
  readonly body?: string
  readonly error?: ErrorInfo
  readonly state?: StateInfo
  readonly usage?: UsageInfo
  readonly client?: ClientInfo
  /** One row per key and tenant; a repeat is deduped. 1 to 200 characters. */
  readonly dedupeKey?: string
  /** Never sampled, never capped. Not stored. */
  readonly forceKeep?: boolean
}

/** What became of a record. `queued` is accepted in memory, in order, and written within milliseconds. */
export type Outcome = 'written' | 'queued' | 'deduped' | 'sampled' | 'capped' | 'rejected'

/** The answer of `emit`. */
export interface EmitResult {
  /** The id of the record; unique within the tenant. */
  readonly id: string
  readonly outcome: Outcome
  /** Why it was rejected. */
  readonly reason?: string
}

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

/** How far a job of the host has come, kept in the database. */
export interface Checkpoint {
  /** null before the first `advance`. */
  get(): Promise<Date | null>
  advance(to: Date): Promise<void>
}

/** What an erasure did: counts, and the proof that nothing is left. */
export interface ForgetReceipt {
  readonly tenantId: string
  /** Replaces the subject where rows had to stay. */
  readonly pseudonym: string
  /** Anonymous refs that were the person's, each with its time; null is without end. */
  readonly linked: readonly {
    readonly ref: string
    readonly from: Date | null
    readonly to: Date | null
  }[]
  readonly deleted: number
  readonly redacted: number
  readonly rollups: number
  /** What rollups kept of first records that name the subject. */
  readonly captures: number
  readonly aliases: number
  /** Saved views, removed or changed. */
  readonly views: number
  readonly rejects: number
  /** Alert rules: those about the subject, removed with their history, and those that mention it, changed. */
  readonly alerts: number
  /** Every collection that was searched, and how many documents still name the subject. All zero. */
  readonly remaining: Readonly<Record<string, number>>
  /** The filters behind `remaining`, by collection: an auditor can run them again. They name the subject. */
  readonly proof: Readonly<Record<string, readonly Document[]>>
  readonly at: Date
}

/** On whose order a subject is erased: what the log of erasures says. */
export interface ErasureOrder {
  /** The viewer (`<type>:<id>`), or a word for a program. */
  readonly by?: string
  /** The tenant of that viewer; with it the entry follows an erasure of the viewer. */
  readonly byTenant?: string
}

/** Reads pinned to one tenant. `*` matches nothing here. Documents come as they are stored. */
export interface ScopedReads {
  find(filter?: Document, options?: { readonly limit?: number }): Promise<Document[]>
  rollups(filter?: Document, options?: { readonly limit?: number }): Promise<Document[]>
  aggregate(pipeline: readonly Document[]): Promise<Document[]>
  rollupAggregate(pipeline: readonly Document[]): Promise<Document[]>
}

/** What the registry says of one event name. */
export interface RegisteredEvent {
  readonly kind: Kind
  readonly origin: Origin
}

/** The telemetry store, as plugins see it. */
export interface TelemetryStore {
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
  /** The names that may be written; complete once the host is ready. */
  readonly registry: { event(name: string): RegisteredEvent | undefined }
  /** Totals of this process; a snapshot. */
  readonly counters: Counters
  /** The newest refused writes of a tenant; of all under `*`. Default 50. */
  quarantine(scope: string, limit?: number): Promise<QuarantineRow[]>
  /** Erases a subject (`<type>:<id>`) of a tenant, and logs on whose order. Repeatable. */
  forget(tenantId: string, ref: string, order?: ErasureOrder): Promise<ForgetReceipt>
  scoped(tenantId: string): ScopedReads
  checkpoint(key: string): Checkpoint
}

/**
 * The telemetry store. Declare the use as optional unless your plugin makes no sense without it.
 *
 * @example
 * const telemetry = host.use(telemetryStore, { optional: true })
 * await telemetry?.emit('order.placed', { tenantId, subjects: [{ type: 'user', id }] })
 */
export const telemetryStore: Capability<TelemetryStore> = defineCapability<TelemetryStore>(
  'telemetry.store/v1',
  Type.Object({
    ...requiredFunctions('emit', 'flush', 'quarantine', 'forget', 'scoped', 'checkpoint'),
    registry: Type.Object(requiredFunctions('event'))
  })
)
