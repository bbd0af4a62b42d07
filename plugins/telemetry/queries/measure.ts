// What a read measures of records: how it is asked for, what the database adds up, and what figure that makes. Pure.
import type { Document } from 'mongodb'
import { MEASURES } from '../schemas/measures.ts'
import { finiteNumbers, percentileIn } from './percentile.ts'
import { HAS_FAILED, measureField, withMeasure } from './row-filter.ts'
import { QueryError } from './types.ts'

/** `count`: records, sampled ones for as many as they stand for. `unique`: subjects, by their first ref. */
export type Measure =
  | { readonly op: 'count' | 'unique' }
  | {
      readonly op: 'sum' | 'avg' | 'min' | 'max'
      /** The expression that is measured. */
      readonly value: unknown
      /** Rows without it are left out. */
      readonly field?: string
    }
  | {
      readonly op: 'percentile'
      /** 0.5, 0.95, 0.99. */
      readonly rank: number
      readonly value: unknown
      readonly field: string
    }

/** Percent of records of severity error or fatal. */
export const ERROR_RATE = 'error_rate'
const FAILED_PERCENT = { $cond: [HAS_FAILED, 100, 0] }

/** Before a metric, as `p95:durationMs`. */
const RANKS: Readonly<Record<string, number>> = { p50: 0.5, p95: 0.95, p99: 0.99 }
const OF_A_METRIC = ['sum', 'avg', 'min', 'max'] as const

/** @throws QueryError for a measure that is none. */
export function readMeasure(measure = 'count'): Measure {
  if (measure === 'count' || measure === 'unique') return { op: measure }
  if (measure === ERROR_RATE) return { op: 'avg', value: FAILED_PERCENT }
  const at = measure.indexOf(':')
  const name = measure.slice(0, Math.max(0, at))
  const key = measure.slice(at + 1)
  const op = OF_A_METRIC.find((one) => one === name)
  const rank = Object.hasOwn(RANKS, name) ? RANKS[name] : undefined
  if (key === '' || (op === undefined && rank === undefined))
    throw new QueryError(`measure must be ${MEASURES}`)
  const field = measureField(key)
  const value = `$${field}`
  return op === undefined
    ? { op: 'percentile', rank: rank ?? 0.5, field, value }
    : { op, field, value }
}

/** How many records a row stands for. */
export const ROW_WEIGHT = { $divide: [1, { $ifNull: ['$sampleRate', 1] }] }

/** Whether windows can be made of the sums of their minutes. */
export const isAdditive = (op: Measure['op']): op is 'count' | 'sum' | 'avg' =>
  op === 'count' || op === 'sum' || op === 'avg'

/** Whether the database answers each value, so that a read needs a limit of rows. */
export const collectsValues = ({ op }: Measure): boolean => op === 'percentile' || op === 'unique'

/** The rows that a measure is made of. */
export const measuredRows = (measure: Measure, filter: Document): Document =>
  'field' in measure && measure.field !== undefined ? withMeasure(filter, measure.field) : filter

/** What the database adds up of some rows. */
export interface Part {
  readonly rows: number
  readonly records: number
  /** A sum, or the least or greatest value. */
  readonly total?: number | null
  readonly values?: ArrayLike<unknown>
  /** How many different values there are, where they are not told. */
  readonly distinct?: number
  /** The least sample rate. */
  readonly rate: number
}

/** The fields of a `$group` stage that make a `Part`. */
export const partOf = (measure: Measure): Document => ({
  rows: { $sum: 1 },
  records: { $sum: ROW_WEIGHT },
  rate: { $min: { $ifNull: ['$sampleRate', 1] } },
  ...accumulated(measure)
})

/** First refs of records; null of those without. Two tenants may have a ref of the same name. */
export const DIFFERENT_PEOPLE = {
  $addToSet: { $concat: ['$tenantId', '\n', { $first: '$subjectKeys' }] }
}

function accumulated(measure: Measure): Document {
  switch (measure.op) {
    case 'count':
      return {}
    case 'sum':
    case 'avg':
      return { total: { $sum: measure.value } }
    case 'min':
    case 'max':
      return { total: { [`$${measure.op}`]: measure.value } }
    case 'percentile':
      return { values: { $push: measure.value } }
    case 'unique':
      return { values: DIFFERENT_PEOPLE }
  }
}

/** After `partOf`, where no two parts are put together: how many subjects there are instead of which. */
export const sizesOf = ({ op }: Measure): readonly Document[] =>
  op === 'unique'
    ? [
        {
          $set: {
            distinct: { $size: { $setDifference: ['$values', [null]] } },
            values: '$$REMOVE'
          }
        }
      ]
    : []

const sumOf = (parts: readonly Part[], read: (part: Part) => number): number =>
  parts.reduce((sum, part) => sum + read(part), 0)

/** The figure of all parts together; null when there is nothing to measure. */
export function figureOf(measure: Measure, parts: readonly Part[]): number | null {
  const rows = sumOf(parts, (part) => part.rows)
  const total = () => sumOf(parts, (part) => part.total ?? 0)
  const extremes = parts.flatMap((part) => part.total ?? [])
  switch (measure.op) {
    case 'count':
      return sumOf(parts, ({ records }) => records)
    case 'sum':
      return total()
    case 'avg':
      return rows === 0 ? null : total() / rows
    case 'min':
      return least(extremes)
    case 'max':
      return greatest(extremes)
    case 'percentile':
      return percentile(parts, measure.rank)
    case 'unique':
      return subjectsOf(parts)
  }
}

const least = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((a, b) => Math.min(a, b))

const greatest = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((a, b) => Math.max(a, b))

function subjectsOf(parts: readonly Part[]): number {
  if (parts.every(({ distinct }) => distinct !== undefined)) {
    return sumOf(parts, ({ distinct = 0 }) => distinct)
  }
  const subjects = new Set(parts.flatMap(({ values = [] }) => Array.from(values)))
  subjects.delete(null)
  return subjects.size
}

function percentile(parts: readonly Part[], rank: number): number | null {
  const values = finiteNumbers(parts.map(({ values: some = [] }) => some))
  return values.length === 0 ? null : percentileIn(values, rank)
}
