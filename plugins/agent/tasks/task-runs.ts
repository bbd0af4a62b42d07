// Runs long tool calls beside the requests that started them, and tells how far they are.
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as later } from 'node:timers/promises'
import type { Clock } from '@keelson/sdk'
import type { FastifyBaseLogger } from 'fastify'
import type { TaskFault, TaskRow } from './task-row.ts'
import { ALIVE_MS, stopped, type TaskStore } from './task-store.ts'

/** The longest that a task and its result are kept, and the default. */
export const MOST_KEPT_MS = 3_600_000
/** How often a client should ask. */
export const POLL_MS = 1000
/** A client that asks for less has a chance to fetch the result. */
const LEAST_KEPT_MS = 60_000
const SIGN_OF_LIFE_MS = 5000
/** Larger results are not kept: a row has 16 MB. */
const MOST_CHARACTERS = 4_000_000

/** A call to be run as a task. */
export interface TaskCall {
  readonly actor: string
  readonly tool: string
  readonly log: FastifyBaseLogger
  /** How long to keep it, as the client asked. Default and most: an hour. */
  readonly ttlMs?: number | undefined
  work(run: TaskRun): Promise<object>
  /** The error of JSON-RPC that a failure is; undefined when it is to be logged. */
  faultOf(error: unknown): TaskFault | undefined
}

/** What the work may say while it runs, and when it should end. */
export interface TaskRun {
  readonly signal: AbortSignal
  progress(done: number, total: number, message: string): void
}

/** The tasks of one agent API. */
export interface TaskRuns {
  /** Starts it when it is stored. Undefined when the caller has too many at work. */
  start(call: TaskCall): Promise<TaskRow | undefined>
  find(id: string, actor: string): Promise<TaskRow | null>
  list(actor: string): Promise<TaskRow[]>
  /** Cancels a task that was found; false when it is over. Another process stops its work within seconds. */
  cancel(id: string): Promise<boolean>
  /** The task when it is over. Null when it is gone. */
  finished(id: string, actor: string, signal: AbortSignal): Promise<TaskRow | null>
  /** Fails what this process works on. */
  close(): Promise<void>
}

interface Running {
  readonly abort: AbortController
  readonly over: Promise<void>
}

const hashOf = (actor: string): string => createHash('sha256').update(actor).digest('hex')

/** `closing`: aborted when the app closes. */
export function createTaskRuns(store: TaskStore, clock: Clock, closing: AbortSignal): TaskRuns {
  const running = new Map<string, Running>()
  const find = (id: string, actor: string) =>
    store.find(id, hashOf(actor), (one) => running.has(one))
  return {
    async start(call) {
      const row = newRow(call, clock.now())
      if (!(await store.add(row))) return undefined
      const abort = new AbortController()
      const run = runOf(row._id, { store, clock, abort, log: call.log })
      const over = toItsEnd(call, run, closing)
        .then(async (end) => {
          await store.change(row._id, { ...end, changedAt: clock.now() })
        })
        .catch((err: unknown) => {
          // Its sign of life runs out, and it is failed then.
          if (!closing.aborted) call.log.error({ err }, 'agent: the result of a task was not kept')
        })
        .finally(() => {
          run.end()
          running.delete(row._id)
        })
      running.set(row._id, { abort, over })
      return row
    },
    find,
    list: (actor) => store.list(hashOf(actor)),
    async cancel(id) {
      const message = 'The client cancelled the task.'
      const isCancelled = await store.change(id, {
        state: 'cancelled',
        message,
        changedAt: clock.now()
      })
      running.get(id)?.abort.abort()
      return isCancelled
    },
    async finished(id, actor, signal) {
      for (;;) {
        const row = await find(id, actor)
        if (row?.state !== 'working') return row
        await Promise.race([running.get(id)?.over, later(POLL_MS, undefined, { signal })])
      }
    },
    async close() {
      const changedAt = clock.now()
      await Promise.all(
        [...running.keys()].map((id) => store.change(id, { ...stopped, changedAt }))
      )
      for (const { abort } of running.values()) abort.abort()
    }
  }
}

function newRow({ actor, tool, ttlMs = MOST_KEPT_MS }: TaskCall, at: Date): TaskRow {
  const keptMs = Math.min(Math.max(ttlMs, LEAST_KEPT_MS), MOST_KEPT_MS)
  return {
    _id: randomUUID(),
    owner: hashOf(actor),
    tool,
    state: 'working',
    message: 'The tool is at work.',
    at,
    changedAt: at,
    aliveUntil: new Date(at.getTime() + ALIVE_MS),
    expiresAt: new Date(at.getTime() + keptMs)
  }
}

/** Signs of life and progress go to the row; a task that is over there ends here. */
function runOf(
  id: string,
  {
    store,
    clock,
    abort,
    log
  }: {
    readonly store: TaskStore
    readonly clock: Clock
    readonly abort: AbortController
    readonly log: FastifyBaseLogger
  }
): TaskRun & { end(): void } {
  let toldAt = 0
  const tell = (message?: string) => {
    const now = clock.now()
    const aliveUntil = new Date(now.getTime() + ALIVE_MS)
    const said = message === undefined ? {} : { message, changedAt: now }
    store.change(id, { aliveUntil, ...said }).then(
      (isAtWork) => {
        if (!isAtWork) abort.abort()
      },
      (err: unknown) => log.warn({ err }, 'agent: the progress of a task was not kept')
    )
  }
  const beat = setInterval(tell, SIGN_OF_LIFE_MS)
  beat.unref()
  return {
    signal: abort.signal,
    progress(_done, _total, message) {
      const now = clock.now().getTime()
      if (now - toldAt < POLL_MS || abort.signal.aborted) return
      toldAt = now
      tell(message)
    },
    end: () => clearInterval(beat)
  }
}

/** What the task becomes. */
async function toItsEnd(
  { work, faultOf, log, tool }: TaskCall,
  run: TaskRun,
  closing: AbortSignal
): Promise<Partial<TaskRow>> {
  try {
    const answer = await work(run)
    // Work that was cut short answers with what it has so far.
    if (closing.aborted) return stopped
    const result = JSON.stringify(answer)
    if (result.length > MOST_CHARACTERS) return failed(TOO_LARGE)
    const isError = (answer as { readonly isError?: unknown }).isError === true
    return { state: 'completed', message: 'The tool has answered.', result, isError }
  } catch (error) {
    const fault = faultOf(error)
    if (fault !== undefined) return failed(fault)
    log.error({ err: error, tool }, 'agent: a task failed')
    return failed({ code: -32_603, message: 'The tool failed. Try again later.' })
  }
}

const TOO_LARGE: TaskFault = {
  code: -32_603,
  message: 'The result is too large to be kept. Call the tool without a task.'
}

const failed = (fault: TaskFault) => ({ state: 'failed', fault, message: fault.message }) as const
