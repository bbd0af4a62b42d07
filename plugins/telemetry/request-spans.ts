// Records the host's own requests as spans, without ever holding one up.
import type { RequestSpan, RequestSpanSink } from '@keelson/sdk/contracts/request-spans'
import { internalsOf } from './emit/internals.ts'
import type { Telemetry } from './emit/types.ts'

export interface RequestSpanSettings {
  readonly tenantId: string
  readonly service?: string
  readonly release?: string
  readonly event?: string
}

/** Beyond this many waiting records, spans are left out rather than waited for. */
const MOST_WAITING = 5000

/** Routes of immutable files: one page view asks for a dozen of them. */
const FILES = /(^|\/)_?assets\/\*$/

/**
 * Ingest itself is left out, because a span for each batch would grow what it measures; so are the
 * files of the shell and of pages.
 */
export function requestSpanSink(
  telemetry: Telemetry,
  mount: string,
  settings: RequestSpanSettings | undefined
): RequestSpanSink {
  const { recorder } = internalsOf(telemetry)
  const isOwn = (route: string) =>
    route === mount || route.startsWith(`${mount}/`) || FILES.test(route)
  return {
    end(span: RequestSpan) {
      if (settings === undefined || isOwn(span.route)) return
      const { tenantId, service = 'platform', release, event = 'http.request' } = settings
      const isKnown = telemetry.registry.event(event)?.kind === 'span'
      if (!isKnown || recorder.isClosed || recorder.queued > MOST_WAITING) return
      const attrs = { route: span.route, method: span.method, status: String(span.status) }
      telemetry
        .emit(event, {
          tenantId,
          service,
          ...(release !== undefined && { release }),
          occurredAt: span.startedAt,
          durationMs: span.durationMs,
          traceId: span.traceId,
          spanId: span.spanId,
          ...(span.parentId !== undefined && { parentId: span.parentId }),
          severity: span.status >= 500 ? 'error' : 'info',
          attrs
        })
        .catch(() => undefined)
    }
  }
}
