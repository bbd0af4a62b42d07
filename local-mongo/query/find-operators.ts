// The operators that only find's projections have: $slice, $elemMatch and the positional $.
import { toDouble } from '../bson/numbers.ts'
import { type Doc, isDoc, isNumeric, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { type Filter, parseFilter } from './filter.ts'
import type { SpecialRule } from './parse-projection.ts'
import { addRule, type Mode, type RuleTree } from './projection-tree.ts'

export interface FindOperators {
  readonly isNone: boolean
  readonly isPositional: boolean
  readonly paths: readonly string[]
  /** Changes what was kept of the document. */
  apply(kept: Doc, whole: Doc): Doc
}

interface OperatorOptions {
  readonly filter: Filter | undefined
  readonly now: Date
}

type Step = (kept: Doc, whole: Doc) => Doc

/** Prepares the operators; adds to the tree the fields that they need to find in what is kept. */
export function findOperators(
  specials: readonly SpecialRule[],
  tree: RuleTree,
  mode: Mode,
  options: OperatorOptions
): FindOperators {
  const positional = specials.filter(({ operator }) => operator === '$')
  if (positional.length > 1) {
    throw commandError(
      'Location31276',
      'Cannot specify more than one positional projection per query.'
    )
  }
  if (positional.length > 0 && mode === 'exclusion') {
    throw commandError('Location31395', 'positional projection cannot be used with exclusion')
  }
  const steps = specials.map((special) => prepare(special, tree, mode, options))
  return {
    isNone: specials.length === 0,
    isPositional: positional.length > 0,
    paths: specials.map(({ path }) => path),
    apply: (kept, whole) => steps.reduce((doc, step) => step(doc, whole), kept)
  }
}

function prepare(special: SpecialRule, tree: RuleTree, mode: Mode, options: OperatorOptions): Step {
  const { path, operator, argument } = special
  const pieces = path.split('.')
  if (operator === '$elemMatch') return prepareElemMatch(path, argument, tree, mode, options)
  if (mode === 'inclusion') addRule(tree, path, { kind: 'include' })
  if (operator === '$') return preparePositional(pieces, options.filter)
  const slice = sliceOf(argument)
  return (kept) => changeAt(kept, pieces, 0, slice) as Doc
}

function prepareElemMatch(
  path: string,
  argument: Value,
  tree: RuleTree,
  mode: Mode,
  { filter, now }: OperatorOptions
): Step {
  if (path.includes('.')) {
    throw commandError(
      'Location31255',
      `Cannot use $elemMatch projection on a nested field. Found at path: ${path}`
    )
  }
  if (!isDoc(argument))
    throw commandError('Location31274', 'elemMatch: Invalid argument, object required')
  if (tree.has(path)) throw commandError('Location31250', `Path collision at ${path}`)
  if (mode === 'exclusion') addRule(tree, path, { kind: 'exclude' })
  const condition: Doc = new Map([[path, new Map([['$elemMatch', argument]])]])
  const test = parseFilter(condition, { collation: filter?.collation, now })
  return (kept, whole) => {
    const list = whole.get(path)
    const place = test.arrayPosition(whole)
    if (place !== undefined && Array.isArray(list)) kept.set(path, [list[place]])
    return kept
  }
}

function preparePositional(pieces: readonly string[], filter: Filter | undefined): Step {
  return (kept, whole) => {
    const place = filter?.arrayPosition(whole)
    if (place === undefined) {
      throw commandError(
        'Location51246',
        "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array"
      )
    }
    return changeFirstArray(kept, pieces, 0, place) as Doc
  }
}

/** Leaves of the first array on the path the one element that fitted. */
function changeFirstArray(
  value: Value,
  pieces: readonly string[],
  at: number,
  place: number
): Value {
  if (Array.isArray(value)) {
    if (place < value.length) return [value[place]]
    throw commandError(
      'Location51247',
      "Executor error during find command :: caused by :: positional operator '.$' element mismatch"
    )
  }
  const name = pieces[at]
  if (!isDoc(value) || name === undefined || !value.has(name)) return value
  return new Map(value).set(name, changeFirstArray(value.get(name), pieces, at + 1, place))
}

/** Changes the arrays at the end of a path, through documents and arrays of documents. */
function changeAt(
  value: Value,
  pieces: readonly string[],
  at: number,
  change: (list: readonly Value[]) => Value[]
): Value {
  const name = pieces[at]
  if (name === undefined) return Array.isArray(value) ? change(value) : value
  if (Array.isArray(value)) return value.map((element) => changeAt(element, pieces, at, change))
  if (!isDoc(value) || !value.has(name)) return value
  return new Map(value).set(name, changeAt(value.get(name), pieces, at + 1, change))
}

function sliceOf(argument: Value): (list: readonly Value[]) => Value[] {
  const [skip, limit] = (Array.isArray(argument) ? argument : [argument]).map(whole)
  if (skip === undefined) return (list) => [...list]
  if (limit === undefined) return (list) => (skip < 0 ? list.slice(skip) : list.slice(0, skip))
  if (limit <= 0) throw commandError('Location28729', `$slice limit must be positive: ${limit}`)
  return (list) => {
    const start = skip < 0 ? Math.max(0, list.length + skip) : skip
    return list.slice(start, start + limit)
  }
}

function whole(value: Value): number {
  return isNumeric(value) ? Math.trunc(toDouble(value)) : 0
}
