// The queue of changes of state that owe messages: the platform's, or one that each tick works on.
import type { Clock, ManifestQueue, Queue, QueueHandler } from '@keelson/sdk'
import { createLocalQueue, queueLimits } from '@keelson/sdk/queue'
import type { FastifyBaseLogger } from 'fastify'
import type { Collection } from 'mongodb'
import type { TelemetryLogger } from '../logger.ts'
import manifest from '../plugin.json' with { type: 'json' }
import type { TelemetryStorage } from '../storage/storage.ts'
import { deliverChange, type Senders } from './deliver.ts'
import type { ChangeItem } from './delivery-order.ts'

export interface DeliveriesContext extends Senders {
  readonly storage: TelemetryStorage
  readonly clock: Clock
  readonly logger: TelemetryLogger
  /** Opens the queue of the platform. Without it each tick works on what is due. */
  readonly openQueue: ((handler: QueueHandler<ChangeItem>) => Queue<ChangeItem>) | undefined
}

export interface Deliveries {
  readonly queue: Queue<ChangeItem>
  /** Sends what is due, where no platform does. */
  runDue(signal: AbortSignal | undefined): Promise<void>
  /** How many messages were sent since the last call. */
  takeSent(): number
}

/** Its limits hold on an app without the kernel too. */
const DECLARED = manifest.queues[0] as ManifestQueue

/** Rounds of one tick: each lets the next change of a rule go. */
const MOST_ROUNDS = 100

export function createDeliveries(context: DeliveriesContext): Deliveries {
  const { storage, clock, logger, openQueue } = context
  let sent = 0
  let handled = 0
  const delivering = {
    storage,
    senders: context,
    onSent(count: number) {
      sent += count
    }
  }
  const handler: QueueHandler<ChangeItem> = ({ _id }) => {
    handled++
    return deliverChange(delivering, _id)
  }
  const takeSent = () => {
    const taken = sent
    sent = 0
    return taken
  }
  if (openQueue !== undefined) {
    return { queue: openQueue(handler), runDue: async () => undefined, takeSent }
  }
  const queue = createLocalQueue({
    collection: storage.collections.changes as unknown as Collection<ChangeItem>,
    limits: queueLimits(DECLARED),
    handler,
    clock,
    log: queueLog(logger)
  })
  return {
    queue,
    async runDue(signal) {
      for (let round = 0; round < MOST_ROUNDS && signal?.aborted !== true; round++) {
        const before = handled
        await queue.runDue()
        if (handled === before) return
      }
    },
    takeSent
  }
}

/** A logger of a plain host as the queue needs it. */
function queueLog(logger: TelemetryLogger): FastifyBaseLogger {
  const nothing = () => undefined
  const log = {
    level: 'info',
    fatal: logger.error,
    error: logger.error,
    warn: logger.warn,
    info: logger.info,
    debug: nothing,
    trace: nothing,
    silent: nothing,
    child: () => log
  }
  return log as unknown as FastifyBaseLogger
}
