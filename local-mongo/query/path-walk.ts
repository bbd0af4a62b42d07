// What a dotted path reaches in a document, with arrays on the way spread as queries spread them.

import type { Doc, Value } from '../bson/value.ts'
import { MISSING, type Missing } from '../expressions/expression.ts'

/** Asked for each value reached, with the index in the outermost array; true ends the walk. */
export type Visit = (value: Value | Missing, position: number | undefined) => boolean

export interface WalkPath {
  readonly text: string
  readonly pieces: readonly string[]
}

export function walkPath(text: string): WalkPath {
  return { text, pieces: text.split('.') }
}

/**
 * Visits what a path reaches; returns whether a visit said true. With `spreadsLeaf` an array at the
 * end of the path is visited element by element, then itself; else only itself.
 */
export function visitPath(doc: Doc, path: WalkPath, spreadsLeaf: boolean, visit: Visit): boolean {
  return visitDoc(doc, path.pieces, 0, spreadsLeaf, visit)
}

function visitDoc(
  doc: Doc,
  pieces: readonly string[],
  from: number,
  spreadsLeaf: boolean,
  visit: Visit
): boolean {
  let current: Value = doc
  for (let i = from; i < pieces.length; i++) {
    if (!(current instanceof Map)) return visit(MISSING, undefined)
    const name = pieces[i] as string
    const next: Value = current.get(name)
    if (next === undefined && !current.has(name)) return visit(MISSING, undefined)
    if (Array.isArray(next)) return visitArray(next, pieces, i + 1, spreadsLeaf, visit)
    current = next
  }
  return visit(current, undefined)
}

/** Goes on from an array; `from` is the next piece of the path. */
export function visitArray(
  list: readonly Value[],
  pieces: readonly string[],
  from: number,
  spreadsLeaf: boolean,
  visit: Visit
): boolean {
  if (from < pieces.length) {
    return list.some((element, index) =>
      visitElement(element, index, pieces, from, spreadsLeaf, visit)
    )
  }
  if (spreadsLeaf && list.some((element, index) => visit(element, index))) return true
  return visit(list as Value[], undefined)
}

function visitElement(
  element: Value,
  index: number,
  pieces: readonly string[],
  from: number,
  spreadsLeaf: boolean,
  visit: Visit
): boolean {
  const isNamed = pieces[from] === String(index)
  const rest = from + 1
  if (element instanceof Map) {
    const atIndex: Visit = (value) => visit(value, index)
    if (visitDoc(element, pieces, from, spreadsLeaf, atIndex)) return true
    if (!isNamed) return false
    return rest === pieces.length
      ? visit(element, index)
      : visitDoc(element, pieces, rest, spreadsLeaf, visit)
  }
  if (!isNamed) return false
  if (rest === pieces.length) return visit(element, index)
  return Array.isArray(element) && visitArray(element, pieces, rest, spreadsLeaf, visit)
}
