// A checked registry as the rest of the package reads it: everything looked up is prepared here once.

import type {
  AttrSpec,
  Bucket,
  EventSpec,
  Kind,
  MetricSpec,
  Origin
} from '../contracts/telemetry-registry.ts'
import type { RegistryEntry } from '../schemas/system.ts'

/** A dimension, taken apart. `label` is the part before `=` in a rollup's dims. */
export type CompiledDimension =
  | { readonly source: 'subject'; readonly dimension: string; readonly label: string }
  | {
      readonly source: 'attr'
      readonly dimension: string
      readonly label: string
      readonly key: string
      /** The key as rows store it. */
      readonly field: string
    }
  | {
      readonly source: 'field'
      readonly dimension: string
      readonly label: string
      readonly path: readonly string[]
    }

/** One rollup of one event. */
export interface CompiledRollup {
  readonly as: string
  readonly by: readonly CompiledDimension[]
  /** Whether one of `by` is the subject. */
  readonly hasSubject: boolean
  readonly subjects: readonly string[]
  readonly actors: ReadonlySet<string> | undefined
  readonly bucket: Bucket | undefined
  readonly sum: readonly string[]
  /** `sum` with the fields that rows and documents store. */
  readonly sumFields: readonly { readonly key: string; readonly field: string }[]
  readonly capture: readonly CompiledDimension[]
  readonly dimDefault: string | undefined
  readonly retentionDays: number | undefined
  readonly label: string | undefined
  readonly labels: Readonly<Record<string, string>> | undefined
  readonly description: string | undefined
}

/** One event name, ready to check and place records. */
export interface CompiledEvent {
  readonly name: string
  readonly spec: EventSpec
  readonly kind: Kind
  readonly origin: Origin
  readonly subjects: readonly string[]
  readonly attrs: ReadonlyMap<string, AttrSpec>
  readonly metrics: ReadonlyMap<string, MetricSpec>
  /** Metrics as rows store them. */
  readonly metricFields: readonly string[]
  readonly requiredAttrs: readonly string[]
  readonly requiredMetrics: readonly string[]
  /** Built-in names take any attribute within bounds. */
  readonly isOpen: boolean
  /** Whether `data` fits; undefined when the event declares none. */
  readonly dataFits: ((data: unknown) => boolean) | undefined
  readonly rollups: readonly CompiledRollup[]
  /** Days, or undefined for ever. */
  readonly retentionDays: number | undefined
  readonly sampleRate: number
  readonly burst:
    | { readonly key: CompiledDimension | undefined; readonly maxPerMinute: number }
    | undefined
  readonly isDurable: boolean
}

/** A family over all events that declare it; they share one shape. */
export interface RollupFamily {
  readonly as: string
  readonly by: readonly string[]
  readonly bucket: Bucket | undefined
  readonly subjects: readonly string[]
  readonly sum: readonly string[]
  readonly capture: readonly string[]
  readonly label: string
  readonly description: string | undefined
  /** The events that feed it. */
  readonly events: readonly string[]
}

/** The names that may be written, checked and compiled. Made by `defineRegistry`. */
export interface Registry {
  event(name: string): CompiledEvent | undefined
  family(as: string): RollupFamily | undefined
  readonly events: ReadonlyMap<string, CompiledEvent>
  readonly families: ReadonlyMap<string, RollupFamily>
  /** What the API's `/registry` shows: name to entry, validators reduced to key lists. */
  project(): Readonly<Record<string, RegistryEntry>>
}
