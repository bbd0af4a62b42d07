// arrayFilters: which elements `$[identifier]` speaks of.
import type { Collation } from '../bson/collation.ts'
import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { parseFilter } from '../query/filter.ts'
import type { UpdatePath } from './path.ts'

/** Whether an element is taken, by identifier. */
export type ArrayFilters = ReadonlyMap<string, (element: Value) => boolean>

interface ArrayFilterOptions {
  readonly collation?: Collation | undefined
  readonly let?: Doc | undefined
  readonly now?: Date | undefined
}

const IDENTIFIER = /^[a-z][a-zA-Z0-9]*$/

/** Fails with FailedToParse (9) or BadValue (2). */
export function parseArrayFilters(
  filters: readonly Doc[],
  options: ArrayFilterOptions
): ArrayFilters {
  const found = new Map<string, (element: Value) => boolean>()
  for (const spec of filters) {
    const identifier = identifierOf(spec)
    if (found.has(identifier)) {
      throw commandError(
        'FailedToParse',
        `Found multiple array filters with the same top-level field name ${identifier}`
      )
    }
    const filter = parseFilter(spec, options)
    found.set(identifier, (element) => filter.matchesDoc(new Map([[identifier, element]])))
  }
  return found
}

function identifierOf(spec: Doc): string {
  const names = new Set(topNames(spec))
  const [name] = names
  if (name === undefined) {
    throw commandError(
      'FailedToParse',
      'Cannot use an expression without a top-level field name in arrayFilters'
    )
  }
  if (names.size > 1) {
    const shown = [...names].slice(0, 2).join("' and '")
    throw commandError(
      'FailedToParse',
      `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${shown}'`
    )
  }
  if (!IDENTIFIER.test(name)) {
    throw commandError(
      'BadValue',
      `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`
    )
  }
  return name
}

function* topNames(spec: Doc): Generator<string> {
  for (const [key, value] of spec) {
    if (!key.startsWith('$')) yield key.split('.')[0] ?? ''
    else if (Array.isArray(value)) {
      for (const inner of value) if (isDoc(inner)) yield* topNames(inner)
    }
  }
}

/** Every identifier of a path has its filter, and every filter is used. */
export function checkArrayFilters(filters: ArrayFilters, paths: readonly UpdatePath[]): void {
  const used = new Set<string>()
  for (const { parts, text } of paths) {
    for (const part of parts) {
      if (part.kind !== 'filtered') continue
      if (!filters.has(part.identifier)) {
        throw commandError(
          'BadValue',
          `No array filter found for identifier '${part.identifier}' in path '${text}'`
        )
      }
      used.add(part.identifier)
    }
  }
  for (const identifier of filters.keys()) {
    if (used.has(identifier)) continue
    throw commandError(
      'FailedToParse',
      `The array filter for identifier '${identifier}' was not used in the update`
    )
  }
}
