// Reads pinned to one tenant, for host code that needs more than the query primitives.
import type { Document } from 'mongodb'
import { errors } from '../errors.ts'
import type { StorageCollections } from '../storage/storage.ts'
import type { ScopedReads } from '../telemetry.ts'
import { NEWEST_FIRST, type RowSource, wholeOf } from './row-source.ts'

const DEFAULT_LIMIT = 1000

/**
 * The tenant is applied last and cannot be overridden. `*` is a literal here and matches nothing.
 *
 * @throws TEL_HISTORY_UNREADABLE where rows of the tenant are sealed and columns cannot be read so.
 * @throws TEL_SEGMENT_MISSING where some of them are damaged or missing.
 */
export function scopedReads(
  { rollups }: StorageCollections,
  source: RowSource,
  tenantId: string
): ScopedReads {
  const pin = (filter: Document = {}): Document => ({ $and: [filter, { tenantId }] })
  return {
    async find(filter, { limit = DEFAULT_LIMIT } = {}) {
      const wanted = { ...pin(filter), tenantId }
      const alone = await source.ofDocuments(wanted, (rows) =>
        rows.find(pin(filter)).limit(limit).toArray()
      )
      if (alone !== undefined) return alone.value
      const options = { sort: NEWEST_FIRST, limit }
      return wholeOf(await readable(() => source.find(wanted, options))) as never
    },
    rollups: (filter, { limit = DEFAULT_LIMIT } = {}) =>
      rollups.find(pin(filter)).limit(limit).toArray(),
    async aggregate(pipeline) {
      const stages = pinned(tenantId, pipeline)
      return wholeOf(await readable(() => source.aggregate(stages))) as never
    },
    rollupAggregate: async (pipeline) => rollups.aggregate(pinned(tenantId, pipeline)).toArray()
  }
}

async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if ((error as Error).name !== 'NotInColumns') throw error
    throw errors.TEL_HISTORY_UNREADABLE({ reason: (error as Error).message, cause: error })
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
