// Items of a queue that a plugin sets aside or brings forward while they wait.
import type { ClientSession, Collection, Document, Filter } from 'mongodb'
import { DURABLE } from '../storage/insert-new.ts'
import type { RescheduleOptions, WithdrawOptions } from './queue.ts'
import { type StoredItem, updateStages } from './queue-store.ts'

/** Returns how many items left the queue. An item that is being handled stays. */
export async function withdrawItems(
  collection: Collection<StoredItem>,
  filter: Document,
  options: WithdrawOptions,
  now: Date
): Promise<number> {
  const { state, reason = 'set aside', update, session } = options
  const fields = state === 'done' ? { doneAt: now } : { parkedAt: now, reason }
  const isEnd = state === 'done'
  const unset = isEnd ? ['dueAt', 'reason', 'parkedAt'] : ['dueAt']
  const stages = updateStages({ set: { state, ...fields }, unset }, update)
  const waiting = isEnd ? { $in: ['due', 'parked'] } : 'due'
  return steer(collection, { $and: [filter, { state: waiting }] }, stages, session)
}

/** Returns how many items are due at the new time. Their tries are counted anew. */
export async function rescheduleItems(
  collection: Collection<StoredItem>,
  filter: Document,
  options: RescheduleOptions,
  now: Date
): Promise<number> {
  const { dueAt = now, update, session } = options
  const set = { state: 'due', dueAt, attempts: 0 }
  const stages = updateStages({ set, unset: ['reason', 'parkedAt'] }, update)
  const waiting = { $and: [filter, { state: { $in: ['due', 'parked'] } }] }
  return steer(collection, waiting, stages, session)
}

async function steer(
  collection: Collection<StoredItem>,
  filter: Document,
  stages: Document[],
  session: ClientSession | undefined
): Promise<number> {
  const options = session === undefined ? DURABLE : { session }
  const { modifiedCount } = await collection.updateMany(
    filter as Filter<StoredItem>,
    stages,
    options
  )
  return modifiedCount
}
