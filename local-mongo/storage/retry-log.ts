// What a session's retryable writes have answered, kept in the commit of the writes themselves.
import { Binary, Long } from 'bson'
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import type { Doc, Value } from '../bson/value.ts'
import type { RetryableWrite } from '../engine.ts'
import { commandError } from '../errors.ts'
import { ResultRuns, type StatementResult } from './retry-runs.ts'
import { TREE, treeKey, treeStart } from './tree-keys.ts'
import type { View, WriteView } from './view.ts'

/** How long records are kept after their last use, in milliseconds. */
export const RETRY_LIFETIME_MS = 30 * 60_000

function keyOf(sessionId: string): Uint8Array {
  return treeKey(TREE.retries, Buffer.from(sessionId))
}

/** The record of one session for one transaction number, as a command sees and extends it. */
export class RetrySession {
  readonly #retry: RetryableWrite
  readonly #view: View
  readonly #runs: ResultRuns
  /** What the session's number before has left. */
  #before: ResultRuns | undefined
  #answer: Uint8Array | undefined
  #isChanged = false

  /** Reads the record. Fails with TransactionTooOld (225) when the session has gone on. */
  constructor(view: View, retry: RetryableWrite) {
    this.#retry = retry
    this.#view = view
    const stored = view.get(keyOf(retry.sessionId))
    const doc = stored === undefined ? undefined : decodeDoc(stored)
    const number = (doc?.get('t') as Long | undefined)?.toBigInt()
    this.#runs = new ResultRuns(retry, number === retry.txnNumber ? doc : undefined)
    if (doc === undefined || number === undefined) return
    if (number > retry.txnNumber) {
      throw commandError(
        'TransactionTooOld',
        `Cannot start transaction ${retry.txnNumber} on this session because a newer transaction ${number} has already started`
      )
    }
    if (number < retry.txnNumber) {
      if (doc.has('p')) this.#before = new ResultRuns({ ...retry, txnNumber: number }, doc)
      return
    }
    if (doc.get('committed') === true) {
      throw commandError(
        'IncompleteTransactionHistory',
        `Transaction ${number} of this session was a multi-document transaction`
      )
    }
    this.#answer = (doc.get('a') as Binary | undefined)?.buffer
  }

  /** The identity of the command's statement at this place. */
  statementId(index: number): number {
    return this.#retry.statementIds?.[index] ?? (this.#retry.firstStatementId ?? 0) + index
  }

  resultOf(index: number): StatementResult | undefined {
    return this.#runs.resultOf(this.#view, this.statementId(index))
  }

  /** A whole answer, as of findAndModify. */
  get answer(): Uint8Array | undefined {
    return this.#answer
  }

  note(index: number, result: StatementResult): void {
    this.#runs.note(this.statementId(index), result)
    this.#isChanged = true
  }

  noteAnswer(answer: Uint8Array): void {
    this.#answer = answer
    this.#isChanged = true
  }

  /** Writes what was noted, in the transaction of the writes. */
  save(view: WriteView, now: Date): void {
    if (!this.#isChanged) return
    this.#isChanged = false
    this.#before?.removeParts(view)
    const doc: Doc = new Map<string, Value>([
      ['t', Long.fromBigInt(this.#retry.txnNumber)],
      ['at', now],
      ...this.#runs.save(view, now)
    ])
    if (this.#answer !== undefined) doc.set('a', new Binary(this.#answer))
    view.put(keyOf(this.#retry.sessionId), encodeDoc(doc))
  }
}

/** Notes that a multi-document transaction was committed, in its commit. */
export function noteCommit(
  view: WriteView,
  id: { readonly sessionId: string; readonly txnNumber: bigint },
  now: Date
): void {
  const doc: Doc = new Map<string, Value>([
    ['t', Long.fromBigInt(id.txnNumber)],
    ['at', now],
    ['committed', true]
  ])
  view.put(keyOf(id.sessionId), encodeDoc(doc))
}

/** The last number that a session used on disk, and whether it was a committed transaction. */
export function lastNumber(
  view: View,
  sessionId: string
): { readonly txnNumber: bigint; readonly isCommitted: boolean } | undefined {
  const stored = view.get(keyOf(sessionId))
  if (stored === undefined) return undefined
  const doc = decodeDoc(stored, new Set(['t', 'committed']))
  return {
    txnNumber: (doc.get('t') as Long).toBigInt(),
    isCommitted: doc.get('committed') === true
  }
}

const ONLY_AGE: ReadonlySet<string> = new Set(['at'])

function oldRecords(view: View, now: Date, most: number): Uint8Array[] {
  const old: Uint8Array[] = []
  const walk = view.range(treeStart(TREE.retries), treeStart(TREE.retries + 1), false)
  for (let entry = walk.next(); entry !== undefined && old.length < most; entry = walk.next()) {
    const at = decodeDoc(entry.value, ONLY_AGE).get('at') as Date
    if (now.getTime() - at.getTime() > RETRY_LIFETIME_MS) old.push(entry.key)
  }
  walk.close()
  return old
}

/** Whether there is a record that was not used for a while. */
export function hasOldRetries(view: View, now: Date): boolean {
  return oldRecords(view, now, 1).length > 0
}

/** Removes at most `most` records that were not used for a while. */
export function pruneRetries(view: WriteView, now: Date, most: number): void {
  for (const key of oldRecords(view, now, most)) view.remove(key)
}
