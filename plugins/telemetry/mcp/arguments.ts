// Arguments that several tools share: range, filters, scope. Schemas, and how they are read.

import { closed, optional, type Static, Type } from '@keelson/sdk'
import type { McpViewer } from '@keelson/sdk/contracts/mcp-tools'
import type { TOptional, TString } from '@keelson/sdk/typebox'
import { BUCKETS } from '../contracts/telemetry-registry.ts'
import { type RangeText, readTimeRange } from '../queries/read-range.ts'
import { QueryError, type TimeRange } from '../queries/types.ts'
import {
  EXACT_FILTER_NAMES,
  EXACT_FILTERS,
  type ExactFilter,
  MAX_FILTER_TERMS,
  MAX_FILTER_TEXT,
  type RecordFilters,
  SEARCH_WORDS
} from '../schemas/filters.ts'
import { MAX_SEARCH } from '../search/read-search.ts'

export const text = (description: string, maxLength = 500) =>
  Type.String({ minLength: 1, maxLength, description })
const list = (description: string, maxItems: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems, description })

export const literals = <T extends string>(values: readonly T[], description: string) =>
  optional(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { description }
    )
  )

export const rangeArguments = {
  from: optional(text('Start, ISO 8601. Default: seven days before `to`.', 40)),
  to: optional(text('End, not included, ISO 8601. Default: now.', 40)),
  tenant: optional(text('One tenant; only for viewers of all tenants.', 128))
}
export const limitArgument = {
  limit: optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: 'At most so many; capped.' })
  )
}
export const cursorArgument = { cursor: optional(text('nextCursor of the page before.', 500)) }
export const intervalArgument = {
  interval: optional(
    Type.Union(
      BUCKETS.map((bucket) => Type.Literal(bucket)),
      { description: 'UTC; weeks start on Monday.' }
    )
  )
}
/** Tenants have their own argument. */
type FilterArgument = Exclude<ExactFilter, 'tenant'>
const FILTER_ARGUMENTS = EXACT_FILTER_NAMES.filter((name) => name !== 'tenant')

const exactArguments = Object.fromEntries(
  FILTER_ARGUMENTS.map((name) => [
    name,
    optional(text(EXACT_FILTERS[name].description, MAX_FILTER_TEXT))
  ])
) as Record<FilterArgument, TOptional<TString>>

export const filterArguments = {
  ...exactArguments,
  attrs: optional(
    Type.Record(
      Type.String({ minLength: 1, maxLength: 300 }),
      Type.String({ maxLength: MAX_FILTER_TEXT }),
      {
        maxProperties: MAX_FILTER_TERMS,
        description: 'Attribute to the value it must have.'
      }
    )
  ),
  metrics: optional(
    Type.Array(
      Type.Object(
        {
          key: text('Metric, or durationMs.', 300),
          op: Type.Union([Type.Literal('gte'), Type.Literal('lte')]),
          value: Type.Number()
        },
        closed
      ),
      { maxItems: MAX_FILTER_TERMS, description: 'Bounds of metrics.' }
    )
  ),
  did: optional(text('Event name: only records of people who did it in the range.', 200)),
  didNot: optional(text('With did: and did not do this one in it.', 200)),
  q: optional(text(SEARCH_WORDS, MAX_SEARCH)),
  excludeActorTypes: optional(
    list('Actor types to leave out; records without actor stay.', MAX_FILTER_TERMS)
  )
}

export const refList = list

/** @throws QueryError */
export function rangeOf(given: RangeText, now: Date): TimeRange {
  const range = readTimeRange(given, now)
  if (range === undefined) throw new QueryError('invalid time range')
  return range
}

/** The viewer's scope, narrowed to one tenant for those who see all. @throws QueryError */
export function scopeOf({ tenant }: { readonly tenant?: string }, viewer: McpViewer): string {
  if (tenant === undefined || tenant === viewer.tenantId) return viewer.tenantId
  if (viewer.tenantId !== '*') throw new QueryError('tenant is for viewers of all tenants')
  return tenant
}

const filterSchema = Type.Object(filterArguments)

export function filtersOf(args: Static<typeof filterSchema>): RecordFilters {
  const { attrs, metrics, q, did, didNot, excludeActorTypes } = args
  const exact = Object.fromEntries(
    FILTER_ARGUMENTS.flatMap((key) => (args[key] === undefined ? [] : [[key, args[key]]]))
  )
  return {
    ...exact,
    ...(attrs !== undefined && { attrs: new Map(Object.entries(attrs)) }),
    ...(metrics !== undefined && { metrics }),
    ...(q !== undefined && { q }),
    ...(did !== undefined && { did }),
    ...(didNot !== undefined && { didNot }),
    ...(excludeActorTypes !== undefined && { excludeActors: excludeActorTypes })
  }
}
