// Waits for a lease of the kernel: what hosts that start together do one after the other.
import { setTimeout as sleep } from 'node:timers/promises'
import { openLeases } from '@keelson/sdk'
import type { Db } from 'mongodb'
import { systemClock } from '../system-clock.ts'

export interface WaitOptions {
  readonly signal: AbortSignal
  /** Called once when another process holds it. */
  readonly onWait?: () => void
}

const LEASE_S = 10
const RETRY_MS = 200

/** Runs `act` while holding the lease; waits while another process holds it. It must be safe to repeat. */
export async function withLease<T>(
  db: Db,
  name: string,
  { signal, onWait }: WaitOptions,
  act: () => Promise<T>
): Promise<T> {
  const lease = openLeases({ db, clock: systemClock, owner: 'kernel' })
  for (let tries = 0; ; tries++) {
    const result = await lease(name, { seconds: LEASE_S }, act)
    if (result.held) return result.value
    if (tries === 0) onWait?.()
    await sleep(RETRY_MS, undefined, { signal })
  }
}
