// One health check of a plugin: run within its time, its answer kept for a while.
import { type CheckedHealth, type Clock, type Health, type HealthCheck, within } from '@keelson/sdk'
import { reasonOf } from '@keelson/sdk/queue'
import type { FastifyBaseLogger } from 'fastify'
import { errors } from '../errors/errors.ts'

export interface HealthProbe {
  /** Never rejects. `isFresh` ignores a kept answer. */
  read(isFresh: boolean): Promise<CheckedHealth>
}

export interface ProbeOptions {
  readonly plugin: string
  readonly name: string
  readonly check: HealthCheck
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** Aborted when the plugin is to stop. */
  readonly stop: AbortSignal
  redact(text: string): string
  /** Milliseconds that a run may take. Default 5,000. */
  readonly limitMs?: number
}

const LIMIT_MS = 5_000
/** So long is an answer kept, so that an address that anyone may read stays cheap. */
const KEPT_MS = 10_000
const STATES: ReadonlySet<unknown> = new Set<Health['state']>(['ok', 'degraded', 'failing'])

export function createProbe(options: ProbeOptions): HealthProbe {
  const { name, clock, log, stop } = options
  let last: { readonly health: CheckedHealth; readonly at: Date } | undefined
  let running: Promise<CheckedHealth> | undefined
  const runOnce = createRun(options)
  const run = async () => {
    const found = await runOnce()
    const at = clock.now()
    const health = { name, ...found, checkedAt: at.toISOString() }
    const before = last?.health.state ?? 'ok'
    last = { health, at }
    if (health.state !== before && !stop.aborted) logChange(log, health)
    return health
  }
  return {
    read(isFresh) {
      if (!isFresh && last !== undefined && isKept(last.at, clock.now())) {
        return Promise.resolve(last.health)
      }
      running ??= run().finally(() => {
        running = undefined
      })
      return running
    }
  }
}

function isKept(at: Date, now: Date): boolean {
  const age = now.getTime() - at.getTime()
  return age >= 0 && age < KEPT_MS
}

/** A check that ignores its signal is not started again before it has ended. */
function createRun(options: ProbeOptions): () => Promise<Health> {
  const { plugin, name, check, stop, redact, limitMs = LIMIT_MS } = options
  let isBusy = false
  const overdue = () => errors.KRN_HEALTH_TIMEOUT({ plugin, check: name, seconds: limitMs / 1000 })
  const failing = (error: unknown): Health => ({
    state: 'failing',
    reason: redact(reasonOf(error))
  })
  return async () => {
    if (isBusy) return failing(overdue())
    const ends = new AbortController()
    const signal = AbortSignal.any([stop, ends.signal])
    const free = () => {
      isBusy = false
    }
    isBusy = true
    const work = Promise.resolve().then(() => check({ signal }))
    work.then(free, free)
    try {
      return readAnswer(await within(work, { deadline: { ms: limitMs, overdue }, signal }), options)
    } catch (error) {
      return failing(error)
    } finally {
      ends.abort()
    }
  }
}

function readAnswer(answer: unknown, { plugin, name, redact }: ProbeOptions): Health {
  const { state, reason } = (answer ?? {}) as Partial<Health>
  if (!STATES.has(state)) throw errors.KRN_HEALTH_ANSWER({ plugin, check: name })
  const text = typeof reason === 'string' ? redact(reasonOf(reason)) : undefined
  return { state: state as Health['state'], ...(text !== undefined && { reason: text }) }
}

function logChange(log: FastifyBaseLogger, { name, state, reason }: CheckedHealth): void {
  if (state === 'ok') log.info({ check: name }, 'the health check is ok again')
  else log.warn({ check: name, reason }, `the health check is ${state}`)
}
