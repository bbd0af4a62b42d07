// What a page reports by itself: errors nobody caught, and how fast it felt.

type OnError = (error: unknown) => void

// Of other origins there is nothing to tell; the other is a remark of the browser, not a fault.
const BENIGN = /^Script error\.?$|ResizeObserver loop/
const ERRORS_A_MINUTE = 30

/** Reports uncaught errors, at most 30 a minute. Returns how to stop. */
export function captureErrors(report: OnError): () => void {
  let minute = 0
  let count = 0
  const tell = (error: unknown, message: string) => {
    const now = Math.floor(Date.now() / 60_000)
    count = now === minute ? count + 1 : 1
    minute = now
    if (count <= ERRORS_A_MINUTE && !BENIGN.test(message)) report(error)
  }
  const onError = (event: ErrorEvent) => tell(event.error ?? event.message, event.message)
  const onRejection = ({ reason }: PromiseRejectionEvent) =>
    tell(reason, String(reason?.message ?? reason))
  addEventListener('error', onError)
  addEventListener('unhandledrejection', onRejection)
  return () => {
    removeEventListener('error', onError)
    removeEventListener('unhandledrejection', onRejection)
  }
}

interface Entry extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly interactionId: number
  readonly responseStart: number
}

const GAP_MS = 1000
const WINDOW_MS = 5000

/**
 * Gathers web vitals (web.dev/vitals): `ttfb_ms`, `fcp_ms`, `lcp_ms`, `inp_ms` (the slowest interaction)
 * and `cls`. Returns what was seen so far.
 */
export function gatherVitals(): () => Readonly<Record<string, number>> {
  const vitals: Record<string, number> = {}
  let first = 0
  let last = 0
  let shift = 0
  observe('navigation', (entry) => {
    vitals['ttfb_ms'] = entry.responseStart
  })
  observe('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') vitals['fcp_ms'] = entry.startTime
  })
  observe('largest-contentful-paint', (entry) => {
    vitals['lcp_ms'] = entry.startTime
  })
  observe('event', (entry) => {
    if (entry.interactionId) vitals['inp_ms'] = Math.max(vitals['inp_ms'] ?? 0, entry.duration)
  })
  observe('layout-shift', (entry) => {
    if (entry.hadRecentInput) return
    const at = entry.startTime
    // Shifts that follow each other closely are one.
    const isSame = at - last < GAP_MS && at - first < WINDOW_MS
    shift = isSame ? shift + entry.value : entry.value
    if (!isSame) first = at
    last = at
    vitals['cls'] = Math.max(vitals['cls'] ?? 0, shift)
  })
  return () => vitals
}

function observe(type: string, see: (entry: Entry) => void): void {
  try {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) see(entry as Entry)
    }).observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
  } catch {
    // A browser that does not know this one: it is left out.
  }
}
