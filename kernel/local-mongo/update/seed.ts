// The document an upsert starts from: the equalities of its filter.
import type { Doc, Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import type { FilterNode } from '../query/filter.ts'
import { modifyPath } from './modify.ts'
import { parsePath } from './path.ts'

interface Equality {
  readonly path: string
  readonly value: Value
}

/** Fails with NotSingleValueField (54) when one field is given two values. */
export function seedOf(node: FilterNode): Doc {
  const equalities = [...equalitiesOf(node)]
  checkSingle(equalities)
  let doc: Doc = new Map()
  const context = { arrayPosition: undefined, arrayFilters: new Map(), changes: [] }
  for (const { path, value } of equalities) {
    doc = modifyPath(doc, { path: parsePath(path), modify: () => value, creates: true }, context)
  }
  return doc
}

/** Equalities that must hold: at the top, within `$and`, in an `$or` or `$in` of one. */
function* equalitiesOf(node: FilterNode): Generator<Equality> {
  if (node.kind === 'and') for (const child of node.children) yield* equalitiesOf(child)
  const [only] = node.kind === 'or' ? node.children : []
  if (node.kind === 'or' && node.children.length === 1 && only !== undefined)
    yield* equalitiesOf(only)
  if (node.kind === 'compare' && node.operator === 'eq')
    yield { path: node.path, value: node.value }
  if (node.kind === 'in' && node.values.length === 1 && node.regexes.length === 0) {
    yield { path: node.path, value: node.values[0] }
  }
}

function checkSingle(equalities: readonly Equality[]): void {
  const paths = equalities.map(({ path }) => path)
  for (const [at, path] of paths.entries()) {
    const isTwice = paths.indexOf(path) !== at
    const holder = paths.find((other) => path.startsWith(`${other}.`))
    if (!isTwice && holder === undefined) continue
    throw commandError(
      'NotSingleValueField',
      `cannot infer query fields to set, path '${holder ?? path}' is matched twice`
    )
  }
}
