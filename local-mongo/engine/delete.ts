// delete: finds documents and removes them.
import type { DeleteRequest, DeleteStatement, Namespace, OperationContext } from '../engine.ts'
import { removeDocument } from '../storage/documents.ts'
import type { Scope } from '../storage/scope.ts'
import { Matching } from './matching.ts'
import { type EmptyQuery, openQuery, type Query } from './query.ts'
import type { StatementStep, Statements } from './statements.ts'

interface OpenStatement {
  readonly query: Query | EmptyQuery
  readonly matching: Matching | undefined
}

function openStatement(
  scope: Scope,
  ns: Namespace,
  statement: DeleteStatement,
  context: OperationContext
): OpenStatement {
  const source = { view: scope.view, find: scope.catalog.find }
  const isSingle = statement.single
  const query = openQuery(source, ns, { ...statement, isLimited: isSingle }, context)
  if (query.collection === undefined) return { query, matching: undefined }
  return { query, matching: new Matching(query, { isSingle, mayMove: false, context }) }
}

/** The statements of a delete command. */
export function deleteStatements(
  ns: Namespace,
  { deletes, ordered }: DeleteRequest,
  context: OperationContext
): Statements {
  const open = new Map<number, OpenStatement>()

  function run(scope: Scope, index: number): StatementStep {
    const state =
      open.get(index) ?? openStatement(scope, ns, deletes[index] as DeleteStatement, context)
    open.set(index, state)
    const { query, matching } = state
    if (matching === undefined || query.collection === undefined) {
      return { done: { n: 0, nModified: 0 } }
    }
    const collection = query.refresh({ view: scope.view, find: scope.catalog.find })
    const step = matching.step(scope, ({ id, bytes }) => {
      removeDocument(scope, collection, id, bytes)
      return true
    })
    const result = { n: step.matched, nModified: 0 }
    if (step.isOver) return { done: result }
    return step.heldBy === undefined ? { more: result } : { more: result, heldBy: step.heldBy }
  }

  return { count: deletes.length, ordered, run }
}
