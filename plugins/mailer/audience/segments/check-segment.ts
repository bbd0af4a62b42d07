// Whether a definition is a segment; a filter of an unknown kind is refused by its name. Pure.
import { schemaFault } from '@keelson/sdk'
import { timeOfValue } from './compare.ts'
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
  const wrong = datesOf(definition.filters).find((date) => timeOfValue(date) === undefined)
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

/** Everything that must be a date: also what is compared with and is not a number. */
const datesOf = (filters: readonly SegmentFilter[]): readonly unknown[] =>
  filters.flatMap((filter): readonly unknown[] => {
    switch (filter.kind) {
      case 'subscribedAfter':
      case 'subscribedBefore':
        return [filter.date]
      case 'fieldCompare':
        return typeof filter.value === 'number' ? [] : [filter.value]
      case 'firedEvent':
      case 'notFiredEvent': {
        const { property } = filter
        if (property === undefined || property.operator === 'equals') return []
        return typeof property.value === 'number' ? [] : [property.value]
      }
      case 'any':
      case 'all':
        return datesOf(filter.filters)
      case 'not':
        return datesOf([filter.filter])
      default:
        return []
    }
  })
