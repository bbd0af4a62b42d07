// Which plugin a job or queue belongs to, and how a run of it ended.
import type { FastifyBaseLogger } from 'fastify'

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
  /**
   * `failed`: an item that is tried again. `skipped`: the last run of the job was still at work.
   * `returned`: cut by the close of the host.
   */
  readonly outcome: 'done' | 'failed' | 'timeout' | 'skipped' | 'parked' | 'returned'
  readonly durationMs: number
}
