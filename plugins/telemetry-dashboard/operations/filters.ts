// Reads the filters that records, series, distribution and others share.
import {
  EXACT_FILTER_NAMES,
  EXACT_FILTERS,
  type ExactFilter,
  type ExcludedValue,
  MAX_FILTER_TERMS,
  type MetricFilter,
  parseMetricTerm,
  parsePair,
  type RecordFilters,
  splitTerms
} from '@keelson/telemetry'
import { readList } from './parameters.ts'
import { accepted, allOf, type Parsed, refused } from './parsed.ts'

/** The filters of a request, as its query string holds them. */
export type FilterQuery = Readonly<
  Partial<Record<ExactFilter | 'attrs' | 'metrics' | 'excludeActors' | 'exclude', string>>
> & { readonly isRoot?: boolean }

function readAttrs(text = ''): Parsed<ReadonlyMap<string, string>> {
  const terms = splitTerms(text)
  if (terms.length > MAX_FILTER_TERMS) {
    return refused(`attrs must be at most ${MAX_FILTER_TERMS} pairs`)
  }
  const pairs = new Map<string, string>()
  for (const pair of terms.map(parsePair)) {
    if (pair === undefined) return refused('attrs must be pairs of key:value')
    const [key, value] = pair
    if ((pairs.get(key) ?? value) !== value) return refused('attrs must name each key once')
    pairs.set(key, value)
  }
  return accepted(pairs)
}

function readMetrics(text = ''): Parsed<readonly MetricFilter[]> {
  const known = text.split(',').flatMap((term) => parseMetricTerm(term) ?? [])
  return known.length > MAX_FILTER_TERMS
    ? refused(`metrics must be at most ${MAX_FILTER_TERMS} terms`)
    : accepted(known)
}

/** Fields whose values can be left out: those of equality, and attributes. */
const isExcludable = (field: string): boolean =>
  Object.hasOwn(EXACT_FILTERS, field) || /^attrs\.[^\0]+$/s.test(field)

function readExclude(text = ''): Parsed<readonly ExcludedValue[]> {
  const terms = splitTerms(text)
  if (terms.length > MAX_FILTER_TERMS) {
    return refused(`exclude must be at most ${MAX_FILTER_TERMS} pairs`)
  }
  const excluded = terms.map((term) => {
    const [field = '', value = ''] = parsePair(term) ?? []
    return { field, value }
  })
  return excluded.every(({ field }) => isExcludable(field))
    ? accepted(excluded)
    : refused('exclude must be pairs of field:value, with a filter or attrs.<key> as field')
}

/** The filters of a request. */
export function readFilters(query: FilterQuery): Parsed<RecordFilters> {
  const parts = allOf({
    attrs: readAttrs(query.attrs),
    metrics: readMetrics(query.metrics),
    excludeActors: readList(query.excludeActors, 'excludeActors', MAX_FILTER_TERMS),
    exclude: readExclude(query.exclude)
  })
  if (!parts.ok) return parts
  const { attrs, metrics, excludeActors, exclude } = parts.value
  const exact = EXACT_FILTER_NAMES.flatMap((name) =>
    query[name] === undefined ? [] : [[name, query[name]]]
  )
  return accepted({
    ...Object.fromEntries(exact),
    ...(query.isRoot === true && { isRoot: true }),
    ...(attrs.size > 0 && { attrs }),
    ...(metrics.length > 0 && { metrics }),
    ...(excludeActors.length > 0 && { excludeActors }),
    ...(exclude.length > 0 && { exclude })
  })
}
