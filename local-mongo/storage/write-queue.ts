// One writer: jobs take turns inside shared write transactions, so that one flush serves many.

import { commandError } from '../errors.ts'
import type { Environment } from './environment.ts'
import { isFreeListFault, toStorageError } from './storage-error.ts'
import type { View, WriteView } from './view.ts'

/** What a turn of a job leaves: its result, more work, or a wait. */
export type Turn<P, T> =
  | { readonly done: T }
  | { readonly progress: P }
  /** Nothing more can be done until the promise settles or the time is over. */
  | { readonly progress: P; readonly waitFor: Promise<unknown>; readonly untilMs?: number }

/**
 * A piece of writing. `turn` is given the progress of the last committed turn and does a bounded
 * amount of work; it may be run again from the same progress when a transaction had to be undone.
 * A throw with `isExpected` keeps what the turn has written so far.
 */
export interface Job<S, P, T> {
  readonly start: P
  turn(scope: S, progress: P): Turn<P, T>
}

/** How the queue makes and ends the scope that the jobs of one transaction share. */
export interface ScopeMaker<S> {
  /** Called at the begin of each transaction. */
  open(view: WriteView): S
  /** Writes what the scope has gathered; still inside the transaction. */
  finish(scope: S): void
  /** After the commit: makes the changes visible in memory. */
  publish(scope: S): void
}

export interface WriteQueueOptions<S> {
  readonly environment: Environment
  readonly scopes: ScopeMaker<S>
  /** True for errors that belong to one statement and leave the store whole. */
  readonly isExpected: (error: unknown) => boolean
  /** A transaction takes no further job after so many milliseconds. Default 12. */
  readonly sliceMs?: number
}

interface Waiting<S> {
  readonly job: Job<S, unknown, unknown>
  progress: unknown
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A job's turn, to be settled once the commit has succeeded. */
interface Taken<S> {
  readonly waiting: Waiting<S>
  readonly turn: Turn<unknown, unknown> | undefined
  readonly error: unknown
}

const DEFAULT_SLICE_MS = 12
/** A job whose commit failed on the list of free pages is done again so often, after the file was opened anew. */
const MOST_ATTEMPTS = 3

/** The queue: one transaction at a time, each with as many jobs as fit its slice. */
export class WriteQueue<S> {
  readonly #options: WriteQueueOptions<S>
  readonly #queue: Waiting<S>[] = []
  readonly #quiet: (() => void)[] = []
  #running: Promise<void> | undefined
  #parked = 0
  /** True from the first change of a transaction until its commit has been told. */
  #isHalfWay = false
  #isClosed = false

  constructor(options: WriteQueueOptions<S>) {
    this.#options = options
  }

  /** Resolves with the job's result once the transaction with its last turn is on disk. */
  run<P, T>(job: Job<S, P, T>): Promise<T> {
    return this.#add(job, (waiting) => this.#queue.push(waiting))
  }

  /** As `run`, before all jobs that wait. */
  runFirst<P, T>(job: Job<S, P, T>): Promise<T> {
    return this.#add(job, (waiting) => this.#queue.unshift(waiting))
  }

  #add<P, T>(job: Job<S, P, T>, enqueue: (waiting: Waiting<S>) => void): Promise<T> {
    if (this.#isClosed) {
      return Promise.reject(commandError('ShutdownInProgress', 'The database is being closed'))
    }
    return new Promise<T>((resolve, reject) => {
      enqueue({
        job: job as unknown as Job<S, unknown, unknown>,
        progress: job.start,
        resolve: resolve as (result: unknown) => void,
        reject
      })
      this.#pump()
    })
  }

  /** Runs `act` at once, or right after the commit under way: nothing is half-way then. */
  whenQuiet<T>(act: (view: View) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = () => {
        try {
          resolve(act(this.#options.environment.live))
        } catch (error) {
          reject(error)
        }
      }
      if (this.#isHalfWay) this.#quiet.push(run)
      else run()
    })
  }

  /** Resolves when all that was asked for is done; nothing can be added then. */
  async close(): Promise<void> {
    this.#isClosed = true
    while (this.#running !== undefined || this.#parked > 0) {
      await this.#running
      if (this.#parked > 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  #pump(): void {
    this.#running ??= this.#drain()
  }

  async #drain(): Promise<void> {
    // Jobs of the same event turn are to share the first transaction.
    await undefined
    while (this.#queue.length > 0) {
      await this.#commit(this.#queue)
      for (const act of this.#quiet.splice(0)) act()
    }
    this.#running = undefined
  }

  #takeTurn(scope: S, waiting: Waiting<S>): Taken<S> {
    try {
      return { waiting, turn: waiting.job.turn(scope, waiting.progress), error: undefined }
    } catch (error) {
      if (!this.#options.isExpected(error)) throw error
      return { waiting, turn: undefined, error }
    }
  }

  /** One transaction over what is queued when it begins. */
  async #commit(jobs: Waiting<S>[], attempt = 1): Promise<void> {
    const { environment, scopes, sliceMs = DEFAULT_SLICE_MS } = this.#options
    const taken: Taken<S>[] = []
    const begun: Waiting<S>[] = []
    let scope: S | undefined
    try {
      await environment.write((view) => {
        this.#isHalfWay = true
        const start = performance.now()
        scope = scopes.open(view)
        for (let next = jobs.shift(); next !== undefined; next = jobs.shift()) {
          begun.push(next)
          taken.push(this.#takeTurn(scope, next))
          if (performance.now() - start > sliceMs) break
        }
        scopes.finish(scope)
      })
    } catch (error) {
      this.#isHalfWay = false
      // A transaction that could not begin has taken nothing: then all that wait fail.
      if (begun.length === 0) begun.push(...jobs.splice(0))
      await this.#recover(begun, scope === undefined ? MOST_ATTEMPTS : attempt, error)
      return
    }
    this.#isHalfWay = false
    scopes.publish(scope as S)
    for (const each of taken) this.#settle(each)
  }

  /** The transaction is undone. Jobs that shared it are done again one by one: only the guilty fails. */
  async #recover(begun: Waiting<S>[], attempt: number, cause: unknown): Promise<void> {
    const isLast = attempt === MOST_ATTEMPTS
    if (!isLast && begun.length > 1) {
      for (const waiting of begun) await this.#commit([waiting])
      return
    }
    const error = await toStorageError(cause)
    if (!isLast && isFreeListFault(error)) {
      this.#options.environment.reopen()
      await this.#commit(begun, attempt + 1)
      return
    }
    for (const waiting of begun) waiting.reject(error)
  }

  #settle({ waiting, turn, error }: Taken<S>): void {
    if (turn === undefined) waiting.reject(error)
    else if ('done' in turn) waiting.resolve(turn.done)
    else {
      waiting.progress = turn.progress
      if ('waitFor' in turn) this.#park(waiting, turn.waitFor, turn.untilMs)
      else this.#queue.push(waiting)
    }
  }

  #park(waiting: Waiting<S>, waitFor: Promise<unknown>, untilMs: number | undefined): void {
    let timer: NodeJS.Timeout | undefined
    let isBack = false
    this.#parked++
    const back = () => {
      if (isBack) return
      isBack = true
      this.#parked--
      clearTimeout(timer)
      this.#queue.push(waiting)
      this.#pump()
    }
    if (untilMs !== undefined) timer = setTimeout(back, Math.max(0, untilMs - Date.now()))
    waitFor.then(back, back)
  }
}
