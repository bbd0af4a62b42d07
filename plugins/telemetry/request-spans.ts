// Records the host's own requests as spans, without ever holding one up.
import { belowPrefix, type Host } from '@keelson/sdk'
import type { RequestSpan, RequestSpanSink } from '@keelson/sdk/contracts/request-spans'
import type { EventSpec } from './contracts/telemetry-registry.ts'
import { errors } from './errors.ts'
import { internalsOf } from './internals.ts'
import type { CompiledEvent } from './registry/types.ts'
import type { Telemetry } from './telemetry.ts'

export interface RequestSpanSettings {
  readonly tenantId: string
  readonly service?: string
  readonly release?: string
  readonly event?: string
  /** Routes that are not recorded. Default: those of the platform itself. */
  readonly exclude?: readonly string[]
}

/**
 * The platform's own routes, below its prefix: what people do on its pages says nothing of a customer's product.
 */
export const PLATFORM_ROUTES: readonly string[] = [
  '/',
  '/*',
  '/login',
  '/logout',
  '/shell/*',
  '/embed/*',
  '/docs/*',
  '/openapi.json',
  '/health/*',
  '/metrics',
  '/telemetry/*',
  '/admin/*',
  '/account/*',
  '/oauth/admin/*',
  '/oauth/me/*',
  '/dev/*'
]

/** Whether a route is one of the patterns; `/health/*` is `/health` and everything below it. */
function isExcluded(route: string, patterns: ReadonlySet<string>): boolean {
  if (patterns.has(route)) return true
  for (let at = route.length; at > 0; at = route.lastIndexOf('/', at - 1)) {
    if (patterns.has(`${route.slice(0, at)}/*`)) return true
  }
  return false
}

/** What each request says of itself. */
const ATTRS = ['route', 'method', 'status'] as const
const DEFAULT_EVENT = 'http.request'

/** The declaration that the setting needs when the registry has none of that name. */
export function requestSpanEvents(
  settings: RequestSpanSettings | undefined,
  declared: (name: string) => boolean
): Readonly<Record<string, EventSpec>> {
  if (settings === undefined) return {}
  const { event = DEFAULT_EVENT } = settings
  if (declared(event)) return {}
  const spec: EventSpec = {
    kind: 'span',
    attrs: [...ATTRS],
    description: 'A request that the host answered.'
  }
  return { [event]: spec }
}

/**
 * Refuses a declaration under which no request would be recorded.
 *
 * @throws TEL_REQUEST_SPANS
 */
export function checkRequestSpans(
  settings: RequestSpanSettings | undefined,
  telemetry: Pick<Telemetry, 'registry'>
): void {
  if (settings === undefined) return
  const { event = DEFAULT_EVENT } = settings
  const found = telemetry.registry.event(event)
  if (found === undefined) return
  const refuse = (problem: string) => errors.TEL_REQUEST_SPANS({ event, problem })
  if (found.kind !== 'span') throw refuse(`the registry declares it as ${found.kind}`)
  const known: readonly string[] = ATTRS
  const foreign = found.requiredAttrs.filter((key) => !known.includes(key))
  if (foreign.length > 0) throw refuse(`it requires ${foreign.join(', ')}, which requests lack`)
  if (found.requiredMetrics.length > 0) {
    throw refuse(`it requires the metrics ${found.requiredMetrics.join(', ')}, which requests lack`)
  }
}

/** Beyond this many waiting records, spans are left out rather than waited for. */
const MOST_WAITING = 5000

/** Routes of immutable files: one page view asks for a dozen of them. */
const FILES = /(^|\/)_?assets\/\*$/

/**
 * Ingest itself is left out, because a span for each batch would grow what it measures; so are the files of
 * the shell and of pages, and the routes that the setting excludes.
 */
export function requestSpanSink(
  telemetry: Telemetry,
  { mount, prefix }: Pick<Host, 'mount' | 'prefix'>,
  settings: RequestSpanSettings | undefined
): RequestSpanSink {
  const { recorder } = internalsOf(telemetry)
  const { exclude } = settings ?? {}
  const excluded = new Set(exclude ?? PLATFORM_ROUTES)
  const isOwn = (route: string) => {
    if (route === mount || route.startsWith(`${mount}/`) || FILES.test(route)) return true
    const named = exclude === undefined ? belowPrefix(prefix, route) : route
    return named !== undefined && isExcluded(named, excluded)
  }
  return {
    end(span: RequestSpan) {
      if (settings === undefined || isOwn(span.route)) return
      const { tenantId, service = 'platform', release, event = DEFAULT_EVENT } = settings
      const declared = telemetry.registry.event(event)
      if (declared === undefined || recorder.isClosed || recorder.queued > MOST_WAITING) return
      const attrs = attrsOf(span, declared)
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

/** Only those that the registry declares: a record with others would be refused. */
function attrsOf(span: RequestSpan, { attrs, isOpen }: CompiledEvent): Record<string, string> {
  const all = { route: span.route, method: span.method, status: String(span.status) }
  return Object.fromEntries(Object.entries(all).filter(([key]) => isOpen || attrs.has(key)))
}
