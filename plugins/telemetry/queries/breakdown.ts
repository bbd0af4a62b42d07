// Rows told apart by one of their values: the largest groups, and each of them over time.

import type { Document } from 'mongodb'
import { encodeKey } from '../field-keys.ts'
import type { RecordFilters } from '../schemas/filters.ts'
import type { BreakdownGroup, BreakdownResult } from '../schemas/reads.ts'
import { refuseCumulative } from './cumulative.ts'
import {
  figureOf,
  type Measure,
  measuredRows,
  type Part,
  partOf,
  readMeasure,
  sizesOf
} from './measure.ts'
import { clampLimit, type Reader } from './reader.ts'
import { rowFilter } from './row-filter.ts'
import { gapsOf, NEWEST_FIRST } from './row-source.ts'
import { bucketOfRow, checkBuckets } from './time-buckets.ts'
import { type BucketParams, type Interval, QueryError, type TimeRange } from './types.ts'

/** What rows can be told apart by, beside `attr:<key>`. */
export const BREAKDOWN_FIELDS = {
  tenantId: 'tenantId',
  kind: 'kind',
  name: 'name',
  severity: 'severity',
  env: 'env',
  service: 'service',
  release: 'release',
  subject: 'subjectKeys',
  actorType: 'actorType',
  'error.type': 'error.type',
  fingerprint: 'error.fingerprint',
  'state.to': 'state.to',
  meter: 'usage.meter',
  billedTo: 'usage.billedTo'
} as const

/** Fields that hold refs. */
const PERSONS: ReadonlySet<string> = new Set([BREAKDOWN_FIELDS.subject, BREAKDOWN_FIELDS.billedTo])

/** Groups of one answer, unless more are asked for. */
export const MAX_GROUPS = 50
/** Groups of one answer that does not tell them over time. */
export const MOST_GROUPS = 1000

export interface BreakdownParams extends TimeRange, BucketParams {
  readonly filters?: RecordFilters
  /** A key of BREAKDOWN_FIELDS, or `attr:<key>`. */
  readonly by: string
  /** `count` unless told; see `MEASURES`. */
  readonly measure?: string
  /** Tells each group over time too. */
  readonly interval?: Interval
  /** Groups: 50 unless told, at most 1,000; with an interval 50. */
  readonly limit?: number
  /** Rows, the newest of the range; at most, and by default, the cap. */
  readonly newest?: number
  /** Only values that contain this text, in upper or lower case. */
  readonly contains?: string
}

/** What a breakdown finds of one group. */
export interface Group extends Part {
  readonly _id: { readonly v: unknown; readonly tenant?: string; readonly at?: Date }
}

/** The field of a row that a breakdown goes by. @throws QueryError for an unknown one. */
export function breakdownField(by: unknown): string {
  if (typeof by === 'string' && by.startsWith('attr:') && by.length > 5 && by.length <= 305) {
    return `attrs.${encodeKey(by.slice(5))}`
  }
  const field = Object.entries(BREAKDOWN_FIELDS).find(([name]) => name === by)?.[1]
  if (field === undefined) {
    throw new QueryError(
      `by must be attr:<key> or one of ${Object.keys(BREAKDOWN_FIELDS).join(', ')}`
    )
  }
  return field
}

export async function readBreakdown(
  reader: Reader,
  scope: string,
  params: BreakdownParams
): Promise<BreakdownResult> {
  const { rows, limits } = reader
  const measure = readMeasure(params.measure)
  await refuseCumulative(reader, measure, rowFilter(scope, params, params.filters))
  const most = params.interval === undefined ? MOST_GROUPS : MAX_GROUPS
  const limit = clampLimit(params.limit ?? MAX_GROUPS, most)
  const cap = clampLimit(params.newest, limits.distribution)
  const { items: found, missing } = await rows.aggregate<Group>(
    breakdownPipeline(scope, params, cap)
  )
  const groups = new Map<string, Group[]>()
  for (const one of found) {
    const { v, tenant = '' } = one._id
    const key = typeof v === 'string' ? `v${tenant}\n${v}` : ''
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [one])
    else known.push(one)
  }
  const wanted = params.contains?.toLowerCase() ?? ''
  const all = [...groups.values()]
    .map((parts) => describe(parts, measure, params))
    .filter(({ value }) => wanted === '' || value?.toLowerCase().includes(wanted) === true)
  return {
    groups: all
      .sort((a, b) => b.figure - a.figure || ((a.value ?? '') < (b.value ?? '') ? -1 : 1))
      .slice(0, limit),
    values: all.length,
    truncated: found.reduce((sum, one) => sum + one.rows, 0) >= cap || missing.length > 0,
    ...gapsOf(missing),
    sampled: found.some(({ rate }) => rate < 1),
    dataSource: 'raw'
  }
}

function describe(
  parts: readonly Group[],
  measure: Measure,
  { interval }: BreakdownParams
): BreakdownGroup {
  const buckets = parts.flatMap((part) => {
    const { at } = part._id
    const value = figureOf(measure, [part])
    return at === undefined || value === null ? [] : [{ at, value }]
  })
  const { v, tenant } = parts[0]?._id ?? {}
  const isNamed = typeof v === 'string'
  return {
    value: isNamed ? v : null,
    ...(isNamed && tenant !== undefined && { tenantId: tenant }),
    count: parts.reduce((sum, { records }) => sum + records, 0),
    figure: figureOf(measure, parts) ?? 0,
    ...(interval !== undefined && {
      buckets: buckets.sort((a, b) => a.at.getTime() - b.at.getTime())
    })
  }
}

/** One document a group (and bucket) of the newest rows, up to the cap; of all rows without one. */
export function breakdownPipeline(
  scope: string,
  params: BreakdownParams,
  cap: number | undefined
): Document[] {
  const field = breakdownField(params.by)
  const measure = readMeasure(params.measure)
  const { interval, timeZone } = params
  checkBuckets(params, params)
  const filter = rowFilter(scope, params, params.filters)
  const isSubject = field === BREAKDOWN_FIELDS.subject
  return [
    { $match: measuredRows(measure, filter) },
    ...(cap === undefined ? [] : [{ $sort: NEWEST_FIRST }, { $limit: cap }]),
    {
      $group: {
        _id: {
          // A record of several subjects belongs to its first.
          v: isSubject ? { $first: `$${field}` } : `$${field}`,
          // Two tenants may have a ref of the same name.
          ...(scope === '*' && PERSONS.has(field) && { tenant: '$tenantId' }),
          ...(interval !== undefined && { at: bucketOfRow(interval, timeZone) })
        },
        ...partOf(measure)
      }
    },
    // Over time, the same person is in several parts of a group.
    ...(interval === undefined ? sizesOf(measure) : [])
  ]
}
