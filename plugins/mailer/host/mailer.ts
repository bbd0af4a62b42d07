// Mailer: a mailer on a plain MongoDB database, without the kernel.

import { fileURLToPath } from 'node:url'
import { plainLog, type StandaloneHost, standaloneHost } from '@keelson/kernel/standalone'
import type { ProgramCollections } from '@keelson/programs'
import { type Clock, definePlugin, type KeelsonPlugin } from '@keelson/sdk'
import { type Db, MongoClient } from 'mongodb'
import { adminOperations } from '../admin/admin-operations.ts'
import type { EventRegistry } from '../campaigns/flows/event-registry.ts'
import type { MailerCore } from '../contracts/mailer-core.ts'
import type { MailProvider } from '../contracts/mailer-provider.ts'
import { errors } from '../errors.ts'
import type { ContactAdapter } from '../ledger/adapter.ts'
import { type ResolvedConfig, resolveConfig } from '../ledger/check-config.ts'
import type { MailerContext } from '../ledger/context.ts'
import type { MailerConfig } from '../ledger/schema.ts'
import { DEFAULT_PREFIX, type MailerCollections } from '../ledger/storage/collections.ts'
import { migrations } from '../ledger/storage/migrations.ts'
import manifest from '../plugin.json' with { type: 'json' }
import type { MailerActs } from './acting-mailer.ts'
import { configFromEnv } from './config/from-env.ts'
import {
  addDeliverability,
  type DeliverabilityCollections,
  type DeliverabilitySettings,
  deliverabilityCollections
} from './deliverability.ts'
import { addPrograms, programCollections } from './programs.ts'
import { type RegisteredMailer, registerMailer } from './register-mailer.ts'

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
  /** The mailer's own, and those of the plugins beside it. */
  readonly collections: MailerCollections & DeliverabilityCollections & ProgramCollections
  readonly adapter: ContactAdapter
  readonly providers: Readonly<Record<string, MailProvider>>
  readonly queues: QueueFacade
  readonly config: ResolvedConfig
  readonly events: EventRegistry
  /** Begins to work on queues and ticks in this process. Call it in worker processes only. */
  startWorkers(): Promise<void>
  /** Ends the work: what is in hand is finished or handed back, own connections are closed. */
  stop(): Promise<void>
  /** Where it runs: the factories of other plugins add theirs to it. */
  readonly host: StandaloneHost
  /** Folders of the plugins with pages, for the shell of the admin router. */
  readonly pageFolders: readonly string[]
  /** What the routers and tests of the mailer work with. */
  getRunnerContext(): MailerContext
}

/** Parts that a test replaces. */
export interface MailerParts {
  readonly clock?: Clock
  /** For the deliverability plugins that are installed, below the configuration. */
  readonly defaults?: DeliverabilitySettings
}

/** A mailer that tests drive. */
export interface OpenedMailer {
  readonly mailer: Mailer
  readonly context: MailerContext
  /** Where it runs: jobs and queues, also those of the plugins beside it. */
  readonly host: StandaloneHost
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

/** Opens a mailer whose clock may be replaced; for `Mailer` and the test kit. */
export async function openMailer(
  given: MailerConfig,
  parts: MailerParts = {}
): Promise<OpenedMailer> {
  const config = resolveConfig(given)
  const { db, close } = await connect(config)
  try {
    return await openOn({ db, close }, config, parts)
  } catch (error) {
    await close()
    throw error
  }
}

/** A database, and what closes a connection that was opened here. */
interface Opened {
  readonly db: Db
  close(): Promise<void>
}

async function openOn(
  { db, close }: Opened,
  config: ResolvedConfig,
  { clock, defaults = {} }: MailerParts
): Promise<OpenedMailer> {
  const { collectionPrefix: prefix } = config
  const namespace = prefix === DEFAULT_PREFIX ? '' : prefix
  const host = standaloneHost({
    db,
    log: plainLog(config.logger),
    namespace,
    ...(clock !== undefined && { clock })
  })
  const made: { registered?: RegisteredMailer } = {}
  const plugin = plainPlugin(config, db, (registered) => {
    made.registered = registered
  })
  host.add(plugin, { collectionPrefix: prefix })
  const beside = [
    ...(await addPrograms(host, config, prefix)),
    ...(await addDeliverability(host, { settings: config, defaults }))
  ]
  await host.open()
  const registered = made.registered as RegisteredMailer
  const tick = (signal = new AbortController().signal) => registered.tick(signal)
  const mailer = mailerOf({
    registered,
    db,
    host,
    close,
    namespace,
    pageFolders: [FOLDER, ...beside]
  })
  return { mailer, context: registered.context, host, tick }
}

/** The plugin with what the code of a plain host gives. */
function plainPlugin(
  config: ResolvedConfig,
  db: Db,
  onRegistered: (mailer: RegisteredMailer) => void
): KeelsonPlugin {
  const adapter = typeof config.adapter === 'function' ? config.adapter(db) : config.adapter
  return definePlugin({
    manifest,
    operations: adminOperations,
    migrations,
    register: (host) =>
      onRegistered(
        registerMailer(host, {
          config,
          adapter,
          hasOwnContacts: true,
          providers: { ...config.providers },
          // The code of the host decides who calls it.
          admits: async () => true
        })
      )
  })
}

interface Made extends Opened {
  readonly registered: RegisteredMailer
  readonly host: StandaloneHost
  readonly namespace: string
  readonly pageFolders: readonly string[]
}

/** The package: this module is in dist/host. */
const FOLDER = fileURLToPath(new URL('../..', import.meta.url))

function mailerOf({ registered, db, host, close, namespace, pageFolders }: Made): Mailer {
  const { core, acts, context, events } = registered
  const { collections, adapter, config } = context
  const waiting = { handoff: { $in: ['queued', 'failed', 'deferred'] }, state: 'due' } as const
  let isStarted = false
  let closing: Promise<void> | undefined
  const stop = (): Promise<void> => {
    closing ??= host.close()
    return closing
  }
  return {
    ...core,
    ...acts,
    db,
    collections: {
      ...collections,
      ...deliverabilityCollections(db, namespace),
      ...programCollections(db, config.collectionPrefix)
    },
    adapter,
    providers: Object.fromEntries(context.providers),
    config,
    events,
    queues: {
      async add() {
        if (isStarted && closing === undefined) await host.runJob('mailer', 'tick')
      },
      getWaitingCount: () => collections.sends.countDocuments(waiting, { limit: 1_000_000 }),
      close: stop
    },
    async startWorkers() {
      if (config.queue.driver === 'noop') throw errors.MLR_NO_WORKERS({})
      if (isStarted || closing !== undefined) return
      isStarted = true
      await host.start()
    },
    async stop() {
      await stop()
      await close()
    },
    host,
    pageFolders,
    getRunnerContext: () => context
  }
}

/** The database of the configuration; `close` closes only a connection that was opened here. */
async function connect({ db, mongo }: ResolvedConfig): Promise<Opened> {
  if (db !== undefined) return { db, close: async () => undefined }
  const { uri, dbName, clientOptions } = mongo ?? { uri: '' }
  const client = await new MongoClient(uri, clientOptions).connect()
  return { db: client.db(dbName), close: () => client.close() }
}
