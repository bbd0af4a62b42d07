// Chooses how the documents of a filter are reached: pure, from the filter, the sort and the indexes.
import { type Collation, isSameCollation } from '../bson/collation.ts'
import { encodeKey } from '../bson/key-string.ts'
import type { Sort } from '../bson/sort.ts'
import type { Doc } from '../bson/value.ts'
import type { FilterNode } from '../query/filter-node.ts'
import type { Collection } from '../storage/catalog.ts'
import type { KeyRange } from '../storage/entry-range.ts'
import type { Index } from '../storage/index-definition.ts'
import { afterKey } from '../storage/tree-keys.ts'
import { type Condition, conditionsOf, conjunctsOf, takesNone } from './conditions.ts'
import { findHinted } from './hint.ts'
import { implies } from './implies.ts'
import { boundIndex, type IndexBounds } from './index-bounds.ts'
import { needsField } from './leaf-bounds.ts'
import { checkEnds, cutBounds } from './min-max.ts'
import { type WalkOrder, walkOrder } from './sort-order.ts'

/** A walk over ranges of an index; that on `_id` leads to the documents themselves. */
export interface IndexAccess {
  readonly kind: 'index'
  readonly index: Index
  readonly ranges: readonly KeyRange[]
  readonly parts: IndexBounds['parts']
  /** Against the order in which the entries are written. */
  readonly isBackward: boolean
  /** True when the ranges hold exactly the documents of the filter: none is to be checked. */
  readonly isSettled: boolean
  /** For `explain`: a single document by its `_id`. */
  readonly isPoint: boolean
  /** True when each range has one entry at most, whose key is its beginning. */
  readonly isByKey: boolean
}

/** How documents are reached. */
export type Access =
  | { readonly kind: 'collection'; readonly isBackward: boolean }
  | IndexAccess
  | { readonly kind: 'or'; readonly branches: readonly Access[] }
  /** The filter takes no document. */
  | { readonly kind: 'nothing' }

export interface Plan {
  readonly access: Access
  /** True when what is reached still has to be sorted. */
  readonly needsSort: boolean
  /** Other ways, worse ones first thought of; for `explain`. */
  readonly rejected: readonly Access[]
}

export interface PlanRequest {
  readonly node: FilterNode
  readonly collation: Collation | undefined
  readonly sort: Sort | undefined
  readonly hint: string | Doc | undefined
  /** Inclusive lower and exclusive upper end of the hinted index. */
  readonly min?: Doc | undefined
  readonly max?: Doc | undefined
  readonly collection: Collection
  /** True when few documents are wanted: an index that gives the order is then worth more. */
  readonly isLimited: boolean
  /** Entries in the ranges, counted up to a bound; breaks ties between indexes. */
  readonly estimate?: (access: IndexAccess) => number
}

interface Candidate {
  readonly access: IndexAccess
  readonly order: WalkOrder
  readonly score: number
}

const SORT_BONUS = { limited: 50, whole: 15 }
/** Candidates closer than this are told apart by looking. */
const CLOSE = 60
/** What a candidate has at least that leads to one document. */
const UNIQUE_POINT = 1_000

function toAccess(
  index: Index,
  bounds: IndexBounds,
  node: FilterNode,
  order: WalkOrder
): IndexAccess {
  const isOnId = index.isOnId
  return {
    kind: 'index',
    index,
    ranges: bounds.ranges,
    parts: bounds.parts,
    isBackward: order === undefined ? index.layout.isTurned : order === 'backward',
    isSettled: conjunctsOf(node).every(
      (conjunct) => conjunct.kind === 'always' || bounds.settled.has(conjunct)
    ),
    isPoint: isOnId && bounds.fixedParts === 1,
    isByKey: (isOnId || index.isUnique) && bounds.isWhole
  }
}

/** Whether a sparse or partial index holds every document of the filter. */
function holdsAll(index: Index, request: PlanRequest, conditions: readonly Condition[]): boolean {
  if (index.partial !== undefined)
    return implies(request.node, index.partial.node, request.collation)
  if (!index.isSparse) return true
  return index.parts.some((part) =>
    conditions.some(({ path, node }) => path === part.path && needsField(node))
  )
}

function candidateOf(
  index: Index,
  request: PlanRequest,
  conditions: readonly Condition[]
): Candidate | undefined {
  const { sort } = request
  const bounds = boundIndex(index, conditions)
  const isSortable = sort !== undefined && isSameCollation(sort.collation, index.collation)
  const order = isSortable ? walkOrder(index, bounds, sort.parts) : undefined
  if (bounds.score === 0 && order === undefined) return undefined
  const isUniquePoint = (index.isUnique || index.isOnId) && bounds.fixedParts === index.parts.length
  const bonus = order === undefined ? 0 : request.isLimited ? SORT_BONUS.limited : SORT_BONUS.whole
  // Of two that are as narrow, the one with fewer parts to read.
  const score = bounds.score + bonus + (isUniquePoint ? UNIQUE_POINT : 0) - index.parts.length / 100
  return { access: toAccess(index, bounds, request.node, order), order, score }
}

function usableIndexes(request: PlanRequest, conditions: readonly Condition[]): Index[] {
  const { collection, collation } = request
  return [collection.idIndex, ...collection.indexes].filter(
    (index) =>
      index.isReady &&
      !index.isHidden &&
      isSameCollation(index.collation, collation) &&
      holdsAll(index, request, conditions)
  )
}

/** A filter with `$or` is served by the indexes of its branches when each of them has one. */
function orAccess(request: PlanRequest): Access | undefined {
  const conjuncts = conjunctsOf(request.node)
  const or = conjuncts.find((conjunct) => conjunct.kind === 'or')
  if (or === undefined || or.kind !== 'or') return undefined
  const others = conjuncts.filter((conjunct) => conjunct !== or)
  const branches: Access[] = []
  for (const child of or.children) {
    const node: FilterNode =
      others.length === 0 ? child : { kind: 'and', children: [child, ...others] }
    const { access } = planQuery({ ...request, node, sort: undefined, hint: undefined })
    if (access.kind === 'collection') return undefined
    if (access.kind !== 'nothing') branches.push(access)
  }
  return branches.length === 0 ? { kind: 'nothing' } : { kind: 'or', branches }
}

function best(candidates: readonly Candidate[], request: PlanRequest): Candidate | undefined {
  const sorted = [...candidates].sort((a, b) => b.score - a.score)
  const [first, ...others] = sorted
  const { estimate } = request
  if (first === undefined || estimate === undefined || first.score >= UNIQUE_POINT) return first
  const close = others.filter(
    ({ score, order }) =>
      first.score - score < CLOSE &&
      score > 20 &&
      (order === undefined) === (first.order === undefined)
  )
  if (close.length === 0) return first
  let chosen = first
  let fewest = estimate(first.access)
  for (const candidate of close) {
    const count = estimate(candidate.access)
    if (count >= fewest) continue
    chosen = candidate
    fewest = count
  }
  return chosen
}

function scanned(request: PlanRequest, rejected: readonly Access[]): Plan {
  return {
    access: { kind: 'collection', isBackward: false },
    needsSort: request.sort !== undefined,
    rejected
  }
}

/** A hinted index is used even when the filter says nothing about it. */
function planHinted(request: PlanRequest, hint: string | Doc): Plan {
  const hinted = findHinted(request.collection, hint)
  if (hinted.kind === 'scan') {
    return {
      ...scanned(request, []),
      access: { kind: 'collection', isBackward: hinted.isBackward }
    }
  }
  const { index } = hinted
  const isComparable = isSameCollation(index.collation, request.collation)
  const conditions = isComparable ? conditionsOf(request.node) : []
  const bounds = cutBounds(boundIndex(index, conditions), index, request)
  const { sort } = request
  const isSortable = sort !== undefined && isSameCollation(sort.collation, index.collation)
  const order = isSortable ? walkOrder(index, bounds, sort.parts) : undefined
  return {
    access: toAccess(index, bounds, request.node, order),
    needsSort: sort !== undefined && order === undefined,
    rejected: []
  }
}

/** The commonest query, one document by its `_id`, needs no choice. */
function planPoint({ node, collation, collection }: PlanRequest): Plan | undefined {
  if (node.kind !== 'compare' || node.operator !== 'eq' || node.path !== '_id') return undefined
  const { value } = node
  const { idIndex } = collection
  const isPlain = value !== null && value !== undefined && !Array.isArray(value)
  if (!isPlain || !isSameCollation(idIndex.collation, collation)) return undefined
  const low = encodeKey([value], [1], collection.idKeyOptions)
  const range = { low, high: afterKey(low) }
  const access: IndexAccess = {
    kind: 'index',
    index: idIndex,
    ranges: [range],
    parts: [[{ ...range, isPoint: true }]],
    isBackward: false,
    isSettled: idIndex.flags.isExact,
    isPoint: true,
    isByKey: true
  }
  return { access, needsSort: false, rejected: [] }
}

/** Plans a query. Fails with BadValue (2) for a hint of no index. */
export function planQuery(request: PlanRequest): Plan {
  const { node, sort, hint } = request
  checkEnds(request)
  const point = hint === undefined ? planPoint(request) : undefined
  if (point !== undefined) return point
  if (takesNone(node)) {
    return { access: { kind: 'nothing' }, needsSort: false, rejected: [] }
  }
  if (hint !== undefined) return planHinted(request, hint)
  const conditions = conditionsOf(node)
  const candidates: Candidate[] = []
  for (const index of usableIndexes(request, conditions)) {
    const candidate = candidateOf(index, request, conditions)
    if (candidate === undefined) continue
    candidates.push(candidate)
    // No other way is better; the index on `_id` comes first.
    if (candidate.score >= UNIQUE_POINT) break
  }
  const chosen = best(candidates, request)
  const rejected = candidates.filter((other) => other !== chosen).map(({ access }) => access)
  if (chosen === undefined || chosen.score < SORT_BONUS.whole) {
    const or = orAccess(request)
    if (or !== undefined) return { access: or, needsSort: sort !== undefined, rejected }
  }
  if (chosen === undefined) return scanned(request, rejected)
  return {
    access: chosen.access,
    needsSort: sort !== undefined && chosen.order === undefined,
    rejected
  }
}
