// Paths of updates: plain fields, the matched element, all elements, and filtered ones.

import type { Doc } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { MISSING, type Result } from '../expressions/expression.ts'
import { fieldOf } from '../expressions/parse-expression.ts'
import type { ArrayFilters } from './array-filters.ts'

export type PathPiece =
  | { readonly kind: 'field'; readonly name: string }
  /** `$`: the element by which the query matched. */
  | { readonly kind: 'matched' }
  /** `$[]`: all elements. */
  | { readonly kind: 'all' }
  /** `$[name]`: those that an array filter takes. */
  | { readonly kind: 'filtered'; readonly name: string }

export interface UpdatePath {
  readonly text: string
  /** The text cut at its dots. */
  readonly names: readonly string[]
  readonly pieces: readonly PathPiece[]
  /** The names, when no piece speaks of array elements. */
  readonly plain: readonly string[] | undefined
  /** Up to the first array position; what indexes are chosen by. */
  readonly indexed: string
}

/** Programs update few paths often. */
const KNOWN_PATHS = 1_000
const known = new Map<string, UpdatePath>()

/** Fails with EmptyFieldName (56) or BadValue (2). */
export function parseUpdatePath(text: string): UpdatePath {
  const path = known.get(text)
  if (path !== undefined) return path
  if (known.size >= KNOWN_PATHS) known.clear()
  const fresh = readPath(text)
  known.set(text, fresh)
  return fresh
}

function readPath(text: string): UpdatePath {
  if (text === '') throw commandError('EmptyFieldName', 'An empty update path is not valid.')
  const names = text.split('.')
  const pieces = names.map((piece, index) => parsePiece(piece, index, text))
  if (pieces.filter(({ kind }) => kind === 'matched').length > 1) {
    throw commandError(
      'BadValue',
      `Too many positional (i.e. '$') elements found in path '${text}'`
    )
  }
  const plain = pieces.every(({ kind }) => kind === 'field') ? names : undefined
  return { text, names, pieces, plain, indexed: indexedPath(names) }
}

/** An index on `a.0.b` or `a.b` may change with `a.0.b`: no further than the first place is sure. */
function indexedPath(names: readonly string[]): string {
  const end = names.findIndex((name) => /^(?:\d+|\$.*)$/.test(name))
  return names.slice(0, end < 0 ? names.length : end).join('.')
}

function parsePiece(piece: string, index: number, path: string): PathPiece {
  if (piece === '') {
    throw commandError(
      'EmptyFieldName',
      `The update path '${path}' contains an empty field name, which is not allowed.`
    )
  }
  if (!piece.startsWith('$')) return { kind: 'field', name: piece }
  const filtered = /^\$\[(.*)\]$/.exec(piece)
  if (index === 0 && (piece === '$' || filtered)) {
    throw commandError(
      'BadValue',
      `Cannot have positional (i.e. '$') or array filter identifier (i.e. '$[<id>]') element in the first position in path '${path}'`
    )
  }
  if (piece === '$') return { kind: 'matched' }
  if (filtered) return filtered[1] ? { kind: 'filtered', name: filtered[1] } : { kind: 'all' }
  return { kind: 'field', name: piece }
}

export interface ExpandContext {
  readonly arrayPosition: number | undefined
  readonly arrayFilters: ArrayFilters
}

/** The concrete paths that a path stands for in a document. */
export function expandPath(
  doc: Doc,
  path: UpdatePath,
  context: ExpandContext
): readonly (readonly string[])[] {
  if (path.plain) return [path.plain]
  const found: string[][] = []
  expand(doc, path, 0, [], context, found)
  return found
}

function expand(
  value: Result,
  path: UpdatePath,
  at: number,
  done: readonly string[],
  context: ExpandContext,
  found: string[][]
): void {
  const piece = path.pieces[at]
  if (piece === undefined) {
    found.push([...done])
    return
  }
  for (const name of namesOf(value, piece, path, done, context)) {
    expand(childOf(value, name), path, at + 1, [...done, name], context, found)
  }
}

/** The value under a name in a document or array. */
export function childOf(value: Result, name: string): Result {
  if (!Array.isArray(value)) return fieldOf(value, name)
  const index = arrayIndex(name)
  return index !== undefined && index < value.length ? value[index] : MISSING
}

const PLACE = /^(?:0|[1-9]\d{0,8})$/
/** Most names are those of fields: the first character rules a position out. */
const isDigit = (code: number) => code >= 0x30 && code <= 0x39

/** The place in an array that a name means; undefined when it means none. */
export function arrayIndex(name: string): number | undefined {
  return isDigit(name.charCodeAt(0)) && PLACE.test(name) ? Number(name) : undefined
}

function namesOf(
  value: Result,
  piece: PathPiece,
  path: UpdatePath,
  done: readonly string[],
  { arrayPosition, arrayFilters }: ExpandContext
): readonly string[] {
  if (piece.kind === 'field') return [piece.name]
  if (piece.kind === 'matched') {
    if (arrayPosition !== undefined) return [String(arrayPosition)]
    throw commandError(
      'BadValue',
      'The positional operator did not find the match needed from the query.'
    )
  }
  if (value === MISSING) {
    throw commandError(
      'BadValue',
      `The path '${done.join('.')}' must exist in the document in order to apply array updates.`
    )
  }
  if (!Array.isArray(value)) {
    throw commandError(
      'BadValue',
      `Cannot apply array updates to non-array element ${done.join('.')} of path ${path.text}`
    )
  }
  const places = value.map((_, index) => String(index))
  if (piece.kind === 'all') return places
  return places.filter((_, index) => arrayFilters.takes(piece.name, value[index]))
}

/** Whether a path leads to another or below it. */
export function covers(a: readonly string[], b: readonly string[]): boolean {
  return a.length <= b.length && a.every((name, index) => name === b[index])
}

/** Fields in the order in which updates process them: numbers by value before names by text. */
export function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareNames(a[i] as string, b[i] as string)
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compareNames(a: string, b: string): number {
  const [left, right] = [arrayIndex(a), arrayIndex(b)]
  if (left !== undefined && right !== undefined) return left - right
  if (left !== undefined || right !== undefined) return left === undefined ? 1 : -1
  return a < b ? -1 : Number(a > b)
}
