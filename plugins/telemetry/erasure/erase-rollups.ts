// Moves rollup documents of erased subjects to their pseudonyms, so that no cohort shrinks.
import type { ClientSession } from 'mongodb'
import { rollupId } from '../rollups/dimension.ts'
import type { StoredRollup } from '../rollups/update.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import type { Pseudonyms } from './redact-row.ts'

const BATCH = 200

/** Documents whose dimensions name an erased subject, moved batch by batch. */
export async function eraseRollups(
  storage: TelemetryStorage,
  tenantId: string,
  pseudonyms: Pseudonyms
): Promise<number> {
  const filter = { tenantId, dims: { $in: [...pseudonyms.keys()] } }
  let moved = 0
  for (;;) {
    const count = await storage.transaction(async (session) => {
      const { rollups } = storage.collections
      const found = await rollups.find(filter, { session }).limit(BATCH).toArray()
      for (const old of found) await moveRollup(storage, old, pseudonyms, session)
      return found.length
    })
    moved += count
    if (count === 0) return moved
  }
}

// Erased before and active again since: both counts belong to the pseudonym.
async function moveRollup(
  storage: TelemetryStorage,
  old: StoredRollup,
  pseudonyms: Pseudonyms,
  session: ClientSession
): Promise<void> {
  const { rollups } = storage.collections
  const dims = old.dims.map((dim) => pseudonyms.get(dim) ?? dim)
  const _id = rollupId(old.tenantId, old.as, dims, old.bucketAt?.getTime())
  const { firstCapture, firstTraceId, firstId, ...kept } = old
  const known = await rollups.findOne({ _id }, { session })
  await rollups.deleteOne({ _id: old._id }, { session })
  const next: StoredRollup = known === null ? { ...kept, _id, dims } : joinRollups(known, kept)
  await rollups.replaceOne({ _id }, next, { session, upsert: true })
}

function joinRollups(a: StoredRollup, b: Omit<StoredRollup, '_id'>): StoredRollup {
  const sums = { ...a.sums }
  for (const [field, value] of Object.entries(b.sums ?? {})) {
    sums[field] = (sums[field] ?? 0) + value
  }
  return {
    ...a,
    count: a.count + b.count,
    firstAt: new Date(Math.min(a.firstAt.getTime(), b.firstAt.getTime())),
    lastAt: new Date(Math.max(a.lastAt.getTime(), b.lastAt.getTime())),
    ...(Object.keys(sums).length > 0 && { sums })
  }
}
