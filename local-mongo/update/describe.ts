// What a change stream tells about an update: from the effects of modifiers, or by comparing.

import { type Doc, isDoc, type Value } from '../bson/value.ts'
import { MISSING, type Result } from '../expressions/expression.ts'
import type { Effect } from './change-doc.ts'
import { isIdentical } from './modifier.ts'
import { childOf } from './update-path.ts'

/** What a change stream tells about an update. */
export interface UpdateDescription {
  readonly updatedFields: Doc
  readonly removedFields: readonly string[]
  readonly truncatedArrays: readonly { readonly field: string; readonly newSize: number }[]
}

interface Draft {
  readonly updatedFields: Doc
  readonly removedFields: string[]
  readonly truncatedArrays: { field: string; newSize: number }[]
}

const emptyDraft = (): Draft => ({
  updatedFields: new Map(),
  removedFields: [],
  truncatedArrays: []
})

/** Describes the effects of modifiers, with the values that the document has in the end. */
export function describeEffects(effects: readonly Effect[], after: Doc): UpdateDescription {
  const draft = emptyDraft()
  for (const { path, before } of effects) {
    const value = path.reduce<Result>(childOf, after)
    const name = path.join('.')
    if (value === MISSING) draft.removedFields.push(name)
    else if (isAppended(before, value)) appendElements(draft, name, before.length, value)
    else draft.updatedFields.set(name, value)
  }
  return draft
}

function isAppended(before: Result, after: Value): before is Value[] {
  return (
    Array.isArray(before) &&
    Array.isArray(after) &&
    before.length > 0 &&
    after.length > before.length &&
    before.every((element, index) => isIdentical(element, after[index]))
  )
}

function appendElements(draft: Draft, name: string, from: number, list: Value): void {
  if (!Array.isArray(list)) return
  for (let i = from; i < list.length; i++) draft.updatedFields.set(`${name}.${i}`, list[i])
}

/** Describes how one document became another. */
export function describeDifference(before: Doc, after: Doc): UpdateDescription {
  const draft = emptyDraft()
  compareDocs(draft, '', before, after)
  return draft
}

function compareDocs(draft: Draft, prefix: string, before: Doc, after: Doc): void {
  for (const name of before.keys()) {
    if (!after.has(name)) draft.removedFields.push(`${prefix}${name}`)
  }
  for (const [name, value] of after) {
    const path = `${prefix}${name}`
    if (before.has(name)) compareChildren(draft, path, before.get(name), value)
    else draft.updatedFields.set(path, value)
  }
}

function compareChildren(draft: Draft, path: string, before: Value, after: Value): void {
  if (isIdentical(before, after)) return
  if (isDoc(before) && isDoc(after)) compareDocs(draft, `${path}.`, before, after)
  else if (Array.isArray(before) && Array.isArray(after)) compareLists(draft, path, before, after)
  else draft.updatedFields.set(path, after)
}

function compareLists(
  draft: Draft,
  path: string,
  before: readonly Value[],
  after: readonly Value[]
): void {
  if (after.length < before.length) {
    draft.truncatedArrays.push({ field: path, newSize: after.length })
  }
  for (const [index, value] of after.entries()) {
    if (index < before.length) compareChildren(draft, `${path}.${index}`, before[index], value)
    else draft.updatedFields.set(`${path}.${index}`, value)
  }
}
