// A registry for tests: one event of each kind and every sort of rollup.

import type { RegistrySpec } from '../contracts/telemetry-registry.ts'
import { defineRegistry } from '../registry/registry.ts'

export const SAMPLE_SPEC = {
  'page.viewed': {
    kind: 'event',
    origin: 'any',
    subjects: ['user'],
    attrs: ['path', 'source'],
    metrics: ['load_ms'],
    indexedAttrs: ['source'],
    rollups: [
      { as: 'daily_active', by: ['subject'], bucket: 'day' },
      { as: 'pages_by_source', by: ['attr:source'], bucket: 'day', sum: ['load_ms'] }
    ]
  },
  'account.signed_up': {
    kind: 'event',
    origin: 'any',
    subjects: ['user'],
    attrs: { plan: { values: ['free', 'pro'] }, source: {} },
    rollups: [
      { as: 'signed_up', by: ['subject'], capture: ['attr:source', 'attr:plan'] },
      { as: 'signups_by_plan', by: ['attr:plan'], bucket: 'week', dimDefault: 'none' }
    ]
  },
  'account.activated': {
    kind: 'event',
    origin: 'any',
    subjects: ['user'],
    rollups: [{ as: 'activated', by: ['subject'] }]
  },
  'order.placed': {
    kind: 'event',
    origin: 'server',
    subjects: ['user'],
    attrs: ['plan'],
    metrics: { amount_usd: { minimum: 0 } },
    indexedMetrics: ['amount_usd'],
    data: true,
    retentionDays: null,
    rollups: [{ as: 'first_order', by: ['subject'] }]
  },
  'app.error': {
    kind: 'error',
    origin: 'any',
    attrs: ['code'],
    burst: { key: 'field:error.type', maxPerMinute: 60 },
    rollups: [
      { as: 'issues', by: ['field:error.fingerprint'], capture: ['field:error.message'] },
      { as: 'errors_daily', by: ['field:error.type'], bucket: 'day' }
    ]
  },
  'http.request': {
    kind: 'span',
    origin: 'server',
    attrs: ['route'],
    rollups: [{ as: 'routes', by: ['attr:route'], bucket: 'hour', sum: ['durationMs'] }]
  },
  'cache.read': { kind: 'event', origin: 'any', sampleRate: 0.25, attrs: ['route'] },
  'ticket.status': { kind: 'state', origin: 'server', subjects: ['user'] },
  'llm.tokens': {
    kind: 'usage',
    origin: 'server',
    subjects: ['user'],
    attrs: ['model'],
    metrics: ['cost_usd'],
    rollups: [{ as: 'spend', by: ['attr:model'], bucket: 'day', sum: ['cost_usd'] }]
  }
} as const satisfies RegistrySpec

export const sampleRegistry = () => defineRegistry(SAMPLE_SPEC)
