// Whether a query takes only documents that a partial index holds.

import type { Collation } from '../bson/collation.ts'
import { compareValues } from '../bson/compare.ts'
import { TYPE, typeCode, type Value } from '../bson/value.ts'
import type { FilterNode, LeafNode } from '../query/filter-node.ts'
import { conjunctsOf, pathOf } from './conditions.ts'
import { needsField } from './leaf-bounds.ts'

type Compare = Extract<LeafNode, { kind: 'compare' }>

function satisfies(
  value: Value,
  { operator, value: bound }: Compare,
  collation: Collation | undefined
): boolean {
  if (!isSameBracket(value, bound)) return false
  const order = compareValues(value, bound, collation)
  switch (operator) {
    case 'eq':
      return order === 0
    case 'gt':
      return order > 0
    case 'gte':
      return order >= 0
    case 'lt':
      return order < 0
    case 'lte':
      return order <= 0
  }
}

const NUMBERS: ReadonlySet<number> = new Set([TYPE.double, TYPE.int, TYPE.long, TYPE.decimal])

function isSameBracket(a: Value, b: Value): boolean {
  const left = typeCode(a)
  const right = typeCode(b)
  return left === right ? left !== TYPE.array : NUMBERS.has(left) && NUMBERS.has(right)
}

/** Whether every value that `query` allows is allowed by `wanted`; both are on one path. */
function compareImplies(
  query: Compare,
  wanted: Compare,
  collation: Collation | undefined
): boolean {
  if (query.operator === 'eq') return satisfies(query.value, wanted, collation)
  if (!isSameBracket(query.value, wanted.value)) return false
  const isUp = query.operator === 'gt' || query.operator === 'gte'
  const wantsUp = wanted.operator === 'gt' || wanted.operator === 'gte'
  if (wanted.operator === 'eq' || isUp !== wantsUp) return false
  const order = compareValues(query.value, wanted.value, collation)
  if (order === 0) return query.operator === wanted.operator || wanted.operator.endsWith('e')
  return isUp ? order > 0 : order < 0
}

function leafImplies(
  query: FilterNode,
  wanted: LeafNode,
  collation: Collation | undefined
): boolean {
  if (pathOf(query) !== wanted.path) return false
  if (wanted.kind === 'exists') return needsField(query)
  if (query.kind === 'in') {
    return (
      query.regexes.length === 0 &&
      query.values.every((value) =>
        leafImplies({ kind: 'compare', path: query.path, operator: 'eq', value }, wanted, collation)
      )
    )
  }
  if (wanted.kind === 'in') {
    return (
      query.kind === 'compare' &&
      query.operator === 'eq' &&
      wanted.values.some((value) => compareValues(query.value, value, collation) === 0)
    )
  }
  if (wanted.kind === 'type') return query.kind === 'type' && isSubset(query.types, wanted.types)
  return (
    query.kind === 'compare' &&
    wanted.kind === 'compare' &&
    compareImplies(query, wanted, collation)
  )
}

function isSubset(part: ReadonlySet<number>, whole: ReadonlySet<number>): boolean {
  return [...part].every((type) => whole.has(type))
}

/** Whether each document that satisfies `query` satisfies `wanted`. False when that cannot be seen. */
export function implies(
  query: FilterNode,
  wanted: FilterNode,
  collation: Collation | undefined
): boolean {
  if (wanted.kind === 'and')
    return wanted.children.every((child) => implies(query, child, collation))
  if (wanted.kind === 'always') return wanted.value
  if (wanted.kind === 'or' && wanted.children.some((child) => implies(query, child, collation)))
    return true
  return conjunctsOf(query).some((conjunct) => {
    if (conjunct.kind === 'or') {
      return conjunct.children.every((child) => implies(child, wanted, collation))
    }
    return 'path' in wanted && leafImplies(conjunct, wanted, collation)
  })
}
