// Writing commands: insert, update, delete.
import { Int32 } from 'bson'
import { decodeDoc } from '../bson/decode.ts'
import type { Doc, Value } from '../bson/value.ts'
import type {
  DeleteRequest,
  DeleteStatement,
  InsertRequest,
  UpdateRequest,
  UpdateStatement,
  WriteError,
  WriteResult
} from '../engine.ts'
import { commandError } from '../errors.ts'
import { MAX_WRITE_BATCH_SIZE } from '../wire/limits.ts'
import type { Call, Command } from './command.ts'
import {
  anything,
  boolean,
  document,
  documents,
  hint,
  integer,
  modification,
  present,
  readCommand,
  readFields,
  required
} from './fields.ts'
import type { Asked } from './find.ts'
import { namespaceOf } from './namespace.ts'

const SHARED = { ordered: boolean, bypassDocumentValidation: boolean, let: document }

/** A write command's name, body, and the statements that came beside the body. */
type AskedWrite = Asked & Partial<Pick<Call, 'sequences'>>

/** The statements of a write command, from the body or from beside it. */
function statements(asked: AskedWrite, field: string, inBody: readonly Doc[] | undefined): Doc[] {
  const beside = asked.sequences?.get(field)
  const all = beside
    ? beside.map((bytes) => decodeDoc(bytes))
    : [...required(inBody, `${asked.name}.${field}`)]
  checkBatchSize(all.length)
  return all
}

/** Refuses an empty write command, and one with too many statements. */
export function checkBatchSize(size: number): void {
  if (size >= 1 && size <= MAX_WRITE_BATCH_SIZE) return
  throw commandError(
    'InvalidLength',
    `Write batch sizes must be between 1 and ${MAX_WRITE_BATCH_SIZE}. Got ${size} operations.`
  )
}

/** Refuses fields that came beside a command but do not belong to it. */
function checkSequences(asked: AskedWrite, field: string): void {
  for (const name of asked.sequences?.keys() ?? []) {
    if (name !== field) {
      throw commandError(
        'IDLUnknownField',
        `BSON field '${asked.name}.${name}' is an unknown field.`
      )
    }
  }
}

function readInsert(call: Call): InsertRequest {
  checkSequences(call, 'documents')
  const fields = readCommand(call, { ...SHARED, documents: anything })
  const raw = call.sequences.get('documents')
  if (!raw) {
    // What is not an array of documents was not taken out of the body.
    const given = documents.read(
      required<Value>(fields.documents, 'insert.documents'),
      'insert.documents'
    )
    checkBatchSize(given.length)
    throw commandError('InvalidBSON', 'The documents to insert are not well formed')
  }
  checkBatchSize(raw.length)
  return { documents: raw, ordered: fields.ordered ?? true }
}

const insert: Command = {
  name: 'insert',
  inTransaction: true,
  isRetryable: true,
  isWrite: true,
  isStable: true,
  rawArray: 'documents',
  async run(call) {
    const request = readInsert(call)
    const result = await call.services.engine.insert(namespaceOf(call), request, call.context)
    return { fields: describeWrite(result) }
  }
}

const UPDATE_STATEMENT = {
  q: document,
  u: modification,
  c: document,
  multi: boolean,
  upsert: boolean,
  upsertSupplied: boolean,
  collation: document,
  arrayFilters: documents,
  hint,
  sort: document
}

/** Reads an update command's own fields. */
export function readUpdates(asked: AskedWrite): UpdateRequest {
  checkSequences(asked, 'updates')
  const fields = readCommand(asked, { ...SHARED, updates: documents })
  return {
    updates: statements(asked, 'updates', fields.updates).map((doc) => readUpdate(doc, fields.let)),
    ordered: fields.ordered ?? true
  }
}

function readUpdate(doc: Doc, variables: Doc | undefined): UpdateStatement {
  const fields = readFields('update.updates', doc, UPDATE_STATEMENT)
  return present({
    filter: required(fields.q, 'update.updates.q'),
    update: required(fields.u, 'update.updates.u'),
    multi: fields.multi ?? false,
    upsert: fields.upsert ?? false,
    arrayFilters: fields.arrayFilters,
    hint: fields.hint,
    collation: fields.collation,
    let: mergeVariables(variables, fields.c),
    sort: fields.sort
  })
}

/** The command's variables and the statement's constants, which win. */
export function mergeVariables(
  command: Doc | undefined,
  statement: Doc | undefined
): Doc | undefined {
  return command && statement ? new Map([...command, ...statement]) : (statement ?? command)
}

const update: Command = {
  name: 'update',
  inTransaction: true,
  isRetryable: true,
  isWrite: true,
  isStable: true,
  async run(call) {
    const request = readUpdates(call)
    if (request.updates.some(({ multi }) => multi)) refuseRetryOfMulti(call)
    const result = await call.services.engine.update(namespaceOf(call), request, call.context)
    const fields = describeWrite(result)
    fields.set('nModified', new Int32(result.nModified))
    if (result.upserted.length > 0) {
      fields.set(
        'upserted',
        result.upserted.map(
          ({ index, _id }) =>
            new Map<string, Value>([
              ['index', new Int32(index)],
              ['_id', _id]
            ])
        )
      )
    }
    return { fields }
  }
}

/** A statement that touches many documents cannot be made once-only. */
export function refuseRetryOfMulti({ context, name }: Call): void {
  if (!context.retry) return
  throw commandError('InvalidOptions', `Cannot use retryable writes with multi=true in ${name}`)
}

const DELETE_STATEMENT = { q: document, limit: integer, collation: document, hint }

/** Reads a delete command's own fields. */
export function readDeletes(asked: AskedWrite): DeleteRequest {
  checkSequences(asked, 'deletes')
  const fields = readCommand(asked, { ...SHARED, deletes: documents })
  return {
    deletes: statements(asked, 'deletes', fields.deletes).map((doc) => readDelete(doc, fields.let)),
    ordered: fields.ordered ?? true
  }
}

function readDelete(doc: Doc, variables: Doc | undefined): DeleteStatement {
  const fields = readFields('delete.deletes', doc, DELETE_STATEMENT)
  const limit = required(fields.limit, 'delete.deletes.limit')
  if (limit !== 0 && limit !== 1) {
    throw commandError(
      'FailedToParse',
      `The limit field in delete objects must be 0 or 1. Got ${limit}`
    )
  }
  return present({
    filter: required(fields.q, 'delete.deletes.q'),
    single: limit === 1,
    hint: fields.hint,
    collation: fields.collation,
    let: variables
  })
}

const deletion: Command = {
  name: 'delete',
  inTransaction: true,
  isRetryable: true,
  isWrite: true,
  isStable: true,
  async run(call) {
    const request = readDeletes(call)
    if (request.deletes.some(({ single }) => !single)) refuseRetryOfMulti(call)
    const result = await call.services.engine.delete(namespaceOf(call), request, call.context)
    return { fields: describeWrite(result) }
  }
}

/** What every write command answers. */
function describeWrite({ n, writeErrors, retriedStatementIds }: WriteResult): Doc {
  const fields: Doc = new Map([['n', new Int32(n)]])
  if (writeErrors.length > 0) fields.set('writeErrors', writeErrors.map(describeWriteError))
  if (retriedStatementIds.length > 0) {
    fields.set(
      'retriedStmtIds',
      retriedStatementIds.map((id) => new Int32(id))
    )
  }
  return fields
}

function describeWriteError({ index, ...error }: WriteError): Doc {
  return new Map<string, Value>([['index', new Int32(index)], ...describeFailure(error)])
}

/** Code, message and detail of a failed statement. */
export function describeFailure(error: Omit<WriteError, 'index'>): [string, Value][] {
  const fields: [string, Value][] = [['code', new Int32(error.code)]]
  if (error.keyPattern) fields.push(['keyPattern', error.keyPattern])
  if (error.keyValue) fields.push(['keyValue', error.keyValue])
  if (error.errInfo) fields.push(['errInfo', error.errInfo])
  fields.push(['errmsg', error.errmsg])
  return fields
}

export const WRITE_COMMANDS: readonly Command[] = [insert, update, deletion]
