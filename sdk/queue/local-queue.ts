// A queue on an app without the kernel: the same claims and leases, worked on when the app says so.
import type { FastifyBaseLogger } from 'fastify'
import type { Collection } from 'mongodb'
import type { Clock } from '../clock.ts'
import type { Queue, QueueHandler, QueueItem } from '../host.ts'
import type { QueueLimits } from './item-state.ts'
import { addItems, type StoredItem } from './queue-store.ts'
import { createQueueWorker } from './queue-worker.ts'

/** What `createLocalQueue` takes. */
export interface LocalQueueOptions<T extends QueueItem> {
  /** Needs an index on `dueAt`. */
  readonly collection: Collection<T>
  readonly limits: QueueLimits
  readonly handler: QueueHandler<T>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

/** A queue that works when it is called; made by `createLocalQueue`. */
export interface LocalQueue<T extends QueueItem> extends Queue<T> {
  /** Handles everything that is due now, and resolves when it is settled in the database. */
  runDue(): Promise<void>
}

/**
 * Makes a queue that `runDue` works on: call it at intervals. Several processes may do so at once. Under the
 * kernel use `host.queue`.
 */
export function createLocalQueue<T extends QueueItem>(
  options: LocalQueueOptions<T>
): LocalQueue<T> {
  const { limits, handler, clock, log } = options
  const collection = options.collection as unknown as Collection<StoredItem>
  const worker = createQueueWorker({
    collection,
    limits,
    handler: handler as QueueHandler<never>,
    clock,
    log,
    cut: new AbortController().signal,
    timeoutError: () => new Error(`it took longer than ${limits.leaseSeconds} s`),
    onSettled: () => undefined
  })
  return {
    add: async (items, { session } = {}) => ({
      added: await addItems(collection, items, clock.now(), session)
    }),
    runDue: () => worker.runDue()
  }
}
