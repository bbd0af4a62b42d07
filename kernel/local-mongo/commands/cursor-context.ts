// The context of rows that outlive the command that asked for them: each batch has its own signal and time.
import type { OperationContext } from '../engine.ts'
import { commandError } from '../errors.ts'
import type { Call } from './command.ts'

/** The context of a cursor, and how a batch steps into it. */
export interface CursorContext {
  readonly operation: OperationContext
  /** Runs a batch under its own signal; only the time spent inside counts against the cursor's limit. */
  during<T>(signal: AbortSignal, batch: () => Promise<T>): Promise<T>
}

/** A context for the rows of this command, which reads signal and deadline anew for each batch. */
export function forCursor({ context, generic, running, services }: Call): CursorContext {
  let signal: AbortSignal = running.signal
  let remainingMs = generic.maxTimeMs
  let deadlineMs = context.deadlineMs
  const operation: OperationContext = {
    ...context,
    get signal() {
      return signal
    },
    ...(remainingMs !== undefined && {
      get deadlineMs() {
        return deadlineMs ?? Number.POSITIVE_INFINITY
      }
    })
  }
  return {
    operation,
    async during(batchSignal, batch) {
      const started = services.now()
      signal = batchSignal
      if (remainingMs !== undefined) deadlineMs = started + remainingMs
      try {
        return await batch()
      } finally {
        if (remainingMs !== undefined) remainingMs -= services.now() - started
      }
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
  const { generic, services } = call
  const controller = new AbortController()
  let remainingMs = generic.maxTimeMs
  const { operation, during } = forCursor(call)
  return {
    operation: Object.create(operation, { signal: { value: controller.signal } }),
    async during(signal, batch) {
      const started = services.now()
      const kill = (): void => controller.abort(signal.reason)
      if (signal.aborted) kill()
      signal.addEventListener('abort', kill)
      const timer =
        remainingMs === undefined
          ? undefined
          : setTimeout(() => controller.abort(expired()), remainingMs + LATE_MS)
      try {
        return await during(signal, batch)
      } finally {
        signal.removeEventListener('abort', kill)
        clearTimeout(timer)
        if (remainingMs !== undefined) remainingMs -= services.now() - started
      }
    }
  }
}

const expired = (): Error => commandError('MaxTimeMSExpired', 'operation exceeded time limit')
