// Jobs and queues of all plugins: who runs what, when, and how it ends.
import { setMaxListeners } from 'node:events'
import type {
  BatchHandler,
  Clock,
  JobHandler,
  ManifestJob,
  ManifestQueue,
  Queue,
  QueueHandler,
  QueueItem,
  RegisteredJob
} from '@keelson/sdk'
import { openLeases, settledWithin } from '@keelson/sdk'
import { CUT_GRACE_MS } from '@keelson/sdk/queue'
import type { FastifyBaseLogger } from 'fastify'
import type { Collection } from 'mongodb'
import { errors } from '../errors/errors.ts'
import type { Role } from '../role.ts'
import type { Storage } from '../storage/connect.ts'
import { createAgendaTicker } from './agenda-ticker.ts'
import { startDeadline } from './deadline.ts'
import {
  createFailures,
  type Failures,
  type ScheduledPart,
  type ScheduleFailure
} from './failures.ts'
import { createJob, type JobResult, type JobRunner } from './job.ts'
import { createQueue, type PluginQueue } from './plugin-queue.ts'
import { createProcessTicker } from './process-ticker.ts'
import type { Owner, RunReport } from './run-report.ts'
import type { ManualTicker, Tick, Ticker } from './ticker.ts'

export interface ScheduleOptions {
  readonly storage: Pick<Storage, 'db'>
  readonly clock: Clock
  readonly role: Role
  readonly log: FastifyBaseLogger
  readonly onRun?: (report: RunReport) => void
  /** Strikes secrets out of the reasons of failures. */
  readonly redact?: (text: string) => string
  /** The test kit's. Default: agenda for jobs of the platform, timers for jobs of each process. */
  readonly ticker?: Ticker
  /** What the names of jobs begin with in the database, where several hosts share one. Default: nothing. */
  readonly namespace?: string
}

/** Which queues a call is about. */
export interface QueueChoice {
  /** Left out, each as `<plugin>/<queue>`. */
  readonly without?: readonly string[]
}

export interface Schedule {
  /** Throws KRN_JOB_CRON. */
  job(owner: Owner, spec: ManifestJob, handler: JobHandler): RegisteredJob
  queue<T extends QueueItem>(
    owner: Owner,
    spec: ManifestQueue,
    collection: Collection<T>,
    handler: QueueHandler<T> | BatchHandler<T>
  ): Queue<T>
  /** Forgets the jobs and queues of a plugin that failed before the start. */
  withdraw(plugin: string): void
  /** Starts what the role runs. Everything must have been declared before. */
  start(): Promise<void>
  /**
   * Takes nothing new, waits for what is in hand, then aborts it and hands its leases back. Resolves
   * within `ms` (at least 2,000), whatever handlers do.
   */
  drain(ms: number): Promise<void>
  /** Jobs whose last run failed, and queues that parked items within a day, of all processes. */
  failures(): Promise<ScheduleFailure[]>
  /**
   * Runs a job once now, within its time, and never beside another run of it that it excludes: undefined
   * when one is in hand, here or in another process.
   *
   * @throws KRN_JOB_UNKNOWN
   */
  runJob(plugin: string, name: string): Promise<JobResult | undefined>
  /** Runs every job and queue item that is due now and waits for them. Throws KRN_TICKER_REAL. */
  runDue(now: Date): Promise<void>
  /** The jobs, for a ticker of the caller's own. */
  ticks(): readonly Tick[]
  /** Runs every queue item that is due now and waits for it. */
  runQueues(choice?: QueueChoice): Promise<void>
  /** When the next queue item is due; undefined when none waits. */
  queuesDueAt(choice?: QueueChoice): Promise<Date | undefined>
  /** When the next job or item is due; undefined when nothing waits. Throws KRN_TICKER_REAL. */
  nextDueAt(): Promise<Date | undefined>
}

/** Time kept back from a drain for writing what was cut. */
const HAND_BACK_MS = 1_000

const MANY_LISTENERS = 10_000

/** Makes the schedule of a process. Nothing runs before `start`. */
export function createSchedule(options: ScheduleOptions): Schedule {
  const { clock, role, log, redact = (text) => text } = options
  const cut = new AbortController()
  // Every run in hand listens to it. Not 0: Node 20 then throws when fetch asks for the limit.
  setMaxListeners(MANY_LISTENERS, cut.signal)
  const { db } = options.storage
  const failures = createFailures({ db, clock, log, redact })
  const lease = openLeases({ db, clock, owner: `${options.namespace ?? ''}kernel` })
  const seams = { clock, cut: cut.signal, onRun: options.onRun ?? (() => {}), failures, lease }
  const jobs: JobRunner[] = []
  const queues: PluginQueue[] = []
  const names = new Map<PluginQueue, string>()
  const parts: ScheduledPart[] = []
  const owners = new Map<JobRunner | PluginQueue, string>()
  const tickers = openTickers(options)
  const isWorker = role !== 'web'
  const manual = () => manualOf(options.ticker)
  const worked = ({ without = [] }: QueueChoice = {}): readonly PluginQueue[] =>
    isWorker ? queues.filter((queue) => !without.includes(names.get(queue) ?? '')) : []

  return {
    job(owner, spec, handler) {
      const job = createJob(owner, spec, handler, seams)
      owners.set(job, owner.plugin)
      parts.push(job.part)
      jobs.push(job)
      return registered(job, failures)
    },
    queue(owner, spec, collection, handler) {
      const { queue, worker } = createQueue(owner, spec, collection, handler, seams)
      owners.set(worker, owner.plugin)
      names.set(worker, `${owner.plugin}/${spec.name}`)
      parts.push({ plugin: owner.plugin, kind: 'queue', name: spec.name })
      queues.push(worker)
      return queue
    },
    withdraw(plugin) {
      const stays = (each: JobRunner | PluginQueue) => owners.get(each) !== plugin
      jobs.splice(0, jobs.length, ...jobs.filter(stays))
      queues.splice(0, queues.length, ...queues.filter(stays))
      parts.splice(0, parts.length, ...parts.filter((part) => part.plugin !== plugin))
    },
    async start() {
      const mine = jobs
        .map((job) => job.tick)
        .filter((tick) => isWorker || tick.scope === 'process')
      await tickers.start(mine)
      if (!isWorker || options.ticker !== undefined) return
      for (const queue of queues) queue.start()
    },
    failures: () => failures.list(parts),
    runJob: (plugin, name) => jobOf(jobs, plugin, name).runOnce(),
    drain: (ms) => drain({ jobs, queues, tickers, cut, log }, ms),
    async runDue(now) {
      const ticker = manual()
      await ticker.runDue(now)
      await Promise.all(worked().map((queue) => queue.runDue()))
    },
    ticks: () => jobs.map((job) => job.tick),
    async runQueues(choice) {
      await Promise.all(worked(choice).map((queue) => queue.runDue()))
    },
    async queuesDueAt(choice) {
      return earliest(await Promise.all(worked(choice).map((queue) => queue.nextDueAt())))
    },
    async nextDueAt() {
      const job = manual().nextDueAt()
      return earliest([job, ...(await Promise.all(worked().map((queue) => queue.nextDueAt())))])
    }
  }
}

function jobOf(jobs: readonly JobRunner[], plugin: string, name: string): JobRunner {
  const job = jobs.find(({ part }) => part.plugin === plugin && part.name === name)
  if (job === undefined) throw errors.KRN_JOB_UNKNOWN({ plugin, job: name })
  return job
}

const registered = (job: JobRunner, failures: Failures): RegisteredJob => ({
  run: async () => void (await job.runOnce()),
  failures: async () => (await failures.list([job.part]))[0]
})

function earliest(times: readonly (Date | undefined)[]): Date | undefined {
  const known = times.filter((time) => time !== undefined).map((time) => time.getTime())
  return known.length === 0 ? undefined : new Date(Math.min(...known))
}

interface InHand {
  readonly jobs: readonly JobRunner[]
  readonly queues: readonly PluginQueue[]
  readonly tickers: Ticker
  readonly cut: AbortController
  readonly log: FastifyBaseLogger
}

async function drain({ jobs, queues, tickers, cut, log }: InHand, ms: number): Promise<void> {
  const timeLeft = startDeadline(ms)
  const within = (work: Promise<unknown>, marginMs: number) =>
    settledWithin(
      work.catch((error) => log.warn({ err: error }, 'a step of the drain failed')),
      Math.max(timeLeft() - marginMs, 0)
    )
  const idle = () => Promise.all([...jobs, ...queues].map((each) => each.idle()))
  for (const queue of queues) queue.stop()
  await within(tickers.stop(), HAND_BACK_MS + CUT_GRACE_MS)
  await within(idle(), HAND_BACK_MS + CUT_GRACE_MS)
  cut.abort(new Error('the host closes'))
  await within(idle(), 0)
  // A run that has ended still gives its lock back.
  await within(tickers.settle?.() ?? Promise.resolve(), 0)
}

/** @throws KRN_TICKER_REAL */
function manualOf(ticker: Ticker | undefined): ManualTicker {
  if (ticker !== undefined && isManual(ticker)) return ticker
  throw errors.KRN_TICKER_REAL()
}

function isManual(ticker: Ticker): ticker is ManualTicker {
  return 'runDue' in ticker
}

/** A tick by the name that it has in the database. */
const storedTick =
  ({ namespace = '' }: ScheduleOptions) =>
  (tick: Tick): Tick => ({ ...tick, name: `${namespace}${tick.name}` })

/** One ticker for everything, or each job by its scope. */
function openTickers(options: ScheduleOptions): Ticker {
  if (options.ticker !== undefined) return options.ticker
  const platform = createAgendaTicker({ db: options.storage.db, log: options.log })
  const own = createProcessTicker(options.clock)
  return {
    async start(ticks) {
      const shared = ticks.filter((tick) => tick.scope === 'platform')
      await platform.start(shared.map(storedTick(options)))
      await own.start(ticks.filter((tick) => tick.scope === 'process'))
    },
    async stop() {
      await Promise.all([platform.stop(), own.stop()])
    },
    settle: async () => platform.settle?.()
  }
}
