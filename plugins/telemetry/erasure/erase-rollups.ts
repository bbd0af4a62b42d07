// Moves rollup documents of erased subjects to their pseudonyms, so that no cohort shrinks.
import type { ClientSession, Document, Filter } from 'mongodb'
import { timeTerm } from '../identity/links.ts'
import { parseDimension } from '../registry/names.ts'
import type { Registry } from '../registry/types.ts'
import { rollupId } from '../rollups/dimension.ts'
import type { StoredRollup } from '../rollups/update.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { type Erased, reachFilters } from './erased.ts'
import { UNMISTAKABLE } from './mentions.ts'
import { idOf, type Pseudonyms } from './pseudonym.ts'

const BATCH = 200
/** Of one filter: a person may have very many aliases. */
const MOST_DIMS = 5000
/**
 * Every dimension that names an erased subject, and what replaces it: the ref itself, and attributes
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

/** A condition, and where the dimensions of what it finds move to. */
export interface RollupMove {
  readonly filter: Filter<StoredRollup>
  readonly moves: ReadonlyMap<string, string>
}

/** What finds documents by those dimensions; of refs that were shared those that hold nothing but the person's time. */
export function rollupsOf(registry: Registry, erased: Erased): readonly RollupMove[] {
  const { tenantId, pseudonyms, whole, shared } = erased
  const found: RollupMove[] = []
  const named = (ref: string) => [ref, pseudonyms.get(ref) ?? ref] as const
  const moves = dimsOf(registry, new Map(whole.map(named)))
  const dims = [...moves.keys()]
  for (let from = 0; from < dims.length; from += MOST_DIMS) {
    found.push({ filter: { tenantId, dims: { $in: dims.slice(from, from + MOST_DIMS) } }, moves })
  }
  for (const reach of shared) {
    const own = dimsOf(registry, new Map([named(reach.ref)]))
    const { $gte, $lt } = timeTerm(reach) ?? {}
    found.push({
      filter: {
        tenantId,
        dims: { $in: [...own.keys()] },
        ...($gte !== undefined && { firstAt: { $gte } }),
        ...($lt !== undefined && { lastAt: { $lt } })
      },
      moves: own
    })
  }
  return found
}

/** Captures of records that name the person, whether or not the row is still there. */
export const capturesOf = (erased: Erased): readonly Document[] =>
  reachFilters(erased, 'firstRefs', 'firstAt')

/** Returns how many captures went. */
export async function eraseCaptures(
  { collections: { rollups } }: TelemetryStorage,
  erased: Erased
): Promise<number> {
  let gone = 0
  const $unset = { firstCapture: true, firstTraceId: true, firstRefs: true } as const
  for (const filter of capturesOf(erased)) {
    gone += (await rollups.updateMany(filter as Filter<StoredRollup>, { $unset })).modifiedCount
  }
  return gone
}

/** Documents whose dimensions name an erased subject, moved batch by batch. */
export async function eraseRollups(
  storage: TelemetryStorage,
  registry: Registry,
  erased: Erased
): Promise<number> {
  let moved = 0
  for (const move of rollupsOf(registry, erased)) {
    for (;;) {
      const count = await moveBatch(storage, move)
      moved += count
      if (count === 0) break
    }
  }
  return moved
}

function moveBatch(storage: TelemetryStorage, { filter, moves }: RollupMove): Promise<number> {
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
  const { firstCapture, firstRefs, firstTraceId, firstId, ...kept } = old
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
