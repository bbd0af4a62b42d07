// Reading commands: find, count, distinct.
import { encodeDoc } from '../bson/encode.ts'
import type { CountRequest, DistinctRequest, FindRequest } from '../engine.ts'
import { commandError } from '../errors.ts'
import { MAX_BSON_OBJECT_SIZE } from '../wire/limits.ts'
import type { Call, Command } from './command.ts'
import { answer } from './command.ts'
import { openCursor, sourceOfRows, wholeNumber } from './cursor-answers.ts'
import { forCursor } from './cursor-context.ts'
import type { Fields } from './fields.ts'
import {
  anything,
  boolean,
  count as counting,
  document,
  hint,
  integer,
  present,
  readCommand,
  required,
  string
} from './fields.ts'
import { namespaceOf } from './namespace.ts'

/** A command's name, body and database, as the request readers need them. */
export type Asked = Pick<Call, 'name' | 'body' | 'db'>

const FIND = {
  filter: document,
  projection: document,
  sort: document,
  hint,
  skip: counting,
  limit: counting,
  batchSize: counting,
  singleBatch: boolean,
  max: document,
  min: document,
  returnKey: boolean,
  showRecordId: boolean,
  tailable: boolean,
  awaitData: boolean,
  oplogReplay: boolean,
  noCursorTimeout: boolean,
  allowPartialResults: boolean,
  collation: document,
  allowDiskUse: boolean,
  let: document
}

type FindFields = Fields<typeof FIND>

/** Reads a find command's own fields. */
export function readFind(asked: Asked): { request: FindRequest; fields: FindFields } {
  const fields = readCommand(asked, FIND)
  if (fields.tailable || fields.awaitData) {
    throw commandError('BadValue', 'tailable cursors need a capped collection, which is not there')
  }
  const request: FindRequest = present({
    filter: fields.filter ?? new Map(),
    projection: fields.projection,
    sort: fields.sort,
    hint: fields.hint,
    skip: fields.skip,
    limit: fields.limit,
    min: fields.min,
    max: fields.max,
    returnKey: fields.returnKey,
    showRecordId: fields.showRecordId,
    collation: fields.collation,
    allowDiskUse: fields.allowDiskUse,
    let: fields.let
  })
  return { request, fields }
}

const find: Command = {
  name: 'find',
  inTransaction: true,
  endsWithClient: true,
  readsSnapshot: true,
  isStable: true,
  async run(call) {
    const namespace = namespaceOf(call)
    const { request, fields } = readFind(call)
    const context = forCursor(call)
    const rows = await call.services.engine.find(namespace, request, context.operation)
    return openCursor(call, namespace, sourceOfRows(rows, context), {
      batchSize: fields.batchSize,
      singleBatch: fields.singleBatch ?? false,
      noTimeout: fields.noCursorTimeout ?? false
    })
  }
}

const COUNT = {
  query: document,
  limit: integer,
  skip: counting,
  hint,
  collation: document,
  fields: anything
}

/** Reads a count command's own fields. */
export function readCount(asked: Asked): CountRequest {
  const fields = readCommand(asked, COUNT)
  return present({
    filter: fields.query ?? new Map(),
    // A negative limit is a limit all the same.
    limit: fields.limit === undefined ? undefined : Math.abs(fields.limit),
    skip: fields.skip,
    hint: fields.hint,
    collation: fields.collation
  })
}

const count: Command = {
  name: 'count',
  endsWithClient: true,
  isStable: true,
  async run(call) {
    const n = await call.services.engine.count(namespaceOf(call), readCount(call), call.context)
    return answer(['n', wholeNumber(n)])
  }
}

const DISTINCT = { key: string, query: document, collation: document, hint }

/** Reads a distinct command's own fields. */
export function readDistinct(asked: Asked): DistinctRequest {
  const fields = readCommand(asked, DISTINCT)
  return present({
    key: required(fields.key, 'distinct.key'),
    filter: fields.query ?? new Map(),
    collation: fields.collation,
    hint: fields.hint
  })
}

const distinct: Command = {
  name: 'distinct',
  inTransaction: true,
  endsWithClient: true,
  readsSnapshot: true,
  async run(call) {
    const request = readDistinct(call)
    const { engine } = call.services
    const values = await engine.distinct(namespaceOf(call), request, call.context)
    const reply = answer(['values', values])
    if (call.snapshotTime) reply.fields.set('atClusterTime', call.snapshotTime)
    if (encodeDoc(reply.fields).length > MAX_BSON_OBJECT_SIZE) {
      throw commandError('Location17217', 'distinct too big, 16mb cap')
    }
    return reply
  }
}

export const FIND_COMMANDS: readonly Command[] = [find, count, distinct]
