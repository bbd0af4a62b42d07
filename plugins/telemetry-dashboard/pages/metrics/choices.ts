// The choices for a metric: its measures, and the attributes that group its points. Pure.
import type { MetricRead } from '@keelson/telemetry'
import { attrKeys, type RegistryAnswer } from '../registry.ts'
import type { MetricAnswer } from './metric.ts'

/** The event whose records are points. */
export const POINTS = 'otlp.metric'

/** The same as the API reads; the first is its default. */
export function readsOf({
  type,
  monotonic
}: Pick<MetricAnswer, 'type' | 'monotonic'>): readonly MetricRead[] {
  switch (type) {
    case 'sum':
      return monotonic ? ['rate', 'increase'] : ['avg', 'min', 'max', 'increase']
    case 'gauge':
      return ['avg', 'min', 'max']
    case 'summary':
      return ['rate', 'increase', 'avg']
    case 'histogram':
    case 'exponential_histogram':
      return ['p95', 'p50', 'p99', 'avg', 'rate', 'increase']
    default:
      return []
  }
}

/** The registry as it is for points alone. */
export function ofPoints(registry: RegistryAnswer | undefined): RegistryAnswer | undefined {
  const entry = registry?.registry[POINTS]
  return registry && entry && { ...registry, registry: { [POINTS]: entry } }
}

/** As the API is asked: `service`, and the attributes that points have beside those of their metric. */
export function groupingsOf(registry: RegistryAnswer | undefined): readonly string[] {
  const points = ofPoints(registry)
  const keys = points === undefined ? [] : attrKeys(points, POINTS)
  const own = keys.filter((key) => !key.startsWith('metric.')).map((key) => `attr:${key}`)
  return ['service', ...own]
}
