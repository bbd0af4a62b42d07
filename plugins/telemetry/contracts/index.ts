// What telemetry offers to other plugins: its store and its registry, with their types.

export {
  type AttrSpec,
  type Bucket,
  type BurstSpec,
  type Dimension,
  type EventSpec,
  type Kind,
  type MetricSpec,
  type Origin,
  type RegistrySpec,
  type RollupSpec,
  telemetryRegistry
} from './telemetry-registry.ts'
export {
  type Checkpoint,
  type ClientInfo,
  type Counters,
  type EmitRecord,
  type EmitResult,
  type Env,
  type ErasureOrder,
  type ErrorFrame,
  type ErrorInfo,
  type ForgetReceipt,
  type Outcome,
  type QuarantineRow,
  type RegisteredEvent,
  type ScopedReads,
  type Severity,
  type StateInfo,
  type Subject,
  type TelemetryStore,
  telemetryStore,
  type UsageInfo
} from './telemetry-store.ts'
