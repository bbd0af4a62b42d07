// A queue as a plugin sees it, on the worker that serves it.
import type {
  BatchHandler,
  Clock,
  Manifest,
  ManifestQueue,
  Queue,
  QueueHandler,
  QueueItem
} from '@keelson/sdk'
import {
  createQueueWorker,
  type Outcome,
  QUEUE_FIELDS,
  type QueueSelection,
  type QueueWorker,
  queueActions,
  queueLimits,
  type Settlement,
  type StoredItem
} from '@keelson/sdk/queue'
import type { Collection } from 'mongodb'
import { errors } from '../errors/errors.ts'
import type { Failures } from './failures.ts'
import type { Owner, RunReport } from './run-report.ts'

export interface QueueSeams {
  readonly clock: Clock
  readonly cut: AbortSignal
  readonly onRun: (report: RunReport) => void
  readonly failures: Pick<Failures, 'failed'>
}

export type PluginQueue = QueueWorker

export function createQueue<T extends QueueItem>(
  owner: Owner,
  spec: ManifestQueue,
  collection: Collection<T>,
  handler: QueueHandler<T> | BatchHandler<T>,
  seams: QueueSeams
): { readonly queue: Queue<T>; readonly worker: PluginQueue } {
  const { plugin } = owner
  const { name } = spec
  const limits = queueLimits(spec)
  const log = owner.log.child({ queue: name })
  // The items are the plugin's; the queue adds its fields to them.
  const stored = collection as unknown as Collection<StoredItem>
  const worker = createQueueWorker({
    collection: stored,
    limits,
    handler: handler as QueueHandler<never> | BatchHandler<never>,
    where: spec.where,
    clock: seams.clock,
    log,
    cut: seams.cut,
    timeoutError: () =>
      errors.KRN_RUN_TIMEOUT({ plugin, kind: 'queue', name, seconds: limits.leaseSeconds }),
    onSettled(settlement, outcome, durationMs) {
      if (settlement.state === 'parked') {
        log.error({ reason: settlement.reason }, 'item is parked')
        void seams.failures.failed({ plugin, kind: 'queue', name }, settlement.reason)
      }
      const reported = reportedOutcome(settlement, outcome)
      seams.onRun({ plugin, kind: 'queue', name, outcome: reported, durationMs })
    }
  })
  const queue = openQueue(plugin, spec, collection, {
    clock: seams.clock,
    wake: () => worker.wake()
  })
  return { queue, worker }
}

/** A queue without its worker: what is added is handled where the platform runs. */
export function openQueue<T extends QueueItem>(
  plugin: string,
  spec: ManifestQueue,
  collection: Collection<T>,
  { clock, wake = () => {} }: { readonly clock: Clock; readonly wake?: () => void }
): Queue<T> {
  const actions = queueActions<T>(collection as unknown as Collection<StoredItem>, clock, wake)
  return {
    ...actions,
    async add(items, options) {
      for (const item of items) checkItem(plugin, spec, item)
      return actions.add(items, options)
    }
  }
}

/** The declaration of a queue. Throws KRN_QUEUE_UNDECLARED. */
export function declaredQueue({ id, queues = [] }: Manifest, name: string): ManifestQueue {
  const spec = queues.find((queue) => queue.name === name)
  if (spec === undefined) {
    throw errors.KRN_QUEUE_UNDECLARED({ plugin: id, path: 'queues', queue: name })
  }
  return spec
}

function reportedOutcome(
  settlement: Settlement,
  outcome: Outcome | undefined
): RunReport['outcome'] {
  switch (settlement.state) {
    case 'done':
    case 'parked':
    case 'returned':
      return settlement.state
    case 'scheduled':
      return 'done'
    case 'due':
      return outcome?.kind === 'timeout' ? 'timeout' : 'failed'
  }
}

function checkItem(plugin: string, { name, where }: ManifestQueue, item: QueueItem): void {
  const reason = itemFault(item) ?? selectionFault(item, where)
  if (reason !== undefined) throw errors.KRN_QUEUE_ITEM({ plugin, queue: name, reason })
}

function selectionFault(item: QueueItem, where: QueueSelection = {}): string | undefined {
  const field = Object.keys(where).find((field) => item[field] !== where[field])
  if (field === undefined) return undefined
  return `"${item._id}" must have ${field} "${where[field]}"`
}

function itemFault(item: QueueItem & { readonly dueAt?: unknown }): string | undefined {
  if (typeof item._id !== 'string' || item._id === '') return 'has no string _id'
  if (item._id.length > 512) return 'has an _id of more than 512 characters'
  const { dueAt } = item
  if (dueAt !== undefined && !(dueAt instanceof Date && Number.isFinite(dueAt.getTime()))) {
    return `"${item._id}" has a dueAt that is not a date`
  }
  const own = QUEUE_FIELDS.find((field) => field in item)
  return own === undefined ? undefined : `"${item._id}" brings the field "${own}"`
}
