// Reads the filters that records, series, distribution and others share. Pure.
import { isRefused } from '@keelson/sdk'
import {
  EXACT_FILTER_NAMES,
  EXACT_FILTERS,
  type ExactFilter,
  type ExcludedValue,
  MAX_FILTER_TERMS,
  type MetricFilter,
  parseMetricTerm,
  parsePair,
  type RangeText,
  type RecordFilters,
  readSearch,
  splitTerms,
  type TimeRange
} from '@keelson/telemetry'
import { type Invalid, invalid } from '../refusals.ts'
import { readList } from './parameters.ts'
import { readRange } from './time-range.ts'

/** The filters of a request, as its query string holds them. */
export type FilterQuery = Readonly<
  Partial<
    Record<
      ExactFilter | 'attrs' | 'metrics' | 'q' | 'did' | 'didNot' | 'excludeActors' | 'exclude',
      string
    >
  >
> & { readonly isRoot?: boolean }

function readAttrs(text = ''): ReadonlyMap<string, string> | Invalid {
  const terms = splitTerms(text)
  if (terms.length > MAX_FILTER_TERMS) {
    return invalid(`attrs must be at most ${MAX_FILTER_TERMS} pairs`)
  }
  const pairs = new Map<string, string>()
  for (const pair of terms.map(parsePair)) {
    if (pair === undefined) return invalid('attrs must be pairs of key:value')
    const [key, value] = pair
    if ((pairs.get(key) ?? value) !== value) return invalid('attrs must name each key once')
    pairs.set(key, value)
  }
  return pairs
}

function readMetrics(text = ''): readonly MetricFilter[] | Invalid {
  const known = text.split(',').flatMap((term) => parseMetricTerm(term) ?? [])
  return known.length > MAX_FILTER_TERMS
    ? invalid(`metrics must be at most ${MAX_FILTER_TERMS} terms`)
    : known
}

/** Fields whose values can be left out: those of equality, and attributes. */
const isExcludable = (field: string): boolean =>
  Object.hasOwn(EXACT_FILTERS, field) || /^attrs\.[^\0]+$/s.test(field)

function readExclude(text = ''): readonly ExcludedValue[] | Invalid {
  const terms = splitTerms(text)
  if (terms.length > MAX_FILTER_TERMS) {
    return invalid(`exclude must be at most ${MAX_FILTER_TERMS} pairs`)
  }
  const excluded = terms.map((term) => {
    const [field = '', value = ''] = parsePair(term) ?? []
    return { field, value }
  })
  return excluded.every(({ field }) => isExcludable(field))
    ? excluded
    : invalid('exclude must be pairs of field:value, with a filter or attrs.<key> as field')
}

/** The filters of a request. */
export function readFilters(query: FilterQuery): RecordFilters | Invalid {
  const attrs = readAttrs(query.attrs)
  if (isRefused(attrs)) return attrs
  const metrics = readMetrics(query.metrics)
  if (isRefused(metrics)) return metrics
  if (query.didNot !== undefined && query.did === undefined) return invalid('didNot needs did')
  const search = readSearch(query.q ?? '')
  if (!search.ok) return invalid(search.problem)
  const excludeActors = readList(query.excludeActors, 'excludeActors', MAX_FILTER_TERMS)
  if (isRefused(excludeActors)) return excludeActors
  const exclude = readExclude(query.exclude)
  if (isRefused(exclude)) return exclude
  const exact = EXACT_FILTER_NAMES.flatMap((name) =>
    query[name] === undefined ? [] : [[name, query[name]]]
  )
  return {
    ...Object.fromEntries(exact),
    ...(query.isRoot === true && { isRoot: true }),
    ...(attrs.size > 0 && { attrs }),
    ...(metrics.length > 0 && { metrics }),
    ...(query.did !== undefined && { did: query.did }),
    ...(query.didNot !== undefined && { didNot: query.didNot }),
    ...(query.q !== undefined && search.terms.length > 0 && { q: query.q }),
    ...(excludeActors.length > 0 && { excludeActors }),
    ...(exclude.length > 0 && { exclude })
  }
}

/** Which records a request is about. */
export interface Selection extends TimeRange {
  readonly filters: RecordFilters
}

/** Range and filters of a request. */
export function readSelection(query: FilterQuery & RangeText, now: Date): Selection | Invalid {
  const range = readRange(query, now)
  if (isRefused(range)) return range
  const filters = readFilters(query)
  return isRefused(filters) ? filters : { ...range, filters }
}
