// The filter of a read over rows: pure. Tenant, range and every term as the API's filters say.
import type { Document } from 'mongodb'
import { plainTraceId } from '../envelope/refs.ts'
import { encodeKey } from '../field-keys.ts'
import {
  EXACT_FILTERS,
  type ExactFilter,
  type ExcludedValue,
  MAX_FILTER_TEXT,
  type MetricFilter,
  type RecordFilters
} from '../schemas/filters.ts'
import { readSearch } from '../search/read-search.ts'
import { searchFilter } from '../search/search-filter.ts'
import { QueryError, type TimeRange } from './types.ts'

const RARE_KINDS: ReadonlySet<string> = new Set(['error', 'state', 'usage'])
/** Kind and tenant have their own rules. */
const TERMS = Object.entries(EXACT_FILTERS).filter(
  ([name]) => name !== 'kind' && name !== 'tenant'
) as readonly [ExactFilter, { readonly field: string }][]

/** A filter of rows by refs, and the terms of refs that were a person's for a time. */
export interface PersonTerm {
  readonly refs: readonly string[]
  /** Any of these; all times of all refs without. */
  readonly parts?: readonly object[]
}

/** Filters of which those that name people were looked up. */
export interface ResolvedFilters extends RecordFilters {
  readonly persons?: readonly PersonTerm[]
}

/** The tenant term of a scope: none under `*`. */
export function scopeFilter(scope: string): Document {
  if (typeof scope !== 'string' || scope === '') throw new QueryError('scope required')
  return scope === '*' ? {} : { tenantId: scope }
}

/** Half-open, as given. */
export function rangeTerm({ from, to }: TimeRange): Document {
  if (!(from < to)) throw new QueryError('invalid time range')
  return { $gte: from, $lt: to }
}

/** @throws QueryError for values that are none; a term never becomes an operator. */
export function rowFilter(scope: string, range: TimeRange, filters: RecordFilters = {}): Document {
  const filter: Document = { ...scopeFilter(scope), occurredAt: rangeTerm(range) }
  if (filters.kind !== undefined) {
    filter['kind'] = textTerm('kind', filters.kind)
    // The small index of rare kinds is on a separate field.
    if (RARE_KINDS.has(filters.kind)) filter['rareKind'] = filters.kind
  }
  for (const [term, { field }] of TERMS) {
    const value = filters[term]
    if (value !== undefined) filter[field] = textTerm(term, value)
  }
  if (filters.traceId !== undefined) filter['traceId'] = plainTraceId(filters.traceId)
  for (const [key, value] of filters.attrs ?? []) {
    filter[`attrs.${fieldOf('attrs', key)}`] = textTerm('attrs', value)
  }
  // A scope of one tenant stays what it is: the filter is for who sees them all.
  if (scope === '*' && filters.tenant !== undefined) {
    filter['tenantId'] = textTerm('tenant', filters.tenant)
  }
  if (filters.isRoot === true) filter['parentId'] = { $exists: false }
  addMetrics(filter, filters.metrics ?? [])
  const { persons = [] } = filters as ResolvedFilters
  for (const { refs } of persons.slice(0, 1)) {
    if (filter['subjectKeys'] === undefined) filter['subjectKeys'] = { $in: [...refs] }
  }
  const terms = [
    ...personTerms(persons, filter),
    ...excludedTerms(filters.exclude ?? []),
    ...searchTerms(filters.q)
  ]
  if (terms.length > 0) filter['$and'] = terms
  if (filters.excludeActors !== undefined && filters.excludeActors.length > 0) {
    filter['actorType'] = {
      $nin: filters.excludeActors.map((type) => textTerm('excludeActors', type))
    }
  }
  return filter
}

/** Beside an equality on the same field: both must hold. */
function excludedTerms(excluded: readonly ExcludedValue[]): readonly Document[] {
  const values = new Map<string, string[]>()
  for (const { field, value } of excluded) {
    const path = excludedField(field)
    values.set(path, [...(values.get(path) ?? []), textTerm('exclude', value)])
  }
  return [...values].map(([path, list]) => ({ [path]: { $nin: list } }))
}

/** The first is on the field itself, which an index serves, unless a ref is. */
function personTerms(persons: readonly PersonTerm[], filter: Document): readonly Document[] {
  return persons.flatMap(({ refs, parts }, at) => {
    const isServed = at === 0 && typeof filter['subjectKeys'] !== 'string'
    return [
      ...(isServed ? [] : [{ subjectKeys: { $in: [...refs] } }]),
      ...(parts === undefined ? [] : [{ $or: [...parts] }])
    ]
  })
}

function searchTerms(text = ''): readonly Document[] {
  const search = readSearch(text)
  if (!search.ok) throw new QueryError(search.problem)
  return search.terms.map(searchFilter)
}

function excludedField(field: string): string {
  if (field.startsWith('attrs.')) return `attrs.${fieldOf('exclude', field.slice(6))}`
  if (!Object.hasOwn(EXACT_FILTERS, field)) throw new QueryError('invalid exclude')
  return EXACT_FILTERS[field as ExactFilter].field
}

function textTerm(term: string, value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_FILTER_TEXT)
    throw new QueryError(`invalid ${term}`)
  return value
}

function fieldOf(term: string, key: unknown): string {
  if (typeof key !== 'string' || key === '' || key.length > 300) {
    throw new QueryError(`invalid ${term}`)
  }
  return encodeKey(key)
}

/** Several bounds on one metric hold together: the tightest of each side counts. */
function addMetrics(filter: Document, metrics: readonly MetricFilter[]): void {
  for (const { key, op, value } of metrics) {
    if (!Number.isFinite(value)) throw new QueryError('invalid metrics')
    const field = measureField(key)
    const bounds = (filter[field] ?? {}) as { $gte?: number; $lte?: number }
    if (op === 'gte') bounds.$gte = Math.max(value, bounds.$gte ?? -Infinity)
    else bounds.$lte = Math.min(value, bounds.$lte ?? Infinity)
    filter[field] = bounds
  }
}

/** The expression that says whether a row is of severity error or fatal. */
export const HAS_FAILED = { $in: ['$severity', ['error', 'fatal']] }

/** Where a measure is in a row. */
export function measureField(key: string): string {
  return key === 'durationMs' ? key : `metrics.${fieldOf('measure', key)}`
}

/** Rows without the measure would make empty buckets. */
export function withMeasure(filter: Document, field: string): Document {
  return { ...filter, [field]: { $exists: true, ...(filter[field] as Document | undefined) } }
}
