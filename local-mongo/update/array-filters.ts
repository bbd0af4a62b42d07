// The array filters of an update, by the identifier that paths name them with.
import type { Collation } from '../bson/collation.ts'
import type { Doc, Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { type Filter, parseFilter } from '../query/filter.ts'

export interface ArrayFilters {
  /** Whether the filter of this name takes an element. */
  takes(name: string, element: Value): boolean
}

export interface ArrayFilterOptions {
  readonly collation?: Collation | undefined
  readonly now: Date
}

/**
 * Fails with FailedToParse (9) for filters that are wrong or that no path uses, and with BadValue
 * (2) when a path uses a name without filter.
 */
export function parseArrayFilters(
  filters: readonly Doc[],
  used: ReadonlyMap<string, string>,
  options: ArrayFilterOptions
): ArrayFilters {
  const byName = new Map<string, Filter>()
  for (const filter of filters) {
    const name = identifierOf(filter)
    if (byName.has(name)) {
      throw commandError(
        'FailedToParse',
        `Found multiple array filters with the same top-level field name ${name}`
      )
    }
    if (!used.has(name)) {
      throw commandError(
        'FailedToParse',
        `The array filter for identifier '${name}' was not used in the update`
      )
    }
    byName.set(name, parseFilter(filter, options))
  }
  for (const [name, path] of used) {
    if (!byName.has(name)) {
      throw commandError(
        'BadValue',
        `No array filter found for identifier '${name}' in path '${path}'`
      )
    }
  }
  return {
    takes: (name, element) => byName.get(name)?.matchesDoc(new Map([[name, element]])) === true
  }
}

function identifierOf(filter: Doc): string {
  const names = new Set(identifiersIn(filter))
  const [name, other] = names
  if (name === undefined) {
    throw commandError(
      'FailedToParse',
      'Cannot use an expression without a top-level field name in arrayFilters'
    )
  }
  if (other !== undefined) {
    throw commandError(
      'FailedToParse',
      `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${name}' and '${other}'`
    )
  }
  if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) {
    throw commandError(
      'BadValue',
      `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`
    )
  }
  return name
}

function identifiersIn(filter: Doc): string[] {
  return [...filter].flatMap(([name, value]) => {
    if (!name.startsWith('$')) return [name.split('.', 1)[0] as string]
    if (!Array.isArray(value)) return []
    return value.flatMap((branch) => (branch instanceof Map ? identifiersIn(branch) : []))
  })
}
