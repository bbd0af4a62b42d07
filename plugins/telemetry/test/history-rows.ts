// Rows of every shape for tests of history: what the model can hold, over some days and tenants.

import type { RegistrySpec } from '../contracts/telemetry-registry.ts'
import type { EmitRecord } from '../envelope/types.ts'
import { MOST_SCANNED } from '../history/few-indexes.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import type { Telemetry } from '../telemetry.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

const HOUR = 3_600_000

export const HISTORY_SPEC = SAMPLE_SPEC as RegistrySpec

type Named = EmitRecord & { readonly name: string }

/** The n-th record; a span, an event, an error, a state or usage. */
export function recordAt(n: number, start: number): Named {
  const shared = {
    tenantId: n % 7 === 0 ? 'globex' : 'acme',
    occurredAt: start + n * 37 * 60_000 + (n % 11),
    service: `s${n % 3}`,
    release: `r${n % 4}`,
    env: n % 5 === 0 ? ('staging' as const) : ('prod' as const),
    subjects: [
      { type: 'user', id: `u${n % 9}` },
      ...(n % 6 === 0 ? [{ type: 'org', id: `o${n % 2}`, role: 'owner' }] : [])
    ],
    ...(n % 4 === 0 && { actor: n % 8 === 0 ? 'agent:bot' : `user:u${n % 9}` })
  }
  switch (n % 5) {
    case 0:
      return {
        ...shared,
        name: 'http.request',
        traceId: `trace-${n % 13}`,
        spanId: `span-${n}`,
        durationMs: (n * 7919) % 1000,
        ...(n % 10 === 0 && { parentId: `span-${n - 1}` }),
        ...(n % 15 === 0 && { severity: 'error' as const })
      }
    case 1:
      return {
        ...shared,
        name: 'page.viewed',
        attrs: { path: `/p${n % 4}`, source: n % 3 === 0 ? 'o\'brien"; drop' : 'ads' },
        ...(n % 2 === 1 && { metrics: { load_ms: n / 3 } })
      }
    case 2:
      return {
        ...shared,
        name: 'app.error',
        error: { type: `T${n % 2}`, message: `m${n % 6}`, fingerprint: `f${n % 3}` }
      }
    case 3:
      return {
        ...shared,
        name: 'ticket.status',
        state: { key: `k${n}`, to: n % 2 ? 'open' : 'done' }
      }
    default:
      return {
        ...shared,
        name: 'account.signed_up',
        attrs: { source: 'ads', plan: n % 2 === 0 ? 'pro' : 'free' }
      }
  }
}

export async function writeRecords(telemetry: Telemetry, records: readonly Named[]): Promise<void> {
  await Promise.all(records.map(({ name, ...record }) => telemetry.emit(name, record)))
  await telemetry.flush()
}

/** Whole days and hours, and times that cut them. */
export const rangesFrom = (start: number) => [
  { from: new Date(start - HOUR), to: new Date(start + 40 * 24 * HOUR) },
  { from: new Date(start + 11 * HOUR + 17), to: new Date(start + 53 * HOUR + 1) },
  { from: new Date(start + 30 * HOUR), to: new Date(start + 31 * HOUR) }
]

/** The storage with methods of one collection replaced. */
export function withMethods(
  storage: TelemetryStorage,
  role: 'rows' | 'checkpoints',
  methods: Readonly<Record<string, unknown>>
): TelemetryStorage {
  const collection = new Proxy<object>(storage.collections[role], {
    get: (inner, key: string): unknown => methods[key] ?? Reflect.get(inner, key, inner)
  })
  return { ...storage, collections: { ...storage.collections, [role]: collection } }
}

/** So many, by the estimate, that reads of documents without an index are left to columns. */
export const MANY_ROWS = { estimatedDocumentCount: async () => MOST_SCANNED + 1 }
