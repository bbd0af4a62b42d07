// What a host declares about its events: the input of defineRegistry, plain data throughout.
import type { TSchema } from '@keelson/sdk'

export const KINDS = ['event', 'error', 'span', 'state', 'usage'] as const
/** What a record is about: something that happened, failed, took time, changed state, or is billed. */
export type Kind = (typeof KINDS)[number]

export const ORIGINS = ['server', 'client', 'any'] as const
/** Who may send it. `server` names are refused over publishable keys. */
export type Origin = (typeof ORIGINS)[number]

export const BUCKETS = ['hour', 'day', 'week', 'month'] as const
/** A UTC interval. Weeks start on Monday. */
export type Bucket = (typeof BUCKETS)[number]

/** One attribute: always text. Numbers and booleans that are sent become text. */
export interface AttrSpec {
  /** Default false. */
  readonly required?: boolean
  /** The only texts that are taken. */
  readonly values?: readonly string[]
  /** Characters; longer texts are clipped and the row marked truncated. Default and maximum 4096. */
  readonly maxLength?: number
  readonly description?: string
}

/** One metric: a finite number. */
export interface MetricSpec {
  /** Default false. */
  readonly required?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly integer?: boolean
  readonly description?: string
}

/**
 * A dimension of a rollup: `subject` (one document per subject ref), `attr:<key>`, or
 * `field:<path>` (a path into the record, as `field:error.fingerprint` or `field:service`).
 */
export type Dimension = string

/** A family of rollup documents that is kept up to date as records are written. */
export interface RollupSpec {
  /** The family's name, unique in the registry unless two events declare the same shape. Default: the event's name. */
  readonly as?: string
  readonly by: readonly Dimension[]
  /** Subject types that a `subject` dimension fans out to. Default: those of the event. */
  readonly subjects?: readonly string[]
  /** Actor types that count. A record without actor always counts. Default: all. */
  readonly actors?: readonly string[]
  /** Left out: lifetime, one document per combination of dimensions. */
  readonly bucket?: Bucket
  /** Metrics to add up; `durationMs` is the record's own. */
  readonly sum?: readonly string[]
  /** Dimensions of the earliest record to keep in `firstCapture`. */
  readonly capture?: readonly Dimension[]
  /** Stands in for a missing dimension. Without it the record is not counted in this family. */
  readonly dimDefault?: string
  /** Days a document is kept after its latest record. Left out or null: forever. */
  readonly retentionDays?: number | null
  /** A short human name for pages. */
  readonly label?: string
  readonly description?: string
}

/** One event name. The key it stands under in the registry is the name. */
export interface EventSpec {
  readonly kind: Kind
  /** Default `server`. */
  readonly origin?: Origin
  /** Subject types that every record must have. Default none. */
  readonly subjects?: readonly string[]
  readonly description?: string
  /** Names alone, or what each may hold. Undeclared attributes are refused. */
  readonly attrs?: readonly string[] | Readonly<Record<string, AttrSpec>>
  /** Names alone, or what each may hold. Undeclared metrics are refused. */
  readonly metrics?: readonly string[] | Readonly<Record<string, MetricSpec>>
  /**
   * Free data beside attrs: `true` takes any small plain object, a JSON Schema (TypeBox) takes what it
   * matches. Left out: `data` of a record is dropped and counted, the record is kept.
   */
  readonly data?: boolean | TSchema
  /** Attributes that get an index of their own, within the budget of 24. */
  readonly indexedAttrs?: readonly string[]
  /** Metrics that get an index of their own, within the budget of 24. */
  readonly indexedMetrics?: readonly string[]
  readonly rollups?: readonly RollupSpec[]
  /** Days rows are kept. null: forever. Default: 730 for events and states, 90 for errors and spans, forever for usage. */
  readonly retentionDays?: number | null
  /** Share of rows that are stored, over 0 up to 1. Rollups count every record. Default 1. */
  readonly sampleRate?: number
  /** At most this many rows a minute for each tenant and value of `key`, per process. Rollups count every record. */
  readonly burst?: { readonly key?: Dimension; readonly maxPerMinute: number }
  /** emit resolves after the write. Default false; usage always is. */
  readonly durable?: boolean
}

/** Event names to specs. */
export type RegistrySpec = Readonly<Record<string, EventSpec>>
