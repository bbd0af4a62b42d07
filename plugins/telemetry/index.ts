// The public entry of @keelson/telemetry.

export type { McpTool, McpTools, McpViewer } from '@keelson/sdk/contracts/mcp-tools'
export type { AlertMailer } from './alerts/alert-mail.ts'
export { AlertError, type Alerts, type AlertViewer } from './alerts/types.ts'
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
} from './contracts/telemetry-registry.ts'
export { createIngest, type IngestOptions } from './create-ingest.ts'
export { createQueries, type QueriesOptions } from './create-queries.ts'
export {
  type AlertOptions,
  createTelemetry,
  type TelemetryOptions
} from './create-telemetry.ts'
export { traceKeep } from './emit/sampling.ts'
export type { RetentionByKind, RetentionOptions } from './emit/settings.ts'
export { boundedMeta } from './envelope/data.ts'
export { newRecordId } from './envelope/record-id.ts'
export { storedId, wireId } from './envelope/stored-id.ts'
export type { EmitRecord, EmitResult, Env, Outcome } from './envelope/types.ts'
export { FILE_FORMATS, type FileFormat } from './exports/record-file.ts'
export { telemetryHandle } from './handle.ts'
export type { ContextAdapter, SessionContext } from './ingest/context.ts'
export { type ParsedKey, parseKeyString } from './keys/key-format.ts'
export { hashSecret, verifySecret } from './keys/secret.ts'
export type { TelemetryLogger } from './logger.ts'
export type { McpToolsOptions } from './mcp/options.ts'
export { type Redact, redactData } from './mcp/redact.ts'
export type { ReportSpec } from './mcp/reports.ts'
export { createMcpTools } from './mcp/tools.ts'
export { default } from './plugin.ts'
export {
  BREAKDOWN_FIELDS,
  type BreakdownParams,
  MAX_GROUPS,
  MOST_GROUPS
} from './queries/breakdown.ts'
export { DURATION_FIELDS, type DurationsParams } from './queries/durations.ts'
export type { EventFunnelParams } from './queries/event-funnel.ts'
export type { EventRetentionParams } from './queries/event-retention.ts'
export { findFamily, requireMilestoneFamily } from './queries/families.ts'
export { parseMetricTerm, parsePair, splitTerms } from './queries/filter-text.ts'
export { median, summarizeStages } from './queries/funnel-math.ts'
export { FUNNEL_OUTCOMES, type FunnelPeopleParams, MOST_PEOPLE } from './queries/funnel-people.ts'
export {
  ISSUE_ORDERS,
  type IssueOrder,
  type IssuesParams,
  MAX_ISSUES,
  MOST_ISSUES
} from './queries/issues.ts'
export type { MetricSeriesParams } from './queries/metric-series.ts'
export { MAX_METRICS, type MetricsParams } from './queries/metrics.ts'
export { MAX_STEPS } from './queries/person-steps.ts'
export type { Queries, SlowQuery } from './queries/queries.ts'
export { type RangeText, readTimeRange } from './queries/read-range.ts'
export { DEFAULT_LIMITS } from './queries/reader.ts'
export type { RetentionParams } from './queries/retention.ts'
export type { RollupTotalsParams } from './queries/rollup-totals.ts'
export type { SeenKeys } from './queries/seen-keys.ts'
export { STEP_ORDERS, type StepOrder } from './queries/step-math.ts'
export {
  type ActivityParams,
  type BucketParams,
  type DistinctParams,
  type DistributionParams,
  type FunnelParams,
  INTERVALS,
  type Interval,
  type JourneyParams,
  QueryError,
  type QueryLimits,
  type RecordFileParams,
  type RecordsParams,
  ROLLUP_SORTS,
  ROLLUP_TIMES,
  type RollupSort,
  type RollupsParams,
  type RollupTime,
  type SeriesParams,
  type TimeRange
} from './queries/types.ts'
export { unfinishedRead } from './queries/unfinished.ts'
export { MAX_SUMS, type UsageTotalsParams } from './queries/usage-totals.ts'
export { defineRegistry } from './registry/registry.ts'
export type { Registry, RollupFamily } from './registry/types.ts'
export {
  ALERT_FILTERS,
  ALERT_STATES,
  type AlertChange,
  type AlertCondition,
  type AlertDelivery,
  type AlertDeliveryState,
  type AlertFilter,
  type AlertPreview,
  type AlertRule,
  type AlertRuleSpec,
  type AlertSignal,
  type AlertState,
  alertChangesSchema,
  alertPreviewSchema,
  alertRulesSchema,
  METRIC_FILTERS,
  ruleSchema,
  savedRuleSchema
} from './schemas/alerts.ts'
export type {
  EventFunnelResult,
  EventRetentionResult,
  FunnelExit,
  FunnelGroup,
  FunnelPeopleResult,
  FunnelPerson,
  FunnelResult,
  FunnelSlice,
  FunnelStage,
  RetentionCohort,
  RetentionInterval,
  RetentionResult
} from './schemas/cohorts.ts'
export {
  COHORT_INTERVALS,
  eventFunnelSchema,
  eventRetentionSchema,
  funnelPeopleSchema,
  funnelSchema,
  retentionSchema
} from './schemas/cohorts.ts'
export type {
  ClientInfo,
  Envelope,
  ErrorFrame,
  ErrorInfo,
  Severity,
  StateInfo,
  Subject,
  UsageInfo
} from './schemas/envelope.ts'
export {
  EXACT_FILTER_NAMES,
  EXACT_FILTERS,
  type ExactFilter,
  type ExcludedValue,
  MAX_FILTER_TERMS,
  MAX_FILTER_TEXT,
  type MetricFilter,
  type RecordFilters,
  SEARCH_WORDS
} from './schemas/filters.ts'
export { MEASURE_PATTERN, MEASURES, METRIC_MEASURES } from './schemas/measures.ts'
export {
  METRIC_READS,
  type Metric,
  type MetricExemplar,
  type MetricGroup,
  type MetricRead,
  type MetricSeriesResult,
  type MetricsResult,
  metricSeriesSchema,
  metricsSchema
} from './schemas/metrics.ts'
export type {
  ActivityGroup,
  ActivityResult,
  BreakdownGroup,
  BreakdownResult,
  DistinctResult,
  DistributionResult,
  DurationGroup,
  DurationsResult,
  HistogramBar,
  Issue,
  IssuesResult,
  JourneyResult,
  RecordsResult,
  RollupRow,
  RollupsResult,
  RollupTotal,
  RollupTotalsResult,
  SeriesBucket,
  SeriesResult,
  TraceResult,
  UsageTotal,
  UsageTotalsResult
} from './schemas/reads.ts'
export {
  activitySchema,
  breakdownSchema,
  distinctSchema,
  distributionSchema,
  durationsSchema,
  issuesSchema,
  journeySchema,
  recordsSchema,
  rollupsSchema,
  rollupTotalsSchema,
  seriesSchema,
  traceSchema,
  usageTotalsSchema
} from './schemas/reads.ts'
export {
  type BackfillState,
  backfillStateSchema,
  type Counters,
  type CreatedKey,
  type CreateKeyOptions,
  countersSchema,
  createdKeySchema,
  createKeySchema,
  type Erasure,
  erasureSchema,
  type HistoryUse,
  historyUseSchema,
  KEY_KINDS,
  type KeyKind,
  type KeyRow,
  keyRowSchema,
  type QuarantineRow,
  quarantineRowSchema,
  type RegistryEntry,
  type RollupEntry,
  registryEntrySchema,
  type StorageUse,
  storageUseSchema,
  TENANT_MODES,
  type TenantMode
} from './schemas/system.ts'
export { MAX_SEARCH, readSearch } from './search/read-search.ts'
export { INDEX_BUDGET } from './storage/payload-indexes.ts'
export type { TelemetryStorage } from './storage/storage.ts'
export {
  type Checkpoint,
  type ForgetReceipt,
  PLATFORM_SCOPE,
  type ScopedReads,
  type Telemetry,
  type TelemetryCollections
} from './telemetry.ts'
