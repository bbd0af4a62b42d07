// A host without the kernel: plugins on a database, with routers that the app of the host registers.
import type { Clock, KeelsonPlugin } from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from 'mongodb'
import type { Dispatcher } from 'undici'
import { openPluginLimits } from '../guards/limits.ts'
import { createViewers } from '../guards/viewer.ts'
import { createMetrics } from '../health/metrics.ts'
import { createPluginStates } from '../health/plugin-state.ts'
import { closePlugin } from '../lifecycle/close.ts'
import type { HostSeams } from '../lifecycle/host.ts'
import { createCapabilities } from '../platform/capabilities.ts'
import { createSchedule, type Schedule } from '../schedule/schedule.ts'
import type { Ticker } from '../schedule/ticker.ts'
import type { Storage } from '../storage/connect.ts'
import { systemClock } from '../system-clock.ts'
import { type AddedPlugin, addPlugin, type StandalonePlugin } from './added-plugin.ts'
import { makeStorage } from './make-storage.ts'

/** What a host without the kernel has. */
export interface StandaloneOptions {
  /** Its client stays open. */
  readonly db: Db
  readonly log: FastifyBaseLogger
  /** Default: the time of the machine. */
  readonly clock?: Clock
  /** What the names of jobs and limits begin with, where several such hosts share a database. Default: nothing. */
  readonly namespace?: string
  /** Of tests: `createManualTicker`. Jobs and queues then run when they are told. */
  readonly ticker?: Ticker
  /** Of tests: stands for the outside. */
  readonly outboundMock?: Dispatcher
}

/** Plugins on a database, without config files, pages and guards: those are the app's. */
export interface StandaloneHost {
  /**
   * Adds a plugin, after those that it needs.
   *
   * @throws a KRN_ error that names plugin, field path and remedy
   */
  add(plugin: KeelsonPlugin, options?: StandalonePlugin): void
  /**
   * Makes collections and indexes, runs migrations, and registers the plugins. Call it once, after all of them
   * are added. No job and no queue runs yet.
   *
   * @throws KRN_ errors of the storage, and those of the plugins
   */
  open(): Promise<void>
  /** Jobs and queues: runs them from its `start` on. */
  readonly schedule: Schedule
  /** Ends the work, hands leases back, and closes the plugins, the last first. Never rejects. */
  close(): Promise<void>
}

const DRAIN_MS = 10_000
const CLOSE_MS = 2_000

/** Makes a host for the factories of plugins. Nothing is read or written before `open`. */
export function standaloneHost(options: StandaloneOptions): StandaloneHost {
  const { db, log, clock = systemClock } = options
  const seams = seamsOf(options)
  const states = createPluginStates((text) => text)
  const added: AddedPlugin[] = []
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    for (const { running } of added) running.stop.abort(new Error('the host closes'))
    await seams.schedule.drain(DRAIN_MS)
    for (const { running } of [...added].reverse()) await closePlugin(running, CLOSE_MS)
  }
  return {
    add(plugin, given = {}) {
      const { storage } = seams
      const { outboundMock } = options
      added.push(addPlugin(plugin, given, { added, storage, log, clock, states, outboundMock }))
    },
    async open() {
      await makeStorage(db, added, { clock, log })
      for (const each of added) await each.register(seams)
      for (const each of added) await each.complete()
      await seams.limits.prepare()
    },
    schedule: seams.schedule,
    close() {
      closing ??= close()
      return closing
    }
  }
}

function seamsOf(options: StandaloneOptions): HostSeams & { readonly schedule: Schedule } {
  const { db, log, clock = systemClock, namespace = '', ticker } = options
  const storage: Storage = {
    client: db.client,
    db,
    description: 'the database of the host',
    isReachable: () => true,
    close: async () => undefined
  }
  const limits = openPluginLimits(db, { clock, log })
  const metrics = createMetrics()
  return {
    storage,
    schedule: createSchedule({
      storage,
      clock,
      role: 'all',
      log,
      namespace,
      ...(ticker !== undefined && { ticker })
    }),
    clock,
    capabilities: createCapabilities(),
    viewers: createViewers(() => () => null),
    originRule: { publicOrigin: undefined, embedOrigins: new Set() },
    permissions: new Map(),
    limits: {
      limit: (plugin, name, limit) => limits.limit(namespace + plugin, name, limit),
      prepare: () => limits.prepare()
    },
    redact: (text) => text,
    prefix: '',
    signIn: undefined,
    publicUrl: undefined,
    locale: 'en',
    metricsFor: (plugin) => metrics.forPlugin(plugin)
  }
}
