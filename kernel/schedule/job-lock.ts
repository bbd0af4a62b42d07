// The lock of a job as the ticker takes it: so that a run by hand and a run of a host exclude each other.
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from 'mongodb'
import { declareTicks, JOBS_COLLECTION, LOCK_MS } from './agenda-ticker.ts'
import type { Tick } from './ticker.ts'

export interface JobLockOptions {
  readonly db: Db
  readonly log: FastifyBaseLogger
}

interface LockableJob {
  readonly name: string
  readonly lockedAt: Date | null
}

/** Runs `act` while it holds the job's lock; undefined when another process holds it. */
export async function underJobLock<T>(
  { db, log }: JobLockOptions,
  tick: Tick,
  act: () => Promise<T>
): Promise<T | undefined> {
  // The ticker of a host must find the document as it would have made it.
  await declareTicks({ db, log }, [tick])
  const jobs = db.collection<LockableJob>(JOBS_COLLECTION)
  const { name } = tick
  let lockedAt = new Date()
  const before = new Date(lockedAt.getTime() - LOCK_MS)
  const free = { name, $or: [{ lockedAt: null }, { lockedAt: { $lte: before } }] }
  const { matchedCount } = await jobs.updateOne(free, { $set: { lockedAt } })
  if (matchedCount === 0) return undefined
  const move = async (next: Date | null) => {
    await jobs.updateOne({ name, lockedAt }, { $set: { lockedAt: next } })
    if (next !== null) lockedAt = next
  }
  // A sign of life that is missed is made up by the next: the lock outlives two of them.
  const heartbeat = setInterval(() => void move(new Date()).catch(() => {}), LOCK_MS / 3)
  try {
    return await act()
  } finally {
    clearInterval(heartbeat)
    await move(null)
  }
}
