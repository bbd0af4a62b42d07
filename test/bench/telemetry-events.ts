// Events for measurements: one name with five rollup families, about 400 bytes each on the wire.
import { randomUUID } from 'node:crypto'
import { newRecordId, type RegistrySpec } from '@keelson/telemetry'

export const REGISTRY = {
  'page.viewed': {
    kind: 'event',
    origin: 'any',
    subjects: ['user'],
    attrs: ['path', 'source', 'country', 'plan'],
    metrics: ['load_ms'],
    indexedAttrs: ['source'],
    rollups: [
      { as: 'daily_active', by: ['subject'], bucket: 'day' },
      { as: 'first_seen', by: ['subject'] },
      { as: 'pages_by_source', by: ['attr:source'], bucket: 'day', sum: ['load_ms'] },
      { as: 'pages_by_country', by: ['attr:country'], bucket: 'hour' },
      { as: 'pages_by_plan', by: ['attr:plan', 'attr:source'], bucket: 'day' }
    ]
  }
} as const satisfies RegistrySpec

const SOURCES = ['ads', 'mail', 'search', 'direct', 'partner']
const COUNTRIES = ['de', 'fr', 'gb', 'us', 'jp', 'br', 'in', 'za']
const PLANS = ['free', 'pro', 'team']

/** The nth event, by one of so many people; the same n gives the same event but for its id. */
export function wireEvent(n: number, occurredAt: number, people = 2000) {
  return {
    _id: newRecordId(Date.now()),
    name: 'page.viewed',
    occurredAt,
    subjects: [{ type: 'user', id: `u${(n * 7919) % people}` }],
    attrs: {
      path: `/products/${(n * 31) % 400}/details`,
      source: SOURCES[n % SOURCES.length] ?? '',
      country: COUNTRIES[n % COUNTRIES.length] ?? '',
      plan: PLANS[n % PLANS.length] ?? ''
    },
    metrics: { load_ms: 40 + ((n * 13) % 900) },
    traceId: randomUUID().replaceAll('-', '')
  }
}
