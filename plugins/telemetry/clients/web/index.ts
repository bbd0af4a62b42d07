// @keelson/telemetry/web: events, errors, spans and web vitals of pages, sent to an ingest address.
import { errorDetails } from '../error-details.ts'
import { newRecordId, randomHex } from '../identifiers.ts'
import type { ClientRecord, ClientSpan, RecordDetails } from '../record.ts'
import { beginSpan } from '../span.ts'
import { captureErrors, gatherVitals } from './capture.ts'
import { createOutbox } from './outbox.ts'
import { createStored, type PageStorage } from './stored.ts'
import { createVisitor } from './visitor.ts'

export type { ClientRecord, ClientSpan, ClientSubject, RecordDetails } from '../record.ts'

export interface WebOptions {
  /** Ingest address, `/ingest` or whole. */
  readonly url: string
  /** A publishable key, `pk_…`. */
  readonly key: string
  readonly release?: string
  /** Default true. Without consent nothing is collected, and what was stored goes. */
  readonly consent?: boolean
  /** Default true: Do Not Track and Global Privacy Control count as no consent. */
  readonly respectDoNotTrack?: boolean
  /** Event name for errors. Default `app.error`; false captures none by itself. */
  readonly errorName?: string | false
  /** Event name for web vitals, told when the page is left. Default none. */
  readonly vitalsName?: string
  /** Event name told when a session begins. Default none. */
  readonly sessionName?: string
  /** Attribute that carries the session's id. Default none: the registry must declare it. */
  readonly sessionAttr?: string
  /** Subject type of visitors who are not known. Default `anon`. */
  readonly anonType?: string
  /** Milliseconds between sends. Default 5000. */
  readonly flushMs?: number
  /** Records that wait at most; the oldest go first. Default 1000. */
  readonly maxQueued?: number
  /** For session keys on another origin: `include`. */
  readonly credentials?: RequestCredentials
  /** Changes a record, or drops it with null. */
  readonly beforeSend?: (record: ClientRecord) => ClientRecord | null
  /** Called with what is lost: records the server refuses, a beforeSend that throws. */
  readonly onError?: (error: unknown) => void
  /** Default: localStorage. */
  readonly storage?: PageStorage
}

export interface WebTelemetry {
  track(name: string, details?: RecordDetails): void
  captureError(error: unknown, details?: RecordDetails, handled?: boolean): void
  startSpan(name: string, details?: RecordDetails): ClientSpan
  /** Who this visitor is, `<type>:<id>`, from now on. Links what they did before. */
  identify(userRef: string): void
  /** Forgets who the visitor is, as after signing out. */
  reset(): void
  setConsent(consent: boolean): void
  /** Resolves when one attempt to send everything has ended. */
  flush(): Promise<void>
  /** Sends what waits and stops. */
  close(): Promise<void>
  readonly sessionId: string
}

/** Makes a client and starts it. One a page. */
export function createWebTelemetry(options: WebOptions): WebTelemetry {
  const { url, key, flushMs = 5000, errorName = 'app.error', sessionName } = options
  const stored = createStored(options.storage ?? pageStorage(), `keelson:${key}:`, randomHex(4))
  const isAllowed = options.respectDoNotTrack === false || !asksNotToBeTracked()
  let hasConsent = isAllowed && options.consent !== false
  if (!hasConsent) stored.clear()
  const outbox = createOutbox({
    stored,
    address: `${url}${url.includes('?') ? '&' : '?'}key=${encodeURIComponent(key)}`,
    credentials: options.credentials ?? 'omit',
    release: options.release,
    maxQueued: options.maxQueued ?? 1000,
    onError: options.onError
  })
  const visitor = createVisitor(stored, options.anonType ?? 'anon', () => {
    if (sessionName !== undefined) record(sessionName, {})
  })

  function record(name: string, details: Partial<ClientRecord>): void {
    if (!hasConsent) return
    const kept = filtered(options, {
      _id: newRecordId(),
      name,
      occurredAt: Date.now(),
      ...details,
      subjects: [visitor.subject(), ...(details.subjects ?? [])],
      ...(options.sessionAttr !== undefined && {
        attrs: { ...details.attrs, [options.sessionAttr]: visitor.identity().session }
      })
    })
    if (kept !== null) outbox.add(kept)
  }

  // A framework tells of an error, and then the window does.
  const told = new WeakSet<object>()
  const captureError: WebTelemetry['captureError'] = (error, details, handled = true) => {
    if (typeof error === 'object' && error !== null) {
      if (told.has(error)) return
      told.add(error)
    }
    record(errorName || 'app.error', { ...details, error: errorDetails(error, handled) })
  }

  const stops = watchPage(options, outbox, record)
  if (errorName !== false) stops.push(captureErrors((error) => captureError(error, {}, false)))
  const timer = setInterval(outbox.flush, flushMs)

  return {
    track: (name, details = {}) => record(name, details),
    captureError,
    startSpan: (name, details = {}) => beginSpan(name, details, record),
    identify(userRef) {
      const anonRef = hasConsent ? visitor.identify(userRef) : undefined
      if (anonRef !== undefined) record('$identify', { anonRef, userRef })
    },
    reset: visitor.forget,
    setConsent(consent) {
      hasConsent = isAllowed && consent
      if (hasConsent) return
      outbox.clear()
      visitor.forget()
      stored.clear()
    },
    flush: outbox.flush,
    close() {
      clearInterval(timer)
      for (const stop of stops) stop()
      return outbox.flush()
    },
    get sessionId() {
      return hasConsent ? visitor.identity().session : ''
    }
  }
}

type RecordFunction = (name: string, details: Partial<ClientRecord>) => void

/** What beforeSend leaves of a record; null when nothing. */
function filtered({ beforeSend, onError }: WebOptions, made: ClientRecord): ClientRecord | null {
  try {
    return beforeSend === undefined ? made : beforeSend(made)
  } catch (error) {
    onError?.(error)
    return null
  }
}

/** Acts when the page is hidden, left, or online again. Returns how to stop. */
function watchPage(
  { vitalsName }: WebOptions,
  outbox: ReturnType<typeof createOutbox>,
  record: RecordFunction
): (() => void)[] {
  let vitals = vitalsName === undefined ? undefined : gatherVitals()
  const leave = () => {
    if (vitals !== undefined && vitalsName !== undefined) {
      record(vitalsName, { attrs: { path: location.pathname }, metrics: vitals() })
    }
    vitals = undefined
    outbox.leave()
  }
  const onHidden = () => {
    if (document.visibilityState === 'hidden') leave()
  }
  const listen = (target: EventTarget, type: string, act: () => void) => {
    target.addEventListener(type, act)
    return () => target.removeEventListener(type, act)
  }
  return [
    listen(document, 'visibilitychange', onHidden),
    listen(window, 'pagehide', leave),
    listen(window, 'online', outbox.hurry)
  ]
}

function asksNotToBeTracked(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & {
    readonly globalPrivacyControl?: boolean
  }
  return doNotTrack === '1' || globalPrivacyControl === true
}

/** undefined where pages may not store anything: reading the property throws there. */
function pageStorage(): PageStorage | undefined {
  try {
    return localStorage
  } catch {
    return undefined
  }
}
