// $rename: a field moves to another place.

import type { Doc, Value } from '../bson/value.ts'
import { commandError } from '../errors.ts'
import { MISSING, type Result } from '../expressions/expression.ts'
import { fieldOf } from '../expressions/parse-expression.ts'
import type { Modifier } from './modifier.ts'
import { shown } from './shown.ts'
import { childOf, parseUpdatePath, type UpdatePath } from './update-path.ts'

export interface Rename {
  readonly from: UpdatePath
  readonly to: UpdatePath
}

/** Fails with BadValue (2) for what cannot be renamed. */
export function parseRename(path: string, argument: Value): Rename {
  if (typeof argument !== 'string') {
    throw commandError(
      'BadValue',
      `The 'to' field for $rename must be a string: ${path}: ${shown(argument)}`
    )
  }
  if (argument.includes('\0'))
    throw commandError(
      'BadValue',
      "The 'to' field for $rename cannot contain an embedded null byte"
    )
  const rename = { from: parseUpdatePath(path), to: parseUpdatePath(argument) }
  if (path === argument)
    throw commandError(
      'BadValue',
      `The source and target field for $rename must differ: ${path}: "${argument}"`
    )
  for (const [name, { pieces, text }] of [
    ['source', rename.from],
    ['destination', rename.to]
  ] as const) {
    if (pieces.some(({ kind }) => kind !== 'field')) {
      throw commandError('BadValue', `The ${name} field for $rename may not be dynamic: ${text}`)
    }
  }
  return rename
}

const set = (value: Value): Modifier => ({ creates: true, change: () => value })
const REMOVE: Modifier = { creates: false, change: () => MISSING }

/** Moves the field by two changes; does nothing when it is not there. */
export function renameField(
  doc: Doc,
  { from, to }: Rename,
  idOf: () => string,
  change: (path: readonly string[], modifier: Modifier) => void
): void {
  const source = from.names
  const target = to.names
  checkNoArray(doc, source, 'source', idOf)
  const value = source.reduce<Result>(fieldOf, doc)
  if (value === MISSING) return
  checkNoArray(doc, target, 'destination', idOf)
  change(target, set(value))
  change(source, REMOVE)
}

function checkNoArray(doc: Doc, path: readonly string[], name: string, idOf: () => string): void {
  let value: Result = doc
  for (const [index, piece] of path.entries()) {
    if (Array.isArray(value)) {
      throw commandError(
        'BadValue',
        `The ${name} field cannot be an array element, '${path.join('.')}' in doc with _id: ${idOf()} has an array field called '${path[index - 1]}'`
      )
    }
    value = childOf(value, piece)
  }
}
