// A measure of records by the minute, and what any window of whole minutes measures of it: the same as reading the
// records of that window. Pure but for the read.

import { refuseCumulative } from '../queries/cumulative.ts'
import { isAdditive, measuredRows, type Part, partOf, readMeasure } from '../queries/measure.ts'
import type { Reader } from '../queries/reader.ts'
import { rowFilter } from '../queries/row-filter.ts'
import { wholeOf } from '../queries/row-source.ts'
import { bucketOfRow } from '../queries/time-buckets.ts'
import { QueryError, type TimeRange } from '../queries/types.ts'
import type { AlertSignal } from '../schemas/alerts.ts'
import type { RecordFilters } from '../schemas/filters.ts'
import type { Measurement } from './judge.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

interface Minute extends Part {
  readonly _id: Date
}

/** Totals up to each minute, so that a window is the difference of two. */
export interface MinuteTotals {
  readonly from: number
  readonly op: 'count' | 'sum' | 'avg'
  readonly rows: Float64Array
  readonly records: Float64Array
  readonly sums: Float64Array
}

/** Reads the minutes of a range day by day, until the signal ends it. */
export async function readMinutes(
  reader: Reader,
  scope: string,
  signal: Extract<AlertSignal, { source: 'series' }>,
  { range, isLate }: { readonly range: TimeRange; readonly isLate: () => boolean }
): Promise<MinuteTotals> {
  const { filters = {}, attrs = {} } = signal
  const all: RecordFilters = { ...filters, attrs: new Map(Object.entries(attrs)) }
  const measure = readMeasure(signal.measure)
  if (!isAdditive(measure.op))
    throw new QueryError(`windows of ${measure.op} are not sums of minutes`)
  const { op } = measure
  await refuseCumulative(reader, measure, rowFilter(scope, range, all))
  const minutes: Minute[] = []
  let from = range.to.getTime()
  // Newest first, so that what the time limit leaves out is the oldest.
  while (from > range.from.getTime() && !isLate()) {
    const to = from
    from = Math.max(range.from.getTime(), to - DAY_MS)
    const filter = rowFilter(scope, { from: new Date(from), to: new Date(to) }, all)
    const pipeline = [
      { $match: measuredRows(measure, filter) },
      {
        $group: {
          _id: bucketOfRow('minute'),
          ...partOf(measure)
        }
      }
    ]
    minutes.push(...wholeOf(await reader.rows.aggregate<Minute>(pipeline)))
  }
  return totalsOf(minutes, { from, to: range.to.getTime(), op })
}

export function totalsOf(
  minutes: readonly Minute[],
  { from, to, op }: { readonly from: number; readonly to: number; readonly op: MinuteTotals['op'] }
): MinuteTotals {
  const count = Math.max(0, Math.ceil((to - from) / MINUTE_MS)) + 1
  const totals = {
    from,
    op,
    rows: new Float64Array(count),
    records: new Float64Array(count),
    sums: new Float64Array(count)
  }
  for (const { _id, rows, records, total = 0 } of minutes) {
    const at = Math.floor((_id.getTime() - from) / MINUTE_MS) + 1
    totals.rows[at] = rows
    totals.records[at] = records
    totals.sums[at] = total ?? 0
  }
  for (const list of [totals.rows, totals.records, totals.sums]) {
    for (let at = 1; at < count; at++) list[at] = (list[at] ?? 0) + (list[at - 1] ?? 0)
  }
  return totals
}

/** What a window of whole minutes measures. */
export function measureWindow(totals: MinuteTotals, { from, to }: TimeRange): Measurement {
  const last = totals.rows.length - 1
  const place = (at: Date) =>
    Math.min(last, Math.max(0, Math.round((at.getTime() - totals.from) / MINUTE_MS)))
  const [start, end] = [place(from), place(to)]
  const between = (list: Float64Array) => (list[end] ?? 0) - (list[start] ?? 0)
  const rows = between(totals.rows)
  // Of no rows the differences of sums may be a rounding error beside 0.
  if (rows === 0) return { value: totals.op === 'avg' ? null : 0, records: 0 }
  const records = between(totals.records)
  if (totals.op === 'count') return { value: records, records }
  const sum = between(totals.sums)
  return { value: totals.op === 'sum' ? sum : sum / rows, records }
}
