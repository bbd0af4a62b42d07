// A registry before and after families were declared.
import type { RegistrySpec } from '../contracts/telemetry-registry.ts'

const EVENT = {
  kind: 'event',
  subjects: ['user'],
  attrs: ['path'],
  metrics: ['load_ms']
} as const

export const EARLY_SPEC = {
  viewed: { ...EVENT, rollups: [{ as: 'days', by: ['subject'], bucket: 'day' }] }
} as const satisfies RegistrySpec

export const LATER_SPEC = {
  viewed: {
    ...EVENT,
    rollups: [
      { as: 'days', by: ['subject'], bucket: 'day' },
      {
        as: 'views_by_path',
        by: ['attr:path'],
        bucket: 'day',
        sum: ['load_ms'],
        capture: ['attr:path']
      },
      { as: 'first_view', by: ['subject'], capture: ['attr:path'] }
    ]
  }
} as const satisfies RegistrySpec
