// The public entry of @keelson/telemetry.

export type { McpTool, McpTools, McpViewer } from '@keelson/sdk/contracts/mcp-tools'
export type { AlertFetch, AlertMailer } from './alerts/deliver.ts'
export {
  ALERT_FILTERS,
  ALERT_STATES,
  type AlertChange,
  type AlertCondition,
  type AlertDelivery,
  type AlertDeliveryState,
  AlertError,
  type AlertFilter,
  type AlertPreview,
  type AlertRule,
  type AlertRuleSpec,
  type AlertSignal,
  type AlertState,
  type Alerts,
  type AlertViewer
} from './alerts/types.ts'
export {
  type AlertOptions,
  createTelemetry,
  type TelemetryOptions
} from './emit/create-telemetry.ts'
export type { TelemetryLogger } from './emit/recorder.ts'
export { traceKeep } from './emit/sampling.ts'
export type { RetentionByKind, RetentionOptions } from './emit/settings.ts'
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
export { boundedMeta } from './envelope/data.ts'
export { newRecordId } from './envelope/record-id.ts'
export { storedId, wireId } from './envelope/stored-id.ts'
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
export { telemetryHandle } from './handle.ts'
export type { ContextAdapter, SessionContext } from './ingest/context.ts'
export { createIngest, type IngestOptions } from './ingest/ingest.ts'
export { type ParsedKey, parseKeyString } from './keys/key-format.ts'
export { hashSecret, verifySecret } from './keys/secret.ts'
export {
  type CreatedKey,
  type CreateKeyOptions,
  KEY_KINDS,
  type KeyKind,
  type KeyRow,
  TENANT_MODES,
  type TenantMode
} from './keys/types.ts'
export type { McpToolsOptions } from './mcp/options.ts'
export { type Redact, redactData } from './mcp/redact.ts'
export type { ReportSpec } from './mcp/reports.ts'
export { createMcpTools } from './mcp/tools.ts'
export { default } from './plugin.ts'
export {
  BREAKDOWN_FIELDS,
  type BreakdownGroup,
  type BreakdownParams,
  type BreakdownResult
} from './queries/breakdown.ts'
export { createQueries, type QueriesOptions } from './queries/create-queries.ts'
export { findFamily, requireMilestoneFamily } from './queries/families.ts'
export { median, summarizeStages } from './queries/funnel-math.ts'
export {
  FUNNEL_OUTCOMES,
  type FunnelPeopleParams,
  type FunnelPeopleResult,
  type FunnelPerson
} from './queries/funnel-people.ts'
export { type Issue, type IssuesParams, type IssuesResult, MAX_ISSUES } from './queries/issues.ts'
export type { Queries, SlowQuery } from './queries/queries.ts'
export type {
  RetentionCohort,
  RetentionInterval,
  RetentionParams,
  RetentionResult
} from './queries/retention.ts'
export {
  type ActivityGroup,
  type ActivityParams,
  type ActivityResult,
  type DistinctParams,
  type DistinctResult,
  type DistributionParams,
  type DistributionResult,
  type ExcludedValue,
  type FunnelExit,
  type FunnelParams,
  type FunnelResult,
  type FunnelSlice,
  type FunnelStage,
  type HistogramBar,
  type JourneyParams,
  type JourneyResult,
  type MetricFilter,
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
  type TimeRange,
  type TraceResult
} from './queries/types.ts'
export type { UsageTotal, UsageTotalsParams, UsageTotalsResult } from './queries/usage-totals.ts'
export { defineRegistry } from './registry/registry.ts'
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
export type { TelemetryStorage } from './storage/storage.ts'
