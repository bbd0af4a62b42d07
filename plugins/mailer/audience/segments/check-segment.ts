// Whether a definition is a segment; a filter of an unknown kind is refused by its name. Pure.
import { schemaFault } from '@keelson/sdk'
import {
  FILTER_KINDS,
  leafSchemas,
  type SegmentDefinition,
  type SegmentFilter,
  segmentDefinition
} from './segment-schema.ts'

/** What checking a definition came to. */
export type CheckedSegment =
  | { readonly ok: true; readonly definition: SegmentDefinition }
  | { readonly ok: false; readonly message: string }

const MAX_DEPTH = 5

/** Checks a definition from outside. */
export function checkSegment(value: unknown): CheckedSegment {
  const wrongFilter = filterFault(value, 0)
  if (wrongFilter !== undefined) return { ok: false, message: wrongFilter }
  const fault = schemaFault(segmentDefinition, value)
  if (fault !== undefined)
    return { ok: false, message: `The segment is invalid: ${fault.path || 'it'} ${fault.problem}.` }
  const definition = value as SegmentDefinition
  const wrong = dates(definition.filters).find((date) => Number.isNaN(Date.parse(date)))
  return wrong === undefined
    ? { ok: true, definition }
    : { ok: false, message: `The segment is invalid: ${wrong} must be a date.` }
}

/** A sentence about the first filter that is wrong: by the schema of its kind, which a union does not name. */
function filterFault(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { filters, filter } = value as { readonly filters?: unknown; readonly filter?: unknown }
  const inside = [
    ...(Array.isArray(filters) ? filters : []),
    ...(filter === undefined ? [] : [filter])
  ]
  if (inside.length > 0 && depth >= MAX_DEPTH)
    return `The segment is invalid: filters are at most ${MAX_DEPTH} deep.`
  for (const one of inside) {
    const { kind } = (one ?? {}) as { readonly kind?: unknown }
    if (typeof kind !== 'string' || !FILTER_KINDS.includes(kind))
      return `The filter ${JSON.stringify(kind ?? null)} is unknown; expected one of ${FILTER_KINDS.join(', ')}.`
    const schema = leafSchemas.get(kind)
    const fault = schema === undefined ? undefined : schemaFault(schema, one)
    if (fault !== undefined) return `The filter ${kind} is invalid: ${fault.path} ${fault.problem}.`
    const deeper = filterFault(one, depth + 1)
    if (deeper !== undefined) return deeper
  }
  return undefined
}

const dates = (filters: readonly SegmentFilter[]): readonly string[] =>
  filters.flatMap((filter) => {
    if ('date' in filter) return [filter.date]
    if (filter.kind === 'any') return dates(filter.filters)
    return filter.kind === 'not' ? dates([filter.filter]) : []
  })
