// kernel.request-spans/v1: receives a span for each answered request.
import { Type } from '../typebox.ts'
import { defineExtensionPoint, type ExtensionPoint, requiredFunctions } from './contract.ts'

/** A request the host has finished. */
export interface RequestSpan {
  readonly method: string
  /** The route's pattern (`/items/:id`), never the address itself. */
  readonly route: string
  readonly status: number
  readonly startedAt: Date
  readonly durationMs: number
  readonly requestId: string
  /** W3C trace context: 32 lower-case hex digits. */
  readonly traceId: string
  /** W3C trace context: 16 lower-case hex digits. */
  readonly spanId: string
  /** The caller's span, when the request carried a `traceparent` header. */
  readonly parentId?: string
}

/** Receives request spans. */
export interface RequestSpanSink {
  /**
   * Called after each answer is sent, on the request path: return at once and do the work later. A throw
   * is logged and changes nothing.
   */
  end(span: RequestSpan): void
}

/** Owned by the kernel: no plugin needs to be there for it. */
export const requestSpans: ExtensionPoint<RequestSpanSink> = defineExtensionPoint<RequestSpanSink>(
  'kernel.request-spans/v1',
  Type.Object(requiredFunctions('end'))
)
