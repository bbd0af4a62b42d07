// Finds the index that a hint names.
import { equalValues } from '../bson/compare.ts'
import type { Doc, Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import type { Collection } from '../storage/catalog.ts'
import { type Index, toNumber } from '../storage/index-definition.ts'

export type Hinted =
  | { readonly kind: 'scan'; readonly isBackward: boolean }
  | { readonly kind: 'index'; readonly index: Index }

/** Whether two key patterns name the same fields in the same order and direction. */
export function isSameKey(a: Doc, b: Doc): boolean {
  return a.size === b.size && equalValues(a as Value, b as Value)
}

/**
 * Fails with BadValue (2) for a hint of no index, as for one that is hidden, and with IndexNotFound
 * (27) when several have the key.
 */
export function findHinted(collection: Collection, hint: string | Doc): Hinted {
  if (typeof hint !== 'string' && hint.size === 1 && hint.has('$natural')) {
    return { kind: 'scan', isBackward: toNumber(hint.get('$natural')) < 0 }
  }
  const [index, other] = [collection.idIndex, ...collection.indexes].filter(
    (one) =>
      one.isReady &&
      !one.isHidden &&
      (typeof hint === 'string' ? one.name === hint : isSameKey(one.key, hint))
  )
  if (other !== undefined) {
    throw commandError('IndexNotFound', 'Hint matched multiple indexes, must hint by index name.')
  }
  if (index === undefined) {
    throw commandError(
      'BadValue',
      'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index'
    )
  }
  return { kind: 'index', index }
}
