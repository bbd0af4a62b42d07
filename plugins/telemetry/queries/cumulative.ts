// Points that say a total so far must not be added up: each would count again what the one before counted.
import { encodeKey } from '../field-keys.ts'
import { type Measure, measuredRows } from './measure.ts'
import { POINTS } from './metrics.ts'
import type { Reader } from './reader.ts'
import { NEWEST_FIRST } from './row-source.ts'
import { QueryError } from './types.ts'

/** The numbers of points that are totals so far. */
const TOTALS: ReadonlySet<string> = new Set(['metrics.value', 'metrics.count', 'metrics.sum'])
const TEMPORALITY = `attrs.${encodeKey('metric.temporality')}`

/** @throws QueryError when a sum would be of cumulative points. */
export async function refuseCumulative(
  { rows }: Pick<Reader, 'rows'>,
  measure: Measure,
  filter: Readonly<Record<string, unknown>>
): Promise<void> {
  if (measure.op !== 'sum' || !TOTALS.has(measure.field ?? '')) return
  const { name = POINTS, [TEMPORALITY]: temporality = 'cumulative' } = filter
  if (name !== POINTS || temporality !== 'cumulative') return
  const wanted = { ...measuredRows(measure, filter), name: POINTS, [TEMPORALITY]: 'cumulative' }
  const { items } = await rows.find(wanted, {
    sort: NEWEST_FIRST,
    limit: 1,
    projection: { occurredAt: 1 }
  })
  if (items.length === 0) return
  throw new QueryError(
    'cumulative points of metrics cannot be added up, because each holds the total so far: read the metric with measure rate or increase, or filter by metric.temporality:delta'
  )
}
