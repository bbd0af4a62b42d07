// Keeps the sums of sources beside the records: each record counts once, whatever process ends in the middle.
import type { ClientSession } from 'mongodb'
import type { DmarcContext } from '../context.ts'
import { added, type SummedRecord, sumsOfRecords, without } from '../sources/source-sums.ts'
import type { SourceRow } from '../storage/rows.ts'

/** Records in a transaction. */
const BATCH = 2_000
const SUMMED = {
  aligned: 1,
  sourceIp: 1,
  domain: 1,
  count: 1,
  day: 1,
  rangeEnd: 1,
  orgName: 1,
  dkim: 1,
  spf: 1,
  disposition: 1
} as const

type SumContext = Pick<DmarcContext, 'collections' | 'clock' | 'withTransaction'>

/** Adds records to the sums of their sources, or takes them away, in the caller's transaction. */
export async function changeSums(
  { sources }: DmarcContext['collections'],
  records: readonly SummedRecord[],
  { session, isRemoval = false }: { readonly session: ClientSession; readonly isRemoval?: boolean }
): Promise<void> {
  const parts = sumsOfRecords(records)
  if (parts.size === 0) return
  const stored = await sources.find({ _id: { $in: [...parts.keys()] } }, { session }).toArray()
  const before = new Map(stored.map((row) => [row._id, row]))
  const writes = [...parts.values()].flatMap((part) => {
    const known = before.get(part._id)
    if (isRemoval) return known === undefined ? [] : [writeOf(part._id, without(known, part))]
    return [
      known === undefined
        ? { insertOne: { document: part } }
        : writeOf(part._id, added(known, part))
    ]
  })
  if (writes.length > 0) await sources.bulkWrite(writes, { session, ordered: false })
}

function writeOf(_id: string, next: SourceRow | null) {
  if (next === null) return { deleteOne: { filter: { _id } } }
  return { replaceOne: { filter: { _id }, replacement: next } }
}

/**
 * Adds the records of a large report that is stored, batch by batch. What a killed process left goes on where it
 * was; two that do it at the same time add each batch once.
 */
export async function sumIngest(
  context: SumContext,
  ingest: string,
  signal?: AbortSignal
): Promise<void> {
  while (await sumBatch(context, ingest)) signal?.throwIfAborted()
}

/** False when nothing is left. */
function sumBatch(
  { collections, clock, withTransaction }: SumContext,
  ingest: string
): Promise<boolean> {
  const { ingests, records } = collections
  return withTransaction(async (session) => {
    const row = await ingests.findOne({ _id: ingest, summing: { $exists: true } }, { session })
    const { domain = '', done = 0, records: all = 0 } = row?.summing ?? {}
    if (row === null) return false
    const size = Math.min(BATCH, all - done)
    const ids = Array.from({ length: size }, (_, at) => `${ingest}:${done + at}`)
    const failing = { _id: { $in: ids }, aligned: false, sourceIp: { $ne: null } }
    const batch = records.find(failing, { session, projection: SUMMED })
    await changeSums(collections, await batch.toArray(), { session })
    if (done + size >= all) {
      await ingests.deleteOne({ _id: ingest }, { session })
      return false
    }
    const summing = { domain, done: done + size, records: all }
    const touchedAt = clock.now()
    await ingests.updateOne({ _id: ingest }, { $set: { summing, touchedAt } }, { session })
    return true
  })
}

/** Removes records that are too old, with what they added to the sums. @returns how many */
export async function pruneRecords(
  { collections, withTransaction }: Pick<SumContext, 'collections' | 'withTransaction'>,
  receivedAt: { readonly $lt: Date },
  signal?: AbortSignal
): Promise<number> {
  const { ingests, records } = collections
  for (let removed = 0; ; ) {
    signal?.throwIfAborted()
    const step = await withTransaction(async (session) => {
      // The records of these are not in the sums yet, or not all of them.
      const pending = await ingests.find({}, { session, projection: { _id: 1 } }).toArray()
      const isSummed = pending.length > 0 && { ingest: { $nin: pending.map(({ _id }) => _id) } }
      const old = await records
        .find({ receivedAt, ...isSummed }, { session, projection: SUMMED })
        .limit(BATCH)
        .toArray()
      if (old.length === 0) return 0
      await changeSums(collections, old, { session, isRemoval: true })
      const ids = old.map(({ _id }) => _id)
      return (await records.deleteMany({ _id: { $in: ids } }, { session })).deletedCount
    })
    if (step === 0) return removed
    removed += step
  }
}
