// The trace of the request that is being answered: its own span, and what calls made for it carry on.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type TraceContext, traceContext, writeTraceparent } from './trace-context.ts'

export interface RequestTrace {
  /** The same ids whenever it is asked. */
  context(): TraceContext
}

const current = new AsyncLocalStorage<RequestTrace>()

/** Begins the trace of a request, for everything that runs on its behalf from here on. */
export function beginRequestTrace(header: string | string[] | undefined): RequestTrace {
  let known: TraceContext | undefined
  const trace: RequestTrace = {
    context() {
      known ??= traceContext(header)
      return known
    }
  }
  // `run` would end with the hook, before a body has arrived and the handler runs.
  current.enterWith(trace)
  return trace
}

/** The `traceparent` of calls made from here; undefined where no traced request is being answered. */
export function currentTraceparent(): string | undefined {
  const trace = current.getStore()
  return trace === undefined ? undefined : writeTraceparent(trace.context())
}
