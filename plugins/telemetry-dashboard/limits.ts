// The caps of the reads, and the host's own in their place.
import { DEFAULT_LIMITS, type QueryLimits } from '@keelson/telemetry'
import { errors } from './errors.ts'

/** @throws TDB_LIMIT_INVALID for an unknown cap, or one that is not a whole number from 1 on. */
export function resolveLimits(given: Partial<QueryLimits> = {}): QueryLimits {
  for (const [name, value] of Object.entries(given)) {
    const isKnown = Object.hasOwn(DEFAULT_LIMITS, name)
    if (!isKnown || !Number.isSafeInteger(value) || value < 1) {
      throw errors.TDB_LIMIT_INVALID({ name, value })
    }
  }
  return { ...DEFAULT_LIMITS, ...given }
}
