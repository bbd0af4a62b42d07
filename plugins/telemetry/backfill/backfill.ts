// Recounts rollup families from rows, slice by slice, while writes go on. Killed at any point and run again, it goes
// on with the slice it was at.
import type { ClientSession, Filter } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'
import { errors } from '../errors.ts'
import type { History } from '../history/history.ts'
import type { Registry, RollupFamily } from '../registry/types.ts'
import type { Increment } from '../rollups/increment.ts'
import { Ledger } from '../rollups/ledger.ts'
import { placeInOne } from '../rollups/place.ts'
import { DAILY } from '../rollups/system.ts'
import { additionOf, correctionOf, type StoredRollup } from '../rollups/update.ts'
import type { BackfillState } from '../schemas/system.ts'
import type { StorageCollections, TelemetryStorage } from '../storage/storage.ts'
import { missingOf } from './difference.ts'
import { isChanged, rememberShape } from './family-shapes.ts'
import { type Slice, timeSlice } from './slices.ts'

export interface BackfillOptions {
  readonly family: string
  /** Buckets from this time on; default: from the oldest row. */
  readonly from?: Date
  /** Buckets before this time; default: all. */
  readonly to?: Date
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: BackfillProgress) => void
}

export interface BackfillProgress {
  readonly family: string
  /** The slice that was just recounted: a time, or a tenant. */
  readonly slice: string
  readonly rows: number
  /** Documents that were made or corrected. */
  readonly documents: number
}

/** What a backfill did since it was started, or went on. */
export interface BackfillResult extends Omit<BackfillProgress, 'slice'> {
  readonly slices: number
  /** False when the signal ended it: run again, it goes on. */
  readonly isDone: boolean
}

export interface BackfillContext {
  readonly storage: TelemetryStorage
  readonly history: Pick<History, 'sealedRows'>
  readonly registry: Registry
  readonly now: () => Date
}

/**
 * Rows that have expired, or were never stored because of a sample rate, cannot be counted again: a document that
 * counts more than its rows stays as it is. Only when the shape of the family has changed all of them go first.
 *
 * @throws TEL_BACKFILL_INVALID
 */
export async function backfill(
  context: BackfillContext,
  options: BackfillOptions
): Promise<BackfillResult> {
  const { storage, now } = context
  const family = checkedFamily(context.registry, options)
  const { checkpoints } = storage.collections
  const progressId = `${PROGRESS}${family.as}`
  if (await isChanged(storage.collections, family)) await dropDocuments(storage, family)
  await rememberShape(storage.collections, family, now())
  const asked = JSON.stringify([options.from ?? null, options.to ?? null])
  const known = await checkpoints.findOne({ _id: progressId })
  let position = known?.asked === asked ? known.position : undefined
  const total = { family: family.as, slices: 0, rows: 0, documents: 0 }
  for (;;) {
    if (options.signal?.aborted === true) return { ...total, isDone: false }
    const slice = await nextSlice(context, family, options, position)
    if (slice === undefined) break
    const done = await recountSlice(context, family, { slice, progressId, asked })
    position = slice.next
    total.slices++
    total.rows += done.rows
    total.documents += done.documents
    const name = slice.tenantId ?? slice.from?.toISOString() ?? ''
    options.onProgress?.({ family: family.as, slice: name, ...done })
  }
  await checkpoints.deleteOne({ _id: progressId })
  return { ...total, isDone: true }
}

const PROGRESS = '$backfill:'

/** What `backfill` has begun and not finished. */
export async function listBackfills({
  checkpoints
}: Pick<StorageCollections, 'checkpoints'>): Promise<BackfillState[]> {
  const rows = await checkpoints.find({ _id: { $gte: PROGRESS, $lt: '$backfill;' } }).toArray()
  return rows.map(({ _id, at, position = '' }) => ({
    family: _id.slice(PROGRESS.length),
    position,
    at
  }))
}

function checkedFamily(registry: Registry, options: BackfillOptions): RollupFamily {
  const family = registry.family(options.family)
  if (family === undefined) {
    throw errors.TEL_BACKFILL_INVALID({ problem: `there is no rollup family "${options.family}"` })
  }
  if (family.bucket === undefined && (options.from ?? options.to) !== undefined) {
    throw errors.TEL_BACKFILL_INVALID({
      problem: `"${family.as}" has no buckets and is recounted whole`
    })
  }
  return family
}

/** Documents of a former shape: of all times, so that nothing of it is left. */
async function dropDocuments(
  { collections: { rollups } }: TelemetryStorage,
  { as }: RollupFamily
): Promise<void> {
  await rollups.deleteMany({ as, bucketAt: { $exists: true } })
  await rollups.deleteMany({ as, lifetime: true })
}

async function nextSlice(
  { storage, now }: BackfillContext,
  family: RollupFamily,
  options: BackfillOptions,
  position: string | undefined
): Promise<Slice | undefined> {
  if (family.bucket === undefined) return nextTenant(storage, position)
  const start =
    position !== undefined
      ? new Date(position)
      : (options.from ?? (await oldestRow(storage, family)))
  // Rows may be ten minutes ahead.
  const end = options.to?.getTime() ?? now().getTime() + 600_000
  return start === undefined ? undefined : timeSlice(family.bucket, start.getTime(), end)
}

async function oldestRow(
  { collections: { rows, segments } }: TelemetryStorage,
  { events }: RollupFamily
): Promise<Date | undefined> {
  const oldest = await Promise.all(
    events.map((name) =>
      rows.findOne({ name }, { sort: { occurredAt: 1, _id: 1 }, projection: { occurredAt: 1 } })
    )
  )
  const [sealed] = await segments
    .aggregate<{ from: Date }>([
      { $match: { to: { $type: 'date' }, rows: { $exists: true } } },
      { $group: { _id: null, from: { $min: '$from' } } }
    ])
    .toArray()
  const times = oldest.flatMap((row) => (row === null ? [] : [row.occurredAt.getTime()]))
  if (sealed !== undefined) times.push(sealed.from.getTime())
  return times.length === 0 ? undefined : new Date(Math.min(...times))
}

/** Every tenant with records has documents in the daily family. */
async function nextTenant(
  { collections: { rollups } }: TelemetryStorage,
  after: string | undefined
): Promise<Slice | undefined> {
  const tenants = await rollups
    .aggregate<{ _id: string }>([
      { $match: { as: DAILY, bucketAt: { $exists: true } } },
      { $group: { _id: '$tenantId' } },
      { $match: after === undefined ? {} : { _id: { $gt: after } } },
      { $sort: { _id: 1 } },
      { $limit: 1 }
    ])
    .toArray()
  const tenantId = tenants[0]?._id
  return tenantId === undefined ? undefined : { tenantId, next: tenantId }
}

interface SliceTask {
  readonly slice: Slice
  readonly progressId: string
  readonly asked: string
}

/**
 * What is missing in the documents of a slice is found in one snapshot of rows and documents, and added in one
 * transaction with the progress: what writers add meanwhile is added to the same documents and disturbs nothing.
 */
async function recountSlice(
  context: BackfillContext,
  family: RollupFamily,
  { slice, progressId, asked }: SliceTask
): Promise<{ readonly rows: number; readonly documents: number }> {
  const { storage, now } = context
  const { rollups, checkpoints } = storage.collections
  const { rows, missing } = await storage.transaction((session) =>
    findMissing(context, family, slice, session)
  )
  const updates = missing.flatMap((one) => [additionOf(one), correctionOf(one)])
  await storage.transaction(async (session) => {
    for (let at = 0; at < updates.length; at += BATCH) {
      const some = updates.slice(at, at + BATCH).map((updateOne) => ({ updateOne }))
      await rollups.bulkWrite(some, { session, ignoreUndefined: true })
    }
    const $set = { at: now(), asked, position: slice.next }
    await checkpoints.updateOne({ _id: progressId }, { $set }, { session, upsert: true })
  })
  return { rows, documents: missing.length }
}

const BATCH = 1000

async function findMissing(
  { storage, history, registry }: BackfillContext,
  family: RollupFamily,
  { from, to, tenantId }: Slice,
  session: ClientSession
): Promise<{ readonly rows: number; readonly missing: readonly Increment[] }> {
  const { rows, rollups } = storage.collections
  const tenant = tenantId === undefined ? {} : { tenantId }
  const time = { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lt: to }) }
  const isTimed = from !== undefined
  const wanted = {
    ...tenant,
    name: { $in: [...family.events] },
    ...(isTimed && { occurredAt: time })
  }
  const ledger = new Ledger()
  ledger.begin(0)
  let count = 0
  for (const found of [rows.find(wanted, { session }), history.sealedRows(wanted, session)]) {
    for await (const row of found) {
      const event = registry.event(row.name)
      if (event !== undefined) placeInOne(ledger, event, row as StoredRow, family.as)
      count++
    }
  }
  const filter: Filter<StoredRollup> = {
    ...tenant,
    as: family.as,
    ...(isTimed ? { bucketAt: time } : { lifetime: true as const })
  }
  const stored = new Map<string, StoredRollup>()
  for await (const document of rollups.find(filter, { session })) stored.set(document._id, document)
  const missing = ledger.touched.flatMap((one) => missingOf(one, stored.get(one.key._id)) ?? [])
  return { rows: count, missing }
}
