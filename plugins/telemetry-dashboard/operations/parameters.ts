// The query parameters that several routes take: schemas, and the readers of those that hold a list.
import { optional, Type } from '@keelson/sdk'
import type { TOptional, TString } from '@keelson/sdk/typebox'
import {
  EXACT_FILTER_NAMES,
  EXACT_FILTERS,
  type ExactFilter,
  MAX_FILTER_TERMS,
  MAX_FILTER_TEXT,
  MAX_SEARCH,
  MEASURE_PATTERN,
  MEASURES,
  SEARCH_WORDS
} from '@keelson/telemetry'
import { type Invalid, invalid } from '../refusals.ts'
import { INVALID_RANGE } from './time-range.ts'

/** One of a few texts; left out is allowed. */
export const choice = <const T extends string>(values: readonly T[], description?: string) =>
  optional(
    Type.Unsafe<T>({
      type: 'string',
      enum: [...values],
      ...(description !== undefined && { description })
    })
  )

/** A text that must be given. `sentence` is answered without it, where the document of the API fixes one. */
export const required = (description: string, sentence?: string) =>
  Type.String({ description, ...(sentence !== undefined && { 'x-refusal': sentence }) })

/** The rollup family that a read is about. */
export const familyParameter = {
  as: required('The rollup family.', 'rollup family required')
}

export const optionalText = (description: string) => optional(Type.String({ description }))

const RANGE_WORDS = { 'x-refusal': INVALID_RANGE } as const

export const rangeParameters = {
  from: optional(
    Type.String({
      ...RANGE_WORDS,
      description: 'Start, ISO 8601, included. Default: seven days before `to`.'
    })
  ),
  to: optional(
    Type.String({ ...RANGE_WORDS, description: 'End, ISO 8601, not included. Default: now.' })
  )
}

/** `limit`, clamped to the cap of the route. */
export const limitParameter = {
  limit: optional(
    Type.Integer({
      minimum: 1,
      description: 'More than the cap is the cap; without it the cap.'
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

/** What a series or a breakdown measures. */
export const measureParameter = {
  measure: optional(
    Type.String({
      pattern: MEASURE_PATTERN,
      description: `Default \`count\`: ${MEASURES}.`,
      'x-refusal': `measure must be ${MEASURES}`
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
      description: '`true`: only records without a parent span; with kind `span`, root spans.'
    })
  ),
  did: optional(
    Type.String({
      maxLength: 200,
      description: 'Event name: only records of people who did it in the range.'
    })
  ),
  didNot: optional(
    Type.String({ maxLength: 200, description: 'With `did`: and did not do this one in it.' })
  ),
  q: optional(Type.String({ maxLength: MAX_SEARCH, description: SEARCH_WORDS })),
  excludeActors: optionalText('Actor types to leave out. Records without actor stay.'),
  exclude: optionalText('Comma list of `field:value` to leave out; a filter or `attrs.<key>`.')
}

/** At most this many values of `dims`. */
export const MAX_DIMS = 100

export const dimsParameter = {
  dims: optional(
    Type.Array(Type.String(), {
      maxItems: MAX_DIMS,
      description: 'Any of these, `<key>=<value>`; repeat the parameter.'
    })
  )
}

/** Whether `dims` came as `dims[a]=b`: an open query leaves it in as a parameter that it does not know. */
export const hasBracketedDims = (query: object): boolean =>
  Object.keys(query).some((name) => name.startsWith('dims['))

/** A limit as given, at most the cap; the cap when none is given. */
export const capped = (limit: number | undefined, cap: number): number =>
  Math.min(limit ?? cap, cap)

/** Optional parameters: given, or not there at all. */
export type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The parameters without those that are undefined. */
export function given<T extends object>(values: T): Given<T> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Given<T>
}

/** The parts of a comma list, trimmed, without empty and repeated ones. */
export function readList(
  text: string | undefined,
  name: string,
  most: number
): readonly string[] | Invalid {
  const parts = (text ?? '').split(',').map((part) => part.trim())
  const items = [...new Set(parts.filter((part) => part !== ''))]
  return items.length > most ? invalid(`${name} must name at most ${most}`) : items
}

/** Families in one funnel; a request for more is refused. */
export const MAX_STAGES = 20

const NO_STAGES = 'funnel stages required'

/** The stages of a funnel, to be read with `readStages`. */
export const stagesParameter = {
  stages: required(`Lifetime families in order, at most ${MAX_STAGES}. Comma-separated.`, NO_STAGES)
}

export function readStages(text: string): readonly string[] | Invalid {
  const stages = readList(text, 'stages', MAX_STAGES)
  return 'length' in stages && stages.length === 0 ? invalid(NO_STAGES) : stages
}
