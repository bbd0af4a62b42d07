// Open cursors: where each batch comes from, whom it belongs to, and when it ends by itself.
import { randomBytes } from 'node:crypto'
import type { Namespace } from '../engine.ts'
import { commandError } from '../errors.ts'

/** Idle cursors end after this time. */
export const IDLE_CURSOR_MS = 10 * 60_000
/** Drivers read a smaller id as a number of another type, and send it back as such. */
const LARGE = 1n << 62n
/** Most cursors open at a time. */
export const MAX_OPEN_CURSORS = 10_000

/** Where a cursor's batches come from. */
export interface CursorSource {
  /**
   * The next batch: at most `maxDocs` documents and `maxBytes` bytes. `waitMs` is how long a source
   * that may grow (a change stream) waits for its first document.
   */
  next(request: BatchRequest): Promise<Uint8Array[]>
  /** True once nothing can follow. */
  readonly exhausted: boolean
  close(): void
  /** Further encoded fields of each answer's cursor document, such as a resume token. */
  extra?(): Uint8Array
}

export interface BatchRequest {
  readonly maxDocs: number
  readonly maxBytes: number
  readonly waitMs: number
  readonly signal: AbortSignal
}

/** Whom a cursor belongs to; another session or transaction may not read on. */
export interface CursorOwner {
  readonly sessionId: string | undefined
  /** Set when it was opened inside a transaction. */
  readonly txnNumber: bigint | undefined
}

/** An open cursor. */
export interface OpenCursor extends CursorOwner {
  readonly id: bigint
  readonly namespace: Namespace
  readonly source: CursorSource
  /** Whether it is a change stream, whose errors carry other labels. */
  readonly isChangeStream: boolean
  readonly noTimeout: boolean
  lastUsed: number
  isInUse: boolean
  isKilled: boolean
  /** Aborted when the cursor is killed, so that a getMore that waits ends at once. */
  readonly killed: AbortController
}

/** What a new cursor is made of. */
export interface NewCursor extends CursorOwner {
  readonly namespace: Namespace
  readonly source: CursorSource
  readonly isChangeStream?: boolean
  readonly noTimeout?: boolean
}

/** All open cursors of the server. */
export class CursorRegistry {
  readonly #open = new Map<bigint, OpenCursor>()
  readonly #limit: number
  #timedOut = 0

  constructor(limit: number = MAX_OPEN_CURSORS) {
    this.#limit = limit
  }

  get size(): number {
    return this.#open.size
  }

  /** How many ended because they were idle. */
  get timedOut(): number {
    return this.#timedOut
  }

  /** Registers a cursor and answers its id. */
  open(cursor: NewCursor, now: number): bigint {
    if (this.#open.size >= this.#limit) {
      cursor.source.close()
      throw commandError('ExceededMemoryLimit', `More than ${this.#limit} cursors are open`)
    }
    const id = this.#freeId()
    this.#open.set(id, {
      id,
      namespace: cursor.namespace,
      source: cursor.source,
      sessionId: cursor.sessionId,
      txnNumber: cursor.txnNumber,
      isChangeStream: cursor.isChangeStream ?? false,
      noTimeout: cursor.noTimeout ?? false,
      lastUsed: now,
      isInUse: false,
      isKilled: false,
      killed: new AbortController()
    })
    return id
  }

  /** Those that wait for their next getMore. */
  idle(): OpenCursor[] {
    return [...this.#open.values()].filter(({ isInUse }) => !isInUse)
  }

  /** The cursor, taken into use until `checkIn`. */
  checkOut(id: bigint, namespace: Namespace, owner: CursorOwner): OpenCursor {
    const cursor = this.#open.get(id)
    if (!cursor) throw commandError('CursorNotFound', `cursor id ${id} not found`)
    refuseForeign(cursor, namespace, owner)
    if (cursor.isInUse) {
      throw commandError('CursorInUse', `cursor id ${id} is already in use`)
    }
    cursor.isInUse = true
    return cursor
  }

  /** Gives a cursor back; one that is at its end or was killed meanwhile is closed. */
  checkIn(cursor: OpenCursor, now: number): void {
    cursor.isInUse = false
    cursor.lastUsed = now
    if (cursor.isKilled || cursor.source.exhausted) this.#close(cursor)
  }

  /** Ends a cursor of this namespace; false when there is none. */
  kill(id: bigint, namespace: Namespace): boolean {
    const cursor = this.#open.get(id)
    if (!cursor || !isSameNamespace(cursor.namespace, namespace)) return false
    this.#end(cursor)
    return true
  }

  /** Ends what belongs to these sessions, or to any session. */
  killSessions(sessionIds: ReadonlySet<string> | 'all'): void {
    for (const cursor of [...this.#open.values()]) {
      if (cursor.sessionId === undefined) continue
      if (sessionIds === 'all' || sessionIds.has(cursor.sessionId)) this.#end(cursor)
    }
  }

  /** Ends the cursors of a transaction that is over. */
  killTransaction(sessionId: string, txnNumber: bigint): void {
    for (const cursor of [...this.#open.values()]) {
      if (cursor.sessionId === sessionId && cursor.txnNumber === txnNumber) this.#end(cursor)
    }
  }

  /** Ends cursors that were idle for ten minutes. */
  endIdle(now: number): number {
    const idle = [...this.#open.values()].filter(
      (cursor) => !cursor.isInUse && !cursor.noTimeout && now - cursor.lastUsed > IDLE_CURSOR_MS
    )
    for (const cursor of idle) this.#end(cursor)
    this.#timedOut += idle.length
    return idle.length
  }

  closeAll(): void {
    for (const cursor of [...this.#open.values()]) this.#end(cursor)
  }

  #end(cursor: OpenCursor): void {
    cursor.isKilled = true
    cursor.killed.abort()
    if (cursor.isInUse) this.#open.delete(cursor.id)
    else this.#close(cursor)
  }

  #close(cursor: OpenCursor): void {
    this.#open.delete(cursor.id)
    cursor.source.close()
  }

  #freeId(): bigint {
    for (;;) {
      const id = (randomBytes(8).readBigUInt64LE() >> 1n) | LARGE
      if (!this.#open.has(id)) return id
    }
  }
}

function isSameNamespace(a: Namespace, b: Namespace): boolean {
  return a.db === b.db && a.collection === b.collection
}

function refuseForeign(cursor: OpenCursor, namespace: Namespace, owner: CursorOwner): void {
  if (!isSameNamespace(cursor.namespace, namespace)) {
    const { db, collection } = namespace
    throw commandError(
      'Unauthorized',
      `Requested getMore on namespace '${db}.${collection}', but cursor belongs to a different ` +
        `namespace ${cursor.namespace.db}.${cursor.namespace.collection}`
    )
  }
  if (cursor.sessionId !== owner.sessionId) {
    throw commandError(
      cursor.sessionId === undefined ? 'Location50736' : 'Location50738',
      `Cannot run getMore on cursor ${cursor.id}, which was ${belonging(cursor.sessionId)}, ` +
        `${belonging(owner.sessionId)}`
    )
  }
  if (cursor.txnNumber !== owner.txnNumber) {
    throw commandError(
      cursor.txnNumber === undefined ? 'Location50739' : 'Location50741',
      `Cannot run getMore on cursor ${cursor.id}, which belongs to another transaction`
    )
  }
}

function belonging(sessionId: string | undefined): string {
  return sessionId === undefined ? 'not in a session' : `in session ${sessionId}`
}
