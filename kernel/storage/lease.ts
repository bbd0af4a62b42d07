// A lease on a name: what only one process of the platform may do at a time.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { KERNEL_PREFIX } from '@keelson/sdk/storage'
import { type Collection, type Db, MongoServerError } from 'mongodb'
import { systemClock } from '../system-clock.ts'

interface LeaseRecord {
  readonly _id: string
  readonly holder: string
  readonly until: Date
}

export interface LeaseOptions {
  readonly signal: AbortSignal
  /** Milliseconds from the last renewal to the end of the lease. Default 10,000. */
  readonly leaseMs?: number
  /** Called once when another process holds it. */
  readonly onWait?: () => void
}

const RETRY_MS = 200

/**
 * Runs `act` while holding the lease `name`; waits while another process holds it. Clocks of the
 * machines must agree to well within the lease, and leases run in real time. When the process dies,
 * the lease ends by itself.
 */
export async function withLease<T>(
  db: Db,
  name: string,
  options: LeaseOptions,
  act: () => Promise<T>
): Promise<T> {
  const leases = db.collection<LeaseRecord>(`${KERNEL_PREFIX}leases`)
  const holder = randomUUID()
  const leaseMs = options.leaseMs ?? 10_000
  const take = () => takeLease(leases, name, holder, leaseMs)
  if (!(await take())) {
    options.onWait?.()
    do await sleep(RETRY_MS, undefined, { signal: options.signal })
    while (!(await take()))
  }
  // A renewal that fails is tried again; the lease outlives three of them.
  const renewal = setInterval(() => void take().catch(() => {}), leaseMs / 4)
  try {
    return await act()
  } finally {
    clearInterval(renewal)
    await leases.deleteOne({ _id: name, holder })
  }
}

async function takeLease(
  leases: Collection<LeaseRecord>,
  name: string,
  holder: string,
  leaseMs: number
): Promise<boolean> {
  const now = systemClock.now().getTime()
  try {
    await leases.updateOne(
      { _id: name, $or: [{ holder }, { until: { $lte: new Date(now) } }] },
      { $set: { holder, until: new Date(now + leaseMs) } },
      { upsert: true }
    )
    return true
  } catch (error) {
    // Nothing matched and the name is taken: another lease is running.
    if (error instanceof MongoServerError && error.code === 11000) return false
    throw error
  }
}
