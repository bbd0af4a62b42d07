// Changes one path of a document: copies what lies on the way, shares the rest.
import { type Doc, isDoc, typeName, type Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import type { ArrayFilters } from './array-filters.ts'
import type { PathPart, UpdatePath } from './path.ts'
import { shown } from './shown.ts'

export const ABSENT: unique symbol = Symbol('absent')
export const KEEP: unique symbol = Symbol('keep')
export const REMOVE: unique symbol = Symbol('remove')

/** What an operator makes of the value at its path. */
export type Modified = Value | typeof KEEP | typeof REMOVE
export type Modifier = (current: Value | typeof ABSENT, path: string) => Modified

/** A value that was set, or (without one) a field that was removed. */
export interface Change {
  readonly path: string
  readonly value: Value | typeof REMOVE
}

export interface Modification {
  readonly path: UpdatePath
  readonly modify: Modifier
  /** Whether missing documents on the way are made. */
  readonly creates: boolean
}

export interface ModifyContext {
  readonly arrayPosition: number | undefined
  readonly arrayFilters: ArrayFilters
  /** Receives what changed, in order. */
  readonly changes: Change[]
}

/** Filling an array up to a far index is refused beyond this, as in MongoDB. */
const MAX_PADDING = 1_500_000

/** The document with the modification applied; the same document when nothing changes. */
export function modifyPath(doc: Doc, modification: Modification, context: ModifyContext): Doc {
  return new Walk(modification, context).inDoc(doc, 0, '')
}

const joined = (path: string, name: string | number) =>
  path === '' ? `${name}` : `${path}.${name}`

/** One way along a path. Holds what all its steps need. */
class Walk {
  readonly #parts: readonly PathPart[]
  readonly #text: string
  readonly #modify: Modifier
  readonly #creates: boolean
  readonly #context: ModifyContext

  constructor({ path, modify, creates }: Modification, context: ModifyContext) {
    this.#parts = path.parts
    this.#text = path.text
    this.#modify = modify
    this.#creates = creates
    this.#context = context
  }

  inDoc(doc: Doc, depth: number, path: string): Doc {
    const part = this.#parts[depth]
    if (part?.kind !== 'name') throw this.#notAnArray(doc, path)
    const name = part.name
    const at = joined(path, name)
    const current = doc.has(name) ? (doc.get(name) as Value) : ABSENT
    const next = this.#at(current, depth, at)
    if (next === KEEP) return doc
    const copy = new Map(doc)
    if (next === REMOVE) copy.delete(name)
    else copy.set(name, next)
    return copy
  }

  /** What becomes of the value that a part led to. */
  #at(current: Value | typeof ABSENT, depth: number, path: string): Modified {
    const isLast = depth === this.#parts.length - 1
    if (isLast) return this.#noted(this.#modify(current, path), current, path)
    if (current === ABSENT)
      return this.#creates ? this.#noted(this.#made(depth + 1, path), current, path) : KEEP
    if (isDoc(current)) return sameOr(current, this.inDoc(current, depth + 1, path))
    if (Array.isArray(current)) return sameOr(current, this.#inArray(current, depth + 1, path))
    const part = this.#parts[depth + 1]
    if (part?.kind !== 'name') throw this.#notAnArray(current, path)
    if (!this.#creates) return KEEP
    throw this.#notViable(part.name, current, path)
  }

  #noted(next: Modified, current: Value | typeof ABSENT, path: string): Modified {
    if (next === KEEP || (next === REMOVE && current === ABSENT)) return KEEP
    this.#context.changes.push({ path, value: next })
    return next
  }

  /** The documents that the rest of the path needs, around the new value. */
  #made(depth: number, path: string): Modified {
    const part = this.#parts[depth]
    if (part?.kind !== 'name') {
      throw commandError(
        'BadValue',
        `The path '${path}' must exist in the document in order to apply array updates.`
      )
    }
    const at = joined(path, part.name)
    const isLast = depth === this.#parts.length - 1
    const inner = isLast ? this.#modify(ABSENT, at) : this.#made(depth + 1, at)
    if (inner === KEEP || inner === REMOVE) return KEEP
    return new Map([[part.name, inner]])
  }

  #inArray(array: readonly Value[], depth: number, path: string): readonly Value[] {
    const part = this.#parts[depth]
    if (part === undefined) return array
    if (part.kind === 'every') return this.#inElements(array, depth, path, () => true)
    if (part.kind === 'filtered') {
      const isTaken = this.#context.arrayFilters.get(part.identifier) ?? (() => false)
      return this.#inElements(array, depth, path, isTaken)
    }
    const index = part.kind === 'matched' ? this.#matchedIndex() : part.index
    if (index !== undefined) return this.#inElement(array, index, depth, path)
    if (!this.#creates) return array
    throw this.#notViable(part.kind === 'name' ? part.name : '$', [...array], path)
  }

  #matchedIndex(): number {
    const { arrayPosition } = this.#context
    if (arrayPosition !== undefined) return arrayPosition
    throw commandError(
      'BadValue',
      'The positional operator did not find the match needed from the query.'
    )
  }

  #inElements(
    array: readonly Value[],
    depth: number,
    path: string,
    isTaken: (element: Value) => boolean
  ): readonly Value[] {
    let result = array
    for (const [index, element] of array.entries()) {
      if (isTaken(element)) result = this.#inElement(result, index, depth, path)
    }
    return result
  }

  #inElement(
    array: readonly Value[],
    index: number,
    depth: number,
    path: string
  ): readonly Value[] {
    const current = index < array.length ? (array[index] as Value) : ABSENT
    const next = this.#at(current, depth, joined(path, index))
    if (next === KEEP) return array
    if (index - array.length > MAX_PADDING) {
      throw commandError('BadValue', `can't backfill more than ${MAX_PADDING} elements`)
    }
    const copy = [...array]
    while (copy.length < index) copy.push(null)
    copy[index] = next === REMOVE ? null : next
    return copy
  }

  #notAnArray(value: Value, path: string): Error {
    const name = path.split('.').at(-1) ?? ''
    return commandError(
      'BadValue',
      `Cannot apply array updates to non-array element ${name}: ${shown(value)}`
    )
  }

  #notViable(name: string, value: Value, path: string): Error {
    const holder = path.split('.').at(-1) ?? ''
    return commandError(
      'PathNotViable',
      `Cannot create field '${name}' in element {${holder}: ${shown(value)}} (path '${this.#text}', type ${typeName(value)})`
    )
  }
}

function sameOr(before: Value, after: Doc | readonly Value[]): Modified {
  return after === before ? KEEP : (after as Value)
}
