// What the mails and recipients of a broadcast wait for. Pure.
import type { WaitingMails } from '../../delivery/outages/measure-waiting.ts'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import { defined } from '../../ledger/defined.ts'
import { decideAtOf } from './decide-step.ts'
import type { StatusBreakdown } from './measure-broadcast.ts'
import type { KeptMails } from './measure-kept.ts'
import { holdsMails } from './plan-pauses.ts'
import { waveHoldOf } from './plan-waves.ts'

/** What mails or recipients of a broadcast may wait for. */
export const WAIT_REASONS = [
  /** A provider that takes no mail. */
  'provider',
  /** The end of a pause: of the broadcast, of marketing mail, or of a gate. */
  'pause',
  /** The better arm of a split test. */
  'winner',
  /** The next wave; `cause` says what it waits for: its time, mails of the wave before, a pause, or a person. */
  'wave',
  /** A time at which mail may reach the recipient; `cause` says why not before. */
  'window'
] as const

/** Mails or recipients of a broadcast that wait for one cause. */
export interface BroadcastWait {
  readonly reason: (typeof WAIT_REASONS)[number]
  readonly count: number
  readonly since: Date
  /** When the wait of the last of them ends by itself. */
  readonly until?: Date
  /** The provider that takes no mail. */
  readonly provider?: string
  /**
   * Of a window: `time_zone`, `warm_up`, or the rule of the contact policy. Of a wave: `time`, `mails` of the wave
   * before, or the code of the pause; none where a person lets it out.
   */
  readonly cause?: string
  /** Why, for people. */
  readonly message?: string
}

/** What was measured of the mails of a broadcast. */
export interface MeasuredMails {
  readonly breakdown: StatusBreakdown
  readonly forProviders: readonly WaitingMails[]
  readonly kept: readonly KeptMails[]
}

const WAITING: readonly BroadcastRow['status'][] = ['scheduled', 'sending', 'paused']

/** By cause; causes that nothing waits for are left out, and a broadcast that is over waits for nothing. */
export function waitsOf(
  broadcast: BroadcastRow,
  { breakdown, forProviders, kept }: MeasuredMails,
  now: Date
): readonly BroadcastWait[] {
  if (!WAITING.includes(broadcast.status)) return []
  const providers = forProviders.map(({ provider, count, since, reason: message }) => {
    return { reason: 'provider', count, since, provider, message } as const
  })
  const waits = [
    ...providers,
    ...pausesOf(broadcast, breakdown, kept),
    ...winnerOf(broadcast),
    ...waveOf(broadcast, now),
    ...zonesOf(broadcast, breakdown, now),
    ...windowsOf(kept)
  ]
  return waits.filter(({ count }) => count > 0)
}

/** A pause of the broadcast is the cause of all that is held, whatever held it before. */
function pausesOf(
  broadcast: BroadcastRow,
  { held: count = 0 }: StatusBreakdown,
  kept: readonly KeptMails[]
): readonly BroadcastWait[] {
  const { pauseReason } = broadcast
  if (pauseReason !== undefined && holdsMails(broadcast)) {
    const { at: since, message } = pauseReason
    return [{ reason: 'pause', count, since, message }]
  }
  return kept
    .filter(({ status }) => status === 'held')
    .map(({ count: ofOne, since, message }) => ({ reason: 'pause', count: ofOne, since, message }))
}

function winnerOf(broadcast: BroadcastRow): readonly BroadcastWait[] {
  const { splitPhase, testQueuedAt: since, recipientCount = 0, queuedCount } = broadcast
  if (splitPhase !== 'deciding' || since === undefined) return []
  return [
    { reason: 'winner', count: recipientCount - queuedCount, since, until: decideAtOf(broadcast) }
  ]
}

function waveOf(broadcast: BroadcastRow, now: Date): readonly BroadcastWait[] {
  const { pauses, audienceCount = 0, recipientCount = 0, queuedCount, waves = [] } = broadcast
  const full = pauses?.find(({ code }) => code === 'cap_reached')
  if (full !== undefined)
    return [{ reason: 'wave', count: audienceCount - queuedCount, since: full.at }]
  const cause = waveHoldOf(broadcast, now)
  if (cause === undefined) return []
  const until = cause === 'time' ? broadcast.nextWaveAt : undefined
  const since = waves.at(-1)?.at ?? now
  const count = recipientCount - queuedCount
  return [{ reason: 'wave', cause, count, since, ...defined({ until }) }]
}

/** Mails whose time zone has another clock time yet. */
function zonesOf(
  { laterMails = {}, startedAt, updatedAt }: BroadcastRow,
  { queued = 0 }: StatusBreakdown,
  now: Date
): readonly BroadcastWait[] {
  const later = Object.entries(laterMails).filter(([time]) => Number(time) > now.getTime())
  if (later.length === 0) return []
  const sum = later.reduce((total, [, count]) => total + count, 0)
  const until = new Date(Math.max(...later.map(([time]) => Number(time))))
  // Some of them may have ended meanwhile.
  const count = Math.min(sum, queued)
  return [{ reason: 'window', cause: 'time_zone', count, since: startedAt ?? updatedAt, until }]
}

const windowsOf = (kept: readonly KeptMails[]): readonly BroadcastWait[] =>
  kept
    .filter(({ status }) => status === 'deferred')
    .map(({ count, cause, message, since, until }) => {
      return { reason: 'window', count, cause, message, since, ...(until !== null && { until }) }
    })
