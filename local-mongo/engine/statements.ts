// Runs the statements of a write command in turns of the write queue, and gathers their results.

import type { Doc, Value } from '../bson/value.ts'
import type { OperationContext, UpdateResult, WriteError } from '../engine.ts'
import { CommandError, ERROR_CODES } from '../errors.ts'
import { RetrySession } from '../storage/retry-log.ts'
import type { StatementResult } from '../storage/retry-runs.ts'
import type { QueueScope, Scope } from '../storage/scope.ts'
import type { Job, Turn } from '../storage/write-queue.ts'
import { checkInterrupt } from './interrupt.ts'
import { giveTurn, waitFor, waitOf } from './time-slices.ts'

/** What one call for a statement has done. */
export type StatementStep =
  | { readonly done: StatementResult }
  /** There is more to do, after the wait if there is one; what was done so far counts. */
  | { readonly more: StatementResult; readonly heldBy?: Promise<unknown> }

/** The statements of one command. */
export interface Statements {
  readonly count: number
  readonly ordered: boolean
  /** Does a bounded part of a statement. Throws CommandError, having written nothing of the failing document. */
  run(scope: Scope, index: number): StatementStep
}

/** What the statements have done so far. Replaced, not changed, so that a turn can be run again. */
export interface StatementProgress {
  readonly next: number
  /** What earlier turns did of the statement `next`. */
  readonly partial: StatementResult
  readonly n: number
  readonly nModified: number
  readonly upserted: UpdateResult['upserted']
  readonly writeErrors: readonly WriteError[]
  readonly retried: readonly number[]
}

const NOTHING_DONE: StatementResult = { n: 0, nModified: 0 }

/** Nothing done yet. */
export const BEGIN: StatementProgress = {
  next: 0,
  partial: NOTHING_DONE,
  n: 0,
  nModified: 0,
  upserted: [],
  writeErrors: [],
  retried: []
}

/** Longest time in milliseconds that one command keeps the writer. */
const TURN_MS = 20
/** The same when much of the file is mapped: each entry that is written maps pages around it. */
const CROWDED_TURN_MS = 3

/** Errors that end the command instead of one statement. */
const FATAL: ReadonlySet<number> = new Set([
  ERROR_CODES.InternalError,
  ERROR_CODES.WriteConflict,
  ERROR_CODES.MaxTimeMSExpired,
  ERROR_CODES.Interrupted,
  ERROR_CODES.InterruptedAtShutdown,
  ERROR_CODES.NoSuchTransaction,
  ERROR_CODES.TransactionTooOld,
  ERROR_CODES.OutOfDiskSpace,
  ERROR_CODES.InvalidNamespace
])

/** Whether an error belongs to a statement and leaves the store whole. */
export function isExpected(error: unknown): error is CommandError {
  return error instanceof CommandError
}

/** A failed statement as it is answered. */
export function toWriteError(index: number, error: CommandError): WriteError {
  const { code, message, extra } = error
  const field = (name: string) => extra?.get(name) as Doc | undefined
  const keyPattern = field('keyPattern')
  const keyValue = field('keyValue')
  const errInfo = field('errInfo')
  return {
    index,
    code,
    errmsg: message,
    ...(keyPattern === undefined ? {} : { keyPattern }),
    ...(keyValue === undefined ? {} : { keyValue }),
    ...(errInfo === undefined ? {} : { errInfo })
  }
}

/** The same progress while it is being added to. */
interface OpenProgress {
  next: number
  partial: StatementResult
  n: number
  nModified: number
  upserted: { index: number; _id: Value }[]
  writeErrors: WriteError[]
  retried: number[]
}

function open(progress: StatementProgress): OpenProgress {
  return {
    ...progress,
    upserted: [...progress.upserted],
    writeErrors: [...progress.writeErrors],
    retried: [...progress.retried]
  }
}

function add(progress: OpenProgress, index: number, result: StatementResult): void {
  progress.n += result.n
  progress.nModified += result.nModified
  if (result.upserted !== undefined) progress.upserted.push({ index, _id: result.upserted._id })
}

function sum(a: StatementResult, b: StatementResult): StatementResult {
  return { ...b, n: a.n + b.n, nModified: a.nModified + b.nModified }
}

interface TurnOptions {
  readonly retry: RetrySession | undefined
  readonly until: number
  readonly context: OperationContext
}

/** Runs what is due next; answers the wait that is needed before the statement can go on. */
function advance(
  statements: Statements,
  scope: Scope,
  progress: OpenProgress,
  { retry, context }: Pick<TurnOptions, 'retry' | 'context'>
): Promise<unknown> | undefined {
  const index = progress.next
  const known = retry?.resultOf(index)
  if (known !== undefined) {
    add(progress, index, known)
    progress.retried.push(retry?.statementId(index) ?? index)
    progress.next++
    return undefined
  }
  try {
    const step = statements.run(scope, index)
    if ('more' in step) {
      progress.partial = sum(progress.partial, step.more)
      return step.heldBy
    }
    const result = sum(progress.partial, step.done)
    add(progress, index, result)
    retry?.note(index, result)
  } catch (error) {
    const wait = waitOf(error, context)
    if (wait !== undefined) return wait
    if (!isExpected(error) || FATAL.has(error.code)) throw error
    add(progress, index, progress.partial)
    progress.writeErrors.push(toWriteError(index, error))
    if (statements.ordered) progress.next = statements.count
  }
  progress.partial = NOTHING_DONE
  progress.next++
  return undefined
}

/** Runs statements until they are over, have to wait, or the time is up. */
function runStatements(
  statements: Statements,
  scope: Scope,
  from: StatementProgress,
  options: TurnOptions
): {
  readonly progress: OpenProgress
  readonly isOver: boolean
  readonly heldBy?: Promise<unknown>
} {
  const progress = open(from)
  while (progress.next < statements.count) {
    const heldBy = advance(statements, scope, progress, options)
    if (heldBy !== undefined) return { progress, isOver: false, heldBy }
    if (performance.now() > options.until) break
  }
  return { progress, isOver: progress.next >= statements.count }
}

/** Runs all statements inside a multi-document transaction, giving the turn away in between. */
export async function runInTransaction(
  statements: Statements,
  scope: Scope,
  context: OperationContext,
  whenQuiet: <T>(act: () => T) => Promise<T>
): Promise<StatementProgress> {
  let progress: StatementProgress = BEGIN
  for (;;) {
    const from = progress
    const step = await whenQuiet(() =>
      runStatements(statements, scope, from, {
        retry: undefined,
        until: performance.now() + TURN_MS,
        context
      })
    )
    if (step.isOver) return step.progress
    progress = step.progress
    await (step.heldBy ?? giveTurn())
    checkInterrupt(context)
  }
}

/** A job of the write queue for the statements. */
export function statementsJob(
  statements: Statements,
  context: OperationContext
): Job<QueueScope, StatementProgress, StatementProgress> {
  return {
    start: BEGIN,
    turn(scope, from): Turn<StatementProgress, StatementProgress> {
      checkInterrupt(context)
      const retry = context.retry && new RetrySession(scope.view, context.retry)
      const until = performance.now() + (scope.isCrowded() ? CROWDED_TURN_MS : TURN_MS)
      const { progress, isOver, heldBy } = runStatements(statements, scope, from, {
        retry,
        until,
        context
      })
      retry?.save(scope.view, context.now)
      if (isOver) return { done: progress }
      return heldBy === undefined ? { progress } : { progress, ...waitFor(heldBy, context) }
    }
  }
}
