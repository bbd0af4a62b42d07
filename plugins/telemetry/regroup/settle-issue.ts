// Settles a former issue when its records have moved: what its documents still count goes to its successor, or, where
// records stay, begins and ends with those that stay.
import type { ClientSession, Document } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'
import { NEWEST_FIRST, OLDEST_FIRST, type RowSource, wholeOf } from '../queries/row-source.ts'
import type { Registry, RollupFamily } from '../registry/types.ts'
import { bucketStart, nextBucket } from '../rollups/bucket.ts'
import { rollupId } from '../rollups/dimension.ts'
import { Ledger } from '../rollups/ledger.ts'
import { placeInOne } from '../rollups/place.ts'
import { correctionOf, type StoredRollup } from '../rollups/update.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { signalOf } from '../storage/stored-alert.ts'
import { BY_ISSUE, ISSUE_LABEL } from './move-rollups.ts'
import type { Succession } from './successors.ts'

export interface Settling {
  readonly storage: TelemetryStorage
  readonly rows: RowSource
  readonly registry: Registry
}

/** Documents of one transaction. */
const BATCH = 200

export async function settleIssue(settling: Settling, succession: Succession): Promise<void> {
  const { storage, rows } = settling
  const { id, tenantId, former } = succession
  const { rollups, checkpoints } = storage.collections
  const named = { tenantId, dims: `${ISSUE_LABEL}=${former}` }
  let after = ''
  for (;;) {
    const found = await rollups
      .find({ ...named, _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray()
    const last = found.at(-1)
    if (last === undefined) break
    after = last._id
    for (const document of found) await settleDocument(settling, document, succession)
  }
  const filter = { tenantId, 'error.fingerprint': former }
  const [left] = wholeOf(await rows.find(filter, { sort: NEWEST_FIRST, limit: 1 }))
  if (left === undefined) await followSuccessor(storage, succession)
  await checkpoints.deleteOne({ _id: id })
}

async function settleDocument(
  settling: Settling,
  document: StoredRollup,
  succession: Succession
): Promise<void> {
  const { storage, registry, rows } = settling
  const family = registry.family(document.as)
  if (family === undefined || !family.by.includes(BY_ISSUE)) return
  const filter = rowsOfDocument(family, document, succession.former)
  const one = async (sort: typeof NEWEST_FIRST | typeof OLDEST_FIRST) =>
    wholeOf(await rows.find(filter, { sort, limit: 1 }))[0]
  const oldest = await one(OLDEST_FIRST)
  if (oldest === undefined) {
    await storage.transaction((session) => handOver(storage, document, succession, session))
    return
  }
  const newest = (await one(NEWEST_FIRST)) ?? oldest
  const { rollups } = storage.collections
  const ends = { lastAt: newest.occurredAt }
  await rollups.updateOne({ _id: document._id, lastAt: document.lastAt }, { $set: ends })
  if (await hasMoved(settling, document, succession.former)) {
    await beginWith(settling, document, oldest)
  }
}

/** The rows that a document counts, as far as they are there. */
function rowsOfDocument(family: RollupFamily, document: StoredRollup, former: string): Document {
  const { tenantId, bucketAt, dims } = document
  const ref = dims[family.by.indexOf('subject')]
  const start = bucketAt?.getTime()
  const isInBucket =
    start === undefined || family.bucket === undefined
      ? {}
      : {
          occurredAt: {
            $gte: bucketAt,
            $lt: new Date(nextBucket(bucketStart(start, family.bucket), family.bucket))
          }
        }
  return {
    tenantId,
    name: { $in: [...family.events] },
    'error.fingerprint': former,
    ...isInBucket,
    ...(ref !== undefined && { subjectKeys: ref })
  }
}

/** Whether the first record of a document belongs to another issue now. */
async function hasMoved(
  { rows }: Settling,
  { tenantId, firstId, firstAt }: StoredRollup,
  former: string
): Promise<boolean> {
  if (firstId === undefined) return false
  const filter = { tenantId, _id: firstId, occurredAt: { $gte: firstAt, $lte: firstAt } }
  const [first] = wholeOf(await rows.find(filter, { sort: OLDEST_FIRST, limit: 1 }))
  return first !== undefined && first.error?.fingerprint !== former
}

async function beginWith(
  { storage, registry }: Settling,
  { _id, as }: StoredRollup,
  row: StoredRow
): Promise<void> {
  const event = registry.event(row.name)
  if (event === undefined) return
  const ledger = new Ledger()
  ledger.begin(0)
  placeInOne(ledger, event, row, as)
  const begun = ledger.touched.find(({ key }) => key._id === _id)
  if (begun === undefined) return
  await storage.collections.rollups.updateOne({ _id }, correctionOf(begun).update)
}

/** What is left are records that have expired or were never stored. */
async function handOver(
  { collections: { rollups } }: TelemetryStorage,
  { _id: formerId }: StoredRollup,
  { former, successor }: Succession,
  session: ClientSession
): Promise<void> {
  const old = await rollups.findOne({ _id: formerId }, { session })
  if (old === null) return
  const dims = old.dims.map((dim) =>
    dim === `${ISSUE_LABEL}=${former}` ? `${ISSUE_LABEL}=${successor}` : dim
  )
  const _id = rollupId(old.tenantId, old.as, dims, old.bucketAt?.getTime())
  const known = await rollups.findOne({ _id }, { session })
  await rollups.deleteOne({ _id: formerId }, { session })
  const next = known === null ? { ...old, _id, dims } : joined(known, old)
  await rollups.replaceOne({ _id }, next, { session, upsert: true })
}

/** The facts of the first record are those of the earlier one. */
function joined(known: StoredRollup, old: StoredRollup): StoredRollup {
  const { firstId, firstCapture, firstRefs, firstTraceId, ...kept } = known
  const first = old.firstAt < known.firstAt ? old : known
  const sums = { ...known.sums }
  for (const [field, value] of Object.entries(old.sums ?? {})) {
    sums[field] = (sums[field] ?? 0) + value
  }
  return {
    ...kept,
    count: known.count + old.count,
    firstAt: first.firstAt,
    ...(first.firstId !== undefined && { firstId: first.firstId }),
    ...(first.firstCapture !== undefined && { firstCapture: first.firstCapture }),
    ...(first.firstRefs !== undefined && { firstRefs: first.firstRefs }),
    ...(first.firstTraceId !== undefined && { firstTraceId: first.firstTraceId }),
    ...(Object.keys(sums).length > 0 && { sums })
  }
}

/** Alert rules and saved views that name the former issue name its successor. */
async function followSuccessor(
  { collections: { alerts, views } }: TelemetryStorage,
  { tenantId, former, successor }: Succession
): Promise<void> {
  const swap = (text: string) => text.replaceAll(former, successor)
  for (const alert of await alerts.find({ tenantId }).toArray()) {
    const signal = signalOf(alert)
    if (signal.source !== 'series' || signal.filters?.fingerprint !== former) continue
    await alerts.updateOne({ _id: alert._id }, { $set: { signal: swap(alert.signal) } })
  }
  const named = { tenantId, query: { $regex: former } }
  for (const view of (await views?.find(named).toArray()) ?? []) {
    await views?.updateOne({ _id: view._id }, { $set: { query: swap(String(view['query'])) } })
  }
}
