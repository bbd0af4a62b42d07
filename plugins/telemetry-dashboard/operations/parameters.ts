// The query parameters that several routes take: schemas, and the readers of those that hold a list.
import { type TSchema, Type } from '@keelson/sdk'
import type { TOptional, TString } from '@keelson/sdk/typebox'
import {
  EXACT_FILTER_NAMES,
  EXACT_FILTERS,
  type ExactFilter,
  MAX_FILTER_TERMS,
  MAX_FILTER_TEXT
} from '@keelson/telemetry'
import { accepted, type Parsed, refused } from './parsed.ts'

const optional = Type.Optional

/** One of a few texts; left out is allowed. */
export const choice = <const T extends string>(values: readonly T[], description?: string) =>
  optional(
    Type.Unsafe<T>({
      type: 'string',
      enum: [...values],
      ...(description !== undefined && { description })
    })
  )

/** A text that must be given. `missing` is answered without it. */
export const required = (description: string, missing?: string) =>
  Type.String({ description, ...(missing !== undefined && { 'x-missing': missing }) })

export const optionalText = (description: string) => optional(Type.String({ description }))

/** A comma list, to be read with `readList`. */
export const list = (description: string, missing?: string) =>
  Type.String({
    description: `${description} Comma-separated.`,
    ...(missing !== undefined && { 'x-missing': missing })
  })

const INVALID_RANGE = { 'x-refusal': 'invalid time range' } as const

export const rangeParameters = {
  from: optional(
    Type.String({
      ...INVALID_RANGE,
      description: 'Start, ISO 8601, included. Default: seven days before `to`.'
    })
  ),
  to: optional(
    Type.String({ ...INVALID_RANGE, description: 'End, ISO 8601, not included. Default: now.' })
  )
}

/** `limit`, clamped to the cap of the route. */
export const limitParameter = {
  limit: optional(
    Type.Integer({
      minimum: 1,
      description: 'More than the cap is the cap; without it the cap.',
      'x-refusal': 'limit must be a whole number from 1 on'
    })
  )
}

/** Days, weeks and months of another zone than UTC. */
export const timeZoneParameter = {
  timeZone: optional(
    Type.String({
      maxLength: 64,
      description: 'IANA name; days, weeks and months are those of this zone. Default `UTC`.'
    })
  )
}

export const intervalParameter = <const T extends string>(values: readonly T[]) => ({
  interval: choice(values, 'Weeks start on Monday.')
})

/** `count`, or the sum or average of a metric. */
export const measureParameter = {
  measure: optional(
    Type.String({
      pattern: '^(count|error_rate|(sum|avg):[^\\u0000$][^\\u0000]{0,199})$',
      description:
        '`count` (default), `error_rate` (percent of severity error or fatal), `sum:<metric>` or `avg:<metric>`.',
      'x-refusal': 'measure must be count, error_rate, sum:<metric> or avg:<metric>'
    })
  )
}

/** What a distribution measures. */
export const fieldParameter = {
  measure: optional(
    Type.String({
      pattern: '^[^\\u0000$][^\\u0000]{0,199}$',
      description: '`durationMs` (default) or the name of a metric.',
      'x-refusal': 'measure must be durationMs or the name of a metric'
    })
  )
}

const exactParameters = Object.fromEntries(
  EXACT_FILTER_NAMES.map((name) => [
    name,
    optional(
      Type.String({ maxLength: MAX_FILTER_TEXT, description: EXACT_FILTERS[name].description })
    )
  ])
) as Record<ExactFilter, TOptional<TString>>

/** The filters of records, to be read with `readFilters`. */
export const filterParameters = {
  ...exactParameters,
  attrs: optionalText(
    `Comma list of \`key:value\`, at most ${MAX_FILTER_TERMS}; \`\\,\` is a comma of a value.`
  ),
  metrics: optionalText(
    'Comma list of `key>number` (at least) and `key<number` (at most). Other terms are ignored.'
  ),
  isRoot: optional(
    Type.Boolean({
      description: '`true`: only records without a parent span; with kind `span`, root spans.',
      'x-refusal': 'isRoot must be true or false'
    })
  ),
  excludeActors: optionalText('Actor types to leave out. Records without actor stay.'),
  exclude: optionalText('Comma list of `field:value` to leave out; a filter or `attrs.<key>`.')
}

/** At most this many values of `dims`. */
export const MAX_DIMS = 100

export const dimsParameter = {
  dims: optional(
    Type.Array(Type.String(), {
      maxItems: MAX_DIMS,
      description: 'Any of these, `<key>=<value>`; repeat the parameter.',
      'x-refusal': `dims must be at most ${MAX_DIMS} plain values`
    })
  )
}

/** The query string of a route. */
export const query = <Parameters extends Readonly<Record<string, TSchema>>>(
  parameters: Parameters
) => Type.Object(parameters)

/** A limit as given, at most the cap; the cap when none is given. */
export const capped = (limit: number | undefined, cap: number): number =>
  Math.min(limit ?? cap, cap)

/** The parts of a comma list, trimmed, without empty and repeated ones. */
export function readList(
  text: string | undefined,
  name: string,
  most: number
): Parsed<readonly string[]> {
  const parts = (text ?? '').split(',').map((part) => part.trim())
  const items = [...new Set(parts.filter((part) => part !== ''))]
  return items.length > most ? refused(`${name} must name at most ${most}`) : accepted(items)
}

/** Families in one funnel; a request for more is refused. */
export const MAX_STAGES = 20

export const NO_STAGES = 'funnel stages required'

export function readStages(text: string): Parsed<readonly string[]> {
  const stages = readList(text, 'stages', MAX_STAGES)
  return stages.ok && stages.value.length === 0 ? refused(NO_STAGES) : stages
}
