// Sort specifications and the keys by which documents are sorted.
import type { Collation } from '../bson/collation.ts'
import type { KeyPart } from '../bson/index-keys.ts'
import type { Doc } from '../bson/value.ts'
import { commandError } from '../errors.ts'

export interface Sort {
  readonly parts: readonly KeyPart[]
  readonly collation: Collation | undefined
  /** A key whose byte order is the order of the sort. Fails with BadValue (2) on parallel arrays. */
  sortKey(doc: Doc | Uint8Array): Uint8Array
  compare(a: Doc, b: Doc): number
}

/** Fails with BadValue (2) or its neighbours for directions other than 1 and -1. */
export function parseSort(
  _spec: Doc,
  _options: { readonly collation?: Collation | undefined } = {}
): Sort {
  throw commandError('NotImplemented', 'sort')
}
