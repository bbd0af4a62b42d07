// The transactions of all sessions: which run, which have ended how, and what a client may do with them.
import type { OpenTransaction, Transaction, TransactionId, Transactions } from '../engine.ts'
import { type CommandError, commandError } from '../errors.ts'
import type { Catalog, Collection } from '../storage/catalog.ts'
import type { Environment } from '../storage/environment.ts'
import { lastNumber, noteCommit } from '../storage/retry-log.ts'
import { Held, type QueueScope } from '../storage/scope.ts'
import type { WriteQueue } from '../storage/write-queue.ts'
import type { ClaimTable } from './claims.ts'
import { RunningTransaction } from './running-transaction.ts'

/** An idle transaction is aborted after so many milliseconds. */
export const IDLE_LIMIT_MS = 60_000
/** Most transactions that run at a time; each holds a snapshot. */
export const MAX_TRANSACTIONS = 1_000
/** Ended transactions that are remembered, by session. */
const MAX_REMEMBERED = 10_000

export interface TransactionsParts {
  readonly environment: Environment
  readonly catalog: Catalog
  readonly queue: WriteQueue<QueueScope>
  readonly claims: ClaimTable<RunningTransaction>
}

function noSuchTransaction({ txnNumber }: TransactionId, why: string): CommandError {
  return commandError(
    'NoSuchTransaction',
    `Given transaction number ${txnNumber} does not match any in-progress transactions. ${why}`,
    { labels: ['TransientTransactionError'] }
  )
}

function tooOld(number: bigint, last: bigint): CommandError {
  return commandError(
    'TransactionTooOld',
    `Cannot start transaction ${number} on this session because a newer transaction ${last} has already started`
  )
}

/** The engine's transactions. */
export class TransactionTable implements Transactions {
  readonly #parts: TransactionsParts
  /** The last transaction of each session, running or ended. */
  readonly #sessions = new Map<string, RunningTransaction>()
  readonly #running = new Set<RunningTransaction>()
  readonly #committing = new Map<RunningTransaction, Promise<void>>()

  constructor(parts: TransactionsParts) {
    this.#parts = parts
  }

  begin(id: TransactionId, { now }: { readonly now: Date }): Transaction {
    const { environment, catalog, claims } = this.#parts
    const last = this.#lastNumber(id.sessionId)
    if (last !== undefined && last > id.txnNumber) throw tooOld(id.txnNumber, last)
    if (last === id.txnNumber) {
      throw commandError(
        'ConflictingOperationInProgress',
        `Cannot start a transaction at given transaction number ${id.txnNumber}: a transaction with the same number was started before`
      )
    }
    this.endSession(id.sessionId)
    if (this.#running.size >= MAX_TRANSACTIONS) {
      throw commandError(
        'TemporarilyUnavailable',
        `More than ${MAX_TRANSACTIONS} transactions are open`
      )
    }
    const snapshot = environment.snapshot()
    const transaction = new RunningTransaction(id, {
      live: environment.live,
      snapshot,
      catalog,
      claims,
      now
    })
    this.#remember(transaction)
    this.#running.add(transaction)
    return transaction
  }

  resume(id: TransactionId): Transaction {
    const transaction = this.#sessions.get(id.sessionId)
    if (transaction === undefined || transaction.id.txnNumber < id.txnNumber) {
      throw noSuchTransaction(id, 'It is not known.')
    }
    if (transaction.id.txnNumber > id.txnNumber)
      throw tooOld(id.txnNumber, transaction.id.txnNumber)
    if (transaction.state === 'committed') {
      throw commandError(
        'TransactionCommitted',
        `Transaction with { txnNumber: ${id.txnNumber} } has been committed.`
      )
    }
    if (transaction.state === 'aborted') {
      throw noSuchTransaction(
        id,
        `Transaction with { txnNumber: ${id.txnNumber} } has been aborted.`
      )
    }
    if (this.#committing.has(transaction)) {
      throw commandError(
        'ConflictingOperationInProgress',
        `Transaction with { txnNumber: ${id.txnNumber} } is being committed.`
      )
    }
    transaction.lastUsed = Date.now()
    return transaction
  }

  /** A retryable write has its session to itself: it ends an older transaction, and gives way to a newer. */
  enterWrite({ sessionId, txnNumber }: TransactionId): void {
    const last = this.#sessions.get(sessionId)?.id.txnNumber
    if (last === undefined || last === txnNumber) return
    if (last > txnNumber) throw tooOld(txnNumber, last)
    this.endSession(sessionId)
  }

  async commit(id: TransactionId): Promise<void> {
    // A statement that was sent before is still to be part of it.
    await this.#sessions.get(id.sessionId)?.untilIdle()
    const transaction = this.#sessions.get(id.sessionId)
    if (transaction === undefined || transaction.id.txnNumber !== id.txnNumber) {
      if (this.#wasCommitted(id)) return
      throw noSuchTransaction(id, 'It is not known.')
    }
    if (transaction.state === 'committed') return
    if (transaction.state === 'aborted') {
      throw noSuchTransaction(
        id,
        `Transaction with { txnNumber: ${id.txnNumber} } has been aborted.`
      )
    }
    let commit = this.#committing.get(transaction)
    if (commit === undefined) {
      commit = this.#commit(transaction).finally(() => this.#committing.delete(transaction))
      this.#committing.set(transaction, commit)
    }
    await commit
  }

  abort(id: TransactionId): void {
    const transaction = this.#sessions.get(id.sessionId)
    const isKnown = transaction?.id.txnNumber === id.txnNumber
    const isCommitted = isKnown ? transaction.state === 'committed' : this.#wasCommitted(id)
    if (isCommitted || (isKnown && this.#committing.has(transaction))) {
      throw commandError(
        'TransactionCommitted',
        `Transaction with { txnNumber: ${id.txnNumber} } has been committed.`
      )
    }
    if (!isKnown || transaction.state !== 'running') throw noSuchTransaction(id, 'It is not known.')
    this.#abort(transaction)
  }

  endSession(sessionId: string): void {
    const transaction = this.#sessions.get(sessionId)
    if (transaction?.state === 'running' && !this.#committing.has(transaction))
      this.#abort(transaction)
  }

  abortIdle(now: Date): number {
    let aborted = 0
    for (const transaction of this.#running) {
      const isIdle = now.getTime() - transaction.lastUsed >= IDLE_LIMIT_MS
      if (!isIdle || transaction.active > 0 || this.#committing.has(transaction)) continue
      this.#abort(transaction)
      aborted++
    }
    return aborted
  }

  open(): readonly OpenTransaction[] {
    return [...this.#running].map(({ id, startedAt, lastUsed, active }) => ({
      id,
      startedAt,
      lastUsed,
      isActive: active > 0
    }))
  }

  /** Aborts all that runs. */
  abortAll(): void {
    for (const transaction of this.#running) {
      if (!this.#committing.has(transaction)) this.#abort(transaction)
    }
  }

  /** Settles when a transaction that has written to the collection has ended; undefined when none has. */
  writersOf({ id }: Collection): Promise<unknown> | undefined {
    for (const transaction of this.#running)
      if (transaction.hasWrittenTo(id)) return transaction.ended
    return undefined
  }

  /** Fails with Held while a transaction that has written to the collection is open. */
  awaitWriters(collection: Collection): void {
    const ended = this.writersOf(collection)
    if (ended !== undefined) throw new Held(ended)
  }

  /**
   * Runs a statement of a transaction. An error ends the transaction; so does an answer that
   * `hasFailed` finds to be one.
   */
  async run<T>(
    transaction: RunningTransaction,
    act: () => Promise<T>,
    hasFailed: (result: T) => boolean = () => false
  ): Promise<T> {
    transaction.enter()
    try {
      const result = await act()
      if (hasFailed(result)) this.#abort(transaction)
      return result
    } catch (error) {
      this.#abort(transaction)
      throw error
    } finally {
      transaction.leave()
    }
  }

  async #commit(transaction: RunningTransaction): Promise<void> {
    try {
      if (!transaction.isReadOnly) {
        await this.#parts.queue.run({
          start: undefined,
          turn: (scope) => {
            transaction.applyTo(scope)
            noteCommit(scope.view, transaction.id, new Date())
            return { done: undefined }
          }
        })
      }
      this.#end(transaction, 'committed')
    } catch (error) {
      this.#end(transaction, 'aborted')
      throw error
    }
  }

  #abort(transaction: RunningTransaction): void {
    this.#end(transaction, 'aborted')
  }

  #end(transaction: RunningTransaction, state: 'committed' | 'aborted'): void {
    transaction.end(state)
    this.#running.delete(transaction)
  }

  #lastNumber(sessionId: string): bigint | undefined {
    const known = this.#sessions.get(sessionId)?.id.txnNumber
    const stored = lastNumber(this.#parts.environment.live, sessionId)?.txnNumber
    const isKnownLater = known !== undefined && (stored === undefined || known > stored)
    return isKnownLater ? known : stored
  }

  #wasCommitted({ sessionId, txnNumber }: TransactionId): boolean {
    const stored = lastNumber(this.#parts.environment.live, sessionId)
    return stored?.isCommitted === true && stored.txnNumber === txnNumber
  }

  /** Forgets the oldest ended ones when there are many. */
  #remember(transaction: RunningTransaction): void {
    this.#sessions.delete(transaction.id.sessionId)
    this.#sessions.set(transaction.id.sessionId, transaction)
    if (this.#sessions.size <= MAX_REMEMBERED) return
    for (const [sessionId, { state }] of this.#sessions) {
      if (state === 'running') continue
      this.#sessions.delete(sessionId)
      break
    }
  }
}
