// The read primitives: what they take and what they answer. Scope is a tenant id, or `*` for all.
import type { Envelope } from '../envelope/types.ts'
import type { Bucket, Kind } from '../registry/spec.ts'

/** Half-open: `from` is inside, `to` is outside. Never rounded. */
export interface TimeRange {
  readonly from: Date
  readonly to: Date
}

export interface MetricFilter {
  readonly key: string
  /** `gte` greater or equal, `lte` less or equal. */
  readonly op: 'gte' | 'lte'
  readonly value: number
}

/** All given terms must hold. Equality unless said otherwise. */
export interface RecordFilters {
  readonly kind?: string
  readonly name?: string
  readonly severity?: string
  readonly env?: string
  readonly service?: string
  readonly release?: string
  readonly traceId?: string
  /** One subject ref, `<type>:<id>`. */
  readonly subject?: string
  readonly fingerprint?: string
  /** Of usage. */
  readonly meter?: string
  /** Of usage: a subject ref. */
  readonly billedTo?: string
  /** Under `*` alone; any other scope has one tenant, and the filter changes nothing. */
  readonly tenant?: string
  /** Key to text. Keys keep their dots. */
  readonly attrs?: ReadonlyMap<string, string>
  readonly metrics?: readonly MetricFilter[]
  /** Actor types to leave out. A record without actor stays. */
  readonly excludeActors?: readonly string[]
  /** Values to leave out. A record without the value stays. */
  readonly exclude?: readonly ExcludedValue[]
}

export interface ExcludedValue {
  /** Name of an equality filter above, or `attrs.<key>`. */
  readonly field: string
  readonly value: string
}

export interface RecordsParams extends TimeRange {
  readonly filters?: RecordFilters
  /** Clamped to the cap; the cap when left out. */
  readonly limit?: number
  /** `nextCursor` of the page before. */
  readonly cursor?: string
}

export interface RecordsResult {
  readonly items: readonly Envelope[]
  readonly nextCursor: string | null
  readonly dataSource: 'raw'
}

export interface SeriesParams extends TimeRange {
  readonly filters?: RecordFilters
  /** Default day. */
  readonly interval?: Bucket
  /** `count` (default), `sum:<metric>` or `avg:<metric>`. `durationMs` is a metric here too. */
  readonly measure?: string
}

export interface SeriesBucket {
  /** Start of the bucket, UTC. */
  readonly at: Date
  readonly value: number
}

export interface SeriesResult {
  /** Ascending; empty buckets are left out. At most the cap: the newest are kept. */
  readonly buckets: readonly SeriesBucket[]
  /** Older buckets were left out because of the cap. */
  readonly truncated: boolean
  /** Some rows stand for several records; counts are estimates. */
  readonly sampled: boolean
  readonly dataSource: 'raw'
}

export interface DistributionParams extends TimeRange {
  readonly filters?: RecordFilters
  /** Default `durationMs`; anything else reads a metric. */
  readonly measure?: string
}

export interface HistogramBar {
  readonly min: number
  readonly max: number
  readonly n: number
}

export interface DistributionResult {
  readonly n: number
  readonly truncated: boolean
  readonly histogram: readonly HistogramBar[]
  readonly dataSource: 'raw'
  /** Absent when n is 0, as are the others. */
  readonly p50?: number
  readonly p90?: number
  readonly p95?: number
  readonly p99?: number
  readonly min?: number
  readonly max?: number
  readonly avg?: number
}

export const ROLLUP_TIMES = ['firstAt', 'lastAt', 'bucketAt'] as const
export type RollupTime = (typeof ROLLUP_TIMES)[number]
export const ROLLUP_SORTS = ['count', 'lastAt', 'firstAt', 'bucketAt'] as const
export type RollupSort = (typeof ROLLUP_SORTS)[number]

export interface RollupsParams {
  /** The family. Empty: QueryError `rollup family required`. */
  readonly as: string
  /** Any of these; at most 100. */
  readonly dims?: readonly string[]
  readonly subjectType?: string
  /** What from and to apply to. Default: bucketAt when bucketed, else lastAt. */
  readonly on?: RollupTime
  readonly from?: Date
  readonly to?: Date
  /** Default: bucketAt ascending when bucketed, else count descending. */
  readonly sort?: RollupSort
  readonly limit?: number
}

export interface RollupRow {
  readonly _id: string
  readonly tenantId: string
  readonly as: string
  /** `<key>=<value>`; subjects keep `<type>:<id>`. */
  readonly dims: readonly string[]
  readonly subjectType?: string
  readonly bucketAt?: Date
  readonly firstAt: Date
  readonly lastAt: Date
  readonly count: number
  readonly sums: Readonly<Record<string, number>>
  /** Full dimension to value: `attr:source`, `field:error.type`. */
  readonly firstCapture: Readonly<Record<string, string>>
  readonly firstTraceId?: string
}

export interface RollupsResult {
  readonly rows: readonly RollupRow[]
  readonly bucketed: boolean
  readonly truncated: boolean
  readonly dataSource: 'rollups'
}

export interface TraceResult {
  /** Oldest first. */
  readonly items: readonly Envelope[]
  readonly truncated: boolean
  readonly dataSource: 'raw'
}

export interface JourneyParams extends TimeRange {
  /** A subject ref. */
  readonly ref: string
  readonly limit?: number
}

export interface JourneyResult {
  /** Newest first. */
  readonly records: readonly Envelope[]
  /** Lifetime rollups of the subject, earliest first, at most 100. */
  readonly milestones: readonly RollupRow[]
  readonly truncated: boolean
  readonly dataSource: 'raw+rollups'
}

export interface DistinctParams extends TimeRange {
  readonly as: string
  readonly subjectType?: string
  /** Default: the family's own bucket. Finer answers the family's own. */
  readonly interval?: Bucket
}

export interface DistinctResult {
  readonly buckets: readonly SeriesBucket[]
  /** Over the whole range; not the sum of the buckets. */
  readonly distinct: number
  readonly interval: Bucket
  readonly truncated: boolean
  readonly dataSource: 'rollups'
}

export interface FunnelParams extends TimeRange {
  /** Lifetime families keyed by subject alone. */
  readonly stages: readonly string[]
  readonly exits?: readonly string[]
  /** Default: the first stage. */
  readonly anchor?: string
  readonly endInclusive?: boolean
  readonly subjectType?: string
  readonly interval?: 'day' | 'week' | 'month'
  /** Cap of the cohort. */
  readonly limit?: number
}

export interface FunnelStage {
  /** From 1. */
  readonly order: number
  readonly key: string
  readonly as: string
  readonly label: string
  readonly description?: string
  readonly subjects: number
  /** 0 to 100, not rounded. */
  readonly pctOfFirst: number | null
  readonly pctOfPrevious: number | null
  readonly medianDaysFromAnchor: number | null
  readonly medianDaysFromPrevious: number | null
  /** Had the stage before, not this one. */
  readonly notReached: number
  /** Had this stage, not the next. null at the end. */
  readonly stalledAt: number | null
}

export interface FunnelExit {
  readonly key: string
  readonly as: string
  readonly label: string
  readonly subjects: number
}

export interface FunnelSlice {
  readonly at: Date
  readonly subjects: number
  readonly stages: readonly FunnelStage[]
}

export interface FunnelResult {
  readonly cohortSubjects: number
  readonly first: number
  readonly stages: readonly FunnelStage[]
  readonly exits: readonly FunnelExit[]
  readonly slices: readonly FunnelSlice[] | null
  readonly truncated: boolean
  readonly cohort: {
    readonly from: Date
    readonly to: Date
    readonly endInclusive: boolean
    readonly anchor: string
  }
  readonly dataSource: 'rollups'
}

export interface ActivityParams extends TimeRange {
  readonly kind?: Kind
  readonly name?: string
  readonly service?: string
  /** Buckets of the answer. Left out: one total per group. */
  readonly interval?: Bucket
  /** What to tell apart. Default nothing: one group. */
  readonly groupBy?: readonly ('tenantId' | 'kind' | 'name' | 'service')[]
}

export interface ActivityGroup {
  /** The values of `groupBy`. */
  readonly group: Readonly<Partial<Record<'tenantId' | 'kind' | 'name' | 'service', string>>>
  readonly at?: Date
  readonly count: number
  /** Per metric, and `durationMs`. */
  readonly sums: Readonly<Record<string, number>>
}

/** Counts and sums from the system families: constant time, every record counted, sampled ones too. */
export interface ActivityResult {
  readonly groups: readonly ActivityGroup[]
  readonly truncated: boolean
  readonly dataSource: 'rollups' | 'raw+rollups'
}

export interface QueryLimits {
  /** Rows a page. Default 200. */
  readonly records: number
  /** Buckets. Default 744. */
  readonly series: number
  /** Rows scanned. Default 100,000. */
  readonly distribution: number
  /** Documents. Default 500. */
  readonly rollups: number
  /** Rows. Default 500. */
  readonly trace: number
  /** Rows. Default 500. */
  readonly journey: number
  /** Documents scanned. Default 100,000. */
  readonly distinct: number
  /** Subjects in the cohort. Default 5,000. */
  readonly funnel: number
}

/** A read that cannot be answered as asked. Its message is meant for the caller, word for word. */
export class QueryError extends Error {
  override readonly name = 'QueryError'
  readonly status = 400
  /** Read by Fastify's error handling. */
  readonly statusCode = 400
}
