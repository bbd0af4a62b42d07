// Records of a month of several tenants, as the measurements of history store them.
import { newRecordId, storedId } from '@keelson/telemetry'

const TENANTS = 5

/** Where a record lies among all. */
export interface HistoryPlace {
  readonly n: number
  readonly of: number
  readonly start: number
  readonly milliseconds: number
}

/** Every second one a span; text and ids as they are in practice. */
export function historyRecord({ n, of, start, milliseconds }: HistoryPlace): object {
  const tenantId = `tenant-${n % TENANTS}`
  const at = new Date(start + Math.floor((n / of) * milliseconds))
  const digits = `${(n >> 3).toString(16).padStart(8, '0')}${((n >> 3) * 2654435761).toString(16)}`
  const shared = {
    _id: storedId(tenantId, newRecordId(at.getTime())),
    tenantId,
    occurredAt: at,
    receivedAt: at,
    severity: n % 50 === 0 ? 'error' : 'info',
    env: 'prod',
    service: `service-${n % 6}`,
    release: `release-${n % 6}@1.${Math.floor((n / of) * 6)}.0`,
    subjectKeys: [`user:u${(n * 7919) % 5000}`]
  }
  if (n % 2 === 0) {
    return {
      ...shared,
      kind: 'span',
      name: 'http.request',
      traceId: digits.padEnd(32, '7').slice(0, 32),
      spanId: ((n * 2654435761) % 2 ** 48).toString(16).padStart(16, '0'),
      durationMs: ((n * 7907) % 90_001) / 100,
      attrs: { route: `/route/${n % 40}`, method: 'GET', status: n % 50 === 0 ? '500' : '200' }
    }
  }
  return {
    ...shared,
    kind: 'event',
    name: 'page.viewed',
    attrs: { path: `/products/${(n * 31) % 400}`, source: `s${n % 5}`, country: `c${n % 8}` },
    metrics: { load_ms: 40 + ((n * 13) % 900) }
  }
}
