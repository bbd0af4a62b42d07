// Agenda as the clock: one recurring tick per job, run by one process of all that share a database.
import { isClientClosed } from '@keelson/sdk'
import { Agenda } from 'agenda'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from 'mongodb'
import { FrugalRepository, JOBS_COLLECTION } from './job-repository.ts'
import type { Tick, Ticker } from './ticker.ts'

/**
 * How long a run holds its lock without a sign of life; it gives three in this time. When a process
 * dies, its jobs go on elsewhere after it. Agenda keeps a timer of half of it, so a long one would
 * also keep a closing process alive.
 */
const LOCK_MS = 6_000
const MIN_POLL_MS = 250
const MAX_POLL_MS = 5_000

export interface AgendaTickerOptions {
  readonly db: Db
  readonly log: FastifyBaseLogger
  /** Default 6,000. */
  readonly lockMs?: number
}

interface ClockParts extends AgendaTickerOptions {
  readonly repository: FrugalRepository
}

/** Makes the ticker of jobs that run once for the whole platform. It keeps the time of the machine. */
export function createAgendaTicker(options: AgendaTickerOptions): Ticker {
  let agenda: Agenda | undefined
  let repository: FrugalRepository | undefined
  return {
    async start(ticks) {
      if (ticks.length === 0) return
      const names = ticks.map((tick) => tick.name)
      repository = new FrugalRepository(options.db, { names, onError: outageLog(options.log) })
      agenda = await declareTicks({ ...options, repository }, ticks)
      await agenda.start()
    },
    async stop() {
      repository?.claimNothing()
      await agenda?.stop(false)
      agenda = undefined
    },
    settle: async () => repository?.settle()
  }
}

/** Writes the documents of the ticks. Nothing runs before the agenda is started. */
async function declareTicks(options: ClockParts, ticks: readonly Tick[]): Promise<Agenda> {
  const { db } = options
  const jobs = db.collection(JOBS_COLLECTION)
  await jobs.createIndex({ name: 1 }, { name: 'by_name', unique: true })
  const agenda = await createAgenda(options, ticks)
  const changed = await changedTicks(db, ticks)
  for (const { tick, isNew } of changed) await declareTick(agenda, db, tick, isNew)
  return agenda
}

async function createAgenda(
  { repository, log, lockMs = LOCK_MS }: ClockParts,
  ticks: readonly Tick[]
): Promise<Agenda> {
  await repository.connect()
  const agenda = new Agenda({
    // Agenda's own backend would make a collection of logs with three indexes.
    backend: { name: 'keelson', repository, ownsConnection: false, connect, disconnect },
    processEvery: pollEvery(ticks),
    maxConcurrency: Math.max(ticks.length, 1)
  })
  agenda.on('error', outageLog(log))
  for (const tick of ticks) {
    agenda.define(
      tick.name,
      async (job) => {
        // A missed sign of life is made up by the next; agenda ends the run when the lock is gone.
        const heartbeat = setInterval(() => void job.touch().catch(() => {}), lockMs / 3).unref()
        try {
          await tick.run()
        } finally {
          clearInterval(heartbeat)
        }
      },
      { concurrency: 1, lockLimit: 1, lockLifetime: lockMs }
    )
  }
  return agenda
}

/** Any time in the past will do. */
const DUE_AT_ONCE = { $set: { nextRunAt: new Date(0) } }

const connect = async () => {}
const disconnect = async () => {}

/** Half the shortest interval: a run that took a moment must not miss its next tick. */
function pollEvery(ticks: readonly Tick[]): number {
  const intervals = ticks.map((tick) =>
    tick.times.kind === 'every' ? tick.times.intervalMs : Number.POSITIVE_INFINITY
  )
  return Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, Math.min(...intervals) / 2))
}

const intervalOf = ({ times }: Tick): number | string =>
  times.kind === 'every' ? times.intervalMs : times.expression

interface ChangedTick {
  readonly tick: Tick
  readonly isNew: boolean
}

/** The ticks that are new or have other times. The plans of the others stay as they are. */
async function changedTicks(db: Db, ticks: readonly Tick[]): Promise<readonly ChangedTick[]> {
  const jobs = db.collection(JOBS_COLLECTION)
  const known = await jobs
    .find({ name: { $in: ticks.map(({ name }) => name) } })
    .project<{ name: string; repeatInterval: unknown }>({ name: 1, repeatInterval: 1 })
    .toArray()
  const intervals = new Map(known.map(({ name, repeatInterval }) => [name, repeatInterval]))
  const isChanged = (tick: Tick) => intervals.get(tick.name) !== intervalOf(tick)
  const kept = ticks.filter((tick) => !isChanged(tick)).map(({ name }) => name)
  // Agenda gives up on a job whose next time it could not work out.
  await jobs.updateMany({ name: { $in: kept }, nextRunAt: null }, DUE_AT_ONCE)
  return ticks.filter(isChanged).map((tick) => ({ tick, isNew: !intervals.has(tick.name) }))
}

/** Writes the document of a tick that is new or has other times. */
async function declareTick(agenda: Agenda, db: Db, tick: Tick, isNew: boolean): Promise<void> {
  await agenda.every(intervalOf(tick), tick.name, undefined, { timezone: 'UTC' })
  if (isNew || tick.times.kind !== 'every') return
  // Agenda keeps the old time, which may be a long old interval ahead.
  await db.collection(JOBS_COLLECTION).updateOne({ name: tick.name }, DUE_AT_ONCE)
}

/** A poll that was on its way while the host closed: the connection is gone because it was closed. */
const isOfTheClose = (error: unknown): boolean =>
  isClientClosed(error) || (error instanceof Error && error.name === 'MongoPoolClosedError')

/** Says once that ticks are missed, and once that they are back: agenda reports every poll. */
function outageLog(log: FastifyBaseLogger): (error: unknown) => void {
  let lastAt = Number.NEGATIVE_INFINITY
  return (error) => {
    if (isOfTheClose(error)) return
    const now = performance.now()
    if (now - lastAt > 60_000) log.warn({ err: error }, 'jobs wait: the database does not answer')
    lastAt = now
  }
}
