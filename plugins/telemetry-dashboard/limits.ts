// The caps of the reads, and the host's own in their place.
import type { QueryLimits } from '@keelson/telemetry'
import { errors } from './errors.ts'

/** The caps when the host gives none. */
export const DEFAULT_LIMITS: QueryLimits = Object.freeze({
  records: 200,
  series: 744,
  distribution: 100_000,
  rollups: 500,
  trace: 500,
  journey: 500,
  distinct: 100_000,
  funnel: 5000
})

/** @throws TDB_LIMIT_INVALID for a cap that is no whole number from 1 on, or an unknown one. */
export function resolveLimits(given: Partial<QueryLimits> = {}): QueryLimits {
  for (const [name, value] of Object.entries(given)) {
    const isKnown = Object.hasOwn(DEFAULT_LIMITS, name)
    if (!isKnown || !Number.isSafeInteger(value) || value < 1) {
      throw errors.TDB_LIMIT_INVALID({ name, value })
    }
  }
  return { ...DEFAULT_LIMITS, ...given }
}
