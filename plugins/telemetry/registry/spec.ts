// What a host declares about its events: the input of defineRegistry, plain data throughout.
import type { Bucket, Kind, Origin } from '../contracts/telemetry-registry.ts'

export type {
  AttrSpec,
  Bucket,
  Dimension,
  EventSpec,
  Kind,
  MetricSpec,
  Origin,
  RegistrySpec,
  RollupSpec
} from '../contracts/telemetry-registry.ts'

export const KINDS = ['event', 'error', 'span', 'state', 'usage'] as const satisfies readonly Kind[]

export const ORIGINS = ['server', 'client', 'any'] as const satisfies readonly Origin[]

export const BUCKETS = ['hour', 'day', 'week', 'month'] as const satisfies readonly Bucket[]
