// Keeps a lease on the shared engine, and takes a new one when the engine dies.
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../server/log.ts'
import type { Place } from './launch.ts'
import { takeLease } from './launch.ts'
import type { Lease } from './lease.ts'

/** Between two attempts to start an engine that does not start. */
const RETRY_MS = 1_000

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
      await current.lease.release()
      await renewing
      // An engine that came back while this was closing is let go too.
      await current.lease.release()
    }
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
