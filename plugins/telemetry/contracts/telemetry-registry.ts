// telemetry.registry/v1: the event names of a plugin, and what their records may hold.

import { defineExtensionPoint, type ExtensionPoint } from '@keelson/sdk/contracts/contract'
import { type TSchema, Type } from '@keelson/sdk/typebox'

/** What a record is about: something that happened, failed, took time, changed state, or is billed. */
export type Kind = 'event' | 'error' | 'span' | 'state' | 'usage'

/** Who may send it. `server` names are refused over publishable keys. */
export type Origin = 'server' | 'client' | 'any'

/** A UTC interval. Weeks start on Monday. */
export type Bucket = 'hour' | 'day' | 'week' | 'month'

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
  /** Takes the place of a missing dimension. Without it the record is not counted in this family. */
  readonly dimDefault?: string
  /** Days a document is kept after its latest record. Left out or null: forever. */
  readonly retentionDays?: number | null
  /** A short human name for pages. */
  readonly label?: string
  /** The same in other languages, by language: `{ de: 'Mail gesendet' }`. */
  readonly labels?: Readonly<Record<string, string>>
  readonly description?: string
}

/** At most so many rows of an event a minute, for each tenant and value of `key`. */
export interface BurstSpec {
  /** Default: all records of the event together. */
  readonly key?: Dimension
  readonly maxPerMinute: number
}

/** One event name; its key in the registry is the name. */
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
  /** Attributes that get their own index, within the budget of 24. */
  readonly indexedAttrs?: readonly string[]
  /** Metrics that get their own index, within the budget of 24. */
  readonly indexedMetrics?: readonly string[]
  /** At most 16. */
  readonly rollups?: readonly RollupSpec[]
  /** Days rows are kept. null: forever. Default: 730 for events and states, 90 for errors and spans, forever for usage. */
  readonly retentionDays?: number | null
  /** Share of rows that are stored, over 0 up to 1. Rollups count every record. Default 1. */
  readonly sampleRate?: number
  /** A cap on rows, per process. Rollups count every record. */
  readonly burst?: BurstSpec
  /** emit resolves after the write. Default false; usage always is. */
  readonly durable?: boolean
}

/** A contribution: event names to specs. A name may be declared once on the platform. */
export type RegistrySpec = Readonly<Record<string, EventSpec>>

const closed = { additionalProperties: false } as const
const text = Type.String()
const texts = Type.Array(text)
const flag = Type.Boolean()
const number = Type.Number()
const days = Type.Union([Type.Number(), Type.Null()])
const oneOf = (...values: readonly string[]) => Type.Enum([...values])

const attrSchema = Type.Object(
  {
    required: Type.Optional(flag),
    values: Type.Optional(texts),
    maxLength: Type.Optional(Type.Integer()),
    description: Type.Optional(text)
  },
  closed
)

const metricSchema = Type.Object(
  {
    required: Type.Optional(flag),
    minimum: Type.Optional(number),
    maximum: Type.Optional(number),
    integer: Type.Optional(flag),
    description: Type.Optional(text)
  },
  closed
)

const rollupSchema = Type.Object(
  {
    as: Type.Optional(text),
    by: texts,
    subjects: Type.Optional(texts),
    actors: Type.Optional(texts),
    bucket: Type.Optional(oneOf('hour', 'day', 'week', 'month')),
    sum: Type.Optional(texts),
    capture: Type.Optional(texts),
    dimDefault: Type.Optional(text),
    retentionDays: Type.Optional(days),
    label: Type.Optional(text),
    labels: Type.Optional(Type.Record(text, text)),
    description: Type.Optional(text)
  },
  closed
)

const eventSchema = Type.Object(
  {
    kind: oneOf('event', 'error', 'span', 'state', 'usage'),
    origin: Type.Optional(oneOf('server', 'client', 'any')),
    subjects: Type.Optional(texts),
    description: Type.Optional(text),
    attrs: Type.Optional(Type.Union([texts, Type.Record(text, attrSchema)])),
    metrics: Type.Optional(Type.Union([texts, Type.Record(text, metricSchema)])),
    data: Type.Optional(Type.Union([flag, Type.Object({})])),
    indexedAttrs: Type.Optional(texts),
    indexedMetrics: Type.Optional(texts),
    rollups: Type.Optional(Type.Array(rollupSchema)),
    retentionDays: Type.Optional(days),
    sampleRate: Type.Optional(number),
    burst: Type.Optional(Type.Object({ key: Type.Optional(text), maxPerMinute: number }, closed)),
    durable: Type.Optional(flag)
  },
  closed
)

/**
 * Event names for the telemetry store, which owns it. Checked at `extend` for its shape; names, budgets and
 * dimensions are checked together with those of other plugins before the host is ready.
 */
export const telemetryRegistry: ExtensionPoint<RegistrySpec> = defineExtensionPoint<RegistrySpec>(
  'telemetry.registry/v1',
  Type.Record(text, eventSchema)
)

export const KINDS = ['event', 'error', 'span', 'state', 'usage'] as const satisfies readonly Kind[]

export const ORIGINS = ['server', 'client', 'any'] as const satisfies readonly Origin[]

export const BUCKETS = ['hour', 'day', 'week', 'month'] as const satisfies readonly Bucket[]
