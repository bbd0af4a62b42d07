// One queue in one process: looks for what is due and claims it in leased batches.
import { randomUUID } from 'node:crypto'
import { HeldItems, type QueueOptions } from './held-items.ts'
import { claim, glance } from './queue-store.ts'
import { createSignal } from './signal.ts'

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
  const { collection, limits, clock, log } = options
  const changed = createSignal()
  const held = new HeldItems(options, changed.notify)
  let isStopped = false
  let renewal: NodeJS.Timeout | undefined
  let looping = Promise.resolve()

  const claimDue = async (room: number) => {
    const now = clock.now()
    const seen = await glance(collection, now, room + 1)
    // An item whose lease ran out under our own hands is not claimed twice.
    const ids = seen.due.filter((id) => !held.has(id)).slice(0, room)
    const lease = randomUUID()
    const until = new Date(now.getTime() + limits.leaseSeconds * 1000)
    const items = ids.length === 0 ? [] : await claim(collection, ids, lease, now, until)
    held.take(items, lease)
    if (isStopped) held.returnWaiting()
    return { claimed: items.length, isMore: seen.due.length > room, nextDueAt: seen.nextDueAt }
  }

  /** A new batch when half of the last is through: one by one would cost four commands each. */
  const claimWhenRoomy = async () => {
    const room = limits.batch - held.size
    if (room < limits.batch / 2) return IDLE_MS
    const { claimed, nextDueAt } = await claimDue(room)
    if (claimed > 0) return 0
    if (nextDueAt === undefined) return IDLE_MS
    return Math.min(Math.max(nextDueAt.getTime() - clock.now().getTime(), MIN_WAIT_MS), IDLE_MS)
  }

  const loop = async () => {
    let retryMs = 0
    while (!isStopped) {
      try {
        const waitMs = await claimWhenRoomy()
        retryMs = 0
        if (waitMs > 0 && !isStopped) await changed.wait(waitMs)
      } catch (error) {
        if (retryMs === 0) log.warn({ err: error }, 'the queue waits: the database does not answer')
        retryMs = Math.min(Math.max(retryMs * 2, MIN_RETRY_MS), MAX_RETRY_MS)
        if (!isStopped) await changed.wait(retryMs)
      }
    }
  }

  return {
    start() {
      // When a renewal fails the item is claimed again in the end: that is what leases are for.
      const keep = () => void held.renew().catch(() => {})
      renewal = setInterval(keep, (limits.leaseSeconds * 1000) / 3)
      looping = loop()
    },
    wake: changed.notify,
    stop() {
      isStopped = true
      held.returnWaiting()
      changed.notify()
    },
    async idle() {
      // A claim on its way when the queue was stopped still brings items, to be handed back.
      if (isStopped) await looping
      await held.idle()
      if (isStopped) clearInterval(renewal)
    },
    async runDue() {
      let isMore = true
      while (isMore) {
        isMore = (await claimDue(limits.batch)).isMore
        await held.idle()
      }
    },
    async nextDueAt() {
      const seen = await glance(collection, clock.now(), 1)
      return seen.due.length > 0 ? clock.now() : seen.nextDueAt
    }
  }
}
