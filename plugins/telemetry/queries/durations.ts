// How long rows take, grouped by one of their values: percentiles, failures and the slowest row of each group.
import type { Document } from 'mongodb'
import { wireId } from '../envelope/stored-id.ts'
import type { RecordFilters } from '../schemas/filters.ts'
import type { DurationGroup, DurationsResult } from '../schemas/reads.ts'
import { breakdownField, MAX_GROUPS } from './breakdown.ts'
import { finiteNumbers, percentileIn } from './percentile.ts'
import { clampLimit, type Reader } from './reader.ts'
import { HAS_FAILED, rowFilter, withMeasure } from './row-filter.ts'
import { gapsOf } from './row-source.ts'
import { QueryError, type TimeRange } from './types.ts'

/** What durations can be grouped by, beside `attr:<key>`. */
export const DURATION_FIELDS = ['name', 'service', 'release', 'env', 'tenantId'] as const

export interface DurationsParams extends TimeRange {
  readonly filters?: RecordFilters
  /** One of DURATION_FIELDS, or `attr:<key>`. */
  readonly by: string
  /** Groups; at most, and by default, 50. */
  readonly limit?: number
}

interface Slowest {
  readonly ms: number
  readonly id: Parameters<typeof wireId>[0]
  readonly tenantId: string
  readonly traceId?: string
}

interface Group {
  readonly _id: unknown
  readonly values: ArrayLike<unknown>
  readonly failed: number
  readonly slowest: Slowest
}

/** The slowest groups first, by their 95th percentile. */
export async function readDurations(
  { rows, limits }: Reader,
  scope: string,
  params: DurationsParams
): Promise<DurationsResult> {
  const cap = limits.distribution
  const read = await rows.aggregateNewest<Group>(
    durationsPipeline(scope, params, cap),
    ({ values }) => values.length
  )
  const { items: found, missing, isCut } = read
  const groups = found
    .map(describe)
    .sort((a, b) => b.p95 - a.p95 || ((a.value ?? '') < (b.value ?? '') ? -1 : 1))
  return {
    groups: groups.slice(0, clampLimit(params.limit, MAX_GROUPS)),
    values: groups.length,
    truncated: isCut || missing.length > 0,
    ...gapsOf(missing),
    dataSource: 'raw'
  }
}

function describe({ _id, values, failed, slowest }: Group): DurationGroup {
  const finite = finiteNumbers([values])
  const n = finite.length
  const ranked = (rank: number) => (n === 0 ? 0 : percentileIn(finite, rank))
  const { ms: _ms, id, ...row } = slowest
  return {
    value: typeof _id === 'string' ? _id : null,
    n,
    failed,
    p50: ranked(0.5),
    p95: ranked(0.95),
    max: ranked(1),
    slowest: { ...row, id: wireId(id) }
  }
}

/** One document a group of the newest rows, up to the cap. @throws QueryError for an unknown field. */
export function durationsPipeline(scope: string, params: DurationsParams, cap: number): Document[] {
  const { by } = params
  if (!by.startsWith('attr:') && !DURATION_FIELDS.some((field) => field === by)) {
    throw new QueryError(`by must be attr:<key> or one of ${DURATION_FIELDS.join(', ')}`)
  }
  return [
    { $match: withMeasure(rowFilter(scope, params, params.filters), 'durationMs') },
    { $sort: { occurredAt: -1, _id: -1 } },
    { $limit: cap },
    {
      $group: {
        _id: `$${breakdownField(by)}`,
        values: { $push: '$durationMs' },
        failed: { $sum: { $cond: [HAS_FAILED, 1, 0] } },
        // Documents compare by their first field.
        slowest: {
          $max: { ms: '$durationMs', id: '$_id', tenantId: '$tenantId', traceId: '$traceId' }
        }
      }
    }
  ]
}
