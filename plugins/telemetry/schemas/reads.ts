// The answers of the read primitives that dashboard and agents share.
import { optional, Type } from '@keelson/sdk'
import { BUCKETS, type Bucket } from '../contracts/telemetry-registry.ts'
import { envelopeSchema } from './envelope.ts'
import {
  type Answer,
  count,
  date,
  flag,
  mapOf,
  numberOrNull,
  oneOf,
  text,
  textOrNull,
  texts
} from './parts.ts'

export const bucketSchema = Type.Object(
  {
    at: date('Start of the bucket, UTC.'),
    value: count()
  },
  { title: 'SeriesBucket' }
)
/** One bucket of a series. */
export type SeriesBucket = Answer<typeof bucketSchema>

const rangeSchema = Type.Object({ from: date(), to: date() })
/** Absent as a rule. */
export const missing = () =>
  optional(
    Type.Array(rangeSchema, {
      description:
        'Times whose sealed records could not be read, wholly or in part: the answer is without them, and truncated.'
    })
  )

export const recordsSchema = Type.Object(
  {
    items: Type.Array(envelopeSchema, { description: 'Newest first.' }),
    nextCursor: textOrNull('`cursor` of the next page; null on the last.'),
    truncated: flag(
      'The limit of scanned rows ended the page early: `nextCursor` goes on from there.'
    ),
    missing: missing(),
    dataSource: oneOf(['raw'])
  },
  { title: 'TelemetryRecords' }
)
export type RecordsResult = Answer<typeof recordsSchema>

export const seriesSchema = Type.Object(
  {
    buckets: Type.Array(bucketSchema, {
      description: 'Ascending; empty buckets are left out. At most the cap: the newest are kept.'
    }),
    truncated: flag('Older buckets were left out because of the cap.'),
    sampled: flag('Some rows stand for several records; counts are estimates.'),
    missing: missing(),
    dataSource: oneOf(['raw'])
  },
  { title: 'TelemetrySeries' }
)
export type SeriesResult = Answer<typeof seriesSchema>

const barSchema = Type.Object({ min: count(), max: count(), n: count() })
export type HistogramBar = Answer<typeof barSchema>

export const distributionSchema = Type.Object(
  {
    n: count(),
    truncated: flag('Only the first n matches were measured.'),
    histogram: Type.Array(barSchema),
    missing: missing(),
    dataSource: oneOf(['raw']),
    p50: optional(count('Absent when n is 0, as are the others.')),
    p90: optional(count()),
    p95: optional(count()),
    p99: optional(count()),
    min: optional(count()),
    max: optional(count()),
    avg: optional(count())
  },
  { title: 'TelemetryDistribution' }
)
export type DistributionResult = Answer<typeof distributionSchema>

const rollupRowSchema = Type.Object(
  {
    _id: text(),
    tenantId: text(),
    as: text(),
    dims: texts('`<key>=<value>`; subjects keep `<type>:<id>`.'),
    subjectType: optional(text()),
    bucketAt: optional(date()),
    firstAt: date(),
    lastAt: date(),
    count: count(),
    sums: mapOf(Type.Number()),
    firstCapture: mapOf(
      Type.String(),
      'Full dimension to value: `attr:source`, `field:error.type`.'
    ),
    firstTraceId: optional(text())
  },
  { title: 'RollupRow' }
)
export type RollupRow = Answer<typeof rollupRowSchema>

export const rollupsSchema = Type.Object(
  {
    rows: Type.Array(rollupRowSchema),
    bucketed: flag(),
    truncated: flag(),
    dataSource: oneOf(['rollups'])
  },
  { title: 'Rollups' }
)
export type RollupsResult = Answer<typeof rollupsSchema>

const rollupTotalSchema = Type.Object({
  tenantId: text(),
  dims: texts('`<key>=<value>`; subjects keep `<type>:<id>`.'),
  subjectType: optional(text()),
  bucketAt: optional(date('Start of the newest bucket.')),
  firstAt: date(),
  lastAt: date(),
  count: count(),
  sums: mapOf(Type.Number())
})
export type RollupTotal = Answer<typeof rollupTotalSchema>

export const rollupTotalsSchema = Type.Object(
  {
    totals: Type.Array(rollupTotalSchema, { description: 'The largest counts first.' }),
    values: count('All totals, those beyond the limit too.'),
    documents: count('Documents that were added up.'),
    bucket: Type.Unsafe<Bucket | null>({
      type: ['string', 'null'],
      description: 'Of the family: buckets that start in the range are added up. Null: lifetime.'
    }),
    truncated: flag(
      'Only the newest documents were added up, because there are more than the cap.'
    ),
    dataSource: oneOf(['rollups'])
  },
  { title: 'RollupTotals' }
)
export type RollupTotalsResult = Answer<typeof rollupTotalsSchema>

export const traceSchema = Type.Object(
  {
    items: Type.Array(envelopeSchema, { description: 'Oldest first.' }),
    truncated: flag(),
    missing: missing(),
    dataSource: oneOf(['raw'])
  },
  { title: 'Trace' }
)
export type TraceResult = Answer<typeof traceSchema>

export const journeySchema = Type.Object(
  {
    records: Type.Array(envelopeSchema, { description: 'Newest first.' }),
    milestones: Type.Array(rollupRowSchema, {
      description: 'Lifetime rollups of the subject, earliest first, at most 100.'
    }),
    truncated: flag(),
    missing: missing(),
    dataSource: oneOf(['raw+rollups'])
  },
  { title: 'Journey' }
)
export type JourneyResult = Answer<typeof journeySchema>

export const distinctSchema = Type.Object(
  {
    buckets: Type.Array(bucketSchema),
    distinct: count('Over the whole range; not the sum of the buckets.'),
    interval: oneOf(BUCKETS),
    truncated: flag(),
    dataSource: oneOf(['rollups'])
  },
  { title: 'DistinctCount' }
)
export type DistinctResult = Answer<typeof distinctSchema>

const activityGroupSchema = Type.Object({
  group: Type.Object(
    {
      tenantId: optional(text()),
      kind: optional(text()),
      name: optional(text()),
      service: optional(text())
    },
    { description: 'The values of `groupBy`.' }
  ),
  at: optional(date()),
  count: count(),
  sums: mapOf(Type.Number(), 'Per metric, and `durationMs`.')
})
export type ActivityGroup = Answer<typeof activityGroupSchema>

export const activitySchema = Type.Object(
  {
    groups: Type.Array(activityGroupSchema),
    truncated: flag(),
    missing: missing(),
    dataSource: oneOf(['rollups', 'raw+rollups'])
  },
  { title: 'TelemetryActivity' }
)
/** Counts and sums from the system families: constant time, every record counted, sampled ones too. */
export type ActivityResult = Answer<typeof activitySchema>

const breakdownGroupSchema = Type.Object({
  value: textOrNull('null: rows without the value.'),
  also: optional(
    textOrNull('The value of `alsoBy`, present when that is asked. null: rows without the value.')
  ),
  tenantId: optional(
    text('Of persons, for a viewer of all tenants: two tenants may use the same name.')
  ),
  count: count('Records, sampled ones weighed.'),
  figure: count('The measure; the count when that is asked.'),
  buckets: optional(
    Type.Array(bucketSchema, {
      description: 'Ascending, empty ones left out; present with an interval.'
    })
  )
})
export type BreakdownGroup = Answer<typeof breakdownGroupSchema>

export const breakdownSchema = Type.Object(
  {
    groups: Type.Array(breakdownGroupSchema, { description: 'The largest figures first.' }),
    values: count('Groups, those left out included.'),
    total: count('The figures of all groups added up, those left out included.'),
    truncated: flag('Only the newest rows were read, because there are more than the cap.'),
    sampled: flag(),
    missing: missing(),
    dataSource: oneOf(['raw'])
  },
  { title: 'TelemetryBreakdown' }
)
export type BreakdownResult = Answer<typeof breakdownSchema>

const durationGroupSchema = Type.Object({
  value: textOrNull('null: rows without the value.'),
  n: count('Rows with a duration.'),
  failed: count('Of them, rows of severity error or fatal.'),
  p50: count('Milliseconds, as the other figures.'),
  p95: count(),
  max: count(),
  slowest: Type.Object(
    { id: text(), tenantId: text(), traceId: optional(text()) },
    { description: 'The row that took longest.' }
  )
})
export type DurationGroup = Answer<typeof durationGroupSchema>

export const durationsSchema = Type.Object(
  {
    groups: Type.Array(durationGroupSchema, { description: 'The largest 95th percentile first.' }),
    values: count('Different values, those left out included.'),
    truncated: flag('Only the newest rows were read, because there are more than the cap.'),
    missing: missing(),
    dataSource: oneOf(['raw'])
  },
  { title: 'TelemetryDurations' }
)
export type DurationsResult = Answer<typeof durationsSchema>

const usageSums = {
  count: count(),
  unbilled: count('Records that are not billed.'),
  quantities: mapOf(Type.Number(), 'Unit to quantity.'),
  amounts: mapOf(
    Type.String(),
    'Currency to the sum of billed amounts, as decimal text: nothing is rounded.'
  ),
  sums: mapOf(Type.Number())
}

const usageTotalSchema = Type.Object({
  value: textOrNull('null: usage without the value.'),
  tenantId: optional(
    text('Of persons, for a viewer of all tenants: two tenants may use the same name.')
  ),
  ...usageSums
})
export type UsageTotal = Answer<typeof usageTotalSchema>

export const usageTotalsSchema = Type.Object(
  {
    groups: Type.Array(usageTotalSchema, { description: 'The most records first.' }),
    values: count('Groups, those left out included.'),
    total: Type.Object(usageSums, {
      description: 'All groups added up, those left out included.'
    }),
    truncated: flag(),
    missing: missing(),
    dataSource: oneOf(['raw'])
  },
  { title: 'UsageTotals' }
)
export type UsageTotalsResult = Answer<typeof usageTotalsSchema>

const issueSchema = Type.Object({
  tenantId: text(),
  fingerprint: text(),
  type: text(),
  message: text(),
  count: numberOrNull(
    'Errors in the range, sampled ones weighed; null when rollups alone were read.'
  ),
  total: numberOrNull(
    'Errors since the first, for any range and filters; null when no family keeps it.'
  ),
  people: numberOrNull(
    'Different people in the range, by the first subject of each record; null when rollups alone were read.'
  ),
  firstAt: date('The first ever, as far as a family keeps it; else the first in the range.'),
  lastAt: date(),
  firstTraceId: optional(text()),
  buckets: optional(
    Type.Array(bucketSchema, {
      description: 'Ascending, empty ones left out; present with an interval.'
    })
  )
})
export type Issue = Answer<typeof issueSchema>

export const issuesSchema = Type.Object(
  {
    issues: Type.Array(issueSchema, { description: 'As sorted; the last seen first unless told.' }),
    values: count('Different issues, those left out included.'),
    truncated: flag('Some issues were left out, or only the newest rows were read.'),
    sampled: flag(),
    missing: missing(),
    dataSource: oneOf(['rollups', 'raw+rollups'])
  },
  { title: 'TelemetryIssues' }
)
export type IssuesResult = Answer<typeof issuesSchema>
