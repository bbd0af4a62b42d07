// The order of deliveries: a change of a rule waits until the change before it is sent or given up.
import type { Queue } from '@keelson/sdk'
import type { ClientSession } from 'mongodb'
import type { TelemetryStorage } from '../storage/storage.ts'
import type { StoredChange } from '../storage/stored-alert.ts'

/** A change as an item of the queue: they are the same document. */
export type ChangeItem = StoredChange & Readonly<Record<string, unknown>>

/**
 * How long a change waits at most for the one before it: longer than eight attempts with the longest pauses that a
 * receiver may ask for. Usually the change before lets it go.
 */
const LONGEST_WAIT_MS = 12 * 3_600_000

/** The changes of one line: of a rule, and of a rule by group of one value. */
export const lineOf = ({ ruleId, group }: Pick<StoredChange, 'ruleId' | 'group'>) => ({
  ruleId,
  // Of null the database finds those without.
  group: (group ?? null) as string
})

/** Stores a change and queues its messages, within the transaction that changes the state of its rule. */
export async function addChange(
  { collections: { changes } }: TelemetryStorage,
  queue: Queue<ChangeItem>,
  change: StoredChange,
  session: ClientSession
): Promise<void> {
  if (change.deliveries.length === 0) {
    await changes.insertOne(change, { session })
    return
  }
  // Written, not only read: a change that is settled at the same moment makes this transaction start again.
  const before = await changes.updateOne(
    {
      ...lineOf(change),
      'deliveries.state': 'due',
      state: { $in: ['due', 'leased'] }
    },
    { $set: { followedBy: change._id } },
    { session }
  )
  const wait = before.matchedCount === 0 ? 0 : LONGEST_WAIT_MS
  const item = { ...change, dueAt: new Date(change.at.getTime() + wait) }
  await queue.add([item as ChangeItem], { session })
}

/** Lets the next change of a rule go. */
export async function releaseNext(
  { collections: { changes } }: TelemetryStorage,
  { _id, ruleId, group, at }: StoredChange,
  now: Date
): Promise<void> {
  await changes.findOneAndUpdate(
    {
      ...lineOf({ ruleId, ...(group !== undefined && { group }) }),
      at: { $gte: at },
      _id: { $ne: _id },
      'deliveries.state': 'due',
      state: 'due',
      dueAt: { $gt: now },
      attempts: 0
    },
    { $set: { dueAt: now } },
    { sort: { at: 1 } }
  )
}
