// Changes a value deep in a document by copying what lies on the way, once.

import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { MISSING, type Result } from '../expressions/expression.ts'
import { isIdentical, KEEP, type Modifier, type ModifierContext } from './modifier.ts'
import { shown } from './shown.ts'
import { arrayIndex } from './update-path.ts'

/** What is already a copy may be changed in place. */
export type Owned = Set<object>

/** What became of a change: for change streams. */
export interface Effect {
  /** The changed field; when documents were made on the way to it, the first of them. */
  readonly path: readonly string[]
  readonly before: Result
  readonly after: Result
}

interface Change {
  readonly path: readonly string[]
  readonly modifier: Modifier
  readonly context: ModifierContext
  readonly owned: Owned
  effect: Effect | undefined
}

const LONGEST_FILL = 1_500_000

/** The document with one modifier applied; the effect is undefined when nothing changed. */
export function changeDoc(
  doc: Doc,
  path: readonly string[],
  modifier: Modifier,
  context: ModifierContext,
  owned: Owned
): { readonly doc: Doc; readonly effect: Effect | undefined } {
  const change: Change = { path, modifier, context, owned, effect: undefined }
  const changed = changeChild(doc, change, 0) as Doc
  return { doc: changed, effect: change.effect }
}

/** The container with its child at `path[at]` changed. */
function changeChild(container: Value, change: Change, at: number): Value {
  const name = change.path[at] as string
  if (isDoc(container)) return changeField(container, name, change, at)
  if (Array.isArray(container)) return changeElement(container, name, change, at)
  if (!change.modifier.creates) return container
  throw notViable(name, container, change, at)
}

function notViable(name: string, container: Value, change: Change, at: number): Error {
  const where = change.path[at - 1] ?? ''
  return commandError(
    'PathNotViable',
    `Cannot create field '${name}' in element {${where}: ${shown(container)}}`
  )
}

function changeField(doc: Doc, name: string, change: Change, at: number): Doc {
  const current: Result = doc.has(name) ? doc.get(name) : MISSING
  const next = nextValue(current, change, at)
  if (next === KEEP) return doc
  const copy = ownDoc(doc, change.owned)
  if (next === MISSING) copy.delete(name)
  else copy.set(name, next)
  return copy
}

function ownDoc(doc: Doc, owned: Owned): Doc {
  if (owned.has(doc)) return doc
  const copy: Doc = new Map(doc)
  owned.add(copy)
  return copy
}

function changeElement(list: Value[], name: string, change: Change, at: number): Value[] {
  const index = arrayIndex(name)
  if (index === undefined) {
    if (!change.modifier.creates) return list
    throw notViable(name, list, change, at)
  }
  const next = nextValue(index < list.length ? list[index] : MISSING, change, at)
  if (next === KEEP || (next === MISSING && index >= list.length)) return list
  if (next === MISSING && list[index] === null) {
    change.effect = undefined
    return list
  }
  if (index - list.length > LONGEST_FILL) {
    throw commandError('BadValue', `can't backfill more than ${LONGEST_FILL} array elements`)
  }
  const copy = change.owned.has(list) ? list : [...list]
  change.owned.add(copy)
  while (copy.length < index) copy.push(null)
  // An array keeps its length: what is unset in it becomes null.
  copy[index] = next === MISSING ? null : next
  return copy
}

/** What the child becomes; KEEP when it stays. */
function nextValue(current: Result, change: Change, at: number): Result | typeof KEEP {
  if (at === change.path.length - 1) return applyModifier(current, change)
  if (current === MISSING) {
    if (!change.modifier.creates) return KEEP
    const made: Doc = new Map()
    change.owned.add(made)
    const filled = changeChild(made, change, at + 1)
    if (change.effect === undefined) return KEEP
    change.effect = { path: change.path.slice(0, at + 1), before: MISSING, after: filled }
    return filled
  }
  const changed = changeChild(current, change, at + 1)
  return change.effect === undefined ? KEEP : changed
}

function applyModifier(current: Result, change: Change): Result | typeof KEEP {
  const after = change.modifier.change(current, change.context)
  if (after === KEEP || after === current) return KEEP
  if (after !== MISSING && current !== MISSING && isIdentical(after, current)) return KEEP
  change.effect = { path: change.path, before: current, after }
  return after
}
