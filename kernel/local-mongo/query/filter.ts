// A query filter: parsed once, then asked for documents.
import type { Collation } from '../bson/collation.ts'
import type { Doc } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import type { FilterNode } from './filter-node.ts'

export type { FilterNode } from './filter-node.ts'

export interface FilterOptions {
  readonly collation?: Collation | undefined
  /** Variables for `$expr`: the command's `let`. */
  readonly let?: Doc | undefined
  /** `$$NOW` of `$expr`; default the present. */
  readonly now?: Date | undefined
}

export interface Filter {
  /** For the planner. */
  readonly node: FilterNode
  readonly collation: Collation | undefined
  /** Whether the document with these bytes is taken. */
  matches(bytes: Uint8Array): boolean
  matchesDoc(doc: Doc): boolean
  /** The index of the array element by which the document was taken, for the positional `$`. */
  arrayPosition(doc: Doc): number | undefined
}

/** Fails with BadValue (2) and its neighbours for anything that is not understood. */
export function parseFilter(_filter: Doc, _options: FilterOptions = {}): Filter {
  throw commandError('NotImplemented', 'filter')
}
