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
  /** Seconds that a run may take, in place of the declared ones. */
  readonly timeout?: number
  /**
   * One of several jobs by a declaration with `inParts`: kebab-case. It has its own time
   * and its own failures, and is named `<job>.<part>` in logs, metrics and `keelson job run`.
   */
  readonly part?: string
}

/** Failed runs of a job, in a row. */
export interface JobFailures {
  readonly count: number
  /** Of the last one, without secrets. */
  readonly reason: string
  readonly since: Date
  readonly lastAt: Date
}

/** A job that was given its code. */
export interface RegisteredJob {
  /** Runs it at once, unless it is at work, here or in another process. Resolves when the run ends or its time is over. */
  run(): Promise<void>
  /** Undefined when its last run succeeded. In any process, wherever it runs. */
  failures(): Promise<JobFailures | undefined>
}

/**
 * Runs never overlap. What it throws is logged and counted, and `/health/plugins` shows it until a run
 * succeeds; the job runs again when it is due.
 */
export type JobHandler = (run: JobRun) => Promise<void> | void
