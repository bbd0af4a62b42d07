// Moves rollup documents of erased subjects to their pseudonyms, so that no cohort shrinks.
import type { ClientSession } from 'mongodb'
import { parseDimension } from '../registry/names.ts'
import type { Registry } from '../registry/types.ts'
import { rollupId } from '../rollups/dimension.ts'
import type { StoredRollup } from '../rollups/update.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { idOf } from './pseudonym.ts'
import type { Pseudonyms } from './redact-row.ts'

const BATCH = 200
/** Of one filter: somebody may have very many aliases. */
const MOST_DIMS = 5000
/** No ordinary word: documents by it are about the subject, and not about all who have the same plan or page. */
const UNMISTAKABLE = /@|(?=.*\d).{12}/

/**
 * Every dimension that names an erased subject, and what stands in its place: the ref itself, and attributes
 * and fields that hold the ref, or its id when that can be nothing else.
 */
export function dimsOf(registry: Registry, pseudonyms: Pseudonyms): ReadonlyMap<string, string> {
  const dims = new Map(pseudonyms)
  const by = new Set([...registry.families.values()].flatMap((family) => family.by))
  for (const text of by) {
    const dimension = parseDimension(text)
    if (dimension === undefined || dimension.source === 'subject') continue
    const { label } = dimension
    for (const [ref, pseudonym] of pseudonyms) {
      const id = idOf(ref)
      dims.set(`${label}=${ref}`, `${label}=${pseudonym}`)
      if (UNMISTAKABLE.test(id)) dims.set(`${label}=${id}`, `${label}=${pseudonym}`)
    }
  }
  return dims
}

/** What finds documents by those dimensions. */
export function rollupsOf(tenantId: string, dims: readonly string[]): readonly RollupFilter[] {
  const filters: RollupFilter[] = []
  for (let from = 0; from < dims.length; from += MOST_DIMS) {
    filters.push({ tenantId, dims: { $in: dims.slice(from, from + MOST_DIMS) } })
  }
  return filters
}

interface RollupFilter {
  readonly tenantId: string
  readonly dims: { readonly $in: string[] }
}

/** Documents whose dimensions name an erased subject, moved batch by batch. */
export async function eraseRollups(
  storage: TelemetryStorage,
  tenantId: string,
  moves: ReadonlyMap<string, string>
): Promise<number> {
  let moved = 0
  for (const filter of rollupsOf(tenantId, [...moves.keys()])) {
    for (;;) {
      const count = await moveBatch(storage, filter, moves)
      moved += count
      if (count === 0) break
    }
  }
  return moved
}

function moveBatch(
  storage: TelemetryStorage,
  filter: RollupFilter,
  moves: ReadonlyMap<string, string>
): Promise<number> {
  return storage.transaction(async (session) => {
    const { rollups } = storage.collections
    const found = await rollups.find(filter, { session }).limit(BATCH).toArray()
    for (const old of found) await moveRollup(storage, old, moves, session)
    return found.length
  })
}

// Erased before and active again since: both counts belong to the pseudonym.
async function moveRollup(
  storage: TelemetryStorage,
  old: StoredRollup,
  moves: ReadonlyMap<string, string>,
  session: ClientSession
): Promise<void> {
  const { rollups } = storage.collections
  const dims = old.dims.map((dim) => moves.get(dim) ?? dim)
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
    ...(a.expiresAt !== undefined &&
      b.expiresAt !== undefined && {
        expiresAt: new Date(Math.max(a.expiresAt.getTime(), b.expiresAt.getTime()))
      }),
    ...(Object.keys(sums).length > 0 && { sums })
  }
}
