// What a session's retryable writes have answered, kept in the commit of the writes themselves.
import { Binary, Int32, Long } from 'bson'
import { type Doc, decodeDoc, encodeDoc, type Value } from '../bson/value.ts'
import type { RetryableWrite } from '../engine.ts'
import { commandError } from '../errors.ts'
import { TREE, treeKey, treeStart } from './tree-keys.ts'
import type { View, WriteView } from './view.ts'

/** The result of one statement. */
export interface StatementResult {
  readonly n: number
  readonly nModified: number
  /** Present when a document was inserted by an upsert. */
  readonly upserted?: { readonly _id: Value }
}

/** Statements that follow each other with one and the same result. */
interface ResultRun {
  readonly first: number
  last: number
  readonly result: StatementResult
}

/** How long records are kept after their last use, in milliseconds. */
export const RETRY_LIFETIME_MS = 30 * 60_000

function keyOf(sessionId: string): Uint8Array {
  return treeKey(TREE.retries, Buffer.from(sessionId))
}

function int(value: number): Int32 {
  return new Int32(value)
}

function encodeRun({ first, last, result }: ResultRun): Doc {
  const run: Doc = new Map<string, Value>([
    ['f', int(first)],
    ['l', int(last)],
    ['n', int(result.n)],
    ['m', int(result.nModified)]
  ])
  if (result.upserted !== undefined) run.set('u', result.upserted._id)
  return run
}

function decodeRun(run: Doc): ResultRun {
  const number = (name: string) => (run.get(name) as Int32).value
  const result: StatementResult = {
    n: number('n'),
    nModified: number('m'),
    ...(run.has('u') ? { upserted: { _id: run.get('u') } } : {})
  }
  return { first: number('f'), last: number('l'), result }
}

/** The record of one session for one transaction number, as a command sees and extends it. */
export class RetrySession {
  readonly #retry: RetryableWrite
  readonly #runs: ResultRun[] = []
  #answer: Uint8Array | undefined
  #isChanged = false

  /** Reads the record. Fails with TransactionTooOld (225) when the session has gone on. */
  constructor(view: View, retry: RetryableWrite) {
    this.#retry = retry
    const stored = view.get(keyOf(retry.sessionId))
    if (stored === undefined) return
    const doc = decodeDoc(stored)
    const number = (doc.get('t') as Long).toBigInt()
    if (number > retry.txnNumber) {
      throw commandError(
        'TransactionTooOld',
        `Cannot start transaction ${retry.txnNumber} on this session because a newer transaction ${number} has already started`
      )
    }
    if (number < retry.txnNumber) return
    if (doc.get('committed') === true) {
      throw commandError(
        'IncompleteTransactionHistory',
        `Transaction ${number} of this session was a multi-document transaction`
      )
    }
    this.#runs = (doc.get('s') as Doc[]).map(decodeRun)
    this.#answer = (doc.get('a') as Binary | undefined)?.buffer
  }

  /** The identity of the command's statement at this place. */
  statementId(index: number): number {
    return this.#retry.statementIds?.[index] ?? (this.#retry.firstStatementId ?? 0) + index
  }

  resultOf(index: number): StatementResult | undefined {
    const id = this.statementId(index)
    return this.#runs.find(({ first, last }) => first <= id && id <= last)?.result
  }

  /** A whole answer, as of findAndModify. */
  get answer(): Uint8Array | undefined {
    return this.#answer
  }

  note(index: number, result: StatementResult): void {
    const id = this.statementId(index)
    const last = this.#runs.at(-1)
    this.#isChanged = true
    const isAlike =
      last !== undefined &&
      last.last + 1 === id &&
      last.result.n === result.n &&
      last.result.nModified === result.nModified &&
      last.result.upserted === undefined &&
      result.upserted === undefined
    if (isAlike) last.last = id
    else this.#runs.push({ first: id, last: id, result })
  }

  noteAnswer(answer: Uint8Array): void {
    this.#answer = answer
    this.#isChanged = true
  }

  /** Writes what was noted, in the transaction of the writes. */
  save(view: WriteView, now: Date): void {
    if (!this.#isChanged) return
    this.#isChanged = false
    const doc: Doc = new Map<string, Value>([
      ['t', Long.fromBigInt(this.#retry.txnNumber)],
      ['at', now],
      ['s', this.#runs.map(encodeRun)]
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
