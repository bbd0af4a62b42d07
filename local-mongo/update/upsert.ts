// The document that an upsert starts from.
import type { Doc, Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import type { FilterNode } from '../query/filter-node.ts'

/** The fields that a filter says are equal to something, as a document. With `only`, of that one. */
export function seedFromFilter(node: FilterNode, only?: string): Doc {
  const seed: Doc = new Map()
  const seen: string[] = []
  for (const [path, value] of equalities(node)) {
    if (only !== undefined && path !== only && !path.startsWith(`${only}.`)) continue
    const clash = seen.find((other) => isSameOrWithin(path, other) || isSameOrWithin(other, path))
    if (clash !== undefined) {
      throw commandError(
        'NotSingleValueField',
        `cannot infer query fields to set, ${clash === path ? `path '${path}' is matched twice` : `both paths '${clash}' and '${path}' are matched`}`
      )
    }
    seen.push(path)
    setAt(seed, path.split('.'), value)
  }
  return seed
}

function isSameOrWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`)
}

function equalities(node: FilterNode): readonly (readonly [string, Value])[] {
  switch (node.kind) {
    case 'and':
      return node.children.flatMap(equalities)
    case 'or':
      return node.children.length === 1 ? node.children.flatMap(equalities) : []
    case 'compare':
      return node.operator === 'eq' ? [[node.path, node.value]] : []
    case 'in':
      return node.values.length === 1 && node.regexes.length === 0
        ? [[node.path, node.values[0]]]
        : []
    default:
      return []
  }
}

function setAt(seed: Doc, pieces: readonly string[], value: Value): void {
  let level = seed
  for (const piece of pieces.slice(0, -1)) {
    const next: Doc = (level.get(piece) as Doc | undefined) ?? new Map()
    level.set(piece, next)
    level = next
  }
  level.set(pieces.at(-1) as string, value)
}
