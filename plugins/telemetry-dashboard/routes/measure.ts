// Reads what a series or a distribution measures.
import { type Params, readOne } from './parameters.ts'
import { accepted, type Parsed, refused } from './parsed.ts'

export const SERIES_INTERVALS = ['hour', 'day', 'week', 'month'] as const
export const FUNNEL_INTERVALS = ['day', 'week', 'month'] as const

const METRIC = /^[^\0$][^\0]{0,199}$/s

/** `count`, `sum:<metric>` or `avg:<metric>`. */
export function readMeasure(params: Params): Parsed<string> {
  const text = readOne(params, 'measure')
  if (!text.ok) return text
  const measure = text.value ?? 'count'
  const isKnown = measure === 'count' || /^(sum|avg):/.test(measure)
  return isKnown && (measure === 'count' || METRIC.test(measure.slice(4)))
    ? accepted(measure)
    : refused('measure must be count, sum:<metric> or avg:<metric>')
}

/** The field of a distribution: `durationMs`, or the name of a metric. */
export function readField(params: Params): Parsed<string> {
  const text = readOne(params, 'measure')
  if (!text.ok) return text
  const field = text.value ?? 'durationMs'
  return METRIC.test(field)
    ? accepted(field)
    : refused('measure must be durationMs or the name of a metric')
}
