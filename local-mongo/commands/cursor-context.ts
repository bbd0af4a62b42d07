// The context of rows that outlive the command that asked for them: each batch has its own signal and time.
import type { OperationContext } from '../engine.ts'
import { wasLate } from '../interruption.ts'
import type { Call } from './command.ts'

/** The context of a cursor, and how a batch steps into it. */
export interface CursorContext {
  readonly operation: OperationContext
  /** Runs a batch under its own signal; only the time spent inside counts against the cursor's limit. */
  during<T>(signal: AbortSignal, batch: () => Promise<T>): Promise<T>
}

/** A context for the rows of this command, which the engine asks anew for signal and deadline. */
export function forCursor(call: Call): CursorContext {
  return new BatchContext(call)
}

class BatchContext implements CursorContext, OperationContext {
  readonly now: Date
  readonly #now: () => number
  #remainingMs: number | undefined
  signal: AbortSignal
  // Declared but not made when there is none: the engine tells absent from undefined.
  declare durability?: NonNullable<OperationContext['durability']>
  declare transaction?: NonNullable<OperationContext['transaction']>
  declare deadlineMs?: number

  constructor({ context, generic, running, services }: Call) {
    this.now = context.now
    this.signal = running.signal
    this.#now = services.now
    this.#remainingMs = generic.maxTimeMs
    if (context.durability) this.durability = context.durability
    if (context.transaction) this.transaction = context.transaction
    if (context.deadlineMs !== undefined) this.deadlineMs = context.deadlineMs
  }

  get operation(): OperationContext {
    return this
  }

  during<T>(signal: AbortSignal, batch: () => Promise<T>): Promise<T> {
    this.signal = signal
    return this.#remainingMs === undefined ? batch() : this.#timed(batch, this.#remainingMs)
  }

  async #timed<T>(batch: () => Promise<T>, remainingMs: number): Promise<T> {
    const started = this.#now()
    this.deadlineMs = started + remainingMs
    try {
      return await batch()
    } finally {
      this.#remainingMs = remainingMs - (this.#now() - started)
    }
  }
}

/** The engine looks at the deadline itself where it reads; this is for the stages of a pipeline. */
const LATE_MS = 20

/**
 * A context for a pipeline, which keeps one signal for its life: it is aborted when a batch of this
 * very cursor is killed, or works beyond its time.
 */
export function forPipeline(call: Call): CursorContext {
  const controller = new AbortController()
  const context = new BatchContext(call)
  return {
    operation: context,
    during(signal, batch) {
      const kill = (): void => controller.abort(signal.reason)
      if (signal.aborted) kill()
      signal.addEventListener('abort', kill)
      return context.during(controller.signal, async () => {
        const { deadlineMs } = context
        const timer =
          deadlineMs === undefined
            ? undefined
            : setTimeout(
                () => controller.abort(wasLate()),
                deadlineMs - call.services.now() + LATE_MS
              )
        try {
          return await batch()
        } finally {
          signal.removeEventListener('abort', kill)
          clearTimeout(timer)
        }
      })
    }
  }
}
