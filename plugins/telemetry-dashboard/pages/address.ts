// The filters of records, read from and written to the parameters of an address.
import type { Filter, FilterCodec, ParamChanges } from '@keelson/ui'

/** Filters of exact equality: the parameter is the field. */
export const EXACT_FIELDS = [
  'name',
  'kind',
  'severity',
  'env',
  'service',
  'release',
  'subject',
  'traceId',
  'fingerprint',
  'meter',
  'billedTo',
  'tenant'
] as const

/** The text that records are searched for. */
export const SEARCH = 'q'

/** The events that people did, or did not do, whose records are shown. */
export const DOINGS = ['did', 'didNot'] as const

/** Filters whose parameter is the field. */
const PLAIN_FIELDS = [SEARCH, ...DOINGS, ...EXACT_FIELDS]

const ATTR = 'attrs.'
const METRIC = 'metrics.'
export const ACTOR = 'actor'

export const attrField = (key: string): string => `${ATTR}${key}`

/** The field that a grouping such as `attr:route` or `tenantId` filters by. */
export const groupField = (by: string): string =>
  by === 'tenantId' ? 'tenant' : by.replace(/^attr:/, ATTR)

export const metricField = (key: string): string => `${METRIC}${key}`

/** `source` of `attrs.source`; undefined for other fields. */
export const attrKey = (field: string): string | undefined =>
  field.startsWith(ATTR) ? field.slice(ATTR.length) : undefined

export const metricKey = (field: string): string | undefined =>
  field.startsWith(METRIC) ? field.slice(METRIC.length) : undefined

const TERM = /(?:[^\\,]|(?:\\\\)*\\,|\\+)+/g
const SLASHES = /(\\*)(,|$)/g

/** Splits a comma list as the API does: `\,` is a comma of its part, and `\\` before a comma or the end is `\`. */
function splitTerms(text: string | null): string[] {
  const parts = (text?.match(TERM) ?? []).map((part) =>
    part.replace(
      SLASHES,
      (_, { length }: string, comma: string) =>
        '\\'.repeat((length + (comma === '' ? 1 : 0)) >> 1) + comma
    )
  )
  return parts.filter((part) => part.trim() !== '')
}

const joinTerms = (terms: readonly string[]): string | null =>
  terms.length === 0
    ? null
    : terms
        .map((term) =>
          term.replace(
            SLASHES,
            (_, slashes: string, comma: string) => slashes + slashes + (comma && '\\,')
          )
        )
        .join(',')

/** A typed bound such as `200`, `>200`, `≤ 1.5` as it is shown; undefined when it is none. */
export function normalizeBound(typed: string): string | undefined {
  const match = /^\s*(?:(>=?|≥)|(<=?|≤))?\s*(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)\s*$/.exec(
    typed
  )
  if (match === null) return undefined
  return `${match[2] === undefined ? '≥' : '≤'} ${Number(match[3])}`
}

const METRIC_TERM = /^([\w.]+)([<>])(.+)$/

function metricFilter(term: string): Filter[] {
  const match = METRIC_TERM.exec(term.trim())
  const value = match === null ? undefined : normalizeBound(`${match[2]}${match[3]}`)
  return match?.[1] === undefined || value === undefined
    ? []
    : [{ field: metricField(match[1]), value }]
}

function attrFilter(term: string): Filter[] {
  const colon = term.indexOf(':')
  return colon <= 0
    ? []
    : [{ field: attrField(term.slice(0, colon)), value: term.slice(colon + 1) }]
}

function excludedFilter(term: string): Filter[] {
  const colon = term.indexOf(':')
  return colon <= 0
    ? []
    : [{ field: term.slice(0, colon), value: term.slice(colon + 1), not: true }]
}

/** The filters of an address, in a fixed order. */
export function filtersOf(params: URLSearchParams): Filter[] {
  return [
    ...PLAIN_FIELDS.flatMap((field) => {
      const value = params.get(field)
      return value === null || value === '' ? [] : [{ field, value }]
    }),
    ...splitTerms(params.get('attrs')).flatMap(attrFilter),
    ...splitTerms(params.get('metrics')).flatMap(metricFilter),
    ...splitTerms(params.get('excludeActors')).map((value) => ({
      field: ACTOR,
      value: value.trim(),
      not: true
    })),
    ...splitTerms(params.get('exclude')).flatMap(excludedFilter)
  ]
}

/** The parameters that say these filters, and nulls for those that are off. */
export function filterChanges(filters: readonly Filter[]): ParamChanges {
  const exact = PLAIN_FIELDS.map((field) => {
    const filter = filters.find((one) => one.field === field && one.not !== true)
    return [field, filter?.value ?? null] as const
  })
  const attrs = new Map<string, string>()
  const metrics: string[] = []
  const actors = new Set<string>()
  const excluded = new Set<string>()
  for (const { field, value, not } of filters) {
    const attr = attrKey(field)
    const metric = metricKey(field)
    const bound = metric === undefined ? undefined : normalizeBound(value)
    if (not === true && field !== ACTOR && metric === undefined) {
      excluded.add(`${field}:${value}`)
      continue
    }
    if (attr !== undefined) attrs.set(attr, value)
    if (bound !== undefined) {
      metrics.push(`${metric}${bound.startsWith('≤') ? '<' : '>'}${bound.slice(2)}`)
    }
    if (field === ACTOR) actors.add(value)
  }
  return {
    ...Object.fromEntries(exact),
    attrs: joinTerms([...attrs].map(([key, value]) => `${key}:${value}`)),
    metrics: joinTerms([...new Set(metrics)]),
    excludeActors: joinTerms([...actors]),
    exclude: joinTerms([...excluded])
  }
}

/** Fields of which the API takes several values at once. */
const isRepeatable = (field: string): boolean => field === ACTOR || metricKey(field) !== undefined

/**
 * The filters with one more. A field that takes one value has it replaced; any number of values can be
 * excluded; actors can only be excluded. A metric without a valid bound changes nothing.
 */
export function withFilter(filters: readonly Filter[], added: Filter): Filter[] {
  if (metricKey(added.field) !== undefined && normalizeBound(added.value) === undefined) {
    return [...filters]
  }
  const filter = added.field === ACTOR ? { ...added, not: true } : added
  const isAdding = isRepeatable(filter.field) || filter.not === true
  const kept = filters.filter(
    ({ field, value }) => field !== filter.field || (isAdding && value !== filter.value)
  )
  return [...kept, filter]
}

/** Filters that the API can answer, from a list in which fields may repeat: later ones win. */
export const settleFilters = (filters: readonly Filter[]): Filter[] =>
  filters.reduce<Filter[]>((settled, filter) => withFilter(settled, filter), [])

/** How filters of records are written in addresses. */
export const FILTERS_OF_RECORDS: FilterCodec = {
  read: filtersOf,
  changes: filterChanges,
  add: withFilter
}
