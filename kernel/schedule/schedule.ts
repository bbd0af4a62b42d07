// Jobs and queues of all plugins: who runs what, when, and how it ends.
import type {
  Clock,
  JobHandler,
  ManifestJob,
  ManifestQueue,
  Queue,
  QueueHandler,
  QueueItem
} from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import type { Collection } from 'mongodb'
import type { Storage } from '../storage/connect.ts'
import type { Ticker } from './ticker.ts'

export type Role = 'all' | 'web' | 'worker'

/** Whose job or queue it is. */
export interface Owner {
  readonly plugin: string
  readonly log: FastifyBaseLogger
}

/** A finished run of a job, or of one item of a queue: for metrics. */
export interface RunReport {
  readonly plugin: string
  readonly kind: 'job' | 'queue'
  readonly name: string
  readonly outcome: 'done' | 'failed' | 'timeout' | 'skipped' | 'parked' | 'returned'
  readonly durationMs: number
}

export interface ScheduleOptions {
  readonly storage: Pick<Storage, 'db'>
  readonly clock: Clock
  readonly role: Role
  readonly log: FastifyBaseLogger
  readonly onRun?: (report: RunReport) => void
  /** The test kit's; default: agenda for jobs of the platform, timers for jobs of each process. */
  readonly ticker?: Ticker
}

export interface Schedule {
  job(owner: Owner, spec: ManifestJob, handler: JobHandler): void
  queue<T extends QueueItem>(
    owner: Owner,
    spec: ManifestQueue,
    collection: Collection<T>,
    handler: QueueHandler<T>
  ): Queue<T>
  /** Starts what the role runs. Everything must have been declared before. */
  start(): Promise<void>
  /** Takes nothing new, waits up to `ms` for what is in hand, then aborts it and hands its leases back. */
  drain(ms: number): Promise<void>
  /** Runs every job and queue item that is due at `now` and waits for them. Needs a manual ticker. */
  runDue(now: Date): Promise<void>
  /** When the next job or item is due; undefined when nothing is waiting. Needs a manual ticker. */
  nextDueAt(): Promise<Date | undefined>
}

export function createSchedule(_options: ScheduleOptions): Schedule {
  throw new Error('createSchedule is not there yet')
}
