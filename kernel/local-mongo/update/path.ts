// The path of an update: names, array positions and the three ways to speak of array elements.
import { commandError } from '../errors.ts'

export type PathPart =
  | { readonly kind: 'name'; readonly name: string; readonly index: number | undefined }
  /** `$`: the element by which the filter took the document. */
  | { readonly kind: 'matched' }
  /** `$[]` */
  | { readonly kind: 'every' }
  /** `$[identifier]` */
  | { readonly kind: 'filtered'; readonly identifier: string }

export interface UpdatePath {
  readonly text: string
  readonly parts: readonly PathPart[]
}

const FILTERED = /^\$\[(.*)\]$/
const INDEX = /^(0|[1-9][0-9]{0,9})$/

/** Fails with EmptyFieldName (56), DollarPrefixedFieldName (52) or BadValue (2). */
export function parsePath(text: string): UpdatePath {
  if (text === '') {
    throw commandError('EmptyFieldName', 'An empty update path is not valid.')
  }
  const parts = text.split('.').map((part) => parsePart(part, text))
  if (parts[0]?.kind !== 'name') {
    const sign = text.split('.')[0]
    throw commandError(
      'BadValue',
      `Cannot have array filter identifier (i.e. '${sign}') element in the first position in path '${text}'`
    )
  }
  if (parts.filter((part) => part.kind === 'matched').length > 1) {
    throw commandError(
      'BadValue',
      `Too many positional (i.e. '$') elements found in path '${text}'`
    )
  }
  return { text, parts }
}

function parsePart(part: string, text: string): PathPart {
  if (part === '') {
    throw commandError(
      'EmptyFieldName',
      `The update path '${text}' contains an empty field name, which is not allowed.`
    )
  }
  if (part === '$') return { kind: 'matched' }
  if (part === '$[]') return { kind: 'every' }
  const filtered = FILTERED.exec(part)
  if (filtered !== null) return { kind: 'filtered', identifier: filtered[1] ?? '' }
  if (part.startsWith('$')) {
    throw commandError(
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${part}' in '${text}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`
    )
  }
  return { kind: 'name', name: part, index: INDEX.test(part) ? Number(part) : undefined }
}

/** The path as indexes see it: without positions, and no further than the first number. */
export function indexedPath({ parts }: UpdatePath): string {
  const names: string[] = []
  for (const part of parts) {
    if (part.kind !== 'name') continue
    if (part.index !== undefined) break
    names.push(part.name)
  }
  return names.join('.')
}

/** Fails with ConflictingUpdateOperators (40) when two paths are equal or one lies within another. */
export function checkConflicts(paths: readonly UpdatePath[]): void {
  const taken = new Set<string>()
  for (const { text } of paths) {
    if (taken.has(text)) throw conflict(text, text)
    taken.add(text)
  }
  for (const { text } of paths) {
    for (let at = text.indexOf('.'); at >= 0; at = text.indexOf('.', at + 1)) {
      const prefix = text.slice(0, at)
      if (taken.has(prefix)) throw conflict(text, prefix)
    }
  }
}

function conflict(path: string, at: string): Error {
  return commandError(
    'ConflictingUpdateOperators',
    `Updating the path '${path}' would create a conflict at '${at}'`
  )
}

/** The order in which MongoDB applies updates: by name, numbers by value. */
export function comparePaths(a: UpdatePath, b: UpdatePath): number {
  const left = a.text.split('.')
  const right = b.text.split('.')
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const order = compareNames(left[at] ?? '', right[at] ?? '')
    if (order !== 0) return order
  }
  return left.length - right.length
}

function compareNames(a: string, b: string): number {
  if (INDEX.test(a) && INDEX.test(b)) return Number(a) - Number(b)
  return a < b ? -1 : a > b ? 1 : 0
}
