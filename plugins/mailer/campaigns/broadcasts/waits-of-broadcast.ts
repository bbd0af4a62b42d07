// What the mails and recipients of a broadcast wait for. Pure.
import type { WaitingMails } from '../../delivery/outages/measure-waiting.ts'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import { decideAtOf } from './decide-step.ts'
import type { StatusBreakdown } from './measure-broadcast.ts'

/** Mails or recipients of a broadcast that wait for one cause. */
export interface BroadcastWait {
  /** `winner`: recipients who wait for the better arm of a split test. */
  readonly reason: 'provider' | 'pause' | 'winner'
  readonly count: number
  readonly since: Date
  /** When the wait ends by itself. */
  readonly until?: Date
  /** The provider that takes no mail. */
  readonly provider?: string
  /** Why, for people. */
  readonly message?: string
}

/** By cause; causes that nothing waits for are left out. */
export function waitsOf(
  broadcast: BroadcastRow,
  breakdown: StatusBreakdown,
  forProviders: readonly WaitingMails[]
): readonly BroadcastWait[] {
  const providers = forProviders.map(({ provider, count, since, reason: message }) => {
    return { reason: 'provider', count, since, provider, message } as const
  })
  const waits = [...providers, ...pauseOf(broadcast, breakdown), ...winnerOf(broadcast)]
  return waits.filter(({ count }) => count > 0)
}

function pauseOf(
  { pauseReason }: BroadcastRow,
  { held: count = 0 }: StatusBreakdown
): readonly BroadcastWait[] {
  if (pauseReason === undefined) return []
  const { at: since, message } = pauseReason
  return [{ reason: 'pause', count, since, message }]
}

function winnerOf(broadcast: BroadcastRow): readonly BroadcastWait[] {
  const { splitPhase, testQueuedAt: since, recipientCount = 0, queuedCount } = broadcast
  if (splitPhase !== 'deciding' || since === undefined) return []
  return [
    { reason: 'winner', count: recipientCount - queuedCount, since, until: decideAtOf(broadcast) }
  ]
}
