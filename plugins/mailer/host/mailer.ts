// Mailer: a mailer on a plain MongoDB database, without the kernel.

import {
  type Clock,
  createLimiter,
  createNotify,
  type NotifyFetch,
  openLeases,
  runTransaction,
  type StoredLimit
} from '@keelson/sdk'
import { createPublicFetch } from '@keelson/sdk/network'
import { type Db, MongoClient } from 'mongodb'
import type { EventRegistry } from '../campaigns/flows/event-registry.ts'
import type { MailerCore } from '../contracts/mailer-core.ts'
import type { MailProvider } from '../contracts/mailer-provider.ts'
import { errors } from '../errors.ts'
import type { ContactAdapter } from '../ledger/adapter.ts'
import { type ResolvedConfig, resolveConfig } from '../ledger/check-config.ts'
import type { MailerContext } from '../ledger/context.ts'
import { type MailerExtensions, noExtensions } from '../ledger/extensions.ts'
import type { MailerConfig } from '../ledger/schema.ts'
import {
  type MailerCollections,
  openOnDatabase,
  syncIndexes
} from '../ledger/storage/collections.ts'
import { type LocalQueues, openLocalQueues } from '../ledger/storage/local-queues.ts'
import type { MailerActs } from './acting-mailer.ts'
import { assembleMailer } from './assemble.ts'
import { configFromEnv } from './config/from-env.ts'
import { hostLogger } from './config/host-logger.ts'
import { createTick } from './tick/tick.ts'
import { createWorkers, type Workers } from './workers.ts'

/** The queues of a mailer as one: what waits, and its end. */
export interface QueueFacade {
  /** Looks for due work at once. */
  add(): Promise<void>
  /** Mails that wait for their hand-over. */
  getWaitingCount(): Promise<number>
  close(): Promise<void>
}

/**
 * A mailer; made by `Mailer.init` or `Mailer.fromEnv`. What changes or sends is called on it directly: the code
 * of the host decides who may. Give other code the capability alone, whose acts say who acts (`as`).
 */
export interface Mailer extends MailerCore, MailerActs {
  readonly db: Db
  readonly collections: MailerCollections
  readonly adapter: ContactAdapter
  readonly providers: Readonly<Record<string, MailProvider>>
  readonly queues: QueueFacade
  readonly config: ResolvedConfig
  readonly events: EventRegistry
  /** Begins to work on queues and ticks in this process. Call it in worker processes only. */
  startWorkers(): Promise<void>
  /** Ends the work: what is in hand is finished or handed back, own connections are closed. */
  stop(): Promise<void>
  /** What the routers and tests of the mailer work with. */
  getRunnerContext(): MailerContext
}

/** Parts that a test replaces. */
export interface MailerParts {
  readonly clock?: Clock
  readonly extensions?: Partial<MailerExtensions>
}

/** A mailer that tests drive. */
export interface OpenedMailer {
  readonly mailer: Mailer
  readonly queues: LocalQueues
  readonly context: MailerContext
  /** Runs every part of the tick once. */
  tick(): Promise<void>
}

/** Makes mailers on a plain database. */
export const Mailer = {
  /**
   * Checks the configuration, connects, and makes collections and indexes. Starts no workers.
   *
   * @throws MLR_CONFIG_INVALID, or an error of the driver
   */
  async init(config: MailerConfig): Promise<Mailer> {
    return (await openMailer(config)).mailer
  },
  /**
   * As `init`, with the configuration of the `MAILER_*` variables.
   *
   * @throws MLR_ENV_MISSING, MLR_CONFIG_INVALID
   */
  async fromEnv(env: NodeJS.ProcessEnv = process.env): Promise<Mailer> {
    return Mailer.init(configFromEnv(env))
  }
}

/** Opens a mailer whose clock and extensions may be replaced; for `Mailer` and the test kit. */
export async function openMailer(
  given: MailerConfig,
  parts: MailerParts = {}
): Promise<OpenedMailer> {
  const config = resolveConfig(given)
  const { db, client, close } = await connect(config)
  const prefix = config.collectionPrefix
  await syncIndexes(db, prefix)
  const clock = parts.clock ?? { now: () => new Date() }
  const collections = openOnDatabase(db, prefix)
  const adapter = typeof config.adapter === 'function' ? config.adapter(db) : config.adapter
  const log = hostLogger(config.logger)
  const limiter = createLimiter({
    collection: db.collection<StoredLimit>(`${prefix}limits`),
    clock
  })
  const owner = prefix.replace(/_$/, '')
  const lease = openLeases({ db, clock, owner })
  const local: { queues?: LocalQueues } = {}
  const { context, core, acts, events } = assembleMailer({
    config,
    collections,
    adapter,
    providers: new Map(Object.entries(config.providers)),
    clock,
    log,
    extensions: { ...noExtensions, ...parts.extensions },
    withTransaction: (fn) => runTransaction(client, fn),
    limit: (name, options) => limiter.limit(name, options),
    lease,
    notify: createNotify({ db, clock, owner, lease, fetch: createPublicFetch() as NotifyFetch }),
    // The code of the host decides who calls it.
    admits: async () => true,
    openQueues(handlers) {
      local.queues = openLocalQueues({ collections, clock, log, handlers })
      return local.queues
    }
  })
  const queues = local.queues as LocalQueues
  const ticking = createTick(context)
  const tick = (signal = new AbortController().signal) => ticking.run(signal)
  const workers = createWorkers({ context, queues, tick })
  return {
    mailer: mailerOf({ core, acts, db, context, events, workers, close }),
    queues,
    context,
    tick
  }
}

interface Made {
  readonly core: MailerCore
  readonly acts: MailerActs
  readonly db: Db
  readonly context: MailerContext
  readonly events: EventRegistry
  readonly workers: Workers
  close(): Promise<void>
}

function mailerOf({ core, acts, db, context, events, workers, close }: Made): Mailer {
  const { collections, adapter, config } = context
  const waiting = { handoff: { $in: ['queued', 'failed', 'deferred'] }, state: 'due' } as const
  return {
    ...core,
    ...acts,
    db,
    collections,
    adapter,
    providers: Object.fromEntries(context.providers),
    config,
    events,
    queues: {
      add: async () => workers.wake(),
      getWaitingCount: () => collections.sends.countDocuments(waiting, { limit: 1_000_000 }),
      close: () => workers.stop()
    },
    async startWorkers() {
      if (config.queue.driver === 'noop') throw errors.MLR_NO_WORKERS({})
      workers.start()
    },
    async stop() {
      await workers.stop()
      for (const provider of context.providers.values()) await provider.close?.()
      await close()
    },
    getRunnerContext: () => context
  }
}

/** The database of the configuration; `close` closes only a connection that was opened here. */
async function connect({ db, mongo }: ResolvedConfig): Promise<{
  readonly db: Db
  readonly client: MongoClient
  close(): Promise<void>
}> {
  if (db !== undefined) return { db, client: db.client, close: async () => undefined }
  const { uri, dbName, clientOptions } = mongo ?? { uri: '' }
  const client = await new MongoClient(uri, clientOptions).connect()
  return { db: client.db(dbName), client, close: () => client.close() }
}
