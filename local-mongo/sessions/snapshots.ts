// Snapshot reads outside transactions: each held snapshot by its cluster time, for a bounded time.
import type { Timestamp } from 'bson'
import type { Engine, Transaction } from '../engine.ts'
import { commandError } from '../errors.ts'
import type { ClusterClock } from './cluster-clock.ts'

/** An idle snapshot is released after this time. */
export const SNAPSHOT_IDLE_MS = 60_000
/** Each held snapshot keeps old pages of the database alive. */
const MAX_SNAPSHOTS = 32

interface HeldSnapshot {
  readonly at: Timestamp
  readonly transaction: Transaction
  readonly sessionId: string
  lastUsed: number
}

/** A snapshot to read from, and its time, which the answer names. */
export interface Snapshot {
  readonly at: Timestamp
  readonly transaction: Transaction
}

/** The snapshots that snapshot sessions read from. Each is a transaction that never writes. */
export class SnapshotRegistry {
  readonly #engine: Pick<Engine, 'transactions'>
  readonly #clock: ClusterClock
  readonly #held = new Map<bigint, HeldSnapshot>()
  #next = 0

  constructor(engine: Pick<Engine, 'transactions'>, clock: ClusterClock) {
    this.#engine = engine
    this.#clock = clock
  }

  get size(): number {
    return this.#held.size
  }

  /** The snapshot of that time, or a new one of now. */
  take(at: Timestamp | undefined, now: number): Snapshot {
    if (!at) return this.#begin(now)
    const held = this.#held.get(at.toBigInt())
    if (!held) {
      throw commandError('SnapshotTooOld', 'The snapshot of this time is no longer available')
    }
    held.lastUsed = now
    // Keeps the transaction from ending as idle.
    this.#engine.transactions.resume(held.transaction.id)
    return held
  }

  /** Releases snapshots that were idle for a minute. */
  endIdle(now: number): void {
    for (const held of [...this.#held.values()]) {
      if (now - held.lastUsed > SNAPSHOT_IDLE_MS) this.#end(held)
    }
  }

  closeAll(): void {
    for (const held of [...this.#held.values()]) this.#end(held)
  }

  #begin(now: number): Snapshot {
    const oldest = this.#held.size >= MAX_SNAPSHOTS ? [...this.#held.values()][0] : undefined
    if (oldest) this.#end(oldest)
    const at = this.#clock.tick()
    const sessionId = `snapshot-${process.pid}-${this.#next++}`
    const transaction = this.#engine.transactions.begin(
      { sessionId, txnNumber: 0n },
      { now: new Date(now) }
    )
    const held = { at, transaction, sessionId, lastUsed: now }
    this.#held.set(at.toBigInt(), held)
    return held
  }

  #end(held: HeldSnapshot): void {
    this.#held.delete(held.at.toBigInt())
    this.#engine.transactions.endSession(held.sessionId)
  }
}
