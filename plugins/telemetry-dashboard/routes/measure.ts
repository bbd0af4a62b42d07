// Reads what a series measures and how it is cut.
import { type Params, readOne } from './parameters.ts'
import { accepted, type Parsed, refused } from './parsed.ts'

export const SERIES_INTERVALS = ['hour', 'day', 'week', 'month'] as const
export const FUNNEL_INTERVALS = ['day', 'week', 'month'] as const

/** `count`, `sum:<metric>` or `avg:<metric>`. */
export type Measure =
  | { readonly of: 'count' }
  | { readonly of: 'sum' | 'avg'; readonly metric: string }

const MEASURE = /^(sum|avg):([^\0$][^\0]{0,199})$/s

export function readMeasure(params: Params): Parsed<Measure> {
  const text = readOne(params, 'measure')
  if (!text.ok) return text
  if (text.value === undefined || text.value === 'count') return accepted({ of: 'count' })
  const match = MEASURE.exec(text.value)
  if (match === null) return refused('measure must be count, sum:<metric> or avg:<metric>')
  return accepted({ of: match[1] as 'sum' | 'avg', metric: match[2] ?? '' })
}

/** The field of a distribution: `durationMs`, or the name of a metric. */
export function readField(params: Params): Parsed<string> {
  const text = readOne(params, 'measure')
  if (!text.ok) return text
  const field = text.value ?? 'durationMs'
  return field.includes('\0') || field.startsWith('$') || field.length > 200
    ? refused('measure must be durationMs or the name of a metric')
    : accepted(field)
}
