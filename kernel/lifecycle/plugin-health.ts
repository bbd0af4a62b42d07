// How each plugin is: its state, its health checks, its jobs and queues, its pages.
import {
  type CheckedHealth,
  type Clock,
  type FailingJob,
  type FailingPage,
  type ParkingQueue,
  type PluginHealth,
  within
} from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import type { PageFailures } from '../health/page-failures.ts'
import type { PluginState, PluginStates } from '../health/plugin-state.ts'
import type { ScheduleFailure } from '../schedule/failures.ts'
import type { Schedule } from '../schedule/schedule.ts'
import type { RunningPlugin } from './running-plugin.ts'

/** A plugin as anyone sees it: nothing that a plugin, a page or the machine says. */
export type PublicPluginHealth = PluginState

export interface HealthSources {
  readonly running: readonly RunningPlugin[]
  readonly states: Pick<PluginStates, 'list'>
  readonly schedule: Pick<Schedule, 'failures'>
  readonly pages: Pick<PageFailures, 'list'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

export interface HealthReader {
  /** `isFresh` ignores kept answers. */
  read(isFresh: boolean): Promise<PluginHealth[]>
}

const READ_MS = 2_000
const KEPT_MS = 5_000

/** Reads the health of all plugins. A part that cannot be read is left out; nothing rejects. */
export function createHealthReader(sources: HealthSources): HealthReader {
  const { running, states, pages } = sources
  const failures = createFailureReader(sources)
  return {
    async read(isFresh) {
      const [failed, checks] = await Promise.all([
        failures(isFresh),
        Promise.all(running.map((each) => checksOf(each, isFresh)))
      ])
      const checked = new Map(running.map(({ plugin }, at) => [plugin.id, checks[at] ?? []]))
      return states.list().map((state) => {
        const checks = checked.get(state.id) ?? []
        return healthOf(state, {
          checks,
          failed: ownOf(failed, state.id),
          pages: pages.list(state.id)
        })
      })
    }
  }
}

const ownOf = (failed: readonly ScheduleFailure[], id: string) =>
  failed.filter(({ plugin }) => plugin === id)

function checksOf({ probes, status }: RunningPlugin, isFresh: boolean): Promise<CheckedHealth[]> {
  if (status.downReason !== undefined) return Promise.resolve([])
  return Promise.all([...probes.values()].map((probe) => probe.read(isFresh)))
}

/** One read of the database serves everyone who asks within a few seconds. */
function createFailureReader({ schedule, clock, log }: HealthSources) {
  let known: readonly ScheduleFailure[] = []
  let knownAt = Number.NEGATIVE_INFINITY
  let reading: Promise<readonly ScheduleFailure[]> | undefined
  const overdue = () => new Error(`no answer within ${READ_MS} ms`)
  const read = async () => {
    try {
      known = await within(schedule.failures(), { deadline: { ms: READ_MS, overdue } })
    } catch (error) {
      log.debug({ err: error }, 'the failures of jobs and queues could not be read')
    }
    knownAt = clock.now().getTime()
    return known
  }
  return (isFresh: boolean): Promise<readonly ScheduleFailure[]> => {
    const age = clock.now().getTime() - knownAt
    if (!isFresh && age >= 0 && age < KEPT_MS) return Promise.resolve(known)
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}

/** What is looked up beside the state of a plugin. */
export interface HealthParts {
  readonly checks?: readonly CheckedHealth[]
  readonly failed?: readonly ScheduleFailure[]
  readonly pages?: readonly FailingPage[]
}

/** A plugin that is ready is degraded as long as anything of it is not as it should be. */
export function healthOf(
  state: PluginState,
  { checks = [], failed = [], pages = [] }: HealthParts
): PluginHealth {
  const jobs = failed.filter(({ kind }) => kind === 'job').map(failingJob)
  const queues = failed.filter(({ kind }) => kind === 'queue').map(parkingQueue)
  const isSound =
    failed.length === 0 && pages.length === 0 && checks.every((check) => check.state === 'ok')
  return {
    ...state,
    ...(state.state === 'ready' && !isSound && { state: 'degraded' as const }),
    ...(checks.length > 0 && { checks }),
    ...(jobs.length > 0 && { jobs }),
    ...(queues.length > 0 && { queues }),
    ...(pages.length > 0 && { pages })
  }
}

const times = ({ since, lastAt }: ScheduleFailure) => ({
  since: since.toISOString(),
  lastAt: lastAt.toISOString()
})

const failingJob = (failure: ScheduleFailure): FailingJob => ({
  name: failure.name,
  failures: failure.count,
  reason: failure.reason,
  ...times(failure)
})

const parkingQueue = (failure: ScheduleFailure): ParkingQueue => ({
  name: failure.name,
  parked: failure.count,
  reason: failure.reason,
  ...times(failure)
})

const NOT_ALL_WORKS = 'Not all of it works.'
const SIGN_IN = 'Sign in as an admin to see the reason, or read the log of the host.'

/**
 * What anyone may read. A plugin that failed or is degraded says why in its own words, which may name
 * files and addresses; one that is disabled, in the words of the kernel.
 */
export function publicForm({ id, version, ...health }: PluginHealth): PublicPluginHealth {
  const { state, phase, code, reason, remedy } = health
  const named = { ...(phase !== undefined && { phase }), ...(code !== undefined && { code }) }
  switch (state) {
    case 'starting':
    case 'ready':
      return { id, version, state }
    case 'disabled':
      return { id, version, state, ...named, ...shown(reason, remedy) }
    case 'failed':
      return { id, version, state, ...named, ...shown(`It failed in the phase ${phase}.`, SIGN_IN) }
    case 'degraded':
      return { id, version, state, ...named, ...shown(NOT_ALL_WORKS, SIGN_IN) }
  }
}

const shown = (reason: string | undefined, remedy: string | undefined) => ({
  ...(reason !== undefined && { reason }),
  ...(remedy !== undefined && { remedy })
})
