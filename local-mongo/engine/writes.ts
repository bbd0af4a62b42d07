// Hands write commands to the write queue, or to the transaction that they are part of.
import type {
  DeleteRequest,
  FindAndModifyRequest,
  FindAndModifyResult,
  InsertRequest,
  Namespace,
  OperationContext,
  UpdateRequest,
  UpdateResult,
  WriteResult
} from '../engine.ts'
import { deleteStatements } from './delete.ts'
import { modifyInTransaction, modifyJob } from './find-and-modify.ts'
import { insertStatements } from './insert.ts'
import { type EngineParts, transactionOf } from './parts.ts'
import {
  runInTransaction,
  type StatementProgress,
  type Statements,
  statementsJob
} from './statements.ts'
import { updateStatements } from './update.ts'

async function run(
  { queue, transactions }: EngineParts,
  statements: Statements,
  context: OperationContext
): Promise<StatementProgress> {
  const transaction = transactionOf(context)
  if (context.retry !== undefined) transactions.enterWrite(context.retry)
  if (transaction === undefined) return queue.run(statementsJob(statements, context))
  return transactions.run(
    transaction,
    () => {
      transaction.checkRunning()
      return runInTransaction(statements, transaction.scope, context, (act) => queue.whenQuiet(act))
    },
    ({ writeErrors }) => writeErrors.length > 0
  )
}

function writeResult({ n, writeErrors, retried }: StatementProgress): WriteResult {
  return { n, writeErrors, retriedStatementIds: retried }
}

export async function insert(
  parts: EngineParts,
  ns: Namespace,
  request: InsertRequest,
  context: OperationContext
): Promise<WriteResult> {
  return writeResult(await run(parts, insertStatements(ns, request), context))
}

export async function update(
  parts: EngineParts,
  ns: Namespace,
  request: UpdateRequest,
  context: OperationContext
): Promise<UpdateResult> {
  const progress = await run(parts, updateStatements(ns, request, context), context)
  const { nModified, upserted } = progress
  return { ...writeResult(progress), nModified, upserted }
}

export async function remove(
  parts: EngineParts,
  ns: Namespace,
  request: DeleteRequest,
  context: OperationContext
): Promise<WriteResult> {
  return writeResult(await run(parts, deleteStatements(ns, request, context), context))
}

export async function findAndModify(
  { queue, transactions }: EngineParts,
  ns: Namespace,
  request: FindAndModifyRequest,
  context: OperationContext
): Promise<FindAndModifyResult> {
  const transaction = transactionOf(context)
  if (context.retry !== undefined) transactions.enterWrite(context.retry)
  if (transaction === undefined) return queue.run(modifyJob(ns, request, context))
  return transactions.run(transaction, () => {
    transaction.checkRunning()
    return modifyInTransaction(transaction.scope, ns, { request, context }, (act) =>
      queue.whenQuiet(act)
    )
  })
}
