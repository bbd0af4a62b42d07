// The public entry of @keelson/telemetry.
export {
  type Checkpoint,
  type Counters,
  type ForgetReceipt,
  INDEX_BUDGET,
  PLATFORM_SCOPE,
  type QuarantineRow,
  type ScopedReads,
  type Telemetry,
  type TelemetryCollections
} from './emit/types.ts'
export type {
  ClientInfo,
  EmitRecord,
  EmitResult,
  Env,
  Envelope,
  ErrorFrame,
  ErrorInfo,
  Outcome,
  Severity,
  StateInfo,
  Subject,
  UsageInfo
} from './envelope/types.ts'
export {
  type CreatedKey,
  type CreateKeyOptions,
  KEY_KINDS,
  type KeyKind,
  type KeyRow,
  TENANT_MODES,
  type TenantMode
} from './keys/types.ts'
export {
  type ActivityGroup,
  type ActivityParams,
  type ActivityResult,
  type DistinctParams,
  type DistinctResult,
  type DistributionParams,
  type DistributionResult,
  type FunnelExit,
  type FunnelParams,
  type FunnelResult,
  type FunnelSlice,
  type FunnelStage,
  type HistogramBar,
  type JourneyParams,
  type JourneyResult,
  type MetricFilter,
  type Queries,
  QueryError,
  type QueryLimits,
  type RecordFilters,
  type RecordsParams,
  type RecordsResult,
  ROLLUP_SORTS,
  ROLLUP_TIMES,
  type RollupRow,
  type RollupSort,
  type RollupsParams,
  type RollupsResult,
  type RollupTime,
  type SeriesBucket,
  type SeriesParams,
  type SeriesResult,
  type SlowQuery,
  type TimeRange,
  type TraceResult
} from './queries/types.ts'
export {
  type AttrSpec,
  BUCKETS,
  type Bucket,
  type Dimension,
  type EventSpec,
  KINDS,
  type Kind,
  type MetricSpec,
  type Origin,
  type RegistrySpec,
  type RollupSpec
} from './registry/spec.ts'
export type { Registry, RegistryEntry, RollupEntry, RollupFamily } from './registry/types.ts'
