// Of a ref that several people had, rollup documents hold what all of them did: what erased rows had added to
// them moves to the pseudonym, within the transaction that erases the rows.
import type { ClientSession } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'
import type { Registry } from '../registry/types.ts'
import { rollupId } from '../rollups/dimension.ts'
import type { Increment } from '../rollups/increment.ts'
import { Ledger } from '../rollups/ledger.ts'
import { placeRecord } from '../rollups/place.ts'
import type { StoredRollup } from '../rollups/update.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { dimsOf } from './erase-rollups.ts'
import { type Erased, sharedAt } from './erased.ts'

interface Splitting {
  readonly storage: TelemetryStorage
  readonly registry: Registry
  readonly erased: Erased
  readonly session: ClientSession
}

/** What leaves one document. */
export interface Share {
  readonly id: string
  /** Dimensions of the document that it goes to. */
  readonly dims: readonly string[]
  count: number
  firstAt: number
  lastAt: number
  readonly sums: Record<string, number>
}

export async function splitRollups(
  { storage, registry, erased, session }: Splitting,
  rows: readonly StoredRow[]
): Promise<void> {
  if (erased.shared.length === 0) return
  const shares = sharesOf(registry, erased, rows)
  if (shares.size === 0) return
  const { rollups } = storage.collections
  const found = await rollups.find({ _id: { $in: [...shares.keys()] } }, { session }).toArray()
  for (const document of found) {
    const share = shares.get(document._id)
    if (share === undefined) continue
    await addShare(storage, document, share, session)
    await takeShare({ storage, registry, erased, session }, document, share)
  }
}

/** What rows had added to documents of refs that were shared: pure, by id of the document. */
export function sharesOf(
  registry: Registry,
  erased: Erased,
  rows: readonly StoredRow[]
): ReadonlyMap<string, Share> {
  const shares = new Map<string, Share>()
  for (const row of rows) {
    const event = registry.event(row.name)
    const refs = sharedAt(erased, row.occurredAt.getTime())
    if (event === undefined || refs.length === 0) continue
    const moves = dimsOf(
      registry,
      new Map(refs.map((ref) => [ref, erased.pseudonyms.get(ref) ?? ref]))
    )
    const ledger = new Ledger()
    placeRecord(ledger, event, row)
    for (const increment of ledger.touched) addTo(shares, increment, moves)
  }
  return shares
}

function addTo(
  shares: Map<string, Share>,
  { key, count, firstAt, lastAt, sums = {} }: Increment,
  moves: ReadonlyMap<string, string>
): void {
  if (!key.dims.some((dim) => moves.has(dim))) return
  const dims = key.dims.map((dim) => moves.get(dim) ?? dim)
  const share = shares.get(key._id) ?? { id: key._id, dims, count: 0, firstAt, lastAt, sums: {} }
  shares.set(key._id, share)
  share.count += count
  share.firstAt = Math.min(share.firstAt, firstAt)
  share.lastAt = Math.max(share.lastAt, lastAt)
  for (const [field, value] of Object.entries(sums)) {
    share.sums[field] = (share.sums[field] ?? 0) + value
  }
}

const sumsBy = (sums: Readonly<Record<string, number>>, sign: 1 | -1) =>
  Object.fromEntries(Object.entries(sums).map(([field, value]) => [`sums.${field}`, sign * value]))

async function addShare(
  { collections: { rollups } }: TelemetryStorage,
  document: StoredRollup,
  share: Share,
  session: ClientSession
): Promise<void> {
  const { tenantId, as, subjectType, bucketAt, lifetime, expiresAt } = document
  const _id = rollupId(tenantId, as, share.dims, bucketAt?.getTime())
  await rollups.updateOne(
    { _id },
    {
      $inc: { count: share.count, ...sumsBy(share.sums, 1) },
      $min: { firstAt: new Date(share.firstAt) },
      $max: { lastAt: new Date(share.lastAt), ...(expiresAt !== undefined && { expiresAt }) },
      $setOnInsert: {
        tenantId,
        as,
        dims: share.dims,
        ...(subjectType !== undefined && { subjectType }),
        ...(bucketAt !== undefined && { bucketAt }),
        ...(lifetime !== undefined && { lifetime })
      }
    },
    { session, upsert: true }
  )
}

async function takeShare(
  splitting: Splitting,
  document: StoredRollup,
  share: Share
): Promise<void> {
  const { storage, session } = splitting
  const { rollups } = storage.collections
  const { _id, count } = document
  if (count <= share.count) {
    await rollups.deleteOne({ _id }, { session })
    return
  }
  const isFirst = document.firstAt.getTime() >= share.firstAt
  const isLast = document.lastAt.getTime() <= share.lastAt
  const set: Partial<StoredRollup> = {
    ...(isFirst && { firstAt: await edgeOf(splitting, document, { share, order: 1 }) }),
    ...(isLast && { lastAt: await edgeOf(splitting, document, { share, order: -1 }) })
  }
  await rollups.updateOne(
    { _id },
    {
      $inc: { count: -share.count, ...sumsBy(share.sums, -1) },
      ...(Object.keys(set).length > 0 && { $set: set }),
      ...(isFirst && {
        $unset: { firstId: true, firstTraceId: true, firstCapture: true, firstRefs: true }
      })
    },
    { session }
  )
}

/** The time of the first or last record that is left; where no row tells it, the end of the erased time. */
async function edgeOf(
  { storage, registry, erased, session }: Splitting,
  { as, dims, tenantId, bucketAt, firstAt, lastAt }: StoredRollup,
  { share, order }: { readonly share: Share; readonly order: 1 | -1 }
): Promise<Date> {
  const names = registry.family(as)?.events ?? []
  const reach = erased.shared.find(({ ref }) => dims.includes(ref))
  const isInBucket = bucketAt === undefined ? {} : { occurredAt: { $gte: bucketAt, $lte: lastAt } }
  const row =
    reach === undefined
      ? null
      : await storage.collections.rows.findOne(
          { tenantId, subjectKeys: reach.ref, name: { $in: [...names] }, ...isInBucket },
          { session, sort: { occurredAt: order, _id: order }, projection: { occurredAt: 1 } }
        )
  if (row !== null) return row.occurredAt
  return order === 1 ? new Date(Math.min(share.lastAt, lastAt.getTime())) : firstAt
}
