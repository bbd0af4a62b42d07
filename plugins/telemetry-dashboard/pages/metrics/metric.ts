// A metric as the page shows it: its figures in its unit, its lines. Pure.
import type { Metric, MetricSeriesResult } from '@keelson/telemetry'
import type { AsJson, ChartSeries, Format } from '@keelson/ui'
import { amountText } from '../amount.ts'
import { fillBuckets } from '../buckets.ts'
import { groupTones } from '../group-tones.ts'

export type MetricAnswer = AsJson<MetricSeriesResult>
export type MetricRow = AsJson<Metric>

/** Lines of a chart that can still be told apart. */
const MOST_LINES = 5

/** A count of values has no unit: the rate of a histogram counts its values. */
const isOfCounts = ({ type, measure }: Pick<MetricAnswer, 'type' | 'measure'>): boolean =>
  type !== 'sum' && (measure === 'rate' || measure === 'increase')

/** A figure in the unit of the metric, by UCUM: `s`, `ms`, `By`, `1`, `{order}`. */
export function metricText(
  answer: Pick<MetricAnswer, 'type' | 'measure' | 'unit'>,
  value: number,
  format: Format
): string {
  const text = isOfCounts(answer) ? amountText(value, format) : unitText(answer.unit, value, format)
  return answer.measure === 'rate' ? `${text}/s` : text
}

/** The unit as people write it. */
export const unitName = (unit: string): string =>
  unit === 'By' ? 'B' : unit === '1' ? '' : unit.replaceAll(/[{}]/g, '')

function unitText(unit: string, value: number, format: Format): string {
  switch (unit) {
    case 's':
      return format.duration(value * 1000)
    case 'ms':
      return format.duration(value)
    case 'us':
      return format.duration(value / 1000)
    case 'By':
      return format.bytes(value)
    default:
      return amountText(value, format)
  }
}

/** The largest groups as lines; nothing grew where a counter has no bucket, and of anything else it is a gap. */
export function metricLines(
  { groups, measure }: MetricAnswer,
  starts: readonly number[],
  nameless: string
): readonly ChartSeries[] {
  const missing = measure === 'increase' || measure === 'rate' ? 0 : null
  const shown = groups.slice(0, MOST_LINES)
  const tones = groupTones(shown.map(({ value }) => value ?? '').sort())
  return shown.map(({ value, buckets }) => ({
    id: `group ${value ?? ''}`,
    label: value ?? nameless,
    values: fillBuckets(buckets, starts, missing),
    tone: tones.get(value ?? '')
  }))
}
