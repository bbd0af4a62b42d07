// Rows told apart by one or two of their values: the largest groups, and each of them over time.

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
  /** A second one: a group has one value of each. */
  readonly alsoBy?: string
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
  readonly _id: GroupKey
}

interface GroupKey {
  readonly v: unknown
  /** The value of the second dimension. */
  readonly also?: unknown
  readonly tenant?: string
  readonly at?: Date
}

/** The field of a row that a breakdown goes by. @throws QueryError for an unknown one. */
export function breakdownField(by: unknown, parameter = 'by'): string {
  if (typeof by === 'string' && by.startsWith('attr:') && by.length > 5 && by.length <= 305) {
    return `attrs.${encodeKey(by.slice(5))}`
  }
  const field = Object.entries(BREAKDOWN_FIELDS).find(([name]) => name === by)?.[1]
  if (field === undefined) {
    throw new QueryError(
      `${parameter} must be attr:<key> or one of ${Object.keys(BREAKDOWN_FIELDS).join(', ')}`
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
  const { items, missing, isCut } = await rows.aggregateNewest<Group>(
    breakdownPipeline(scope, params, cap),
    (one) => one.rows
  )
  const named = namedBy(params)
  const groups = new Map<string, Named>()
  for (const one of items) {
    const names = named(one._id)
    const key = JSON.stringify([names.value, names.also, names.tenantId])
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { names, order: orderOf(names), parts: [one] })
    else known.parts.push(one)
  }
  const wanted = params.contains?.toLowerCase() ?? ''
  const has = (text?: string | null) => text?.toLowerCase().includes(wanted) === true
  const all = [...groups.values()]
    .filter(({ names: { value, also } }) => wanted === '' || has(value) || has(also))
    .map((one) => ({ ...one, figure: figureOf(measure, one.parts) ?? 0 }))
  return {
    groups: all
      .sort((a, b) => b.figure - a.figure || (a.order < b.order ? -1 : 1))
      .slice(0, limit)
      .map((one) => describe(one, measure, params.interval !== undefined)),
    values: all.length,
    total: all.reduce((sum, { figure }) => sum + figure, 0),
    truncated: isCut || missing.length > 0,
    ...gapsOf(missing),
    sampled: items.some(({ rate }) => rate < 1),
    dataSource: 'raw'
  }
}

type Names = Pick<BreakdownGroup, 'value' | 'also' | 'tenantId'>

interface Named {
  readonly names: Names
  /** Decides between groups with the same figure. */
  readonly order: string
  readonly parts: Group[]
}

const orderOf = ({ value, also, tenantId }: Names): string =>
  `${value ?? ''}\n${also ?? ''}\n${tenantId ?? ''}`

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const isPerson = (by: string | undefined): boolean =>
  by !== undefined && PERSONS.has(breakdownField(by))

/** Makes the values of a group, with the tenant of a person that it names. Two groups have not the same. */
function namedBy({ by, alsoBy }: BreakdownParams): (key: GroupKey) => Names {
  const [isOfPerson, isAlsoOfPerson] = [isPerson(by), isPerson(alsoBy)]
  return ({ v, also, tenant }) => {
    const [value, second] = [textOf(v), textOf(also)]
    const isNamed = (isOfPerson && value !== null) || (isAlsoOfPerson && second !== null)
    return {
      value,
      ...(alsoBy !== undefined && { also: second }),
      ...(isNamed && tenant !== undefined && { tenantId: tenant })
    }
  }
}

function describe(
  { names, parts, figure }: Named & { readonly figure: number },
  measure: Measure,
  isOverTime: boolean
): BreakdownGroup {
  return {
    ...names,
    count: parts.reduce((sum, { records }) => sum + records, 0),
    figure,
    ...(isOverTime && { buckets: overTime(parts, measure) })
  }
}

/** Parts of one bucket are of several tenants where the group is of no person. */
function overTime(parts: readonly Group[], measure: Measure) {
  const times = new Map<number, Group[]>()
  for (const part of parts) {
    const at = part._id.at?.getTime() ?? 0
    times.set(at, [...(times.get(at) ?? []), part])
  }
  return [...times]
    .sort(([a], [b]) => a - b)
    .flatMap(([at, some]) => {
      const value = figureOf(measure, some)
      return value === null ? [] : [{ at: new Date(at), value }]
    })
}

// A record of several subjects belongs to its first.
const valueAt = (field: string): unknown =>
  field === BREAKDOWN_FIELDS.subject ? { $first: `$${field}` } : `$${field}`

/** One document a group (and bucket) of the newest rows, up to the cap; of all rows without one. */
export function breakdownPipeline(
  scope: string,
  params: BreakdownParams,
  cap: number | undefined
): Document[] {
  const { interval, timeZone, by, alsoBy } = params
  const first = breakdownField(by)
  const second = alsoBy === undefined ? undefined : breakdownField(alsoBy, 'alsoBy')
  const measure = readMeasure(params.measure)
  checkBuckets(params, params)
  const filter = rowFilter(scope, params, params.filters)
  return [
    { $match: measuredRows(measure, filter) },
    ...(cap === undefined ? [] : [{ $sort: NEWEST_FIRST }, { $limit: cap }]),
    {
      $group: {
        _id: {
          v: valueAt(first),
          ...(second !== undefined && { also: valueAt(second) }),
          // Two tenants may have a ref of the same name.
          ...(scope === '*' && (isPerson(by) || isPerson(alsoBy)) && { tenant: '$tenantId' }),
          ...(interval !== undefined && { at: bucketOfRow(interval, timeZone) })
        },
        ...partOf(measure)
      }
    },
    // Over time, the same person is in several parts of a group.
    ...(interval === undefined ? sizesOf(measure) : [])
  ]
}
