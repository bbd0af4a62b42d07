// Measures a signal over one window with the read primitives.

import type { Document } from 'mongodb'
import { encodeKey } from '../field-keys.ts'
import { readActivity } from '../queries/activity.ts'
import { breakdownPipeline, type Group } from '../queries/breakdown.ts'
import { refuseCumulative } from '../queries/cumulative.ts'
import { readDistinct } from '../queries/distinct.ts'
import { readFunnel } from '../queries/funnel.ts'
import {
  collectsValues,
  figureOf,
  measuredRows,
  type Part,
  partOf,
  readMeasure
} from '../queries/measure.ts'
import type { Reader } from '../queries/reader.ts'
import { rowFilter, scopeFilter } from '../queries/row-filter.ts'
import { MAX_TIME_MS, NEWEST_FIRST, wholeOf } from '../queries/row-source.ts'
import type { ActivityParams, TimeRange } from '../queries/types.ts'
import type { AlertSignal } from '../schemas/alerts.ts'
import type { RecordFilters } from '../schemas/filters.ts'
import type { Measurement } from './judge.ts'
import { type MetricSignal, measureMetric, measureMetricGroups } from './measure-metric.ts'

type Signal<S extends AlertSignal['source']> = Extract<AlertSignal, { source: S }>

export function measureSignal(
  reader: Reader,
  scope: string,
  signal: AlertSignal,
  range: TimeRange
): Promise<Measurement> {
  switch (signal.source) {
    case 'series':
      return measureSeries(reader, scope, signal, range)
    case 'metric':
      return measureMetric(reader, scope, signal, range)
    case 'rollup':
      return measureRollup(reader, scope, signal, range)
    case 'distinct':
      return measureDistinct(reader, scope, signal, range)
    case 'funnel':
      return measureFunnel(reader, scope, signal, range)
  }
}

const counted = (value: number): Measurement => ({ value, records: value })

/** What the system families can tell without raw rows: they count sampled and capped records too. */
const SYSTEM_FILTERS: ReadonlySet<string> = new Set(['kind', 'name', 'service'])

async function measureSeries(
  reader: Reader,
  scope: string,
  signal: Signal<'series'>,
  range: TimeRange
): Promise<Measurement> {
  const { filters = {}, attrs = {} } = signal
  const measure = readMeasure(signal.measure)
  const isOfSystem =
    measure.op === 'count' &&
    Object.keys(attrs).length === 0 &&
    Object.keys(filters).every((key) => SYSTEM_FILTERS.has(key))
  if (isOfSystem) {
    const asked = { ...range, ...filters } as ActivityParams
    const { groups: items, missing = [] } = await readActivity(reader, scope, asked)
    const groups = wholeOf({ items, missing })
    return counted(groups.reduce((sum, group) => sum + group.count, 0))
  }
  const all: RecordFilters = { ...filters, attrs: new Map(Object.entries(attrs)) }
  const filter = rowFilter(scope, range, all)
  await refuseCumulative(reader, measure, filter)
  const isLimited = collectsValues(measure)
  const newest = [{ $sort: NEWEST_FIRST }, { $limit: reader.limits.distribution }]
  const found = await reader.rows.aggregate<Part>([
    { $match: measuredRows(measure, filter) },
    ...(isLimited ? newest : []),
    { $group: { _id: null, ...partOf(measure) } }
  ])
  const parts = wholeOf(found)
  const records = parts.reduce((sum, part) => sum + part.records, 0)
  return { value: figureOf(measure, parts), records }
}

/** A signal that is measured for each value of a dimension. */
export type GroupedSignal = (Signal<'series'> | MetricSignal) & { readonly by: string }

export const isGrouped = (signal: AlertSignal): signal is GroupedSignal =>
  (signal.source === 'series' || signal.source === 'metric') && signal.by !== undefined

/** Whether a value without records measures 0. */
export const isCount = ({ source, measure = 'count' }: GroupedSignal): boolean =>
  source === 'series' && (measure === 'count' || measure === 'unique')

/** Every value that the records of a window have. */
export const measureGroups = (
  reader: Reader,
  scope: string,
  signal: GroupedSignal,
  range: TimeRange
): Promise<ReadonlyMap<string, Measurement>> =>
  signal.source === 'metric'
    ? measureMetricGroups(reader, scope, signal, range)
    : measureRecordGroups(reader, scope, signal, range)

async function measureRecordGroups(
  reader: Reader,
  scope: string,
  { filters = {}, attrs = {}, by, measure: asked }: Signal<'series'> & { readonly by: string },
  range: TimeRange
): Promise<ReadonlyMap<string, Measurement>> {
  const measure = readMeasure(asked)
  const all: RecordFilters = { ...filters, attrs: new Map(Object.entries(attrs)) }
  const params = { ...range, by, filters: all, ...(asked !== undefined && { measure: asked }) }
  await refuseCumulative(reader, measure, rowFilter(scope, range, all))
  const cap = collectsValues(measure) ? reader.limits.distribution : undefined
  const found = await reader.rows.aggregate<Group>(breakdownPipeline(scope, params, cap))
  const groups = new Map<string, Group[]>()
  for (const one of wholeOf(found)) {
    const { v } = one._id
    if (typeof v === 'string') groups.set(v, [...(groups.get(v) ?? []), one])
  }
  return new Map(
    [...groups].map(([value, parts]) => [
      value,
      {
        value: figureOf(measure, parts),
        records: parts.reduce((sum, { records }) => sum + records, 0)
      }
    ])
  )
}

/** Documents of a family in a window. */
export function rollupWindow(scope: string, signal: Signal<'rollup'>, range: TimeRange): Document {
  return {
    ...scopeFilter(scope),
    as: signal.as,
    bucketAt: { $gte: range.from, $lt: range.to },
    ...(signal.dims !== undefined && { dims: { $in: [...signal.dims] } })
  }
}

async function measureRollup(
  { rollups }: Reader,
  scope: string,
  signal: Signal<'rollup'>,
  range: TimeRange
): Promise<Measurement> {
  const metric = signal.measure?.startsWith('sum:') ? signal.measure.slice(4) : undefined
  const [found] = await rollups
    .aggregate<{ count: number; value: number }>(
      [
        { $match: rollupWindow(scope, signal, range) },
        {
          $group: {
            _id: null,
            count: { $sum: '$count' },
            value: { $sum: metric === undefined ? '$count' : `$sums.${encodeKey(metric)}` }
          }
        }
      ],
      { maxTimeMS: MAX_TIME_MS }
    )
    .toArray()
  return { value: found?.value ?? 0, records: found?.count ?? 0 }
}

async function measureDistinct(
  reader: Reader,
  scope: string,
  { as, subjectType }: Signal<'distinct'>,
  range: TimeRange
): Promise<Measurement> {
  const { distinct } = await readDistinct(reader, scope, {
    ...range,
    as,
    ...(subjectType !== undefined && { subjectType })
  })
  return counted(distinct)
}

async function measureFunnel(
  reader: Reader,
  scope: string,
  signal: Signal<'funnel'>,
  range: TimeRange
): Promise<Measurement> {
  const { stages, subjectType, value = 'pctOfFirst' } = signal
  const result = await readFunnel(reader, scope, {
    ...range,
    stages,
    ...(subjectType !== undefined && { subjectType })
  })
  const wanted = signal.stage ?? stages.at(-1)
  const stage = result.stages.find(({ as }) => as === wanted)
  return { value: stage?.[value] ?? null, records: result.cohortSubjects }
}
