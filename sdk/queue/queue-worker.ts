// One queue in one process: looks for what is due and claims it in leased batches.
import { randomUUID } from 'node:crypto'
import { LeasedItems, type QueueOptions } from './leased-items.ts'
import { claim, glance } from './queue-store.ts'
import { createSignal } from './signal.ts'

/** Claims and handles the items of one queue in this process. */
export interface QueueWorker {
  /** Claims by itself from now on. */
  start(): void
  /** Something may be due: look now. */
  wake(): void
  /** Claims nothing more and hands back what has not started. */
  stop(): void
  /** Resolves when nothing is held. */
  idle(): Promise<void>
  /** Handles everything that is due now; for the test kit. */
  runDue(): Promise<void>
  nextDueAt(): Promise<Date | undefined>
}

/** How often a queue without work looks for items that other processes added. */
const IDLE_MS = 1_000
const MIN_WAIT_MS = 10
const MIN_RETRY_MS = 250
const MAX_RETRY_MS = 5_000

/**
 * Makes the worker of a queue. Claiming and finishing a batch takes four commands, whatever its size:
 * ids that are due, stamp the lease, read by the lease, settle in one bulk write.
 */
export function createQueueWorker(options: QueueOptions): QueueWorker {
  return new ClaimingWorker(options)
}

class ClaimingWorker implements QueueWorker {
  readonly #options: QueueOptions
  readonly #changed = createSignal()
  readonly #leased: LeasedItems
  #isStopped = false
  #renewal: NodeJS.Timeout | undefined
  #looping = Promise.resolve()
  #claiming: Promise<unknown> = Promise.resolve()

  constructor(options: QueueOptions) {
    this.#options = options
    this.#leased = new LeasedItems(options, this.#changed.notify)
  }

  start(): void {
    // When a renewal fails the item is claimed again in the end: that is what leases are for.
    const keep = () => void this.#leased.renew().catch(() => {})
    this.#renewal = setInterval(keep, (this.#options.limits.leaseSeconds * 1000) / 3).unref()
    this.#looping = this.#loop()
  }

  wake(): void {
    this.#changed.notify()
  }

  stop(): void {
    this.#isStopped = true
    this.#leased.returnWaiting()
    this.#changed.notify()
  }

  async idle(): Promise<void> {
    // A claim on its way when the queue was stopped still brings items, to be handed back.
    if (this.#isStopped) await this.#looping
    await this.#leased.idle()
    if (this.#isStopped) clearInterval(this.#renewal)
  }

  async runDue(): Promise<void> {
    let isMore = true
    while (isMore) {
      isMore = (await this.#claimDue(this.#options.limits.batch)).isMore
      await this.#leased.idle()
    }
  }

  async nextDueAt(): Promise<Date | undefined> {
    const { collection, clock, where } = this.#options
    await this.#claiming
    // What is in hand may bring more work.
    if (this.#leased.size > 0) return clock.now()
    const seen = await glance(collection, clock.now(), 1, where)
    return seen.due.length > 0 ? clock.now() : seen.nextDueAt
  }

  async #loop(): Promise<void> {
    let retryMs = 0
    while (!this.#isStopped) {
      try {
        const waitMs = await this.#claimWhenRoomy()
        retryMs = 0
        if (waitMs > 0 && !this.#isStopped) await this.#changed.wait(waitMs)
      } catch (error) {
        const { log } = this.#options
        if (retryMs === 0) log.warn({ err: error }, 'the queue waits: the database does not answer')
        retryMs = Math.min(Math.max(retryMs * 2, MIN_RETRY_MS), MAX_RETRY_MS)
        if (!this.#isStopped) await this.#changed.wait(retryMs)
      }
    }
  }

  /**
   * A new batch when half of the last is through: one by one would cost four commands each. Returns how
   * long nothing need be done.
   */
  async #claimWhenRoomy(): Promise<number> {
    const { limits, clock, handler } = this.#options
    // A batch handler finishes all of a batch at once: the next one is claimed meanwhile.
    const most = typeof handler === 'function' ? limits.batch : limits.batch * 2
    const room = Math.min(most - this.#leased.size, limits.batch)
    if (room < limits.batch / 2) return IDLE_MS
    const { claimed, nextDueAt } = await this.#claimDue(room)
    if (claimed > 0) return 0
    if (nextDueAt === undefined) return IDLE_MS
    return Math.min(Math.max(nextDueAt.getTime() - clock.now().getTime(), MIN_WAIT_MS), IDLE_MS)
  }

  /** One at a time: who looks whether something is in hand sees every claim that is on its way. */
  #claimDue(room: number) {
    const claim = this.#claiming.then(() => this.#claimNow(room))
    this.#claiming = claim.catch(() => {})
    return claim
  }

  async #claimNow(room: number) {
    if (this.#isStopped) return { claimed: 0, isMore: false, nextDueAt: undefined }
    const { collection, limits, clock, where } = this.#options
    const now = clock.now()
    const seen = await glance(collection, now, room + 1, where)
    // An item whose lease ran out under our own hands is not claimed twice.
    const ids = seen.due.filter((id) => !this.#leased.has(id)).slice(0, room)
    const lease = randomUUID()
    const until = new Date(now.getTime() + limits.leaseSeconds * 1000)
    const items = ids.length === 0 ? [] : await claim(collection, ids, lease, now, until)
    this.#leased.take(items, lease)
    if (this.#isStopped) this.#leased.returnWaiting()
    return { claimed: items.length, isMore: seen.due.length > room, nextDueAt: seen.nextDueAt }
  }
}
