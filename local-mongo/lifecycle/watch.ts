// Keeps a lease on the shared engine, and takes a new one when the engine dies.
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../commands/log.ts'
import { lockHolder } from './folder-lock.ts'
import type { Place } from './launch.ts'
import { takeLease } from './launch.ts'
import type { Lease } from './lease.ts'

/** Between two attempts to start an engine that does not start. */
const RETRY_MS = 1_000
/** An engine that is ending has this long to leave its folder. */
const LEAVE_MS = 10_000
const LOOK_MS = 5

/** A lease that is renewed until it is closed. */
export interface WatchedLease {
  readonly pid: number
  close(): Promise<void>
}

/** Watches over a lease that was taken. */
export function watchLease(
  taken: { readonly lease: Lease; readonly pid: number },
  place: Place,
  log: Log
): WatchedLease {
  let current = taken
  let isClosed = false
  const renew = async (): Promise<void> => {
    for (;;) {
      await current.lease.over
      if (isClosed) return
      log({ level: 'warn', message: 'the database engine was lost', pid: current.pid })
      const next = await retake(place, log, () => isClosed)
      if (!next) return
      current = next
      log({ level: 'info', message: 'the database engine is back', pid: current.pid })
      // Whoever closed meanwhile waits for this, and lets the new lease go.
      if (isClosed) return
    }
  }
  const renewing = renew()
  return {
    get pid() {
      return current.pid
    },
    async close() {
      isClosed = true
      const { pid } = current
      if (await current.lease.release()) await untilLeft(place.dataDir, pid)
      await renewing
      // An engine that came back while this was closing is let go too.
      if (await current.lease.release()) await untilLeft(place.dataDir, current.pid)
    }
  }
}

/** An engine that has cut its connections still closes its files; the lock is the last it lets go. */
async function untilLeft(dataDir: string, pid: number): Promise<void> {
  const until = Date.now() + LEAVE_MS
  while (Date.now() < until) {
    // A folder that was removed is left.
    const holder = await lockHolder(dataDir).catch(() => undefined)
    if (holder !== pid) return
    await delay(LOOK_MS)
  }
}

async function retake(
  place: Place,
  log: Log,
  isClosed: () => boolean
): Promise<{ readonly lease: Lease; readonly pid: number } | undefined> {
  while (!isClosed()) {
    try {
      return await takeLease(place)
    } catch (error) {
      log({ level: 'error', message: 'the database engine does not start', reason: String(error) })
      await delay(RETRY_MS, undefined, { ref: false })
    }
  }
  return undefined
}
