// What is known where code runs, carried along by AsyncLocalStorage: subjects, actor and the trace.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ClientSubject } from '../record.ts'

export interface TelemetryContext {
  readonly subjects?: readonly ClientSubject[]
  readonly actor?: string
  readonly traceId?: string
  /** The span that is running: parent of those that start in it. */
  readonly spanId?: string
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/

/** The trace of a W3C `traceparent` header; nothing for one that is malformed or all zeros. */
export function traceOf(header: string | undefined): Pick<TelemetryContext, 'traceId' | 'spanId'> {
  const [, traceId = '', spanId = ''] = TRACEPARENT.exec(header ?? '') ?? []
  return /[1-9a-f]/.test(traceId) && /[1-9a-f]/.test(spanId) ? { traceId, spanId } : {}
}

export function createContexts() {
  const storage = new AsyncLocalStorage<TelemetryContext>()
  const current = (): TelemetryContext => storage.getStore() ?? {}
  return {
    current,
    /** Runs `fn` with more known; what was known before stays unless said anew. */
    run: <T>(more: TelemetryContext, fn: () => T): T => storage.run({ ...current(), ...more }, fn)
  }
}
