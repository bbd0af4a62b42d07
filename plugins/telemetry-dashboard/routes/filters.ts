// Reads the filters that records, series and distribution share.
import { type Params, readList, readOne } from './parameters.ts'
import { accepted, allOf, type Parsed, refused } from './parsed.ts'

/** Filters of exact equality, named as the envelope's fields. */
export const EXACT_FILTERS = [
  'kind',
  'name',
  'severity',
  'env',
  'service',
  'release',
  'traceId',
  'subject'
] as const

export type ExactFilter = (typeof EXACT_FILTERS)[number]

/** One bound on a metric; both bounds are inclusive. */
export interface MetricBound {
  readonly key: string
  readonly bound: 'atLeast' | 'atMost'
  readonly value: number
}

export interface Filters {
  readonly exact: Readonly<Partial<Record<ExactFilter, string>>>
  /** Every pair must be equal. */
  readonly attrs: readonly (readonly [key: string, value: string])[]
  /** Every bound must hold. */
  readonly metrics: readonly MetricBound[]
  /** Actor types; a record without an actor is never excluded. */
  readonly excludeActors: readonly string[]
}

/** At most this many terms of each of attrs, metrics and excludeActors. */
export const MAX_TERMS = 20

/** Splits a comma list; `\,` is a comma that belongs to its part. */
export function splitTerms(text: string): readonly string[] {
  const parts = text.split(/(?<!\\),/).map((part) => part.replaceAll('\\,', ','))
  return parts.filter((part) => part.trim() !== '')
}

function readAttrs(params: Params): Parsed<Filters['attrs']> {
  const text = readOne(params, 'attrs')
  if (!text.ok) return text
  const terms = splitTerms(text.value ?? '')
  if (terms.length > MAX_TERMS) return refused(`attrs must be at most ${MAX_TERMS} pairs`)
  const pairs: [string, string][] = []
  for (const term of terms) {
    const colon = term.indexOf(':')
    const key = term.slice(0, colon).trim()
    if (colon < 0 || key === '' || key.includes('\0')) {
      return refused('attrs must be pairs of key:value')
    }
    pairs.push([key, term.slice(colon + 1)])
  }
  return accepted(pairs)
}

const METRIC_TERM = /^([\w.]+)([<>])(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)$/

/** A bound, or undefined for anything that is none: such a term is ignored. */
export function parseMetricTerm(term: string): MetricBound | undefined {
  const match = METRIC_TERM.exec(term.trim())
  if (match === null) return undefined
  const [, key = '', sign, number] = match
  const value = Number(number)
  if (!Number.isFinite(value)) return undefined
  return { key, bound: sign === '>' ? 'atLeast' : 'atMost', value }
}

function readMetrics(params: Params): Parsed<Filters['metrics']> {
  const text = readOne(params, 'metrics')
  if (!text.ok) return text
  const bounds = (text.value ?? '').split(',').map(parseMetricTerm)
  const known = bounds.filter((bound) => bound !== undefined)
  return known.length > MAX_TERMS
    ? refused(`metrics must be at most ${MAX_TERMS} terms`)
    : accepted(known)
}

function readExact(params: Params): Parsed<Filters['exact']> {
  const exact: Partial<Record<ExactFilter, string>> = {}
  for (const name of EXACT_FILTERS) {
    const text = readOne(params, name)
    if (!text.ok) return text
    if (text.value !== undefined) exact[name] = text.value
  }
  return accepted(exact)
}

/** The filters of a request. Unknown parameters are no filters and change nothing. */
export function readFilters(params: Params): Parsed<Filters> {
  return allOf({
    exact: readExact(params),
    attrs: readAttrs(params),
    metrics: readMetrics(params),
    excludeActors: readList(params, 'excludeActors', MAX_TERMS)
  })
}
