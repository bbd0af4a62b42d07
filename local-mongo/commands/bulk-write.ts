// The bulkWrite command: inserts, updates and deletes over several collections in one message.
import { Double, Int32 } from 'bson'
import { decodeDoc } from '../bson/decode.ts'
import type { Doc, Value } from '../bson/value.ts'
import type { Namespace, OperationContext, UpdateResult, WriteResult } from '../engine.ts'
import { commandError } from '../errors.ts'
import type { BulkOperation, BulkRun } from './bulk-operations.ts'
import { groupRuns, readOperation } from './bulk-operations.ts'
import type { Answer, Call, Command } from './command.ts'
import { openCursor, readCursorOptions, sourceOfList } from './cursor-answers.ts'
import {
  boolean,
  document,
  documents,
  readCommand,
  readFields,
  required,
  string
} from './fields.ts'
import { parseNamespace } from './namespace.ts'
import { checkBatchSize, describeFailure, refuseRetryOfMulti } from './write.ts'

const BULK_WRITE = {
  ops: documents,
  nsInfo: documents,
  ordered: boolean,
  errorsOnly: boolean,
  bypassDocumentValidation: boolean,
  let: document,
  cursor: document
}
const NS_INFO = { ns: string }

interface BulkRequest {
  readonly operations: readonly BulkOperation[]
  readonly namespaces: readonly Namespace[]
  readonly ordered: boolean
  readonly errorsOnly: boolean
  readonly batchSize: number | undefined
}

function readBulkWrite(call: Call): BulkRequest {
  const fields = readCommand(call, BULK_WRITE)
  const listed = (name: 'ops' | 'nsInfo'): readonly Doc[] =>
    call.sequences.get(name)?.map((bytes) => decodeDoc(bytes)) ??
    required(fields[name], `bulkWrite.${name}`)
  const ops = listed('ops')
  checkBatchSize(ops.length)
  return {
    operations: ops.map((op) => readOperation(op, fields.let)),
    namespaces: listed('nsInfo').map((info) => {
      const { ns } = readFields('bulkWrite.nsInfo', info, NS_INFO)
      return parseNamespace(required(ns, 'bulkWrite.nsInfo.ns'), 'nsInfo')
    }),
    ordered: fields.ordered ?? true,
    errorsOnly: fields.errorsOnly ?? false,
    batchSize: readCursorOptions('bulkWrite', fields.cursor).batchSize
  }
}

const bulkWrite: Command = {
  name: 'bulkWrite',
  adminOnly: true,
  inTransaction: true,
  isRetryable: true,
  isWrite: true,
  isStable: true,
  async run(call) {
    const request = readBulkWrite(call)
    if (request.operations.some(isMulti)) refuseRetryOfMulti(call)
    // Each operation's own counts are wanted only when successes are reported too.
    const longest = request.errorsOnly ? Number.POSITIVE_INFINITY : 1
    const totals = new BulkTotals(request.errorsOnly)
    for (const run of groupRuns(request.operations, request.namespaces, longest)) {
      totals.add(run, await runOne(call, run, request.ordered))
      if (totals.nErrors > 0 && (request.ordered || call.context.transaction)) break
    }
    return reply(call, totals, request.batchSize)
  }
}

function isMulti(operation: BulkOperation): boolean {
  if (operation.kind === 'update') return operation.statement.multi
  return operation.kind === 'delete' && !operation.statement.single
}

async function runOne(
  call: Call,
  run: BulkRun,
  ordered: boolean
): Promise<WriteResult | UpdateResult> {
  const { engine } = call.services
  const context = contextOf(call, run)
  switch (run.kind) {
    case 'insert': {
      const inserted = run.operations.flatMap((one) =>
        one.kind === 'insert' ? [one.document] : []
      )
      return engine.insert(run.namespace, { documents: inserted, ordered }, context)
    }
    case 'update': {
      const updates = run.operations.flatMap((one) =>
        one.kind === 'update' ? [one.statement] : []
      )
      return engine.update(run.namespace, { updates, ordered }, context)
    }
    case 'delete': {
      const deletes = run.operations.flatMap((one) =>
        one.kind === 'delete' ? [one.statement] : []
      )
      return engine.delete(run.namespace, { deletes, ordered }, context)
    }
  }
}

/** Within a retryable bulk write, the statements of a run are numbered by their place in it. */
function contextOf({ context }: Call, run: BulkRun): OperationContext {
  if (!context.retry) return context
  const { statementIds, ...retry } = context.retry
  if (statementIds) {
    const ids = statementIds.slice(run.start, run.start + run.operations.length)
    return { ...context, retry: { ...retry, statementIds: ids } }
  }
  return { ...context, retry: { ...retry, firstStatementId: run.start } }
}

/** The counts of a bulk write, and its reports one by one. */
class BulkTotals {
  readonly reports: Doc[] = []
  readonly retried: number[] = []
  nErrors = 0
  nInserted = 0
  nMatched = 0
  nModified = 0
  nUpserted = 0
  nDeleted = 0
  readonly #errorsOnly: boolean

  constructor(errorsOnly: boolean) {
    this.#errorsOnly = errorsOnly
  }

  add(run: BulkRun, result: WriteResult | UpdateResult): void {
    const upserted = 'upserted' in result ? result.upserted : []
    this.nErrors += result.writeErrors.length
    this.retried.push(...result.retriedStatementIds)
    if (run.kind === 'insert') this.nInserted += result.n
    if (run.kind === 'delete') this.nDeleted += result.n
    if ('nModified' in result) {
      this.nMatched += result.n - upserted.length
      this.nModified += result.nModified
      this.nUpserted += upserted.length
    }
    this.#report(run, result)
  }

  #report(run: BulkRun, result: WriteResult | UpdateResult): void {
    const errors = new Map(result.writeErrors.map((error) => [error.index, error]))
    for (let index = 0; index < run.operations.length; index++) {
      const error = errors.get(index)
      if (error) {
        const failure = report(run.start + index, false, 0)
        for (const [name, value] of describeFailure(error)) failure.set(name, value)
        this.reports.push(failure)
      } else if (!this.#errorsOnly) {
        if (run.kind === 'insert' && wasSkipped(index, result)) break
        this.reports.push(success(run, index, result))
      }
    }
  }
}

/** An ordered run of inserts stops at its first error; what stands behind it was not tried. */
function wasSkipped(index: number, result: WriteResult): boolean {
  const tried = result.n + result.writeErrors.length
  return result.writeErrors.length > 0 && index >= tried
}

function report(index: number, isOk: boolean, n: number): Doc {
  return new Map<string, Value>([
    ['ok', new Double(isOk ? 1 : 0)],
    ['idx', new Int32(index)],
    ['n', new Int32(n)]
  ])
}

function success(run: BulkRun, index: number, result: WriteResult | UpdateResult): Doc {
  const doc = report(run.start + index, true, run.kind === 'insert' ? 1 : result.n)
  if ('nModified' in result) {
    doc.set('nModified', new Int32(result.nModified))
    const [upserted] = result.upserted
    if (upserted) doc.set('upserted', new Map([['_id', upserted._id]]))
  }
  return doc
}

async function reply(
  call: Call,
  totals: BulkTotals,
  batchSize: number | undefined
): Promise<Answer> {
  const namespace = { db: 'admin', collection: '$cmd.bulkWrite' }
  const { batch } = await openCursor(call, namespace, sourceOfList(totals.reports), {
    batchSize: batchSize ?? Number.POSITIVE_INFINITY
  })
  const fields: Doc = new Map()
  for (const name of [
    'nErrors',
    'nInserted',
    'nMatched',
    'nModified',
    'nUpserted',
    'nDeleted'
  ] as const) {
    fields.set(name, new Int32(totals[name]))
  }
  if (totals.retried.length > 0) {
    fields.set(
      'retriedStmtIds',
      totals.retried.map((id) => new Int32(id))
    )
  }
  if (!batch) throw commandError('InternalError', 'bulkWrite made no batch')
  return { fields, batch }
}

export const BULK_WRITE_COMMANDS: readonly Command[] = [bulkWrite]
