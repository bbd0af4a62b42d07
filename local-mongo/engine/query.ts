// A query, read once: its filter, its order, and the plan for reaching its documents.
import { type Collation, parseCollation } from '../bson/collation.ts'
import { parseSort, type Sort } from '../bson/sort.ts'
import type { Doc } from '../bson/value.ts'
import type { Hint, Namespace, OperationContext } from '../engine.ts'
import { commandError } from '../errors.ts'
import { type Access, type IndexAccess, type Plan, planQuery } from '../planner/plan.ts'
import { type Filter, parseFilter } from '../query/filter.ts'
import type { Collection } from '../storage/catalog.ts'
import type { Index } from '../storage/index-definition.ts'
import { openEntries } from '../storage/index-entries.ts'
import type { View } from '../storage/view.ts'
import { type DocumentWalk, openWalk, type WalkSource } from './walk.ts'

/** What an operation reads: the present state, or a transaction's. */
export interface ReadSource {
  readonly view: View
  find(db: string, name: string): Collection | undefined
  /** The number of documents, where it is known without reading. */
  countOf?(collection: Collection): number
  /** Called with each path that is taken. */
  noteUse?(access: Access): void
}

/** The parts of a request that say which documents are meant. */
export interface QuerySpec {
  readonly filter: Doc
  readonly sort?: Doc | undefined
  readonly hint?: Hint | undefined
  readonly collation?: Doc | undefined
  readonly let?: Doc | undefined
  readonly min?: Doc | undefined
  readonly max?: Doc | undefined
  readonly isLimited?: boolean
}

export interface Query {
  readonly ns: Namespace
  readonly source: ReadSource
  readonly collection: Collection
  readonly filter: Filter
  readonly sort: Sort | undefined
  readonly collation: Collation | undefined
  readonly plan: Plan
  /** `mayMove` when documents are changed during the walk such that the index may show them again. */
  walk(options?: Pick<WalkSource, 'mayMove' | 'fields'>): DocumentWalk
  /**
   * The collection as it is now. Fails with QueryPlanKilled (175) when it, or an index by which the
   * documents are reached, is gone.
   */
  refresh(source?: ReadSource): Collection
}

/** A query of a collection that is not there: read, so that its mistakes are reported, and empty. */
export interface EmptyQuery {
  readonly collection: undefined
  readonly filter: Filter
  readonly sort: Sort | undefined
  readonly collation: Collation | undefined
}

const MOST_COUNTED = 64

/** Counts entries in an access path's ranges, but not many. */
function estimateIn(view: View): (access: IndexAccess) => number {
  return ({ index, ranges }) => {
    let count = 0
    for (const range of ranges) {
      const walk = openEntries(view, index, range)
      while (count < MOST_COUNTED && walk.next() !== undefined) count++
      walk.close()
      if (count >= MOST_COUNTED) break
    }
    return count
  }
}

/** Reads and plans a query. Fails with MongoDB's codes for what is not understood. */
export function openQuery(
  source: ReadSource,
  ns: Namespace,
  spec: QuerySpec,
  { now }: Pick<OperationContext, 'now'>
): Query | EmptyQuery {
  const collection = source.find(ns.db, ns.collection)
  const collation =
    spec.collation === undefined ? collection?.collation : parseCollation(spec.collation)
  const filter = parseFilter(spec.filter, { collation, let: spec.let, now })
  const sort =
    spec.sort === undefined || spec.sort.size === 0 ? undefined : sortOf(spec.sort, collation)
  if (collection === undefined) return { collection, filter, sort, collation }
  const natural = naturalHint(spec)
  const plan = planQuery({
    node: filter.node,
    collation,
    sort,
    hint: natural ?? spec.hint,
    min: spec.min,
    max: spec.max,
    collection,
    isLimited: spec.isLimited === true,
    estimate: estimateIn(source.view)
  })
  source.noteUse?.(plan.access)
  const walk: Query['walk'] = (options = {}) =>
    openWalk({ view: source.view, collection, filter, ...options }, plan.access)
  const refresh = (now = source) => refreshed(now, ns, collection, plan.access)
  return { ns, source, collection, filter, sort, collation, plan, walk, refresh }
}

function indexesOf(access: Access): Index[] {
  if (access.kind === 'or') return access.branches.flatMap(indexesOf)
  return access.kind === 'index' ? [access.index] : []
}

function refreshed(
  source: ReadSource,
  { db, collection: name }: Namespace,
  known: Collection,
  access: Access
): Collection {
  const present = source.find(db, name)
  if (present === known) return known
  if (present?.id !== known.id) {
    throw commandError('QueryPlanKilled', `collection dropped: ${db}.${name}`)
  }
  for (const index of indexesOf(access)) {
    if (index.isOnId || present.indexes.some(({ id }) => id === index.id)) continue
    throw commandError('QueryPlanKilled', `index '${index.name}' dropped: ${db}.${name}`)
  }
  return present
}

function sortOf(spec: Doc, collation: Collation | undefined): Sort | undefined {
  return spec.has('$natural') ? undefined : parseSort(spec, { collation })
}

/** A sort by `$natural` is a hint. */
function naturalHint({ sort }: QuerySpec): Doc | undefined {
  return sort?.has('$natural') === true ? sort : undefined
}
