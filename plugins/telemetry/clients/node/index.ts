// @keelson/telemetry/node: records of a server, kept on disk until an ingest address has taken them.
import { errorDetails } from '../error-details.ts'
import { newRecordId, traceparentOf } from '../identifiers.ts'
import type { ClientRecord, ClientSpan, RecordDetails } from '../record.ts'
import { beginSpan } from '../span.ts'
import { createContexts, type TelemetryContext, traceOf } from './context.ts'
import { openDiskQueue } from './disk-queue.ts'
import { createNodeOutbox, type NodeOutbox } from './outbox.ts'
import { createSender } from './sender.ts'

export type { ClientRecord, ClientSpan, ClientSubject, RecordDetails } from '../record.ts'
export type { TelemetryContext } from './context.ts'

export interface NodeOptions {
  /** The whole ingest address. */
  readonly url: string
  /** A secret key, `sk_…`. */
  readonly key: string
  readonly release?: string
  /** For claimed keys: the tenant of every record. */
  readonly tenantId?: string
  /** A folder for records that wait. Without one they are lost with the process. */
  readonly queueDir?: string
  /** Bytes in the folder; beyond it the oldest go. Default 64 MB. */
  readonly maxQueueBytes?: number
  /** Records in memory; beyond it the oldest go. Default 10,000. */
  readonly maxQueued?: number
  /** Milliseconds a record waits for company. Default 1000. */
  readonly flushMs?: number
  /** Event name of captured errors. Default `app.error`. */
  readonly errorName?: string
  /** Record errors that end the process, without keeping it from ending. Default false. */
  readonly captureUncaught?: boolean
  readonly beforeSend?: (record: ClientRecord) => ClientRecord | null
  /** Called with what is lost. */
  readonly onError?: (error: unknown) => void
  readonly fetch?: typeof fetch
}

export interface NodeTelemetry {
  track(name: string, details?: RecordDetails): void
  captureError(error: unknown, details?: RecordDetails, handled?: boolean): void
  startSpan(name: string, details?: RecordDetails): ClientSpan
  /** Runs `fn` in a span: what is recorded in it belongs to its trace. A throw makes it an error. */
  span<T>(
    name: string,
    fn: (span: ClientSpan) => T | Promise<T>,
    details?: RecordDetails
  ): Promise<T>
  /** Runs `fn` with subjects, actor or a trace known to everything recorded in it. */
  run<T>(context: TelemetryContext, fn: () => T): T
  /** Runs `fn` in the trace of an incoming `traceparent` header. */
  continueTrace<T>(traceparent: string | undefined, fn: () => T): T
  /** The `traceparent` header for calls made from here; undefined outside of a trace. */
  traceparent(): string | undefined
  /** Resolves when what waits was sent, or cannot be for now. */
  flush(): Promise<void>
  /** Sends what waits for up to `timeoutMs` (5000), leaves the rest on disk, and stops. */
  close(options?: { readonly timeoutMs?: number }): Promise<void>
}

/** Makes a client and starts it. Call `close` before the process ends. */
export function createNodeTelemetry(options: NodeOptions): NodeTelemetry {
  const onError = options.onError ?? (() => undefined)
  const contexts = createContexts()
  const outbox = openOutbox(options, onError)

  function record(name: string, details: Partial<ClientRecord>): void {
    const made = recordOf(name, details, contexts.current())
    try {
      const kept = options.beforeSend === undefined ? made : options.beforeSend(made)
      if (kept !== null) outbox.add(kept)
    } catch (error) {
      onError(error)
    }
  }

  const captureError: NodeTelemetry['captureError'] = (error, details, handled = true) =>
    record(options.errorName ?? 'app.error', { ...details, error: errorDetails(error, handled) })

  const startSpan: NodeTelemetry['startSpan'] = (name, details = {}) =>
    beginSpan(name, details, record, contexts.current())

  const onUncaught = (error: unknown) => captureError(error, {}, false)
  if (options.captureUncaught === true) process.on('uncaughtExceptionMonitor', onUncaught)
  process.on('exit', outbox.spill)
  process.once('beforeExit', outbox.flush)

  return {
    track: (name, details = {}) => record(name, details),
    captureError,
    startSpan,
    async span(name, fn, details) {
      const span = startSpan(name, details)
      try {
        const result = await contexts.run(span, () => fn(span))
        span.end()
        return result
      } catch (error) {
        span.end({ severity: 'error' })
        throw error
      }
    },
    run: contexts.run,
    continueTrace: (traceparent, fn) => contexts.run(traceOf(traceparent), fn),
    traceparent() {
      const { traceId, spanId } = contexts.current()
      return traceId === undefined || spanId === undefined
        ? undefined
        : traceparentOf(traceId, spanId)
    },
    flush: outbox.flush,
    async close({ timeoutMs = 5000 } = {}) {
      process.off('uncaughtExceptionMonitor', onUncaught)
      const timer = setTimeout(outbox.stop, timeoutMs)
      await outbox.drain()
      clearTimeout(timer)
      outbox.stop()
      process.off('exit', outbox.spill)
      process.off('beforeExit', outbox.flush)
    }
  }
}

function openOutbox(options: NodeOptions, onError: (error: unknown) => void): NodeOutbox {
  const { url, key, queueDir, maxQueueBytes = 64 * 1024 * 1024 } = options
  return createNodeOutbox({
    disk:
      queueDir === undefined
        ? undefined
        : openDiskQueue({ folder: queueDir, maxBytes: maxQueueBytes, onError }),
    sender: createSender({
      url,
      key,
      head: headOf(options),
      fetch: options.fetch ?? fetch,
      onError
    }),
    maxQueued: options.maxQueued ?? 10_000,
    flushMs: options.flushMs ?? 1000,
    onError
  })
}

function headOf({ release, tenantId }: NodeOptions): Readonly<Record<string, unknown>> {
  return {
    client: { platform: 'server', appVersion: release ?? 'unknown' },
    ...(release !== undefined && { release }),
    ...(tenantId !== undefined && { context: { tenantId } })
  }
}

function recordOf(
  name: string,
  details: Partial<ClientRecord>,
  { subjects = [], actor, traceId, spanId }: TelemetryContext
): ClientRecord {
  const isSpan = details.durationMs !== undefined && details.spanId !== undefined
  return {
    _id: newRecordId(),
    name,
    occurredAt: Date.now(),
    ...(actor !== undefined && { actor }),
    ...(traceId !== undefined && { traceId }),
    ...(!isSpan && spanId !== undefined && { spanId }),
    ...details,
    subjects: [...subjects, ...(details.subjects ?? [])]
  }
}
