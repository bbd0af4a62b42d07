// Removes records in small steps: of ingests that did not end, and those that are too old.
import { DURABLE } from '@keelson/sdk'
import type { Collection, Filter } from 'mongodb'
import type { DmarcContext } from '../context.ts'
import { pruneRecords, sumIngest } from './sum-sources.ts'

/** An ingest that was not touched for so long belongs to a process that is gone. */
const ABANDONED_AFTER_MS = 600_000
const STEP = 1_000
const DAY_MS = 86_400_000

type SweepContext = Pick<DmarcContext, 'collections' | 'clock' | 'withTransaction'>
type RemoveContext = SweepContext & Pick<DmarcContext, 'config'>

/** Removes what an ingest stored, then the ingest. */
export async function removeRecords(
  { collections }: Pick<DmarcContext, 'collections'>,
  ingest: string
): Promise<void> {
  await removeInSteps(collections.records, { ingest })
  await collections.ingests.deleteOne({ _id: ingest }, DURABLE)
}

/**
 * Ends what processes that are gone have left: adds the rest of a stored report to the sums of sources, and
 * removes the records of one that was not stored. The ingest stays for a day as a mark: a process that was only
 * slow may still write some, which do not count and go with the mark.
 *
 * @returns how many ingests were marked
 */
export async function sweepIngests(context: SweepContext, signal?: AbortSignal): Promise<number> {
  const { collections, clock } = context
  const { ingests } = collections
  const now = clock.now()
  const before = (ms: number) => ({ $lt: new Date(now.getTime() - ms) })
  const stored = { touchedAt: before(ABANDONED_AFTER_MS), summing: { $exists: true } }
  for await (const { _id } of ingests.find(stored)) await sumIngest(context, _id, signal)
  let swept = 0
  for (;;) {
    signal?.throwIfAborted()
    const found = await ingests.findOneAndUpdate(
      {
        touchedAt: before(ABANDONED_AFTER_MS),
        abandoned: { $exists: false },
        summing: { $exists: false }
      },
      { $set: { abandoned: true, touchedAt: now } },
      DURABLE
    )
    if (found === null) break
    await removeInSteps(collections.records, { ingest: found._id }, signal)
    swept++
  }
  const marks = { touchedAt: before(DAY_MS), abandoned: true } as const
  for await (const { _id } of ingests.find(marks)) await removeRecords({ collections }, _id)
  return swept
}

/** Removes records, with their part of the sums, and reported mails that are older than `retentionDays`. Reports stay. */
export async function pruneDmarcFailures(
  context: RemoveContext,
  signal?: AbortSignal
): Promise<{ readonly removed: number }> {
  const { collections, clock, config } = context
  const receivedAt = { $lt: new Date(clock.now().getTime() - config.retentionDays * DAY_MS) }
  const removed =
    (await pruneRecords(context, receivedAt, signal)) +
    (await removeInSteps(collections.failures, { receivedAt }, signal))
  return { removed }
}

async function removeInSteps<T extends { readonly _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  signal?: AbortSignal
): Promise<number> {
  let removed = 0
  for (;;) {
    signal?.throwIfAborted()
    const found = await collection.find(filter).project({ _id: 1 }).limit(STEP).toArray()
    if (found.length === 0) return removed
    const ids = found.map(({ _id }) => _id)
    // The ids are those of T: the driver's types cannot tell.
    const { deletedCount } = await collection.deleteMany({ _id: { $in: ids } } as never, DURABLE)
    removed += deletedCount
  }
}
