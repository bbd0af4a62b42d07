// What the pages ask of the API, as paths, and how the answers read.
import type { ActivityGroup, ActivityResult, RollupRow, SeriesResult } from '@keelson/telemetry'
import type { AsJson, Span } from '@keelson/ui'
import type { Bucket, Interval } from './buckets.ts'

/** A rollup document as JSON brings it. */
export type RollupAnswer = AsJson<RollupRow>

/** Rows of one page of a list. */
export const PAGE_ROWS = 40

/** Parameters that rollups can answer; with any other the raw rows are read. */
export const ROLLED_UP: ReadonlySet<string> = new Set(['name', 'kind', 'service'])

export interface Counts {
  readonly buckets: readonly Bucket[]
  readonly source: 'raw' | 'rollup'
  readonly truncated: boolean
  readonly sampled: boolean
}

/** The caveat of a figure that is made of these counts. */
export const caveatOf = ({ truncated, sampled }: Counts): '' | 'truncated' | 'sampled' =>
  truncated ? 'truncated' : sampled ? 'sampled' : ''

const iso = (at: number): string => new Date(at).toISOString()

/** A read of the API over a span of time. */
export function path(
  name: string,
  params: URLSearchParams,
  span: Span,
  more: Record<string, string>
): string {
  const asked = new URLSearchParams(params)
  asked.set('from', iso(span.from))
  asked.set('to', iso(span.to))
  for (const [key, value] of Object.entries(more)) asked.set(key, value)
  return `/api/${name}?${asked}`
}

export const recordsPath = (params: URLSearchParams, span: Span, cursor: string | null): string =>
  path('records', params, span, {
    limit: String(PAGE_ROWS),
    ...(cursor !== null && { cursor })
  })

/** Buckets of a time zone, as the API is asked for them. */
export interface Buckets {
  readonly interval: Interval
  readonly timeZone: string
}

/** The parameters of buckets; `UTC` is the default of the API. */
export const bucketParams = ({ interval, timeZone }: Buckets): Record<string, string> => ({
  interval,
  ...(timeZone !== 'UTC' && { timeZone })
})

/** Counts by interval: from rollups where they can answer, else from the rows. */
export function countsPath(params: URLSearchParams, span: Span, buckets: Buckets): string {
  const isRolledUp = [...params.keys()].every((name) => ROLLED_UP.has(name))
  return path(isRolledUp ? 'activity' : 'series', params, span, bucketParams(buckets))
}

/** A measure of the rows by interval. */
export const measuredPath = (
  params: URLSearchParams,
  span: Span,
  { measure, ...buckets }: Buckets & { readonly measure: string }
): string => path('series', params, span, { ...bucketParams(buckets), measure })

export const distributionPath = (params: URLSearchParams, span: Span, measure: string): string =>
  path('distribution', params, span, { measure })

export const distinctPath = (as: string, span: Span, interval: Interval): string =>
  path('distinct', new URLSearchParams({ as }), span, { interval })

type ActivityAnswer = Pick<AsJson<ActivityResult>, 'truncated'> & {
  readonly groups: readonly Pick<AsJson<ActivityGroup>, 'at' | 'count'>[]
}
type SeriesAnswer = Pick<AsJson<SeriesResult>, 'buckets'> &
  Partial<Pick<SeriesResult, 'truncated' | 'sampled'>>

/** Either answer to `countsPath`, in one shape. */
export function readCounts(answer: ActivityAnswer | SeriesAnswer): Counts {
  if ('groups' in answer) {
    return {
      buckets: answer.groups.map(({ at = '', count }) => ({ at, value: count })),
      source: 'rollup',
      truncated: answer.truncated,
      sampled: false
    }
  }
  return {
    buckets: answer.buckets,
    source: 'raw',
    truncated: answer.truncated === true,
    sampled: answer.sampled === true
  }
}
