// The read primitives together. `scope` is a tenant id, or `*` for all tenants.

import type { Readable } from 'node:stream'
import type {
  EventFunnelResult,
  EventRetentionResult,
  FunnelPeopleResult,
  FunnelResult,
  RetentionResult
} from '../schemas/cohorts.ts'
import type { MetricSeriesResult, MetricsResult } from '../schemas/metrics.ts'
import type {
  ActivityResult,
  BreakdownResult,
  DistinctResult,
  DistributionResult,
  DurationsResult,
  IssuesResult,
  JourneyResult,
  RecordsResult,
  RollupsResult,
  RollupTotalsResult,
  SeriesResult,
  TraceResult,
  UsageTotalsResult
} from '../schemas/reads.ts'
import type { BreakdownParams } from './breakdown.ts'
import type { DurationsParams } from './durations.ts'
import type { EventFunnelParams } from './event-funnel.ts'
import type { EventRetentionParams } from './event-retention.ts'
import type { FunnelPeopleParams } from './funnel-people.ts'
import type { IssuesParams } from './issues.ts'
import type { MetricSeriesParams } from './metric-series.ts'
import type { MetricsParams } from './metrics.ts'
import type { RetentionParams } from './retention.ts'
import type { RollupTotalsParams } from './rollup-totals.ts'
import type { SeenKeys } from './seen-keys.ts'
import type {
  ActivityParams,
  DistinctParams,
  DistributionParams,
  FunnelParams,
  JourneyParams,
  RecordFileParams,
  RecordsParams,
  RollupsParams,
  SeriesParams
} from './types.ts'
import type { UsageTotalsParams } from './usage-totals.ts'

/** The eight read primitives of the dashboard document, and more of the same kind. */
export interface Queries {
  /** The same reads, which end with a signal: a statement of DuckDB is interrupted, and the read rejects. */
  within(signal: AbortSignal): Queries
  records(scope: string, params: RecordsParams): Promise<RecordsResult>
  /** All records that fit as a file, newest first: rejects before anything is sent, or the stream fails. */
  recordFile(scope: string, params: RecordFileParams): Promise<Readable>
  series(scope: string, params: SeriesParams): Promise<SeriesResult>
  distribution(scope: string, params: DistributionParams): Promise<DistributionResult>
  rollups(scope: string, params: RollupsParams): Promise<RollupsResult>
  rollupTotals(scope: string, params: RollupTotalsParams): Promise<RollupTotalsResult>
  trace(scope: string, traceId: string, limit?: number): Promise<TraceResult>
  journey(scope: string, params: JourneyParams): Promise<JourneyResult>
  distinctCount(scope: string, params: DistinctParams): Promise<DistinctResult>
  funnel(scope: string, params: FunnelParams): Promise<FunnelResult>
  activity(scope: string, params: ActivityParams): Promise<ActivityResult>
  breakdown(scope: string, params: BreakdownParams): Promise<BreakdownResult>
  durations(scope: string, params: DurationsParams): Promise<DurationsResult>
  usageTotals(scope: string, params: UsageTotalsParams): Promise<UsageTotalsResult>
  retention(scope: string, params: RetentionParams): Promise<RetentionResult>
  funnelPeople(scope: string, params: FunnelPeopleParams): Promise<FunnelPeopleResult>
  issues(scope: string, params: IssuesParams): Promise<IssuesResult>
  /** How far people came through any events. */
  eventFunnel(scope: string, params: EventFunnelParams): Promise<EventFunnelResult>
  /** Who came back, over any events. */
  eventRetention(scope: string, params: EventRetentionParams): Promise<EventRetentionResult>
  /** The metrics that came over OTLP. */
  metrics(scope: string, params: MetricsParams): Promise<MetricsResult>
  /** One of them over time. */
  metricSeries(scope: string, params: MetricSeriesParams): Promise<MetricSeriesResult>
  /** Attributes and figures of the newest records of events that declare none, by event name. */
  seenKeys(scope: string): Promise<Readonly<Record<string, SeenKeys>>>
}

export interface SlowQuery {
  readonly op: keyof Queries
  readonly ms: number
  readonly params: unknown
}
