// A host without the kernel: plugins on a database, with routers that the app of the host registers.
import { type Clock, definitionOf, type Host, type KeelsonPlugin } from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from 'mongodb'
import type { Dispatcher } from 'undici'
import { endLostWrites } from '../fastify-internals/driver-writes.ts'
import { openPluginLimits, type PluginLimits } from '../guards/limits.ts'
import { createViewers } from '../guards/viewer.ts'
import { createMetrics } from '../health/metrics.ts'
import { createPluginStates } from '../health/plugin-state.ts'
import { closePlugin } from '../lifecycle/close.ts'
import type { HostSeams } from '../lifecycle/host.ts'
import { createCapabilities } from '../platform/capabilities.ts'
import { createManualTicker } from '../schedule/manual-ticker.ts'
import { createSchedule, type Schedule } from '../schedule/schedule.ts'
import type { ManualTicker } from '../schedule/ticker.ts'
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
  /** What the names of jobs, limits and collections begin with, where several such hosts share a database. Default: nothing. */
  readonly namespace?: string
  /** Of tests: stands for the outside. */
  readonly outboundMock?: Dispatcher
}

/** What a call leaves out, each as `<plugin>/<job or queue>`. */
export interface DueChoice {
  readonly without?: readonly string[]
}

/** Plugins on a database, without config files, pages and guards: those are the app's. */
export interface StandaloneHost {
  /**
   * Adds a plugin, after those that it needs. The answer is the host that its `register` gets, for factories that
   * make something of it before the host opens. A plugin that was added before answers the host that it has.
   *
   * @throws a KRN_ error that names plugin, field path and remedy
   */
  add(plugin: KeelsonPlugin, options?: StandalonePlugin): Host
  /**
   * Makes collections and indexes, runs migrations, and registers the plugins that were added. No job and no queue
   * runs yet. Call it again after a failure, or for plugins that were added later.
   *
   * @throws KRN_ errors of the storage, and those of the plugins
   */
  open(): Promise<void>
  /** Runs jobs and queues in this process, until `close`. */
  start(): Promise<void>
  /** Runs a job once now, unless another process is at it. Throws KRN_JOB_UNKNOWN. */
  runJob(plugin: string, job: string): Promise<void>
  /** For tests: runs the jobs and queue items that are due by the clock, and waits for them. */
  runDue(choice?: DueChoice): Promise<void>
  /** When the next item of a queue is due; undefined when none waits. */
  queuesDueAt(choice?: DueChoice): Promise<Date | undefined>
  /** Ends the work, hands leases back, and closes the plugins, the last first. Never rejects. */
  close(): Promise<void>
}

/** Runs the jobs that are due by a clock which tests move; each keeps its own time. */
function jobsByHand(schedule: Schedule, clock: Clock) {
  let jobs: readonly (readonly [string, ManualTicker])[] | undefined
  const open = (): readonly (readonly [string, ManualTicker])[] =>
    schedule.ticks().map((tick) => {
      const ticker = createManualTicker(clock)
      void ticker.start([tick])
      return [tick.name, ticker]
    })
  return async ({ without = [] }: DueChoice): Promise<void> => {
    jobs ??= open()
    const wanted = jobs.filter(([name]) => !without.includes(name))
    await Promise.all(wanted.map(([, ticker]) => ticker.runDue(clock.now())))
  }
}

const DRAIN_MS = 10_000
const CLOSE_MS = 2_000

/** Makes a host for the factories of plugins. Nothing is read or written before `open`. */
export function standaloneHost(options: StandaloneOptions): StandaloneHost {
  const { db, log, clock = systemClock, outboundMock } = options
  endLostWrites()
  const seams = seamsOf(options)
  const { schedule } = seams
  const byHand = jobsByHand(schedule, clock)
  const states = createPluginStates((text) => text)
  const added: AddedPlugin[] = []
  let opening: Promise<void> | undefined
  let closing: Promise<void> | undefined
  const openAdded = async (): Promise<void> => {
    const closed = added.filter(({ isComplete }) => !isComplete)
    if (closed.length === 0) return
    await makeStorage(db, closed, { clock, log })
    for (const each of closed) await each.register()
    for (const each of closed) await each.complete()
    await seams.limits.prepare()
  }
  const close = async (): Promise<void> => {
    for (const { running } of added) running.stop.abort(new Error('the host closes'))
    await schedule.drain(DRAIN_MS)
    for (const { running } of [...added].reverse()) await closePlugin(running, CLOSE_MS)
  }
  return {
    add(plugin, given = {}) {
      const known = added.find(({ running }) => running.plugin.definition === definitionOf(plugin))
      if (known !== undefined) return known.host
      const one = addPlugin(plugin, given, { added, host: seams, log, states, outboundMock })
      added.push(one)
      return one.host
    },
    open() {
      opening ??= openAdded().finally(() => {
        opening = undefined
      })
      return opening
    },
    start: () => schedule.start(),
    async runJob(plugin, job) {
      await schedule.runJob(plugin, job)
    },
    async runDue(choice = {}) {
      await byHand(choice)
      await schedule.runQueues(choice)
    },
    queuesDueAt: (choice) => schedule.queuesDueAt(choice),
    close() {
      closing ??= close()
      return closing
    }
  }
}

/** Limits that may also be asked for when the host is open: their index is made then. */
function limitsAtAnyTime(limits: PluginLimits, namespace: string): PluginLimits {
  let isOpen = false
  let isPrepared = false
  return {
    limit(plugin, name, options) {
      const limit = limits.limit(namespace + plugin, name, options)
      if (isOpen && !isPrepared) {
        isPrepared = true
        void limits.prepare()
      }
      return limit
    },
    async prepare() {
      isOpen = true
      await limits.prepare()
    }
  }
}

function seamsOf(options: StandaloneOptions): HostSeams & { readonly schedule: Schedule } {
  const { db, log, clock = systemClock, namespace = '' } = options
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
    schedule: createSchedule({ storage, clock, role: 'all', log, namespace }),
    clock,
    capabilities: createCapabilities(),
    viewers: createViewers(() => () => null),
    originRule: { publicOrigin: undefined, embedOrigins: new Set() },
    permissions: new Map(),
    limits: limitsAtAnyTime(limits, namespace),
    redact: (text) => text,
    prefix: '',
    signIn: undefined,
    publicUrl: undefined,
    locale: 'en',
    namespace,
    metricsFor: (plugin) => metrics.forPlugin(plugin)
  }
}
