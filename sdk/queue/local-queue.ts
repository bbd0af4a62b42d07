// A queue on an app without the kernel: the same claims and leases, worked on when the app says so.
import type { FastifyBaseLogger } from 'fastify'
import type { Collection } from 'mongodb'
import type { Clock } from '../clock.ts'
import type { QueueLimits } from './item-state.ts'
import type { BatchHandler, Queue, QueueHandler, QueueItem } from './queue.ts'
import { queueActions } from './queue-actions.ts'
import type { QueueSelection, StoredItem } from './queue-store.ts'
import { createQueueWorker } from './queue-worker.ts'

/** What `createLocalQueue` takes. */
export interface LocalQueueOptions<T extends QueueItem> {
  /** Needs an index on the fields of `where` and then `dueAt`. */
  readonly collection: Collection<T>
  readonly limits: QueueLimits
  readonly handler: QueueHandler<T> | BatchHandler<T>
  /** Default: every item of the collection. */
  readonly where?: QueueSelection
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

/** A queue that works when it is called; made by `createLocalQueue`. */
export interface LocalQueue<T extends QueueItem> extends Queue<T> {
  /** Handles everything that is due now, and resolves when it is settled in the database. */
  runDue(): Promise<void>
  /** Handles items as they come due, until `stop`. Call it once. */
  start(): void
  /** Claims nothing more, and resolves when what was claimed is settled or handed back. */
  stop(): Promise<void>
  /** When the next item is due; undefined when none waits. */
  nextDueAt(): Promise<Date | undefined>
}

/**
 * Makes a queue that works on `runDue`, or by itself from `start` on. Several processes may work at once.
 * Under the kernel use `host.queue`.
 */
export function createLocalQueue<T extends QueueItem>(
  options: LocalQueueOptions<T>
): LocalQueue<T> {
  const { limits, handler, where, clock, log } = options
  const collection = options.collection as unknown as Collection<StoredItem>
  const worker = createQueueWorker({
    collection,
    limits,
    handler: handler as QueueHandler<never> | BatchHandler<never>,
    where,
    clock,
    log,
    cut: new AbortController().signal,
    timeoutError: () => new Error(`it took longer than ${limits.leaseSeconds} s`),
    onSettled: () => undefined
  })
  return {
    ...queueActions<T>(collection, clock, () => worker.wake()),
    runDue: () => worker.runDue(),
    start: () => worker.start(),
    stop: () => {
      worker.stop()
      return worker.idle()
    },
    nextDueAt: () => worker.nextDueAt()
  }
}
