// The conditions of a filter that must all hold, each with its full path, as indexes can use them.
import type { FilterNode } from '../query/filter-node.ts'

/** One condition that every taken document satisfies. */
export interface Condition {
  /** The path from the document's root; '' when it has none. */
  readonly path: string
  readonly node: FilterNode
  /** The conjunct of the filter that it comes from. */
  readonly source: FilterNode
  /** False when bounds say less than the condition: it came out of an `$elemMatch`. */
  readonly isWhole: boolean
}

/** The path of a condition; '' when it has none. */
export function pathOf(node: FilterNode): string {
  if (node.kind === 'not') return pathOf(node.child)
  return 'path' in node ? node.path : ''
}

function join(prefix: string, path: string): string {
  return prefix === '' ? path : `${prefix}.${path}`
}

function collect(found: Condition[], node: FilterNode, source: FilterNode, prefix: string): void {
  if (node.kind === 'and') {
    for (const child of node.children) collect(found, child, prefix === '' ? child : source, prefix)
    return
  }
  const path = join(prefix, pathOf(node))
  found.push({ path, node, source, isWhole: prefix === '' })
  if (node.kind === 'elemMatchObject') collect(found, node.child, source, path)
}

/** The conditions of a filter. */
export function conditionsOf(node: FilterNode): Condition[] {
  const found: Condition[] = []
  collect(found, node, node, '')
  return found
}

/** The filter's conjuncts. */
export function conjunctsOf(node: FilterNode): readonly FilterNode[] {
  if (node.kind !== 'and') return [node]
  return node.children.flatMap(conjunctsOf)
}

/** True when every document satisfies the filter. */
export function takesAll(node: FilterNode): boolean {
  return conjunctsOf(node).every((conjunct) => conjunct.kind === 'always' && conjunct.value)
}

/** True when the filter is seen to take no document. */
export function takesNone(node: FilterNode): boolean {
  return conjunctsOf(node).some(
    (conjunct) =>
      (conjunct.kind === 'always' && !conjunct.value) ||
      (conjunct.kind === 'in' && conjunct.values.length + conjunct.regexes.length === 0) ||
      (conjunct.kind === 'not' && takesAll(conjunct.child))
  )
}
