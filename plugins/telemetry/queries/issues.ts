// Issues: errors that are the same. Listed from rollups alone, or counted from the rows that filters leave.

import type { Document } from 'mongodb'
import type { RollupFamily } from '../registry/types.ts'
import type { StoredRollup } from '../rollups/update.ts'
import type { RecordFilters } from '../schemas/filters.ts'
import type { Issue, IssuesResult } from '../schemas/reads.ts'
import { FINGERPRINT_LABEL, holdsText, issueTerms } from './issue-search.ts'
import { DIFFERENT_PEOPLE, ROW_WEIGHT } from './measure.ts'
import { clampLimit, type Reader } from './reader.ts'
import { rangeTerm, rowFilter, scopeFilter } from './row-filter.ts'
import { gapsOf, MAX_TIME_MS } from './row-source.ts'
import { decodeKeys } from './show-rollup.ts'
import { bucketOfRow, checkBuckets } from './time-buckets.ts'
import { type BucketParams, type Interval, QueryError, type TimeRange } from './types.ts'

/** Issues of one answer, unless more are asked for. */
export const MAX_ISSUES = 200
/** Issues of one answer. */
export const MOST_ISSUES = 1000

/** What issues may be sorted by, the greatest first. Of all issues, whatever the limit leaves. */
export const ISSUE_ORDERS = ['lastAt', 'firstAt', 'total', 'count', 'people'] as const
export type IssueOrder = (typeof ISSUE_ORDERS)[number]

/** Orders that rows alone can tell. */
const COUNTED_ORDERS: ReadonlySet<IssueOrder> = new Set(['count', 'people'])

/** Orders that an index of rollups has. */
const LISTED_ORDERS: Readonly<Record<string, Readonly<Record<string, 1 | -1>>>> = {
  lastAt: { lastAt: -1, _id: 1 },
  firstAt: { firstAt: -1, _id: -1 },
  total: { count: -1, _id: 1 }
}

const FINGERPRINT = 'field:error.fingerprint'

export interface IssuesParams extends TimeRange, BucketParams {
  /** With any of them the rows are counted. Their kind can only be `error`. */
  readonly filters?: RecordFilters
  /** Counts the rows, over time too. Without filters and interval rollups alone are read. */
  readonly interval?: Interval
  /** Default `lastAt`. By `count` or `people` the rows are counted. */
  readonly sort?: IssueOrder
  /** Only issues whose type, message or fingerprint has this; written as `q` is. Of all issues. */
  readonly contains?: string
  /** Default 200, at most 1,000: the first as sorted. */
  readonly limit?: number
}

export async function readIssues(
  reader: Reader,
  scope: string,
  params: IssuesParams
): Promise<IssuesResult> {
  checkBuckets(params, params)
  const { sort = 'lastAt', interval, filters = {} } = params
  if (!ISSUE_ORDERS.includes(sort)) {
    throw new QueryError(`sort must be one of ${ISSUE_ORDERS.join(', ')}`)
  }
  const isCounted =
    interval !== undefined || COUNTED_ORDERS.has(sort) || Object.keys(filters).length > 0
  return isCounted ? countIssues(reader, scope, params) : listIssues(reader, scope, params)
}

/** Lifetime families by fingerprint alone: what issues are kept in. */
const familiesOf = ({ registry }: Reader): readonly RollupFamily[] =>
  [...registry().families.values()].filter(
    ({ by, bucket }) => bucket === undefined && by.length === 1 && by[0] === FINGERPRINT
  )

const fingerprintOf = ({ dims: [dim = ''] }: StoredRollup): string =>
  dim.startsWith(FINGERPRINT_LABEL) ? dim.slice(FINGERPRINT_LABEL.length) : dim

function describe(stored: StoredRollup): Issue {
  const captured = decodeKeys(stored.firstCapture)
  const { tenantId, firstAt, lastAt, count, firstTraceId } = stored
  return {
    tenantId,
    fingerprint: fingerprintOf(stored),
    type: captured['field:error.type'] ?? '',
    message: captured['field:error.message'] ?? '',
    count: null,
    total: count,
    people: null,
    firstAt,
    lastAt,
    ...(firstTraceId !== undefined && { firstTraceId })
  }
}

const idOf = ({ fingerprint, tenantId }: Issue): string => `${fingerprint}\n${tenantId}`

const seenLastFirst = (a: Issue, b: Issue): number =>
  b.lastAt.getTime() - a.lastAt.getTime() || (idOf(a) < idOf(b) ? -1 : 1)

/** The greatest first; of the same the last seen. */
const inOrder =
  (sort: IssueOrder) =>
  (a: Issue, b: Issue): number =>
    rankOf(b, sort) - rankOf(a, sort) || seenLastFirst(a, b)

const rankOf = (issue: Issue, sort: IssueOrder): number =>
  sort === 'lastAt' || sort === 'firstAt' ? issue[sort].getTime() : (issue[sort] ?? 0)

type Wanted = TimeRange & Pick<IssuesParams, 'contains'>

/** Issues that were last seen in the range. */
export const seenFilter = (scope: string, as: string, wanted: Wanted): Document => ({
  ...scopeFilter(scope),
  as,
  lifetime: true,
  lastAt: rangeTerm(wanted),
  ...issueTerms(wanted.contains)
})

async function listIssues(
  reader: Reader,
  scope: string,
  params: IssuesParams
): Promise<IssuesResult> {
  const limit = clampLimit(params.limit ?? MAX_ISSUES, MOST_ISSUES)
  const { sort = 'lastAt' } = params
  const found = await Promise.all(
    familiesOf(reader).map(({ as }) =>
      reader.rollups
        .find(seenFilter(scope, as, params))
        .sort(LISTED_ORDERS[sort] ?? {})
        .limit(limit + 1)
        .maxTimeMS(MAX_TIME_MS)
        .toArray()
    )
  )
  const since = await seenSince(reader, scope, params)
  const listed = await countListed(reader, scope, params, { found, limit })
  const all = [...found.flat().map(describe), ...since.issues].sort(inOrder(sort))
  return {
    issues: all.slice(0, limit),
    values: listed + since.issues.length,
    truncated: listed + since.issues.length > limit || since.isCut || since.missing.length > 0,
    ...gapsOf(since.missing),
    sampled: false,
    dataSource: since.issues.length > 0 ? 'raw+rollups' : 'rollups'
  }
}

/** Counted where the list was cut. */
const MOST_COUNTED = 100_000

/** How many issues were last seen in the range. */
async function countListed(
  reader: Reader,
  scope: string,
  wanted: Wanted,
  { found, limit }: { readonly found: readonly (readonly StoredRollup[])[]; readonly limit: number }
): Promise<number> {
  const options = { limit: MOST_COUNTED, maxTimeMS: MAX_TIME_MS }
  const counts = familiesOf(reader).map(({ as }, at) => {
    const some = found[at]?.length ?? 0
    return some <= limit
      ? Promise.resolve(some)
      : reader.rollups.countDocuments(seenFilter(scope, as, wanted), options)
  })
  return (await Promise.all(counts)).reduce((sum, one) => sum + one, 0)
}

interface Since {
  readonly issues: readonly Issue[]
  readonly isCut: boolean
  readonly missing: readonly TimeRange[]
}

/** Issues that were seen after the range and may have been seen in it: the rows of the range tell. */
async function seenSince(reader: Reader, scope: string, params: IssuesParams): Promise<Since> {
  const found = await Promise.all(
    familiesOf(reader).map(({ as }) =>
      reader.rollups
        .find(laterFilter(scope, as, params))
        .sort({ lastAt: -1, _id: 1 })
        .limit(MAX_LATER + 1)
        .maxTimeMS(MAX_TIME_MS)
        .toArray()
    )
  )
  const known = new Map(
    found.flat().map((one) => [who(one.tenantId, fingerprintOf(one)), describe(one)])
  )
  if (known.size === 0) return { issues: [], isCut: false, missing: [] }
  const { items, missing } = await reader.rows.aggregate<SeenGroup>(
    seenPipeline(scope, params, [...known.values()])
  )
  const issues = items.flatMap(({ _id, lastAt }) => {
    const issue = known.get(who(_id.tenantId, _id.fingerprint))
    return issue === undefined ? [] : [{ ...issue, lastAt }]
  })
  const isCut = found.some((some) => some.length > MAX_LATER)
  return { issues, isCut, missing }
}

/** Issues that are looked up in rows. */
const MAX_LATER = 1000

interface SeenGroup {
  readonly _id: { readonly tenantId: string; readonly fingerprint: string }
  readonly lastAt: Date
}

/** Issues that began before the end of the range and were seen after it. */
export const laterFilter = (scope: string, as: string, { to, contains }: Wanted): Document => ({
  ...scopeFilter(scope),
  as,
  lifetime: true,
  lastAt: { $gte: to },
  firstAt: { $lt: to },
  ...issueTerms(contains)
})

/** When these issues were last seen in the range. */
export const seenPipeline = (
  scope: string,
  range: TimeRange,
  issues: readonly Pick<Issue, 'fingerprint'>[]
): Document[] => [
  {
    $match: {
      ...scopeFilter(scope),
      'error.fingerprint': { $in: [...new Set(issues.map(({ fingerprint }) => fingerprint))] },
      occurredAt: rangeTerm(range)
    }
  },
  {
    $group: {
      _id: { tenantId: '$tenantId', fingerprint: '$error.fingerprint' },
      lastAt: { $max: '$occurredAt' }
    }
  }
]

interface Group {
  readonly _id: { readonly tenantId: string; readonly fingerprint: unknown; readonly at?: Date }
  readonly n: number
  readonly count: number
  readonly rate: number
  readonly type: unknown
  readonly message: unknown
  readonly people: readonly unknown[]
  readonly firstAt: Date
  readonly lastAt: Date
  readonly firstTraceId: unknown
}

/** One document an issue (and bucket) of the newest errors, up to the cap. */
export function issuesPipeline(scope: string, params: IssuesParams, cap: number): Document[] {
  const { interval, timeZone } = params
  return [
    { $match: rowFilter(scope, params, { ...params.filters, kind: 'error' }) },
    { $sort: { occurredAt: -1, _id: -1 } },
    { $limit: cap },
    {
      $group: {
        _id: {
          tenantId: '$tenantId',
          fingerprint: '$error.fingerprint',
          ...(interval !== undefined && { at: bucketOfRow(interval, timeZone) })
        },
        n: { $sum: 1 },
        count: { $sum: ROW_WEIGHT },
        rate: { $min: { $ifNull: ['$sampleRate', 1] } },
        type: { $first: '$error.type' },
        message: { $first: '$error.message' },
        people: DIFFERENT_PEOPLE,
        firstAt: { $last: '$occurredAt' },
        lastAt: { $first: '$occurredAt' },
        firstTraceId: { $last: '$traceId' }
      }
    }
  ]
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const who = (tenantId: string, fingerprint: string): string => `${tenantId}\n${fingerprint}`

async function countIssues(
  reader: Reader,
  scope: string,
  params: IssuesParams
): Promise<IssuesResult> {
  const limit = clampLimit(params.limit ?? MAX_ISSUES, MOST_ISSUES)
  const cap = reader.limits.distribution
  const kind = params.filters?.kind
  const read =
    kind === undefined || kind === 'error'
      ? await reader.rows.aggregateNewest<Group>(issuesPipeline(scope, params, cap), ({ n }) => n)
      : { items: [], missing: [], isCut: false }
  const { items: found, missing, isCut } = read
  const groups = new Map<string, Group[]>()
  for (const one of found) {
    if (typeof one._id.fingerprint !== 'string') continue
    const key = who(one._id.tenantId, one._id.fingerprint)
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  const { sort = 'lastAt' } = params
  const all = [...groups.values()]
    .map((parts) => addUp(parts, params.interval))
    .filter(holdsText(params.contains))
  const needsHistory = sort === 'total' || sort === 'firstAt'
  const candidates = needsHistory ? all : all.sort(inOrder(sort)).slice(0, limit)
  const known = await findKnown(reader, scope, candidates)
  const issues = candidates.map((issue) =>
    withHistory(issue, known.get(who(issue.tenantId, issue.fingerprint)))
  )
  return {
    issues: issues.sort(inOrder(sort)).slice(0, limit),
    values: all.length,
    truncated: all.length > limit || isCut || missing.length > 0,
    ...gapsOf(missing),
    sampled: found.some(({ rate }) => rate < 1),
    dataSource: 'raw+rollups'
  }
}

function addUp(parts: readonly Group[], interval: Interval | undefined): Issue {
  const sorted = [...parts].sort((a, b) => a.lastAt.getTime() - b.lastAt.getTime())
  const first = sorted[0] as Group
  const last = sorted[sorted.length - 1] as Group
  const firstTraceId = text(first.firstTraceId)
  return {
    tenantId: last._id.tenantId,
    fingerprint: text(last._id.fingerprint),
    type: text(last.type),
    message: text(last.message),
    count: parts.reduce((sum, { count }) => sum + count, 0),
    total: null,
    people: new Set(parts.flatMap(({ people }) => people).filter((one) => one !== null)).size,
    firstAt: first.firstAt,
    lastAt: last.lastAt,
    ...(firstTraceId !== '' && { firstTraceId }),
    ...(interval !== undefined && {
      buckets: sorted.flatMap(({ _id: { at }, count }) =>
        at === undefined ? [] : [{ at, value: count }]
      )
    })
  }
}

/** What families keep of these issues. */
export const knownFilter = (
  scope: string,
  as: string,
  fingerprints: readonly string[]
): Document => ({
  ...scopeFilter(scope),
  as,
  lifetime: true,
  dims: { $in: fingerprints.map((fingerprint) => `${FINGERPRINT_LABEL}${fingerprint}`) }
})

async function findKnown(
  reader: Reader,
  scope: string,
  issues: readonly Issue[]
): Promise<ReadonlyMap<string, Issue>> {
  const known = new Map<string, Issue>()
  if (issues.length === 0) return known
  const fingerprints = [...new Set(issues.map(({ fingerprint }) => fingerprint))]
  const asked = familiesOf(reader).flatMap(({ as }) =>
    partsOf(fingerprints).map((some) => knownFilter(scope, as, some))
  )
  for (const filter of asked) {
    const found = await reader.rollups.find(filter).maxTimeMS(MAX_TIME_MS).toArray()
    for (const one of found.map(describe)) {
      const key = who(one.tenantId, one.fingerprint)
      const other = known.get(key)
      known.set(key, other === undefined ? one : joined(other, one))
    }
  }
  return known
}

/** Values of one filter. */
const MOST_VALUES = 1000

const partsOf = (values: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(values.length / MOST_VALUES) }, (_, at) =>
    values.slice(at * MOST_VALUES, (at + 1) * MOST_VALUES)
  )

/** One issue that two families keep, because errors of two names are the same. */
function joined(a: Issue, b: Issue): Issue {
  const first = a.firstAt <= b.firstAt ? a : b
  return { ...first, total: (a.total ?? 0) + (b.total ?? 0) }
}

function withHistory(issue: Issue, known: Issue | undefined): Issue {
  if (known === undefined) return issue
  const { total, firstAt, firstTraceId } = known
  return { ...issue, total, firstAt, ...(firstTraceId !== undefined && { firstTraceId }) }
}
