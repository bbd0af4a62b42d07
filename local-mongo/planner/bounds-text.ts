// Index bounds as `explain` shows them.
import { TYPE, typeCode, type Value } from '../bson/value.ts'
import type { CompareOperator, FilterNode } from '../query/filter-node.ts'
import type { Index } from '../storage/index-definition.ts'
import { showValue } from '../storage/show-value.ts'
import { conditionsOf } from './conditions.ts'
import { type Interval, isFull } from './intervals.ts'

const ALL = '[MinKey, MaxKey]'

/** The ends of a type's bracket: the first value, and what comes after the last. */
function bracketEnds(value: Value): readonly [string, string] {
  switch (typeCode(value)) {
    case TYPE.double:
    case TYPE.int:
    case TYPE.long:
    case TYPE.decimal:
      return ['[-inf.0', 'inf.0]']
    case TYPE.string:
      return ['[""', '{})']
    case TYPE.date:
      return ['[new Date(-9223372036854775808)', 'new Date(9223372036854775807)]']
    case TYPE.objectId:
      return ["[ObjectId('000000000000000000000000')", "ObjectId('ffffffffffffffffffffffff')]"]
    case TYPE.bool:
      return ['[false', 'true]']
    default:
      return ['[MinKey', 'MaxKey]']
  }
}

interface Ends {
  low: string | undefined
  high: string | undefined
  bracket: readonly [string, string] | undefined
}

function narrow(ends: Ends, operator: CompareOperator, value: Value): void {
  const shown = showValue(value)
  ends.bracket = bracketEnds(value)
  if (operator === 'gt') ends.low = `(${shown}`
  else if (operator === 'gte') ends.low = `[${shown}`
  else if (operator === 'lt') ends.high = `${shown})`
  else ends.high = `${shown}]`
}

function textsOf(nodes: readonly FilterNode[]): string[] {
  const ends: Ends = { low: undefined, high: undefined, bracket: undefined }
  for (const node of nodes) {
    if (node.kind === 'in' && node.regexes.length === 0) {
      return node.values.map((value) => `[${showValue(value)}, ${showValue(value)}]`)
    }
    if (node.kind !== 'compare') continue
    if (node.operator === 'eq') return [`[${showValue(node.value)}, ${showValue(node.value)}]`]
    narrow(ends, node.operator, node.value)
  }
  if (ends.bracket === undefined) return [ALL]
  return [`${ends.low ?? ends.bracket[0]}, ${ends.high ?? ends.bracket[1]}`]
}

/** For each path of the index, its bounds in words. */
export function boundsText(
  index: Index,
  parts: readonly (readonly Interval[])[],
  node: FilterNode
): Map<string, string[]> {
  const conditions = conditionsOf(node)
  return new Map(
    index.parts.map(({ path }, part) => {
      const intervals = parts[part]
      if (intervals === undefined || isFull(intervals)) return [path, [ALL]]
      return [path, textsOf(conditions.filter((one) => one.path === path).map((one) => one.node))]
    })
  )
}
