// The queues of a mailer for tests of its parts, worked on by call.
import type { BatchHandler, Clock, ManifestQueue, QueueItem } from '@keelson/sdk'
import { createLocalQueue, type LocalQueue, queueLimits } from '@keelson/sdk/queue'
import type { FastifyBaseLogger } from 'fastify'
import type { Collection } from 'mongodb'
import type { QueueHandlers } from '../ledger/queue-handlers.ts'
import type { MailerCollections } from '../ledger/storage/collections.ts'
import manifest from '../plugin.json' with { type: 'json' }

/** The queues, worked on by call. */
export type QueuesByCall = {
  readonly [name in keyof QueueHandlers]: QueueHandlers[name] extends BatchHandler<infer T>
    ? LocalQueue<T>
    : never
}

/** What `openQueuesByCall` takes. */
export interface QueueSeams {
  readonly collections: MailerCollections
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly handlers: QueueHandlers
}

// What JSON says is typed more widely than what it holds.
const declared = manifest.queues as readonly ManifestQueue[]

/** Opens every queue; nothing is claimed before `start` or `runDue`. */
export function openQueuesByCall(seams: QueueSeams): QueuesByCall {
  const { collections, handlers } = seams
  const open = <T extends QueueItem>(
    name: string,
    collection: Collection<T>,
    handler: BatchHandler<T>
  ): LocalQueue<T> => {
    const spec = declared.find((one) => one.name === name)
    if (spec === undefined) throw new Error(`the queue ${name} is not declared`)
    const where = spec.where === undefined ? {} : { where: spec.where }
    const { clock, log } = seams
    return createLocalQueue({
      collection,
      limits: queueLimits(spec),
      handler,
      clock,
      log: log.child({ queue: name }),
      ...where
    })
  }
  return {
    outbox: open('outbox', collections.outbox, handlers.outbox),
    events: open('events', collections.events, handlers.events),
    flowRuns: open('flow-runs', collections.flowRuns, handlers.flowRuns),
    webhookEvents: open('webhook-events', collections.webhookEvents, handlers.webhookEvents),
    urgentSends: open('urgent-sends', collections.sends, handlers.urgentSends),
    bulkSends: open('bulk-sends', collections.sends, handlers.bulkSends)
  }
}
