// An update: a replacement, operators or a pipeline; parsed once, then applied to documents.
import type { Collation } from '../bson/collation.ts'
import type { Doc, Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import type { Filter } from '../query/filter.ts'

export interface UpdateOptions {
  readonly arrayFilters?: readonly Doc[] | undefined
  readonly let?: Doc | undefined
  readonly isMulti: boolean
  readonly now: Date
  readonly collation?: Collation | undefined
}

/** What a change stream tells about an update. */
export interface UpdateDescription {
  readonly updatedFields: Doc
  readonly removedFields: readonly string[]
  readonly truncatedArrays: readonly { readonly field: string; readonly newSize: number }[]
}

export interface UpdateResult {
  /** A new document; the given one is never changed. */
  readonly doc: Doc
  /** False when nothing differs; then `doc` is the given document. */
  readonly changed: boolean
  /** Computed when it is first read. */
  readonly description: UpdateDescription
}

export interface ApplyOptions {
  /** For the positional `$`: `filter.arrayPosition(doc)`. */
  readonly arrayPosition?: number | undefined
  /** True applies `$setOnInsert` and lets `_id` be set: the document is being made by an upsert. */
  readonly isInsert?: boolean | undefined
}

export interface Update {
  readonly kind: 'replacement' | 'operators' | 'pipeline'
  /** The dotted paths that may change (without array positions), for choosing indexes to update. */
  readonly paths: readonly string[] | 'all'
  /** True when `apply` needs the filter's array position. */
  readonly needsArrayPosition: boolean
  /** Fails with MongoDB's codes; then nothing was changed. */
  apply(doc: Doc, options?: ApplyOptions): UpdateResult
}

/** Fails with FailedToParse (9), ConflictingUpdateOperators (40), BadValue (2) and the like. */
export function parseUpdate(_update: Doc | readonly Doc[], _options: UpdateOptions): Update {
  throw commandError('NotImplemented', 'update')
}

/** The document that an upsert starts from: the equalities of the filter. */
export function upsertSeed(_filter: Filter, _update: Update): Doc {
  throw commandError('NotImplemented', 'update')
}

/** The `_id` of a document, and whether it has one (it may be null). */
export function idOf(doc: Doc): { readonly present: boolean; readonly value: Value } {
  return { present: doc.has('_id'), value: doc.get('_id') }
}
