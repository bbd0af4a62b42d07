// Which figures stand above the events, for what is filtered.
import type { Span } from '@keelson/ui'
import { chooseInterval, type Interval } from '../buckets.ts'
import { measureOf, peopleFamily, type RegistryAnswer } from '../registry.ts'
import { type Buckets, countsPath, distinctPath, distributionPath } from '../requests.ts'

/** A tile that needs its own requests, for this range and the one before. */
export type Tile =
  | { readonly id: 'people'; path(span: Span): string }
  | { readonly id: 'errors'; path(span: Span): string; readonly buckets: Buckets }
  | { readonly id: 'median'; path(span: Span): string; readonly measure: string }

/** Filters under which people can be counted: their family knows no others. */
const PEOPLE_FILTERS = new Set(['name'])
/** Filters that already say which kind of record is shown. */
const KIND_FILTERS = ['name', 'kind', 'severity']

function peopleTile(
  params: URLSearchParams,
  registry: RegistryAnswer,
  span: Span,
  interval: Interval
): Tile[] {
  const family = peopleFamily(registry, params.get('name'), span)
  const isCountable = [...params.keys()].every((name) => PEOPLE_FILTERS.has(name))
  return family === undefined || !isCountable
    ? []
    : [{ id: 'people', path: (one) => distinctPath(family, one, interval) }]
}

function errorsTile(params: URLSearchParams, buckets: Buckets): Tile[] {
  if (KIND_FILTERS.some((name) => params.has(name))) return []
  const errors = new URLSearchParams(params)
  errors.set('kind', 'error')
  return [{ id: 'errors', buckets, path: (span) => countsPath(errors, span, buckets) }]
}

function medianTile(params: URLSearchParams, registry: RegistryAnswer): Tile[] {
  const measure = measureOf(registry, params.get('name'))
  return measure === undefined
    ? []
    : [{ id: 'median', measure, path: (span) => distributionPath(params, span, measure) }]
}

/** What tiles are planned for. */
export interface TilesAsked {
  readonly registry: RegistryAnswer
  readonly span: Span
  readonly timeZone: string
}

/** Beside the count, which the chart's own data gives. */
export function planTiles(params: URLSearchParams, asked: TilesAsked): Tile[] {
  const { registry, span, timeZone } = asked
  const interval = chooseInterval(span, null)
  return [
    ...peopleTile(params, registry, span, interval),
    ...errorsTile(params, { interval, timeZone }),
    ...medianTile(params, registry)
  ]
}
