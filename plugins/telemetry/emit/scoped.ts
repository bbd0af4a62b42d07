// Reads pinned to one tenant, for host code that needs more than the query primitives.
import type { Document } from 'mongodb'
import { errors } from '../errors.ts'
import type { StorageCollections } from '../storage/storage.ts'
import type { ScopedReads } from '../telemetry.ts'

const DEFAULT_LIMIT = 1000

/** The tenant is applied last and cannot be overridden. `*` is a literal here and matches nothing. */
export function scopedReads({ rows, rollups }: StorageCollections, tenantId: string): ScopedReads {
  const pin = (filter: Document = {}): Document => ({ $and: [filter, { tenantId }] })
  return {
    find: (filter, { limit = DEFAULT_LIMIT } = {}) => rows.find(pin(filter)).limit(limit).toArray(),
    rollups: (filter, { limit = DEFAULT_LIMIT } = {}) =>
      rollups.find(pin(filter)).limit(limit).toArray(),
    aggregate: async (pipeline) => rows.aggregate(pinned(tenantId, pipeline)).toArray(),
    rollupAggregate: async (pipeline) => rollups.aggregate(pinned(tenantId, pipeline)).toArray()
  }
}

/** Stages that read another collection, or this one without the tenant, or write. */
const WIDENING: ReadonlySet<string> = new Set([
  '$unionWith',
  '$lookup',
  '$graphLookup',
  '$out',
  '$merge'
])

function pinned(tenantId: string, pipeline: readonly Document[]): Document[] {
  const stage = wideningStage(pipeline)
  if (stage !== undefined) throw errors.TEL_SCOPE_WIDENED({ stage })
  return [{ $match: { tenantId } }, ...pipeline]
}

/** The first such stage, inside of `$facet` too. */
function wideningStage(pipeline: readonly Document[]): string | undefined {
  for (const stage of pipeline) {
    const name = Object.keys(stage).find((key) => WIDENING.has(key))
    if (name !== undefined) return name
    for (const inner of Object.values<unknown>(stage['$facet'] ?? {})) {
      const found = Array.isArray(inner) ? wideningStage(inner as Document[]) : undefined
      if (found !== undefined) return found
    }
  }
  return undefined
}
