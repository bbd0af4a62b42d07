// A telemetry record: as a caller gives it, and as reads show it.
import type { Kind } from '../registry/spec.ts'

export const SEVERITIES = ['debug', 'info', 'warn', 'error', 'fatal'] as const
export type Severity = (typeof SEVERITIES)[number]

export const ENVS = ['prod', 'staging', 'dev'] as const
export type Env = (typeof ENVS)[number]

/** Who or what a record is about. The ref is `<type>:<id>`; ids may contain `:`, types may not. */
export interface Subject {
  readonly type: string
  readonly id: string
  readonly role?: string
}

export interface ErrorFrame {
  readonly filename?: string
  readonly fn?: string
  readonly lineno?: number
  readonly colno?: number
  readonly inApp?: boolean
  readonly context?: readonly string[]
}

export interface ErrorInfo {
  readonly type: string
  readonly message: string
  /** Default false. */
  readonly handled?: boolean
  /** Groups equal errors. Default: made from type, message and the first frame. */
  readonly fingerprint?: string
  readonly frames?: readonly ErrorFrame[]
}

export interface StateInfo {
  readonly key: string
  readonly from?: string
  readonly to: string
  readonly previousSinceMs?: number
}

export interface UsageInfo {
  readonly meter: string
  readonly quantity: number
  readonly unit: string
  /** Money as decimal text, so that nothing is rounded. */
  readonly amount?: string
  readonly currency?: string
  /** The same key in one tenant is one row. */
  readonly idempotencyKey?: string
  /** A subject ref. */
  readonly billedTo?: string
  /** Default true. */
  readonly billable?: boolean
  readonly priceVersion?: string
  readonly reverses?: string
}

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
  readonly data?: unknown
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

export interface EmitResult {
  readonly id: string
  readonly outcome: Outcome
  /** Why it was rejected. */
  readonly reason?: string
}

/** A stored record as reads show it. Dates become ISO text in JSON. */
export interface Envelope {
  /** The wire's id; unique within the tenant. */
  readonly _id: string
  readonly tenantId: string
  readonly occurredAt: Date
  readonly receivedAt: Date
  readonly kind: Kind
  readonly name: string
  readonly severity: Severity
  readonly env: string
  readonly service: string
  readonly release: string
  readonly origin: 'server' | 'client'
  readonly traceId?: string
  readonly spanId?: string
  readonly parentId?: string
  readonly durationMs?: number
  /** Ref of the first subject. */
  readonly subject?: string
  readonly subjects: readonly Subject[]
  /** As sent, `<type>:<id>`. Absent on customer facts. */
  readonly actor?: string
  readonly actorType?: string
  readonly onBehalfOf?: string
  readonly attrs: Readonly<Record<string, string>>
  readonly metrics: Readonly<Record<string, number>>
  readonly data?: unknown
  readonly body?: string
  readonly error?: ErrorInfo
  readonly state?: StateInfo
  readonly usage?: UsageInfo
  readonly client?: ClientInfo
  /** Present when a value was clipped. */
  readonly truncated?: true
  /** Below 1: this row stands for 1/sampleRate records. */
  readonly sampleRate: number
  /** Set when the subject was erased. */
  readonly redactedAt?: Date
}
