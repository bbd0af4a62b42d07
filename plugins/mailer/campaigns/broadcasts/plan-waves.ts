// How a broadcast is cut into waves, when the next one is due, and what begins it. Pure.
import type { BroadcastRow, PauseReason, Wave } from '../../ledger/broadcast-row.ts'
import type { Change, Refusal } from './change-broadcast.ts'
import { firstPhase } from './split-test.ts'

const MINUTE = 60_000
/** Waves of one broadcast. */
export const MOST_WAVES = 100

type Waved = Pick<
  BroadcastRow,
  'wavePlan' | 'recipientCount' | 'queuedCount' | 'recipientCap' | 'splitPhase' | 'waves'
>

/** People of one wave; undefined where a person lets each wave out. */
export function waveSizeOf({
  wavePlan,
  recipientCount = 0
}: Pick<BroadcastRow, 'wavePlan' | 'recipientCount'>): number | undefined {
  if (wavePlan === undefined) return undefined
  const { people, percent = 100 } = wavePlan
  return people ?? Math.max(1, Math.ceil((recipientCount * percent) / 100))
}

/** How many waves mail so many people. */
export const wavesFor = (broadcast: Waved, people: number): number =>
  Math.ceil(people / (waveSizeOf({ ...broadcast, recipientCount: people }) ?? Math.max(people, 1)))

/** The wave that begins now. The mails of a split test are one, whatever their number. */
export function waveFrom(broadcast: Waved, at: Date): Wave {
  const { recipientCap = Number.POSITIVE_INFINITY, queuedCount, splitPhase } = broadcast
  const size = splitPhase === 'test' ? undefined : waveSizeOf(broadcast)
  const upTo = size === undefined ? recipientCap : Math.min(recipientCap, queuedCount + size)
  return Number.isFinite(upTo) ? { at, upTo } : { at }
}

/** The waves so far, and the one that begins now. */
export const withWave = (broadcast: Waved, at: Date): readonly Wave[] =>
  [...(broadcast.waves ?? []), waveFrom(broadcast, at)].slice(-MOST_WAVES)

/** Mails up to the end of the wave that goes out; infinite where only the cap ends it. */
export function waveEndOf({ wavePlan, waves = [] }: Waved): number {
  return wavePlan === undefined
    ? Number.POSITIVE_INFINITY
    : (waves.at(-1)?.upTo ?? Number.POSITIVE_INFINITY)
}

/** When the wave after the one that goes out is due. */
export function nextWaveAtOf({ wavePlan, waves = [] }: Waved, now: Date): Date {
  const began = waves.at(-1)?.at ?? now
  return new Date(began.getTime() + (wavePlan?.everyMinutes ?? 0) * MINUTE)
}

/** Begins the next wave of a broadcast that waits for it. */
export function decideNextWave(
  broadcast: BroadcastRow,
  now: Date,
  isTime: (due: Date) => boolean = (due) => due <= now
): Change | Refusal<'no_wave_waits'> {
  const { status, nextWaveAt } = broadcast
  if (status !== 'sending' || nextWaveAt === undefined || !isTime(nextWaveAt))
    return { ok: false, code: 'no_wave_waits' }
  const fields = { waves: withWave(broadcast, now), nextWaveAt: undefined }
  return { ok: true, action: 'broadcast.wave', fields }
}

/** What the next wave waits for; undefined when none does. */
export type WaveHold = 'time' | 'mails' | PauseReason['code']

/** `time`: its time. `mails`: those of the wave before leave first. Else: what pauses the broadcast. */
export function waveHoldOf(
  { status, nextWaveAt, pauseReason }: Pick<BroadcastRow, 'status' | 'nextWaveAt' | 'pauseReason'>,
  now: Date
): WaveHold | undefined {
  if (nextWaveAt === undefined) return undefined
  if (status === 'paused') return pauseReason?.code ?? 'manual'
  if (status !== 'sending') return undefined
  return nextWaveAt > now ? 'time' : 'mails'
}

/** A wave that has not begun. */
export interface ComingWave {
  readonly size: number
  /** Left out: a person lets it out, or something holds it. */
  readonly startsAt?: Date
}

/** The waves that begin by themselves, and one of those whom none of them reaches. */
export function comingWaves(
  broadcast: BroadcastRow,
  { from, total, startsAt }: { readonly from: number; readonly total: number; startsAt?: Date }
): readonly ComingWave[] {
  const { wavePlan, recipientCap = Number.POSITIVE_INFINITY, status } = broadcast
  // How many take part in a split test is counted when its mails are queued.
  const isBeforeTest = status === 'scheduled' && firstPhase(broadcast) !== undefined
  const size = isBeforeTest ? undefined : waveSizeOf(broadcast)
  const coming: ComingWave[] = []
  let at = startsAt?.getTime()
  const end = Math.min(total, recipientCap)
  let reached = from
  while (size !== undefined && reached < end && coming.length < MOST_WAVES) {
    const next = Math.min(end, reached + size)
    const begins = at === undefined ? {} : { startsAt: new Date(at) }
    coming.push({ size: next - reached, ...begins })
    reached = next
    at = at === undefined ? undefined : at + (wavePlan?.everyMinutes ?? 0) * MINUTE
  }
  return reached < total ? [...coming, { size: total - reached }] : coming
}
