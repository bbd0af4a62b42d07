// Updates of one document by its `_id`, the commonest of all: found by its key, without a plan.
import { TYPE, typeCode, type Value } from '../bson/value.ts'
import type { Namespace, OperationContext, UpdateStatement } from '../engine.ts'
import { parseFilter } from '../query/filter.ts'
import type { Collection } from '../storage/catalog.ts'
import { idKeyOf } from '../storage/documents.ts'
import type { Scope } from '../storage/scope.ts'
import { treeKey } from '../storage/tree-keys.ts'
import { parseUpdate } from '../update/update.ts'
import type { StatementStep } from './statements.ts'
import { waitOf } from './time-slices.ts'
import { updateFound } from './update-found.ts'
import { insertUpsert, makeUpsert } from './upsert.ts'

/** Values that a filter does not take as what the `_id` is: operators, patterns, and what arrays may match. */
const OTHERS: ReadonlySet<number> = new Set([
  TYPE.object,
  TYPE.array,
  TYPE.regex,
  TYPE.null,
  TYPE.undefined
])

/** The `_id` that a statement says, when it says nothing else. */
function soleId(statement: UpdateStatement): Value | undefined {
  const { filter, update, multi, hint, sort, collation, arrayFilters } = statement
  if (filter.size !== 1 || multi || !(update instanceof Map)) return undefined
  const isPlain =
    hint === undefined &&
    sort === undefined &&
    collation === undefined &&
    arrayFilters === undefined &&
    statement.let === undefined
  const id = isPlain ? filter.get('_id') : undefined
  return OTHERS.has(typeCode(id)) ? undefined : id
}

/** Whether a document's key tells its `_id`. */
const hasTellingKeys = ({ collation, idIndex }: Collection): boolean =>
  collation === undefined && idIndex.flags.isExact

/** undefined when the statement has to be planned. Otherwise as planned; it keeps nothing in between. */
export function updateById(
  scope: Scope,
  ns: Namespace,
  statement: UpdateStatement,
  context: OperationContext
): StatementStep | undefined {
  const id = soleId(statement)
  const collection = id === undefined ? undefined : scope.catalog.find(ns.db, ns.collection)
  if (collection === undefined || !hasTellingKeys(collection)) return undefined
  const update = parseUpdate(statement.update, { isMulti: false, now: context.now })
  if (update.needsArrayPosition) return undefined
  const key = idKeyOf(collection, id)
  const bytes = scope.view.get(treeKey(collection.tree, key))
  if (bytes === undefined && !statement.upsert) return { done: { n: 0, nModified: 0 } }
  try {
    if (bytes === undefined) {
      const filter = parseFilter(statement.filter, { now: context.now })
      return { done: insertUpsert(scope, ns, makeUpsert(update, filter)) }
    }
    const { changed } = updateFound(scope, collection, { update }, { id: key, bytes })
    return { done: { n: 1, nModified: changed ? 1 : 0 } }
  } catch (error) {
    const heldBy = waitOf(error, context)
    if (heldBy === undefined) throw error
    return { more: { n: 0, nModified: 0 }, heldBy }
  }
}
