// What the batches of a process share about a provider, while the database learns of it.
import type { Outage } from '../../ledger/state-row.ts'

/** Of one provider. Times are of `performance.now()`. */
export interface OutletHealth {
  outage: Outage | undefined
  /** What was read from the database before this time is older. */
  knownAt: number
}

/** Nothing is known yet. */
export const unknownHealth = (): OutletHealth => ({
  outage: undefined,
  knownAt: Number.NEGATIVE_INFINITY
})

/** Changes what is known, then writes it: a read of another batch that began before changes nothing. */
export async function changeHealth(
  health: OutletHealth,
  outage: Outage | undefined,
  write: () => Promise<void>
): Promise<void> {
  health.outage = outage
  health.knownAt = Number.POSITIVE_INFINITY
  try {
    await write()
  } finally {
    health.knownAt = performance.now()
  }
}

/** Takes over what a read that began at `askedAt` found. */
export function takeHealth(
  health: OutletHealth,
  outage: Outage | undefined,
  askedAt: number
): void {
  if (askedAt > health.knownAt) health.outage = outage
}
