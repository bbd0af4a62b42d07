// An update: a replacement, operators or a pipeline; parsed once, then applied to documents.
import type { Collation } from '../bson/collation.ts'
import type { Doc, Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import type { Filter } from '../query/filter.ts'
import { describeChanges, describeDifference, type UpdateDescription } from './description.ts'
import type { Change } from './modify.ts'
import { type OperatorUpdate, parseOperators, type Step } from './operators.ts'
import { indexedPath } from './path.ts'
import { parsePipelineUpdate } from './pipeline-update.ts'
import { checkReplacement, replaced } from './replacement.ts'
import { isSame } from './same.ts'
import { seedOf } from './seed.ts'
import { shown } from './shown.ts'

export type { UpdateDescription } from './description.ts'

export interface UpdateOptions {
  readonly arrayFilters?: readonly Doc[] | undefined
  readonly let?: Doc | undefined
  readonly isMulti: boolean
  readonly now: Date
  readonly collation?: Collation | undefined
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
export function parseUpdate(update: Doc | readonly Doc[], options: UpdateOptions): Update {
  if (Array.isArray(update)) return pipelineUpdate(update, options)
  const spec = update as Doc
  const [first] = spec.keys()
  return first?.startsWith('$') === true
    ? operatorUpdate(spec, options)
    : replacementUpdate(spec, options)
}

/** The document that an upsert starts from: the equalities of the filter. */
export function upsertSeed(filter: Filter, update: Update): Doc {
  if (update.kind !== 'replacement') return seedOf(filter.node)
  const seed = seedOf(filter.node)
  return seed.has('_id') ? new Map([['_id', seed.get('_id')]]) : new Map()
}

/** The `_id` of a document, and whether it has one (it may be null). */
export function idOf(doc: Doc): { readonly present: boolean; readonly value: Value } {
  return { present: doc.has('_id'), value: doc.get('_id') }
}

function operatorUpdate(spec: Doc, options: UpdateOptions): Update {
  const { arrayFilters = [], collation, let: variables, now } = options
  const parsed = parseOperators(spec, { arrayFilters, collation, let: variables, now })
  const paths = parsed.steps.flatMap(({ path, others }) => [path, ...others])
  return {
    kind: 'operators',
    paths: paths.map(indexedPath),
    needsArrayPosition: paths.some(({ parts }) => parts.some(({ kind }) => kind === 'matched')),
    apply: (doc, applyOptions = {}) => applyOperators(doc, parsed, applyOptions)
  }
}

function applyOperators(
  doc: Doc,
  { steps, arrayFilters }: OperatorUpdate,
  { arrayPosition, isInsert = false }: ApplyOptions
): UpdateResult {
  const changes: Change[] = []
  const context = { arrayPosition, arrayFilters, changes }
  const isRun = (step: Step) => isInsert || !step.isOnInsertOnly
  let result = doc
  for (const step of steps) if (isRun(step)) result = step.run(result, context)
  checkId(doc, result, isInsert)
  return lazily(doc, result, () => describeChanges(changes))
}

function replacementUpdate(spec: Doc, { isMulti, arrayFilters = [] }: UpdateOptions): Update {
  if (isMulti) {
    throw commandError(
      'FailedToParse',
      'multi update is not supported for replacement-style update'
    )
  }
  if (arrayFilters.length > 0) {
    throw commandError(
      'FailedToParse',
      'Cannot specify arrayFilters and a replacement-style update'
    )
  }
  checkReplacement(spec)
  return {
    kind: 'replacement',
    paths: 'all',
    needsArrayPosition: false,
    apply: (doc) => settle(doc, replaced(doc, spec))
  }
}

function pipelineUpdate(stages: readonly Doc[], options: UpdateOptions): Update {
  if ((options.arrayFilters ?? []).length > 0) {
    throw commandError('FailedToParse', 'Cannot specify arrayFilters and a pipeline update')
  }
  const run = parsePipelineUpdate(stages, options)
  return {
    kind: 'pipeline',
    paths: 'all',
    needsArrayPosition: false,
    apply: (doc) => settle(doc, replaced(doc, run(doc)))
  }
}

/** For updates that make a whole document. */
function settle(doc: Doc, result: Doc): UpdateResult {
  checkId(doc, result, !doc.has('_id'))
  const isChanged = !isSame(doc, result)
  return lazily(doc, isChanged ? result : doc, () => describeDifference(doc, result))
}

function checkId(before: Doc, after: Doc, mayBeSet: boolean): void {
  if (before === after) return
  const old = idOf(before)
  const next = idOf(after)
  if (!old.present && mayBeSet) return
  if (old.present === next.present && isSame(old.value, next.value)) return
  throw commandError(
    'ImmutableField',
    next.present
      ? `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${shown(next.value)}`
      : "Performing an update on the path '_id' would modify the immutable field '_id'"
  )
}

function lazily(before: Doc, doc: Doc, describe: () => UpdateDescription): UpdateResult {
  let description: UpdateDescription | undefined
  return {
    doc,
    changed: doc !== before,
    get description() {
      description ??= describe()
      return description
    }
  }
}
