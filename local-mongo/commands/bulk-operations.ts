// Reads the operations of a bulkWrite command and groups those that can run together.

import { encodeDoc } from '../bson/encode.ts'
import type { Doc } from '../bson/value.ts'
import type { DeleteStatement, Namespace, UpdateStatement } from '../engine.ts'
import { commandError } from '../errors.ts'
import {
  boolean,
  count,
  document,
  documents,
  hint,
  modification,
  present,
  readFields,
  required
} from './fields.ts'
import { mergeVariables } from './write.ts'

/** One operation: what to do and on which of the command's namespaces. */
export type BulkOperation =
  | { readonly kind: 'insert'; readonly target: number; readonly document: Uint8Array }
  | { readonly kind: 'update'; readonly target: number; readonly statement: UpdateStatement }
  | { readonly kind: 'delete'; readonly target: number; readonly statement: DeleteStatement }

/** Neighbouring operations of one kind on one namespace. */
export interface BulkRun {
  readonly kind: BulkOperation['kind']
  readonly namespace: Namespace
  /** The place of the first in the command. */
  readonly start: number
  readonly operations: readonly BulkOperation[]
}

const INSERT = { insert: count, document }
const UPDATE = {
  update: count,
  filter: document,
  updateMods: modification,
  multi: boolean,
  upsert: boolean,
  upsertSupplied: boolean,
  arrayFilters: documents,
  hint,
  constants: document,
  collation: document,
  sort: document
}
const DELETE = { delete: count, filter: document, multi: boolean, hint, collation: document }

/** Reads one operation. */
export function readOperation(doc: Doc, variables: Doc | undefined): BulkOperation {
  if (doc.has('insert')) return readInsert(doc)
  if (doc.has('update')) return readUpdate(doc, variables)
  if (doc.has('delete')) return readDelete(doc, variables)
  throw commandError('FailedToParse', 'A bulkWrite operation must insert, update or delete')
}

function readInsert(doc: Doc): BulkOperation {
  const fields = readFields('bulkWrite.ops', doc, INSERT)
  return {
    kind: 'insert',
    target: required(fields.insert, 'bulkWrite.ops.insert'),
    document: encodeDoc(required(fields.document, 'bulkWrite.ops.document'))
  }
}

function readUpdate(doc: Doc, variables: Doc | undefined): BulkOperation {
  const fields = readFields('bulkWrite.ops', doc, UPDATE)
  return {
    kind: 'update',
    target: required(fields.update, 'bulkWrite.ops.update'),
    statement: present({
      filter: required(fields.filter, 'bulkWrite.ops.filter'),
      update: required(fields.updateMods, 'bulkWrite.ops.updateMods'),
      multi: fields.multi ?? false,
      upsert: fields.upsert ?? false,
      arrayFilters: fields.arrayFilters,
      hint: fields.hint,
      collation: fields.collation,
      let: mergeVariables(variables, fields.constants),
      sort: fields.sort
    })
  }
}

function readDelete(doc: Doc, variables: Doc | undefined): BulkOperation {
  const fields = readFields('bulkWrite.ops', doc, DELETE)
  return {
    kind: 'delete',
    target: required(fields.delete, 'bulkWrite.ops.delete'),
    statement: present({
      filter: required(fields.filter, 'bulkWrite.ops.filter'),
      single: fields.multi !== true,
      hint: fields.hint,
      collation: fields.collation,
      let: variables
    })
  }
}

/** Groups neighbours of one kind and namespace, up to `longest` of them unless they are inserts. */
export function groupRuns(
  operations: readonly BulkOperation[],
  namespaces: readonly Namespace[],
  longest: number
): BulkRun[] {
  const runs: BulkRun[] = []
  let current: BulkOperation[] = []
  for (const [index, operation] of operations.entries()) {
    const namespace = namespaces[operation.target]
    if (!namespace) {
      throw commandError('BadValue', `BulkWrite ops entry ${index} has an invalid nsInfo index.`)
    }
    const [first] = current
    const joins =
      first?.kind === operation.kind &&
      first.target === operation.target &&
      (operation.kind === 'insert' || current.length < longest)
    if (joins) {
      current.push(operation)
    } else {
      current = [operation]
      runs.push({ kind: operation.kind, namespace, start: index, operations: current })
    }
  }
  return runs
}
