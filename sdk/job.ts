// Jobs of a plugin: what their handlers are and get.
import type { FastifyBaseLogger } from 'fastify'

/** A run of a job, or the handling of one item. */
export interface JobRun {
  /** Aborted when the time limit is over or the host closes. */
  readonly signal: AbortSignal
  readonly log: FastifyBaseLogger
}

/** How a job differs from its declaration. */
export interface JobOptions {
  /** An interval from the config, as `15 seconds`, in place of the declared time. */
  readonly every?: string
}

/**
 * Runs never overlap. What it throws is logged and counted, and `/health/plugins` shows it until a run
 * succeeds; the job runs again when it is due.
 */
export type JobHandler = (run: JobRun) => Promise<void> | void
