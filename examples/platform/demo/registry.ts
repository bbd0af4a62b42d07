// The telemetry registry of the demo, row by row as DEMO.md lists it.
import type { RegistrySpec } from '@keelson/telemetry'

export const DEMO_REGISTRY: RegistrySpec = {
  'page.viewed': {
    kind: 'event',
    origin: 'any',
    subjects: ['user'],
    description: 'Someone looked at a page.',
    attrs: ['path', 'source'],
    metrics: ['load_ms'],
    indexedAttrs: ['source'],
    rollups: [
      { as: 'daily_active', by: ['subject'], bucket: 'day', label: 'Daily active people' },
      { as: 'pages_by_source', by: ['attr:source'], bucket: 'day', label: 'Pages by source' }
    ]
  },
  'account.signed_up': {
    kind: 'event',
    origin: 'any',
    subjects: ['user'],
    description: 'An account was made.',
    attrs: ['plan', 'source'],
    indexedAttrs: ['plan'],
    rollups: [
      {
        as: 'signed_up',
        by: ['subject'],
        capture: ['attr:source', 'attr:plan'],
        label: 'Signed up'
      },
      { as: 'signups_by_plan', by: ['attr:plan'], bucket: 'day', label: 'Sign-ups by plan' }
    ]
  },
  'account.activated': {
    kind: 'event',
    origin: 'any',
    subjects: ['user'],
    description: 'The first useful thing was done.',
    rollups: [{ as: 'activated', by: ['subject'], label: 'Activated' }]
  },
  'order.placed': {
    kind: 'event',
    origin: 'server',
    subjects: ['user'],
    description: 'Something was bought.',
    attrs: ['plan', 'currency'],
    metrics: ['amount_usd'],
    indexedMetrics: ['amount_usd'],
    rollups: [
      { as: 'first_order', by: ['subject'], label: 'First order' },
      {
        as: 'orders_by_plan',
        by: ['attr:plan'],
        bucket: 'day',
        sum: ['amount_usd'],
        dimDefault: 'none',
        label: 'Orders by plan'
      }
    ]
  },
  'account.cancelled': {
    kind: 'event',
    origin: 'server',
    subjects: ['user'],
    description: 'An account was given up.',
    attrs: ['reason'],
    rollups: [{ as: 'cancelled', by: ['subject'], label: 'Cancelled' }]
  },
  'app.error': {
    kind: 'error',
    origin: 'any',
    description: 'Something went wrong.',
    attrs: ['code'],
    rollups: [
      {
        as: 'issues',
        by: ['field:error.fingerprint'],
        capture: ['field:error.type', 'field:error.message'],
        label: 'Issues'
      },
      {
        as: 'errors_daily',
        by: ['field:error.type'],
        bucket: 'day',
        dimDefault: 'unknown',
        label: 'Errors by type'
      }
    ]
  },
  'http.request': {
    kind: 'span',
    origin: 'server',
    description: 'A request was answered.',
    attrs: ['route', 'method', 'status'],
    indexedAttrs: ['route'],
    rollups: [
      {
        as: 'routes',
        by: ['attr:route'],
        bucket: 'hour',
        sum: ['durationMs'],
        label: 'Requests by route'
      }
    ]
  },
  'ticket.status': {
    kind: 'state',
    origin: 'server',
    subjects: ['user'],
    description: 'A support ticket moved on.'
  },
  'llm.tokens': {
    kind: 'usage',
    origin: 'server',
    subjects: ['user'],
    description: 'Tokens of a language model were used.',
    attrs: ['model'],
    metrics: ['cost_usd'],
    rollups: [
      {
        as: 'spend',
        by: ['attr:model'],
        bucket: 'day',
        sum: ['cost_usd'],
        label: 'Spend by model'
      }
    ]
  }
}
