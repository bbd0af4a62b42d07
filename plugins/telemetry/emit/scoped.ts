// Reads pinned to one tenant, for host code that needs more than the query primitives.
import type { Document } from 'mongodb'
import type { StorageCollections } from '../storage/storage.ts'
import type { ScopedReads } from './types.ts'

const DEFAULT_LIMIT = 1000

/** The tenant is applied last and cannot be overridden. `*` is a literal here and matches nothing. */
export function scopedReads({ rows, rollups }: StorageCollections, tenantId: string): ScopedReads {
  const pin = (filter: Document = {}): Document => ({ $and: [filter, { tenantId }] })
  return {
    find: (filter, { limit = DEFAULT_LIMIT } = {}) => rows.find(pin(filter)).limit(limit).toArray(),
    rollups: (filter, { limit = DEFAULT_LIMIT } = {}) =>
      rollups.find(pin(filter)).limit(limit).toArray(),
    aggregate: (pipeline) => rows.aggregate([{ $match: { tenantId } }, ...pipeline]).toArray(),
    rollupAggregate: (pipeline) =>
      rollups.aggregate([{ $match: { tenantId } }, ...pipeline]).toArray()
  }
}
