// What a change stream tells about an update.
import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { type Change, REMOVE } from './modify.ts'
import { isSame } from './same.ts'

export interface UpdateDescription {
  readonly updatedFields: Doc
  readonly removedFields: readonly string[]
  readonly truncatedArrays: readonly { readonly field: string; readonly newSize: number }[]
}

/** From the changes that operators noted. */
export function describeChanges(changes: readonly Change[]): UpdateDescription {
  const updatedFields: Doc = new Map()
  const removedFields: string[] = []
  for (const { path, value } of changes) {
    if (value === REMOVE) removedFields.push(path)
    else updatedFields.set(path, value)
  }
  return { updatedFields, removedFields, truncatedArrays: [] }
}

/** From a document before and after: for updates that say nothing about single fields. */
export function describeDifference(before: Doc, after: Doc): UpdateDescription {
  const updatedFields: Doc = new Map()
  const removedFields: string[] = []
  collect(before, after, '', updatedFields, removedFields)
  return { updatedFields, removedFields, truncatedArrays: [] }
}

function collect(
  before: Doc,
  after: Doc,
  prefix: string,
  updated: Map<string, Value>,
  removed: string[]
): void {
  for (const name of before.keys()) if (!after.has(name)) removed.push(prefix + name)
  for (const [name, value] of after) {
    const old = before.get(name)
    if (!before.has(name)) updated.set(prefix + name, value)
    else if (isDoc(old) && isDoc(value)) collect(old, value, `${prefix}${name}.`, updated, removed)
    else if (!isSame(old, value)) updated.set(prefix + name, value)
  }
}
