// Reads the specification of a projection, as find and $project have it.

import { type Doc, isDoc, isNumeric, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { isTrue } from '../expressions/expression.ts'
import { parseWhole } from '../expressions/long-expression.ts'
import type { ExpressionContext } from '../expressions/parse-expression.ts'
import { addRule, type Mode, type RuleTree } from './projection-tree.ts'

/** An operator of find's projections, which only a caller who allows it gets. */
export interface SpecialRule {
  readonly path: string
  readonly operator: '$slice' | '$elemMatch' | '$'
  readonly argument: Value
}

export interface ParsedProjection {
  readonly tree: RuleTree
  readonly mode: Mode
  readonly specials: readonly SpecialRule[]
}

interface Entry {
  readonly path: string
  readonly kind: 'include' | 'exclude' | 'compute'
  readonly value: Value
}

const SPECIAL_OPERATORS = new Set(['$slice', '$elemMatch'])

/** `allowsSpecials` is true for find, whose operators expressions do not know. */
export function readProjection(
  spec: Doc,
  context: ExpressionContext,
  allowsSpecials: boolean
): ParsedProjection {
  const entries: Entry[] = []
  const specials: SpecialRule[] = []
  collect(spec, '', allowsSpecials, entries, specials)
  const mode = modeOf(entries, specials)
  const tree: RuleTree = new Map()
  for (const entry of entries) addEntry(tree, entry, mode, context)
  if (mode === 'inclusion' && !tree.has('_id')) addId(tree)
  return { tree, mode, specials }
}

function addId(tree: RuleTree): void {
  const rules = [...tree]
  tree.clear()
  tree.set('_id', { kind: 'include' })
  for (const [name, rule] of rules) tree.set(name, rule)
}

function collect(
  spec: Doc,
  prefix: string,
  allowsSpecials: boolean,
  entries: Entry[],
  specials: SpecialRule[]
): void {
  for (const [name, value] of spec) {
    const path = `${prefix}${name}`
    const special = allowsSpecials ? specialOf(path, value) : undefined
    if (special) specials.push(special)
    else if (isNumeric(value) || typeof value === 'boolean') {
      entries.push({ path, kind: isTrue(value) ? 'include' : 'exclude', value })
    } else if (isNestedSpec(value, path)) {
      collect(value, `${path}.`, allowsSpecials, entries, specials)
    } else {
      entries.push({ path, kind: 'compute', value })
    }
  }
}

function isNestedSpec(value: Value, path: string): value is Doc {
  if (!isDoc(value)) return false
  if (value.size === 0) {
    throw commandError(
      'Location51270',
      `An empty sub-projection is not a valid value. Found empty object at path '${path}'`
    )
  }
  return [...value.keys()].every((name) => !name.startsWith('$'))
}

function specialOf(path: string, value: Value): SpecialRule | undefined {
  if (path.endsWith('.$')) return { path: path.slice(0, -2), operator: '$', argument: value }
  if (!isDoc(value)) return undefined
  const [operator] = value.keys()
  if (operator === undefined || !SPECIAL_OPERATORS.has(operator)) return undefined
  if (operator === '$slice' && !isFindSlice(value.get('$slice'))) return undefined
  return { path, operator: operator as '$slice' | '$elemMatch', argument: value.get(operator) }
}

/** `$slice: n` and `$slice: [skip, limit]`; anything else is the expression of that name. */
function isFindSlice(argument: Value): boolean {
  if (!Array.isArray(argument)) return isNumeric(argument)
  return argument.length === 2 && argument.every(isNumeric)
}

function modeOf(entries: readonly Entry[], specials: readonly SpecialRule[]): Mode {
  const deciding = entries.find(({ path, kind }) => path !== '_id' || kind === 'compute')
  if (deciding) return deciding.kind === 'exclude' ? 'exclusion' : 'inclusion'
  if (specials.some(({ operator }) => operator !== '$slice')) return 'inclusion'
  return entries.some(({ kind }) => kind === 'include') ? 'inclusion' : 'exclusion'
}

function addEntry(
  tree: RuleTree,
  { path, kind, value }: Entry,
  mode: Mode,
  context: ExpressionContext
): void {
  if (path !== '_id' && kind === 'include' && mode === 'exclusion') {
    throw commandError(
      'Location31253',
      `Cannot do inclusion on field ${path} in exclusion projection`
    )
  }
  if (path !== '_id' && kind === 'exclude' && mode === 'inclusion') {
    throw commandError(
      'Location31254',
      `Cannot do exclusion on field ${path} in inclusion projection`
    )
  }
  if (kind === 'compute' && mode === 'exclusion') {
    throw commandError(
      'Location31252',
      `Cannot use an expression ${path} in an exclusion projection`
    )
  }
  if (kind !== 'compute') addRule(tree, path, { kind })
  else addRule(tree, path, { kind: 'compute', expression: parseWhole(value, context) })
}
