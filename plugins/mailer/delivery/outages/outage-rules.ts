// When a provider that takes no mail is probed, and how long mails wait for it. Pure.

import type { Outage } from '../../ledger/state-row.ts'

/** What made a provider unavailable. */
export interface ProviderFault {
  readonly reason: string
  /** When the provider says so. */
  readonly retryAfterSeconds?: number | undefined
}

const FIRST_MS = 10_000
const MOST_MS = 300_000
const MOST_WANTED_MS = 86_400_000

/** Milliseconds until the probe that follows so many: 10 s, 20 s, 40 s, up to 5 min; longer when the provider asks. */
export function probeDelay(probes: number, retryAfterSeconds = 0): number {
  const own = Math.min(FIRST_MS * 2 ** Math.min(probes, 10), MOST_MS)
  const wanted = retryAfterSeconds > 0 ? retryAfterSeconds * 1000 : 0
  return Math.max(own, Math.min(wanted, MOST_WANTED_MS))
}

/** An outage that begins now. */
export function beginningOutage({ reason, retryAfterSeconds }: ProviderFault, now: Date): Outage {
  const nextProbeAt = new Date(now.getTime() + probeDelay(0, retryAfterSeconds))
  return { since: now, reason, nextProbeAt, probes: 0 }
}

/** Whether mails wait for it. */
export const isDown = (outage: Outage | undefined): outage is Outage =>
  outage !== undefined && outage.backAt === undefined

/** Whether a mail may find out if the provider is back. */
export const isProbeDue = ({ nextProbeAt }: Outage, now: Date): boolean => nextProbeAt <= now
