// An update: a replacement, operators or a pipeline; parsed once, then applied to documents.
import type { Collation } from '../bson/collation.ts'
import { equalValues } from '../bson/compare.ts'
import type { Doc } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { MISSING, type Result } from '../expressions/expression.ts'
import type { Filter } from '../query/filter.ts'
import type { Effect } from './change-doc.ts'
import { describeDifference, describeEffects, type UpdateDescription } from './describe.ts'
import { isIdentical } from './modifier.ts'
import { type OperatorUpdate, parseOperatorUpdate } from './operator-update.ts'
import { parsePipelineUpdate } from './pipeline-update.ts'
import { seedFromFilter } from './upsert.ts'

export type { UpdateDescription } from './describe.ts'

export interface UpdateOptions {
  readonly arrayFilters?: readonly Doc[] | undefined
  readonly let?: Doc | undefined
  readonly isMulti: boolean
  readonly now: Date
  readonly collation?: Collation | undefined
}

export interface UpdateResult {
  /** A new document; the given one is changed when it `isOwn` alone. */
  readonly doc: Doc
  /** False when nothing differs; then `doc` is the given document. */
  readonly changed: boolean
  /** Asked for when the change is logged; it must not hold the documents until then. */
  readonly describe: Describe
}

/** Describes an update by the document before and after it. */
export type Describe = (before: Doc, after: Doc) => UpdateDescription

export interface ApplyOptions {
  /** For the positional `$`: `filter.arrayPosition(doc)`. */
  readonly arrayPosition?: number | undefined
  /** True applies `$setOnInsert` and lets `_id` be set: the document is being made by an upsert. */
  readonly isInsert?: boolean | undefined
  /** True when the document is the caller's alone: operators may change it in place. */
  readonly isOwn?: boolean | undefined
}

export interface Update {
  readonly kind: 'replacement' | 'operators' | 'pipeline'
  /** The dotted paths of a stored document that may change (up to the first array position): they tell its indexes. */
  readonly paths: readonly string[] | 'all'
  /** True when `apply` needs the filter's array position. */
  readonly needsArrayPosition: boolean
  /** Fails with MongoDB's codes; then nothing was changed. */
  apply(doc: Doc, options?: ApplyOptions): UpdateResult
}

const describeNothing: Describe = () => ({
  updatedFields: new Map(),
  removedFields: [],
  truncatedArrays: []
})

/** Fails with FailedToParse (9), ConflictingUpdateOperators (40), BadValue (2) and the like. */
export function parseUpdate(update: Doc | readonly Doc[], options: UpdateOptions): Update {
  if (!(update instanceof Map)) return makePipeline(update, options)
  const [first] = update.keys()
  return first?.startsWith('$') ? makeOperators(update, options) : makeReplacement(update, options)
}

function makePipeline(stages: readonly Doc[], options: UpdateOptions): Update {
  if (options.arrayFilters !== undefined && options.arrayFilters.length > 0) {
    throw commandError(
      'FailedToParse',
      'arrayFilters may not be specified for pipeline-syle updates'
    )
  }
  const transform = parsePipelineUpdate(stages, {
    let: options.let,
    now: options.now,
    collation: options.collation
  })
  return {
    kind: 'pipeline',
    paths: 'all',
    needsArrayPosition: false,
    apply: (doc, { isInsert = false } = {}) =>
      whole(doc, keepId(idOf(doc), transform(doc), isInsert))
  }
}

function makeReplacement(replacement: Doc, options: UpdateOptions): Update {
  if (options.isMulti) {
    throw commandError(
      'FailedToParse',
      'multi update is not supported for replacement-style update'
    )
  }
  const dollar = [...replacement.keys()].find((name) => name.startsWith('$'))
  if (dollar !== undefined) {
    throw commandError(
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${dollar}' in '${dollar}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`
    )
  }
  if (options.arrayFilters !== undefined && options.arrayFilters.length > 0) {
    throw commandError('FailedToParse', 'The array filters were not used in the update')
  }
  return {
    kind: 'replacement',
    paths: 'all',
    needsArrayPosition: false,
    apply: (doc, { isInsert = false } = {}) => whole(doc, keepId(idOf(doc), replacement, isInsert))
  }
}

/** The result of an update that makes a whole document. */
function whole(before: Doc, after: Doc): UpdateResult {
  if (isIdentical(before, after)) return unchanged(before)
  return { doc: after, changed: true, describe: describeDifference }
}

function unchanged(doc: Doc): UpdateResult {
  return { doc, changed: false, describe: describeNothing }
}

const describerOf =
  (effects: readonly Effect[]): Describe =>
  (_before, after) =>
    describeEffects(effects, after)

function makeOperators(update: Doc, options: UpdateOptions): Update {
  const { now, collation, arrayFilters = [] } = options
  const parsed: OperatorUpdate = parseOperatorUpdate(update, { now, collation, arrayFilters })
  return {
    kind: 'operators',
    paths: parsed.paths,
    needsArrayPosition: parsed.needsArrayPosition,
    apply: (before, { arrayPosition, isInsert = false, isOwn = false } = {}) => {
      const id = idOf(before)
      const { doc, effects } = parsed.apply(before, { arrayPosition, isInsert, isOwn })
      if (effects.length === 0) return unchanged(before)
      const after = keepId(id, doc, isInsert, true)
      return { doc: after, changed: true, describe: describerOf(effects) }
    }
  }
}

const idOf = (doc: Doc): Result => (doc.has('_id') ? doc.get('_id') : MISSING)

/**
 * The document with the `_id` it had, in the first place. Fails with ImmutableField (66) when it
 * would change, or go where it `mustStay`.
 */
function keepId(id: Result, after: Doc, isInsert: boolean, mustStay = false): Doc {
  if (id === MISSING) {
    return isInsert || !after.has('_id') ? idFirst(after) : changedId()
  }
  if (after.has('_id') ? !equalValues(id, after.get('_id')) : mustStay) return changedId()
  const [first] = after.keys()
  if (first === '_id' && isIdentical(id, after.get('_id'))) return after
  const result: Doc = new Map([['_id', id]])
  for (const [name, value] of after) if (name !== '_id') result.set(name, value)
  return result
}

function changedId(): never {
  throw commandError(
    'ImmutableField',
    "Performing an update on the path '_id' would modify the immutable field '_id'"
  )
}

/** The document with `_id`, when it has one, in the first place. */
export function idFirst(doc: Doc): Doc {
  const [first] = doc.keys()
  if (first === '_id' || !doc.has('_id')) return doc
  const result: Doc = new Map([['_id', doc.get('_id')]])
  for (const [name, value] of doc) if (name !== '_id') result.set(name, value)
  return result
}

/**
 * The document that an upsert starts from: the equalities of the filter; for a replacement only
 * that of `_id`. Apply the update to it with `isInsert`; give it an `_id` when it still has none.
 * Fails with NotSingleValueField (54) when the filter says two things about one field.
 */
export function upsertSeed(filter: Filter, update: Update): Doc {
  return seedFromFilter(filter.node, update.kind === 'replacement' ? '_id' : undefined)
}
