// The items of a queue that this process has leased: runs them, and writes their outcome.

import type { FastifyBaseLogger } from 'fastify'
import type { Collection } from 'mongodb'
import type { Clock } from '../clock.ts'
import { isClientClosed } from '../storage/client-closed.ts'
import { exhausted, type QueueLimits, type Settlement, settle, settleResult } from './item-state.ts'
import type { BatchHandler, HeldUpdate, ItemResult, QueueHandler, QueueItem } from './queue.ts'
import {
  finish,
  type QueueSelection,
  renew,
  type SettledItem,
  type StoredItem,
  updateHeld
} from './queue-store.ts'
import { type Outcome, type RunLimits, startRun } from './run.ts'

/** What the worker of a queue is made with. */
export interface QueueOptions {
  readonly collection: Collection<StoredItem>
  readonly limits: QueueLimits
  readonly handler: QueueHandler<never> | BatchHandler<never>
  /** Default: every item of the collection. */
  readonly where?: QueueSelection | undefined
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** Aborted when the host ends the runs in hand. */
  readonly cut: AbortSignal
  readonly timeoutError: () => Error
  readonly onSettled: (settlement: Settlement, outcome: Outcome | undefined, ms: number) => void
}

type LeasedItem = StoredItem & { readonly lease: string }

/** Handlers at work at the same time; the rest of a batch waits its turn under the same lease. */
const PARALLEL = 32
/** How long a settled item may wait for its neighbours before it is written. */
const SETTLE_MS = 200
const RETRY_MS = 1_000

/** Every item that this process has a lease on, until its outcome is in the database. */
export class LeasedItems {
  readonly #options: QueueOptions
  readonly #onFreed: () => void
  readonly #leased = new Map<string, LeasedItem>()
  readonly #waiting: LeasedItem[] = []
  #running = 0
  #settled: SettledItem[] = []
  #isWriting = false
  #timer: NodeJS.Timeout | undefined
  #idle: (() => void)[] = []

  /** `onFreed` is called whenever items have left. */
  constructor(options: QueueOptions, onFreed: () => void) {
    this.#options = options
    this.#onFreed = onFreed
  }

  get size(): number {
    return this.#leased.size
  }

  has(id: string): boolean {
    return this.#leased.has(id)
  }

  /** Takes a claimed batch and starts on it. */
  take(items: readonly StoredItem[], lease: string): void {
    const taken = items.map((item): LeasedItem => ({ ...item, lease }))
    for (const item of taken) this.#leased.set(item._id, item)
    const { limits, handler } = this.#options
    const fresh = taken.filter((item) => !exhausted(item.attempts, limits))
    if (typeof handler === 'function') {
      this.#waiting.push(...fresh)
      this.#startWaiting(handler)
    } else if (fresh.length > 0) {
      this.#running++
      void this.#runBatch(handler, fresh, lease)
    }
    for (const item of taken) {
      if (exhausted(item.attempts, limits)) this.#settle(item, undefined, 0)
    }
  }

  /** Hands back what has not started. */
  returnWaiting(): void {
    for (const item of this.#waiting.splice(0)) this.#settle(item, undefined, 0)
  }

  /** Keeps the leases from running out. */
  async renew(): Promise<void> {
    if (this.#leased.size === 0) return
    const { collection, clock, limits } = this.#options
    const until = new Date(clock.now().getTime() + limits.leaseSeconds * 1000)
    await renew(collection, [...this.#leased.values()], until)
  }

  /** Resolves when nothing is held. */
  idle(): Promise<void> {
    if (this.#leased.size === 0) return Promise.resolve()
    return new Promise((resolve) => void this.#idle.push(resolve))
  }

  #startWaiting(handler: QueueHandler<never>): void {
    while (this.#running < PARALLEL) {
      const item = this.#waiting.shift()
      if (item === undefined) return
      this.#running++
      void this.#run(handler, item)
    }
  }

  async #run(handler: QueueHandler<never>, item: LeasedItem): Promise<void> {
    const startedAt = performance.now()
    const { log } = this.#options
    const run = startRun(this.#runLimits(log.child({ item: item._id })), (act) =>
      handler(ownFields(item) as never, act)
    )
    const outcome = await run.outcome
    this.#running--
    this.#startWaiting(handler)
    this.#settle(item, outcome, performance.now() - startedAt)
  }

  async #runBatch(
    handler: BatchHandler<never>,
    items: readonly LeasedItem[],
    lease: string
  ): Promise<void> {
    const startedAt = performance.now()
    let results: ReadonlyMap<string, ItemResult> | undefined
    const claimed = items.map((item) => ({ item: ownFields(item), attempts: item.attempts }))
    const { collection, log } = this.#options
    const update = (updates: readonly HeldUpdate[]) => updateHeld(collection, updates, lease)
    const run = startRun(this.#runLimits(log), async (act) => {
      results = await handler.batch(claimed as never, { ...act, update })
    })
    const outcome = await run.outcome
    this.#running--
    const ms = (performance.now() - startedAt) / items.length
    for (const item of items) this.#settle(item, outcome, ms, results)
  }

  #runLimits(log: FastifyBaseLogger): RunLimits {
    const { limits, cut, timeoutError } = this.#options
    return { seconds: limits.leaseSeconds, log, cut, timeoutError }
  }

  #settle(
    item: LeasedItem,
    outcome: Outcome | undefined,
    ms: number,
    results?: ReadonlyMap<string, ItemResult>
  ): void {
    const { onSettled } = this.#options
    const settlement = this.#settlementOf(item, outcome, results)
    this.#settled.push({ _id: item._id, lease: item.lease, settlement })
    onSettled(settlement, outcome, ms)
    const isLast = this.#running === 0 && this.#waiting.length === 0
    this.#writeWithin(isLast ? 0 : SETTLE_MS)
  }

  #settlementOf(
    item: LeasedItem,
    outcome: Outcome | undefined,
    results: ReadonlyMap<string, ItemResult> | undefined
  ): Settlement {
    const { limits, clock } = this.#options
    const spent = exhausted(item.attempts, limits)
    if (spent !== undefined) return spent
    const { _id, attempts } = item
    if (outcome?.kind === 'done' && results !== undefined)
      return settleResult(attempts, results.get(_id), limits, clock.now())
    return settle(attempts, outcome, limits, clock.now())
  }

  #writeWithin(ms: number): void {
    if (this.#isWriting || this.#settled.length === 0) return
    if (ms === 0) void this.#write()
    else this.#timer ??= setTimeout(() => void this.#write(), ms)
  }

  /** One write at a time; what a failed one held goes with the next. */
  async #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isWriting = true
    const { collection, clock, cut, log } = this.#options
    const batch = this.#settled
    this.#settled = []
    try {
      await finish(collection, batch, clock.now())
      for (const { _id } of batch) this.#leased.delete(_id)
    } catch (error) {
      if (cut.aborted || isClientClosed(error)) this.#giveUp(batch, error)
      else {
        log.warn({ err: error }, 'settled items wait: the database does not answer')
        this.#settled.unshift(...batch)
        this.#timer = setTimeout(() => void this.#write(), RETRY_MS)
      }
    }
    this.#isWriting = false
    if (this.#timer === undefined) this.#writeWithin(this.#running === 0 ? 0 : SETTLE_MS)
    this.#onFreed()
    if (this.#leased.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  /** The host has closed its database: a try each second would keep the process for good. */
  #giveUp(batch: readonly SettledItem[], error: unknown): void {
    const { log } = this.#options
    log.warn(
      { err: error, items: batch.length },
      'settled items are handled again: the host closed'
    )
    for (const { _id } of batch) this.#leased.delete(_id)
  }
}

/** The item as it was added: without what the queue keeps about it. */
function ownFields(item: LeasedItem): QueueItem {
  const { state, dueAt, lease, leaseUntil, attempts, reason, doneAt, parkedAt, ...own } = item
  return own as QueueItem
}
