// The database's side of a queue: adding, claiming and settling items, one command each.

import type { AnyBulkWriteOperation, ClientSession, Collection, Document } from 'mongodb'
import { DURABLE, insertNew } from '../storage/insert-new.ts'
import type { Settlement } from './item-state.ts'
import type { AddOptions, HeldUpdate, ItemUpdate, QueueItem } from './queue.ts'

/** An item as stored. `dueAt` says when it is looked at next: while leased, when the lease ends. */
export interface StoredItem extends Document {
  readonly _id: string
  readonly state: 'due' | 'leased' | 'done' | 'parked'
  readonly dueAt?: Date
  readonly lease?: string
  readonly leaseUntil?: Date
  /** Tries so far, the present one included. */
  readonly attempts: number
  /** Why the last try failed. */
  readonly reason?: string
  readonly doneAt?: Date
  readonly parkedAt?: Date
}

/** Fields that the queue keeps itself; an item must not bring them (but `dueAt`). */
export const QUEUE_FIELDS = [
  'state',
  'lease',
  'leaseUntil',
  'attempts',
  'reason',
  'doneAt',
  'parkedAt'
] as const

export interface Glance {
  /** Ids that are due, oldest first. */
  readonly due: readonly string[]
  /** When the first item that is not yet due will be. */
  readonly nextDueAt: Date | undefined
}

const FAR = new Date(8.64e15)
const LEASE = ['lease', 'leaseUntil'] as const

/** Adds items that are not there yet. Returns how many were. */
export async function addItems(
  collection: Collection<StoredItem>,
  items: readonly (QueueItem & { readonly dueAt?: Date })[],
  now: Date,
  { session, uniqueBy }: AddOptions = {}
): Promise<number> {
  const documents = items.map(
    (item): StoredItem => ({ ...item, dueAt: item.dueAt ?? now, state: 'due', attempts: 0 })
  )
  if (documents.length === 0) return 0
  return session === undefined
    ? insertNew(collection, documents, uniqueBy)
    : addInTransaction(collection, documents, session, uniqueBy)
}

/** An insert that finds its key taken would end the transaction, so these are upserts. */
async function addInTransaction(
  collection: Collection<StoredItem>,
  documents: readonly StoredItem[],
  session: ClientSession,
  uniqueBy: string | undefined
): Promise<number> {
  const operations = documents.map((document): AnyBulkWriteOperation<StoredItem> => {
    const { _id } = document
    const filter =
      uniqueBy === undefined ? { _id } : { $or: [{ _id }, { [uniqueBy]: document[uniqueBy] }] }
    return { updateOne: { filter, update: { $setOnInsert: document }, upsert: true } }
  })
  const { upsertedCount } = await collection.bulkWrite(operations, { session })
  return upsertedCount
}

/** Which items of the collection are those of a queue: all, or those with some values. */
export type QueueSelection = Readonly<Record<string, string>>

/** Reads up to `limit` ids in the order they are due. */
export async function glance(
  collection: Collection<StoredItem>,
  now: Date,
  limit: number,
  where: QueueSelection = {}
): Promise<Glance> {
  const items = await collection
    .find({ ...where, dueAt: { $lte: FAR } }, { projection: { dueAt: 1 }, batchSize: limit + 1 })
    .sort({ dueAt: 1 })
    .limit(limit)
    .toArray()
  const later = items.find((item) => item.dueAt !== undefined && item.dueAt > now)
  const due = items.filter((item) => item.dueAt !== undefined && item.dueAt <= now)
  return { due: due.map((item) => item._id), nextDueAt: later?.dueAt }
}

/** Stamps the lease on the ids that are not leased yet, and reads them. */
export async function claim(
  collection: Collection<StoredItem>,
  ids: readonly string[],
  lease: string,
  now: Date,
  until: Date
): Promise<StoredItem[]> {
  const { modifiedCount } = await collection.updateMany(
    { _id: { $in: [...ids] }, dueAt: { $lte: now } },
    { $set: { state: 'leased', lease, leaseUntil: until, dueAt: until }, $inc: { attempts: 1 } },
    DURABLE
  )
  if (modifiedCount === 0) return []
  // One answer: the first batch of a cursor has 101 documents unless it is asked for more.
  const batchSize = ids.length + 1
  return collection.find({ _id: { $in: [...ids] }, lease }, { batchSize }).toArray()
}

/** Updates items that are held under the lease, in one command. Returns which of them are. */
export async function updateHeld(
  collection: Collection<StoredItem>,
  updates: readonly HeldUpdate[],
  lease: string
): Promise<ReadonlySet<string>> {
  const all = updates.flatMap(({ ids }) => ids)
  if (all.length === 0) return new Set()
  const operations = updates.map(({ ids, update }): AnyBulkWriteOperation<StoredItem> => {
    return { updateMany: { filter: { _id: { $in: [...ids] }, lease }, update: [...update] } }
  })
  const { matchedCount } = await collection.bulkWrite(operations, { ordered: false, ...DURABLE })
  if (matchedCount === all.length) return new Set(all)
  const filter = { _id: { $in: all }, lease }
  const held = await collection.find(filter, { projection: { _id: 1 } }).toArray()
  return new Set(held.map(({ _id }) => _id))
}

/** Keeps leases from running out. */
export async function renew(
  collection: Collection<StoredItem>,
  held: readonly { readonly _id: string; readonly lease: string }[],
  until: Date
): Promise<void> {
  const leases = [...new Set(held.map((item) => item.lease))]
  await collection.updateMany(
    { _id: { $in: held.map((item) => item._id) }, lease: { $in: leases } },
    { $set: { leaseUntil: until, dueAt: until } },
    DURABLE
  )
}

export interface SettledItem {
  readonly _id: string
  readonly lease: string
  readonly settlement: Settlement
}

/** Writes what became of items, in one command. An item that another worker has leased since is left as it is. */
export async function finish(
  collection: Collection<StoredItem>,
  settled: readonly SettledItem[],
  now: Date
): Promise<void> {
  const groups = new Map<string, SettledItem[]>()
  for (const item of settled) {
    const key = `${item.lease} ${JSON.stringify(item.settlement)}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  const operations = [...groups.values()].map((group): AnyBulkWriteOperation<StoredItem> => {
    const [{ lease, settlement }] = group as [SettledItem]
    const filter = { _id: { $in: group.map((item) => item._id) }, lease }
    return { updateMany: { filter, update: updateOf(settlement, now) } }
  })
  await collection.bulkWrite(operations, { ordered: false, ...DURABLE })
}

interface SettlementUpdate {
  readonly set: Document
  readonly unset: readonly string[]
  readonly inc?: Document
}

/** The item's own update goes in the same write, as further stages. */
function updateOf(settlement: Settlement, now: Date): Document | Document[] {
  const update = settlementUpdate(settlement, now)
  const own = 'update' in settlement ? settlement.update : undefined
  if (own !== undefined) return updateStages(update, own)
  const { set, unset, inc } = update
  const $unset = Object.fromEntries(unset.map((name) => [name, '']))
  return { $set: set, $unset, ...(inc !== undefined && { $inc: inc }) }
}

/** The queue's own fields as stages of a pipeline, then those of the plugin. */
export function updateStages(
  { set, unset }: Pick<SettlementUpdate, 'set' | 'unset'>,
  own: ItemUpdate = []
): Document[] {
  // In a pipeline a text that starts with `$` would be read as a field.
  const $set = Object.entries(set).map(([name, value]) => [name, { $literal: value }])
  return [{ $set: Object.fromEntries($set) }, { $unset: [...unset] }, ...own]
}

function settlementUpdate(settlement: Settlement, now: Date): SettlementUpdate {
  switch (settlement.state) {
    case 'done':
      return { set: { state: 'done', doneAt: now }, unset: [...LEASE, 'dueAt', 'reason'] }
    case 'due': {
      const { dueAt, reason } = settlement
      return { set: { state: 'due', dueAt, reason }, unset: LEASE }
    }
    case 'scheduled': {
      const { dueAt } = settlement
      return { set: { state: 'due', dueAt, attempts: 0 }, unset: [...LEASE, 'reason'] }
    }
    case 'parked': {
      const { reason } = settlement
      return { set: { state: 'parked', reason, parkedAt: now }, unset: [...LEASE, 'dueAt'] }
    }
    case 'returned':
      return { set: { state: 'due', dueAt: now }, unset: LEASE, inc: { attempts: -1 } }
  }
}
