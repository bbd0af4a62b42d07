// A telemetry record: as a caller gives it, and as reads show it.
import type {
  ClientInfo,
  Env,
  ErrorInfo,
  Severity,
  StateInfo,
  Subject,
  UsageInfo
} from '@keelson/sdk/contracts/telemetry-store'
import type { Kind } from '../registry/spec.ts'

export type {
  ClientInfo,
  EmitRecord,
  EmitResult,
  Env,
  ErrorFrame,
  ErrorInfo,
  Outcome,
  Severity,
  StateInfo,
  Subject,
  UsageInfo
} from '@keelson/sdk/contracts/telemetry-store'

export const SEVERITIES = [
  'debug',
  'info',
  'warn',
  'error',
  'fatal'
] as const satisfies readonly Severity[]

export const ENVS = ['prod', 'staging', 'dev'] as const satisfies readonly Env[]

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
