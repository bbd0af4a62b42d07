// The names this package declares itself: what arrives over OTLP, and what was refused. They take any attribute within
// bounds.
import type { RegistrySpec } from '../contracts/telemetry-registry.ts'

/** Records that a key was not allowed to write: one a minute of a key, with how many. */
export const REFUSED_EVENT = 'ingest.refused'

export const BUILTIN_EVENTS = {
  'otlp.span': {
    kind: 'span',
    origin: 'server',
    description: 'A span received over OTLP.',
    retentionDays: 90
  },
  'otlp.exception': {
    kind: 'error',
    origin: 'server',
    description: 'An exception recorded on a span received over OTLP.',
    rollups: [
      {
        as: 'otlp_issues',
        by: ['field:error.fingerprint'],
        capture: ['field:error.type', 'field:error.message'],
        label: 'Issues (OTLP)'
      },
      {
        as: 'otlp_errors_daily',
        by: ['field:error.type'],
        bucket: 'day',
        dimDefault: 'unknown',
        label: 'Errors by day (OTLP)'
      }
    ]
  },
  'otlp.log': {
    kind: 'event',
    origin: 'server',
    description: 'A log record received over OTLP.',
    retentionDays: 90
  },
  'otlp.metric': {
    kind: 'event',
    origin: 'server',
    description: 'A metric data point received over OTLP.',
    retentionDays: 90
  },
  [REFUSED_EVENT]: {
    kind: 'event',
    origin: 'server',
    attrs: ['key', 'service'],
    metrics: ['records'],
    description: 'Records that a key was not allowed to write, because they were over its rate.',
    retentionDays: 90
  }
} as const satisfies RegistrySpec
