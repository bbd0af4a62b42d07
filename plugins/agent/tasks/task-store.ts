// The tasks of an hour in their collection: few at work for each caller, and only their own.
import type { Clock } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import type { TaskChange, TaskFault, TaskRow } from './task-row.ts'

/** Tasks at work for one caller. */
export const MOST_AT_WORK = 10
/** Tasks kept for one caller; beyond them the oldest that are over are deleted. */
export const MOST_KEPT = 100
/** For how long a sign of life of the process holds. */
export const ALIVE_MS = 20_000
const DURABLE = { writeConcern: { w: 'majority', journal: true } } as const

/** Of a task whose process is gone. */
export const STOPPED: TaskFault = {
  code: -32_603,
  message: 'The server was stopped while the task ran. Call the tool again.'
}

/** What a stopped task becomes. */
export const stopped = { state: 'failed', fault: STOPPED, message: STOPPED.message } as const

/** Reads and writes tasks. */
export interface TaskStore {
  /** False when the owner has as many at work as one may. */
  add(row: TaskRow): Promise<boolean>
  /** A task of this owner; null for any other. One whose process died is failed by this. */
  find(id: string, owner: string, isRunning: (id: string) => boolean): Promise<TaskRow | null>
  /** The tasks of an owner, the newest first. */
  list(owner: string): Promise<TaskRow[]>
  /** Changes a task that is at work; false when it is over. */
  change(id: string, change: TaskChange): Promise<boolean>
}

/** The tasks in a collection. */
export function createTaskStore(
  tasks: () => Promise<Collection<TaskRow>>,
  clock: Clock
): TaskStore {
  const newest = { sort: { at: -1 }, limit: MOST_KEPT } as const
  const change: TaskStore['change'] = async (id, fields) => {
    const collection = await tasks()
    const atWork = { _id: id, state: 'working' } as const
    const { matchedCount } = await collection.updateOne(atWork, { $set: fields }, DURABLE)
    return matchedCount === 1
  }
  return {
    async add(row) {
      const collection = await tasks()
      const { _id, owner } = row
      await collection.insertOne(row, DURABLE)
      const own = await collection
        .find({ owner }, { sort: { at: -1 }, projection: { state: 1, aliveUntil: 1 } })
        .toArray()
      const now = clock.now()
      const isAtWork = ({ state, aliveUntil }: (typeof own)[number]) =>
        state === 'working' && aliveUntil > now
      // Counted after it is there: of two that come at once, neither passes the limit.
      const isTooMany = own.filter(isAtWork).length > MOST_AT_WORK
      const old = own.slice(MOST_KEPT).filter((one) => !isAtWork(one))
      const gone = isTooMany ? [_id] : old.map((one) => one._id)
      if (gone.length > 0) await collection.deleteMany({ _id: { $in: gone } })
      return !isTooMany
    },
    async find(id, owner, isRunning) {
      const collection = await tasks()
      const now = clock.now()
      const own = { _id: id, owner, expiresAt: { $gt: now } }
      const row = await collection.findOne(own)
      if (row?.state !== 'working' || row.aliveUntil > now || isRunning(id)) return row
      await change(id, { ...stopped, changedAt: now })
      return collection.findOne(own)
    },
    async list(owner) {
      const collection = await tasks()
      return collection.find({ owner, expiresAt: { $gt: clock.now() } }, newest).toArray()
    },
    change
  }
}
