// update: finds documents, applies the update to each, inserts one when an upsert finds none.
import type { Namespace, OperationContext, UpdateRequest, UpdateStatement } from '../engine.ts'
import type { Access } from '../planner/plan.ts'
import { isAffected } from '../storage/documents.ts'
import type { StatementResult } from '../storage/retry-runs.ts'
import type { Scope } from '../storage/scope.ts'
import { parseUpdate, type Update } from '../update/update.ts'
import { Matching } from './matching.ts'
import { type EmptyQuery, openQuery, type Query } from './query.ts'
import type { StatementStep, Statements } from './statements.ts'
import { updateById } from './update-by-id.ts'
import { updateFound } from './update-found.ts'
import { insertUpsert, makeUpsert } from './upsert.ts'

/** Whether the update may move documents within the index by which they are found. */
export function mayMove({ plan }: Query, update: Update): boolean {
  const moves = (access: Access): boolean => {
    if (access.kind === 'or') return true
    return access.kind === 'index' && !access.index.isOnId && isAffected(access.index, update.paths)
  }
  return moves(plan.access)
}

/** A statement while it is being done. */
interface OpenStatement {
  readonly update: Update
  readonly query: Query | EmptyQuery
  readonly matching: Matching | undefined
  hasMatched: boolean
}

function openStatement(
  scope: Scope,
  ns: Namespace,
  {
    statement,
    parsed
  }: { readonly statement: UpdateStatement; readonly parsed: Update | undefined },
  context: OperationContext
): OpenStatement {
  const source = { view: scope.view, find: scope.catalog.find }
  const isSingle = !statement.multi
  const query = openQuery(source, ns, { ...statement, isLimited: isSingle }, context)
  const update =
    parsed ??
    parseUpdate(statement.update, {
      arrayFilters: statement.arrayFilters,
      let: statement.let,
      isMulti: statement.multi,
      now: context.now,
      collation: query.collation
    })
  if (query.collection === undefined) {
    return { update, query, matching: undefined, hasMatched: false }
  }
  const matching = new Matching(query, { isSingle, mayMove: mayMove(query, update), context })
  return { update, query, matching, hasMatched: false }
}

/** Finds and updates some documents of a statement; undefined when none is left. */
function updateSome(scope: Scope, state: OpenStatement): StatementStep | StatementResult {
  const { update, query, matching } = state
  if (matching === undefined || query.collection === undefined) return { n: 0, nModified: 0 }
  const collection = query.refresh({ view: scope.view, find: scope.catalog.find })
  const step = matching.step(
    scope,
    (found) => updateFound(scope, collection, { update, filter: query.filter }, found).changed
  )
  const result = { n: step.matched, nModified: step.modified }
  state.hasMatched ||= step.matched > 0
  if (step.isOver) return result
  return step.heldBy === undefined ? { more: result } : { more: result, heldBy: step.heldBy }
}

/** The statements of an update command. */
export function updateStatements(
  ns: Namespace,
  { updates, ordered }: UpdateRequest,
  context: OperationContext
): Statements {
  const open = new Map<number, OpenStatement>()
  const parsed = new Map<number, Update>()
  return {
    count: updates.length,
    ordered,
    run(scope, index) {
      const statement = updates[index] as UpdateStatement
      const byId = updateById(scope, ns, statement, context)
      if (byId !== undefined) return byId
      const state =
        open.get(index) ??
        openStatement(scope, ns, { statement, parsed: parsed.get(index) }, context)
      const step = updateSome(scope, state)
      if ('more' in step || 'done' in step) {
        open.set(index, state)
        return step
      }
      // It may be run again, when the transaction has to be undone.
      if (state.hasMatched || !statement.upsert) return { done: step }
      const { update, query } = state
      try {
        return { done: insertUpsert(scope, ns, makeUpsert(update, query.filter)) }
      } catch (error) {
        // Others may make the document before it is tried again; the update knows its long answers.
        parsed.set(index, update)
        open.delete(index)
        throw error
      }
    }
  }
}
