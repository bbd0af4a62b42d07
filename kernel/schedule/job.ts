// One job in one process: runs its handler within its time, and never more of them than allowed.
import type { JobHandler, ManifestJob, TakeLease } from '@keelson/sdk'
import { type Outcome, startRun } from '@keelson/sdk/queue'
import { parseCron, parseEvery } from '@keelson/sdk/schedule'
import type { FastifyBaseLogger } from 'fastify'
import { errors } from '../errors/errors.ts'
import type { Failures, ScheduledPart } from './failures.ts'
import type { Owner, RunReport } from './run-report.ts'
import type { Tick, TickTimes } from './ticker.ts'

export interface JobSeams {
  readonly cut: AbortSignal
  readonly onRun: (report: RunReport) => void
  readonly failures: Pick<Failures, 'failed' | 'succeeded'>
  /** Of the kernel: a job with one place on the platform runs under it, whether a ticker or a person begins it. */
  readonly lease: TakeLease
}

/** How one run of a job ended. */
export interface JobResult {
  readonly outcome: Outcome
  readonly durationMs: number
}

export interface JobRunner {
  readonly part: ScheduledPart
  readonly tick: Tick
  /** Runs it now; undefined when it runs as often as it may, here or in another process. */
  runOnce(): Promise<JobResult | undefined>
  /** Resolves when no run is in hand. */
  idle(): Promise<void>
}

const DEFAULT_TIMEOUT_S = 60
/** When a process dies, its jobs go on elsewhere after it. */
const LEASE_S = 6
/**
 * A handler that ignores its signal keeps its place, so that runs do not overlap, but not for ever: a
 * promise that never settles must not end the job.
 */
const GIVE_UP_TIMEOUTS = 10

/** What one run needs. */
interface JobParts {
  readonly part: ScheduledPart
  readonly handler: JobHandler
  readonly seconds: number
  readonly log: FastifyBaseLogger
  readonly seams: JobSeams
}

/** Throws KRN_JOB_CRON when the times cannot be read. */
export function createJob(
  owner: Owner,
  spec: ManifestJob,
  handler: JobHandler,
  seams: JobSeams
): JobRunner {
  const { plugin } = owner
  const { name, timeout: seconds = DEFAULT_TIMEOUT_S, concurrency = 1, runsIn = 'worker' } = spec
  const log = owner.log.child({ job: name })
  const scope = runsIn === 'all' ? 'process' : 'platform'
  const part: ScheduledPart = { plugin, kind: 'job', name, isOwnOfProcess: scope === 'process' }
  const places = new Set<Promise<void>>()
  const isFull = () => places.size >= concurrency
  const isExclusive = scope === 'platform' && concurrency === 1
  const take = (onResult: (result: JobResult) => void): Promise<void> => {
    const parts = { part, handler, seconds, log, seams }
    const place = isExclusive ? runAlone(parts, onResult) : runHandler(parts, onResult)
    places.add(place)
    return place.finally(() => places.delete(place))
  }

  const run = async (): Promise<void> => {
    if (seams.cut.aborted) return
    if (isFull()) {
      seams.onRun({ plugin, kind: 'job', name, outcome: 'skipped', durationMs: 0 })
      log.warn('the job is due again and its last run is still at work')
      return
    }
    const place = take(() => {})
    // Nor does the ticker begin it again meanwhile.
    if (concurrency === 1) await place
  }
  return {
    part,
    tick: { name: `${plugin}/${name}`, times: timesOf(plugin, spec), scope, run },
    async runOnce() {
      if (seams.cut.aborted || isFull()) return undefined
      return new Promise((resolve, reject) => take(resolve).then(() => resolve(undefined), reject))
    },
    async idle() {
      await Promise.all(places)
    }
  }
}

/** Does nothing when it runs in another process. */
async function runAlone(parts: JobParts, onResult: (result: JobResult) => void): Promise<void> {
  const { part, seams } = parts
  const name = `job/${part.plugin}/${part.name}`
  const options = { seconds: LEASE_S, signal: seams.cut }
  await seams.lease(name, options, ({ signal }) =>
    runHandler({ ...parts, seams: { ...seams, cut: signal } }, onResult)
  )
}

/** Resolves when the handler has really ended, or was given up; calls back with the result before. */
async function runHandler(
  { part, handler, seconds, log, seams }: JobParts,
  onResult: (result: JobResult) => void
): Promise<void> {
  const { plugin, name } = part
  const startedAt = performance.now()
  const timeoutError = () => errors.KRN_RUN_TIMEOUT({ plugin, kind: 'job', name, seconds })
  const run = startRun({ seconds, log, cut: seams.cut, timeoutError }, handler)
  const outcome = await run.outcome
  const durationMs = performance.now() - startedAt
  if ('error' in outcome) log.error({ err: outcome.error }, 'the job failed')
  await noteOutcome(seams.failures, part, outcome)
  seams.onRun({ plugin, kind: 'job', name, outcome: outcome.kind, durationMs })
  onResult({ outcome, durationMs })
  if (outcome.kind === 'timeout') await endOf(run.ended, seconds, seams.cut)
}

/** A run that the close cut short says nothing about the job. */
async function noteOutcome(
  failures: JobSeams['failures'],
  part: ScheduledPart,
  outcome: Outcome
): Promise<void> {
  if (outcome.kind === 'done') await failures.succeeded(part)
  else if ('error' in outcome) await failures.failed(part, outcome.error)
}

/** Waits for a handler that has outlived its time, until it ends, is given up, or the host closes. */
async function endOf(ended: Promise<void>, timeout: number, cut: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, timeout * 1000 * GIVE_UP_TIMEOUTS)
    const stop = () => {
      clearTimeout(timer)
      resolve()
    }
    if (cut.aborted) stop()
    else cut.addEventListener('abort', stop, { once: true })
    void ended.then(stop)
  })
}

function timesOf(plugin: string, spec: ManifestJob): TickTimes {
  const { every, cron, name } = spec
  const intervalMs = every === undefined ? undefined : parseEvery(every)
  if (intervalMs !== undefined) return { kind: 'every', intervalMs }
  const expression = cron ?? every ?? ''
  const result = parseCron(expression)
  if (result.ok) return { kind: 'cron', expression, cron: result.cron }
  throw errors.KRN_JOB_CRON({ plugin, job: name, cron: expression, reason: result.reason })
}
