// What every read primitive works with: the collections, the registry, the caps, the time.
import type { Registry } from '../registry/types.ts'
import type { StorageCollections } from '../storage/storage.ts'
import type { RowSource } from './row-source.ts'
import { QueryError, type QueryLimits } from './types.ts'

export interface Reader {
  readonly rows: RowSource
  readonly rollups: StorageCollections['rollups']
  readonly aliases: StorageCollections['aliases']
  /** Subject types of visitors who are not known. */
  readonly anonymousTypes: ReadonlySet<string>
  readonly registry: () => Registry
  readonly limits: QueryLimits
  now(): Date
}

export const DEFAULT_LIMITS: QueryLimits = {
  records: 200,
  series: 744,
  distribution: 100_000,
  rollups: 500,
  trace: 500,
  journey: 500,
  distinct: 100_000,
  funnel: 5000
}

/** A limit as asked, at most the cap; the cap when none is asked. */
export function clampLimit(limit: number | undefined, cap: number): number {
  if (limit === undefined) return cap
  if (!Number.isInteger(limit) || limit < 1) {
    throw new QueryError('limit must be a whole number over 0')
  }
  return Math.min(limit, cap)
}
