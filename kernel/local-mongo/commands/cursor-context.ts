// The context of rows that outlive the command that asked for them: each batch has its own signal and time.
import type { OperationContext } from '../engine.ts'
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
