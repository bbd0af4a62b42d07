// Leased queues: what the kernel's `host.queue` is made of, and a queue for apps without the kernel.

export {
  exhausted,
  type QueueLimits,
  queueLimits,
  reasonOf,
  type Settlement,
  settle
} from './item-state.ts'
export type { QueueOptions } from './leased-items.ts'
export { createLocalQueue, type LocalQueue, type LocalQueueOptions } from './local-queue.ts'
export { queueActions } from './queue-actions.ts'
export { QUEUE_FIELDS, type QueueSelection, type StoredItem } from './queue-store.ts'
export { createQueueWorker, type QueueWorker } from './queue-worker.ts'
export { CUT_GRACE_MS, type Outcome, type RunLimits, startRun } from './run.ts'
export { createSignal } from './signal.ts'
