// How far a broadcast is: by waves, how fast, until when. Pure.
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import { defined } from '../../ledger/defined.ts'
import { decideAtOf } from './decide-step.ts'
import { comingWaves, nextWaveAtOf } from './plan-waves.ts'

/** A wave of a broadcast, as a bar shows it. */
export interface WaveProgress {
  /** Mails that it holds. */
  readonly size: number
  /** Those of them that were handed over. */
  readonly handed: number
  /** Missing: it has not begun. */
  readonly startedAt?: Date
  /** When it begins by itself; missing where it waits for a person, or something holds it. */
  readonly startsAt?: Date
}

/** How far a broadcast is. */
export interface Progress {
  /** Mails that were handed over. */
  readonly handed: number
  /** Everybody who gets a mail, those who still wait for a wave or a winner included. */
  readonly total: number
  readonly waves: readonly WaveProgress[]
  /** Mails a minute, over the last ten minutes; missing while none leaves. */
  readonly perMinute?: number
  /** When the last mail leaves at this rate; missing where mails wait for something else. */
  readonly endsAt?: Date
}

/** Mails handed over in a minute. */
export interface Minute {
  readonly at: Date
  readonly count: number
}

/** What is known besides the broadcast. */
export interface ProgressFacts {
  readonly handed: number
  /** Mails that ended without being handed over. */
  readonly ended: number
  /** The last minutes with hand-overs. */
  readonly minutes: readonly Minute[]
  readonly now: Date
}

const MINUTE = 60_000
const WINDOW = 10 * MINUTE

/** How far it is. */
export function progressOf(broadcast: BroadcastRow, facts: ProgressFacts): Progress {
  const { handed, ended, now } = facts
  const { recipientCount = 0, queuedCount, status, cursor } = broadcast
  const { audienceCount = recipientCount } = broadcast
  const isKnown = cursor === null && broadcast.splitPhase !== 'deciding'
  const total = isKnown ? queuedCount : Math.max(queuedCount, audienceCount)
  const waves = wavesOf(broadcast, { handed: handed + ended, total, now })
  const base = { handed, total, waves }
  const perMinute = status === 'sending' || status === 'paused' ? rateOf(facts) : undefined
  if (perMinute === undefined) return base
  const left = queuedCount - handed - ended
  const last = waves.at(-1)
  if (status === 'sending' && last?.startsAt !== undefined)
    return { ...base, perMinute, endsAt: later(last.startsAt, last.size / perMinute) }
  const isSteady = status === 'sending' && left > 0 && broadcast.splitPhase !== 'deciding'
  if (!isSteady) return { ...base, perMinute }
  return { ...base, perMinute, endsAt: later(now, left / perMinute) }
}

const later = (from: Date, minutes: number): Date => new Date(from.getTime() + minutes * MINUTE)

/** Mails a minute, from the first of the last ten minutes in which any left. */
function rateOf({ minutes, now }: ProgressFacts): number | undefined {
  const recent = minutes.filter(({ at }) => now.getTime() - at.getTime() <= WINDOW)
  const count = recent.reduce((sum, one) => sum + one.count, 0)
  if (count === 0) return undefined
  const first = Math.min(...recent.map(({ at }) => at.getTime()))
  return count / Math.max(1, (now.getTime() - first) / MINUTE)
}

/** The waves so far, and those that follow. Earlier waves are filled first. */
function wavesOf(
  broadcast: BroadcastRow,
  { handed, total, now }: { readonly handed: number; readonly total: number; readonly now: Date }
): readonly WaveProgress[] {
  const { waves = [], startedAt, splitPhase, queuedCount } = broadcast
  const given = waves.length > 0 || startedAt === undefined ? waves : [{ at: startedAt }]
  const found: WaveProgress[] = []
  let from = 0
  const add = (size: number, times: Pick<WaveProgress, 'startedAt' | 'startsAt'>) => {
    if (size <= 0) return
    found.push({ size, handed: Math.min(size, Math.max(0, handed - from)), ...times })
    from += size
  }
  // Before a winner is chosen, only the people of the test are in a wave.
  const most = splitPhase === 'deciding' ? queuedCount : total
  for (const { at, upTo = total } of given) add(Math.min(upTo, most) - from, { startedAt: at })
  const startsAt = nextStartOf(broadcast, now)
  for (const { size, ...times } of comingWaves(broadcast, {
    from,
    total,
    ...defined({ startsAt })
  }))
    add(size, times)
  return found
}

/** When the first of the waves that follow begins by itself. */
function nextStartOf(broadcast: BroadcastRow, now: Date): Date | undefined {
  const { status, wavePlan, splitPhase, nextWaveAt, scheduledAt } = broadcast
  if (wavePlan === undefined) return undefined
  if (status === 'scheduled') return scheduledAt
  if (status !== 'sending') return undefined
  if (splitPhase === 'deciding') return decideAtOf(broadcast)
  // The mails of a split test are queued: when its winner is chosen is not known yet.
  if (splitPhase === 'test') return undefined
  const due = nextWaveAt ?? nextWaveAtOf(broadcast, now)
  return due > now ? due : undefined
}
