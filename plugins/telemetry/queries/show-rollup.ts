// A stored rollup document as reads show it.

import { decodeKey } from '../field-keys.ts'
import type { StoredRollup } from '../rollups/update.ts'
import type { RollupRow } from '../schemas/reads.ts'

export function showRollup(stored: StoredRollup): RollupRow {
  return {
    _id: stored._id,
    tenantId: stored.tenantId,
    as: stored.as,
    dims: stored.dims,
    ...(stored.subjectType !== undefined && { subjectType: stored.subjectType }),
    ...(stored.bucketAt !== undefined && { bucketAt: stored.bucketAt }),
    firstAt: stored.firstAt,
    lastAt: stored.lastAt,
    count: stored.count,
    sums: decodeKeys(stored.sums),
    firstCapture: decodeKeys(stored.firstCapture),
    ...(stored.firstTraceId !== undefined && { firstTraceId: stored.firstTraceId })
  }
}

export function decodeKeys<T>(
  stored: Readonly<Record<string, T>> | undefined
): Readonly<Record<string, T>> {
  if (stored === undefined) return {}
  return Object.fromEntries(Object.entries(stored).map(([key, value]) => [decodeKey(key), value]))
}
