// Reads the filters that records, series and distribution share.
import type { ExcludedValue, MetricFilter, RecordFilters } from '@keelson/telemetry'
import { type Params, readList, readOne } from './parameters.ts'
import { accepted, allOf, type Parsed, refused } from './parsed.ts'

/** Filters of exact equality, named as the parameters. */
export const EXACT_FILTERS = [
  'kind',
  'name',
  'severity',
  'env',
  'service',
  'release',
  'traceId',
  'subject',
  'fingerprint',
  'meter',
  'billedTo',
  'tenant'
] as const

type ExactFilters = Partial<Record<(typeof EXACT_FILTERS)[number], string>>

/** At most this many terms of each of attrs, metrics and excludeActors. */
export const MAX_TERMS = 20

/** Splits a comma list; `\,` is a comma that belongs to its part. */
export function splitTerms(text: string): readonly string[] {
  const parts = text.split(/(?<!\\),/).map((part) => part.replaceAll('\\,', ','))
  return parts.filter((part) => part.trim() !== '')
}

function readAttrs(params: Params): Parsed<ReadonlyMap<string, string>> {
  const text = readOne(params, 'attrs')
  if (!text.ok) return text
  const terms = splitTerms(text.value ?? '')
  if (terms.length > MAX_TERMS) return refused(`attrs must be at most ${MAX_TERMS} pairs`)
  const pairs = new Map<string, string>()
  for (const term of terms) {
    const colon = term.indexOf(':')
    const key = term.slice(0, colon).trim()
    if (colon < 0 || key === '' || key.includes('\0')) {
      return refused('attrs must be pairs of key:value')
    }
    const value = term.slice(colon + 1)
    if ((pairs.get(key) ?? value) !== value) return refused('attrs must name each key once')
    pairs.set(key, value)
  }
  return accepted(pairs)
}

const METRIC_TERM = /^([\w.]+)([<>])(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)$/

/** A bound (both are inclusive), or undefined for anything that is none: such a term is ignored. */
export function parseMetricTerm(term: string): MetricFilter | undefined {
  const match = METRIC_TERM.exec(term.trim())
  if (match === null) return undefined
  const [, key = '', sign, number] = match
  const value = Number(number)
  if (!Number.isFinite(value)) return undefined
  return { key, op: sign === '>' ? 'gte' : 'lte', value }
}

function readMetrics(params: Params): Parsed<readonly MetricFilter[]> {
  const text = readOne(params, 'metrics')
  if (!text.ok) return text
  const terms = (text.value ?? '').split(',').map(parseMetricTerm)
  const known = terms.filter((term) => term !== undefined)
  return known.length > MAX_TERMS
    ? refused(`metrics must be at most ${MAX_TERMS} terms`)
    : accepted(known)
}

function readExact(params: Params): Parsed<ExactFilters> {
  const exact: ExactFilters = {}
  for (const name of EXACT_FILTERS) {
    const text = readOne(params, name)
    if (!text.ok) return text
    if (text.value !== undefined) exact[name] = text.value
  }
  return accepted(exact)
}

/** Fields whose values can be left out: those of equality, and attributes. */
const isExcludable = (field: string): boolean =>
  EXACT_FILTERS.some((name) => name === field) || /^attrs\.[^\0]+$/s.test(field)

function readExclude(params: Params): Parsed<readonly ExcludedValue[]> {
  const text = readOne(params, 'exclude')
  if (!text.ok) return text
  const terms = splitTerms(text.value ?? '')
  if (terms.length > MAX_TERMS) return refused(`exclude must be at most ${MAX_TERMS} pairs`)
  const excluded = terms.map((term) => {
    const colon = term.indexOf(':')
    return { field: term.slice(0, Math.max(0, colon)).trim(), value: term.slice(colon + 1) }
  })
  return excluded.every(({ field }) => isExcludable(field))
    ? accepted(excluded)
    : refused('exclude must be pairs of field:value, with a filter or attrs.<key> as field')
}

/** The filters of a request. Unknown parameters are no filters and change nothing. */
export function readFilters(params: Params): Parsed<RecordFilters> {
  const parts = allOf({
    exact: readExact(params),
    attrs: readAttrs(params),
    metrics: readMetrics(params),
    excludeActors: readList(params, 'excludeActors', MAX_TERMS),
    exclude: readExclude(params)
  })
  if (!parts.ok) return parts
  const { exact, attrs, metrics, excludeActors, exclude } = parts.value
  return accepted({
    ...exact,
    ...(attrs.size > 0 && { attrs }),
    ...(metrics.length > 0 && { metrics }),
    ...(excludeActors.length > 0 && { excludeActors }),
    ...(exclude.length > 0 && { exclude })
  })
}
