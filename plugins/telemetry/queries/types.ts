// The read primitives: what they take and what they answer. Scope is a tenant id, or `*` for all.

import { BUCKETS, type Bucket, type Kind } from '../contracts/telemetry-registry.ts'
import type { RecordFilters } from '../schemas/filters.ts'

/** Half-open: `from` is inside, `to` is outside. Never rounded. */
export interface TimeRange {
  readonly from: Date
  readonly to: Date
}

/** What reads cut time into. Rollups have no minutes: those are counted from rows. */
export const INTERVALS = ['minute', ...BUCKETS] as const
export type Interval = (typeof INTERVALS)[number]

/** How an answer is cut into buckets. */
export interface BucketParams {
  readonly interval?: Interval
  /** Days, weeks and months are those of this zone. Default `UTC`. */
  readonly timeZone?: string
}

export interface RecordsParams extends TimeRange {
  readonly filters?: RecordFilters
  /** Clamped to the cap; the cap when left out. */
  readonly limit?: number
  /** `nextCursor` of the page before. */
  readonly cursor?: string
}

/** All records of a range, as a file. */
export interface RecordFileParams extends Omit<RecordsParams, 'limit' | 'cursor'> {
  readonly format: 'csv' | 'json' | 'parquet'
}

export interface SeriesParams extends TimeRange, BucketParams {
  readonly filters?: RecordFilters
  /** `count` unless told; see `MEASURES`. `durationMs` is a metric here too. */
  readonly measure?: string
}

export interface DistributionParams extends TimeRange {
  readonly filters?: RecordFilters
  /** Default `durationMs`; anything else reads a metric. */
  readonly measure?: string
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

export interface JourneyParams extends TimeRange {
  /** A subject ref. */
  readonly ref: string
  readonly limit?: number
}

export interface DistinctParams extends TimeRange {
  readonly as: string
  readonly subjectType?: string
  /** Default: the family's own bucket. Finer answers the family's own. */
  readonly interval?: Bucket
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
  /** A value that the anchor captures, as `attr:source`: the cohort in groups of it. */
  readonly by?: string
  /** Slices are those of this zone. Default `UTC`. */
  readonly timeZone?: string
  /** Cap of the cohort. */
  readonly limit?: number
}

export interface ActivityParams extends TimeRange, BucketParams {
  readonly kind?: Kind
  readonly name?: string
  readonly service?: string
  /** What to tell apart. Default nothing: one group. */
  readonly groupBy?: readonly ('tenantId' | 'kind' | 'name' | 'service')[]
}

export interface QueryLimits {
  /** Rows a page. Default 200. */
  readonly records: number
  /** Buckets; of minutes twice as many. Default 744. */
  readonly series: number
  /** Rows scanned, for a page of records too. Default 100,000. */
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
