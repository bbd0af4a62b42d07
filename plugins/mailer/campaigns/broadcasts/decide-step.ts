// What a broadcast does next, and how it starts and ends. Pure.
import type { BroadcastRow, SplitTest, VariantResult } from '../../ledger/broadcast-row.ts'
import { defined } from '../../ledger/defined.ts'
import type { Change, Refusal } from './change-broadcast.ts'
import { waveFrom, withWave } from './plan-waves.ts'
import { firstPhase, winnerOf } from './split-test.ts'

/** What a sending broadcast does next. */
export type Step = 'enqueue' | 'choose_winner' | 'next_wave' | 'wait' | 'finish'

const HOUR = 3_600_000

/** When the winner of a split test is chosen. */
export function decideAtOf({
  splitTest,
  testQueuedAt
}: {
  readonly splitTest?: SplitTest | undefined
  readonly testQueuedAt?: Date | undefined
}): Date {
  const hours = splitTest?.decideAfterHours ?? 0
  return new Date((testQueuedAt?.getTime() ?? 0) + hours * HOUR)
}

/** The next step of a sending broadcast. */
export function nextStep(
  { cursor, splitTest, splitPhase, testQueuedAt, nextWaveAt }: BroadcastRow,
  now: Date
): Step {
  if (splitPhase === 'deciding')
    return now >= decideAtOf({ splitTest, testQueuedAt }) ? 'choose_winner' : 'wait'
  if (nextWaveAt !== undefined) return now >= nextWaveAt ? 'next_wave' : 'wait'
  return cursor === null ? 'finish' : 'enqueue'
}

/** What a broadcast needs at its time. */
export interface StartFacts {
  readonly now: Date
  /** Its templates that have a published version. */
  readonly published: ReadonlySet<string>
}

/** Starts a broadcast at its time. One that is too late, or has no template, fails. */
export function decideStart(
  broadcast: BroadcastRow,
  { now, published }: StartFacts
): Change | Refusal<'not_due'> {
  const { status, scheduledAt, expiresAt, templateSlug, splitTest } = broadcast
  if (status !== 'scheduled' || scheduledAt === undefined || scheduledAt > now)
    return { ok: false, code: 'not_due' }
  if (expiresAt !== undefined && expiresAt <= now)
    return failed(now, 'schedule_expired', 'It could not start before it expired.')
  const slugs = splitTest?.variants.map((variant) => variant.templateSlug) ?? [templateSlug]
  const missing = slugs.find((slug) => !published.has(slug))
  if (missing !== undefined)
    return failed(now, 'template_missing', `The template ${missing} is not published.`)
  const splitPhase = firstPhase(broadcast)
  const waves = [waveFrom({ ...broadcast, ...defined({ splitPhase }) }, now)]
  return {
    ok: true,
    action: 'broadcast.start',
    fields: { status: 'sending', startedAt: now, splitPhase, waves }
  }
}

function failed(now: Date, code: string, message: string): Change {
  const failure = { code, message }
  return {
    ok: true,
    action: 'broadcast.fail',
    fields: { status: 'failed', finishedAt: now, failure }
  }
}

/**
 * Queues everybody else with the winner: from the first page on, those of the test have their mail. Where waves go
 * out by themselves, the test was one, and the winner begins the next.
 */
export function decideWinner(
  broadcast: BroadcastRow,
  splitResults: readonly VariantResult[],
  now: Date
): Change | Refusal<'not_deciding'> {
  const { splitPhase, wavePlan, queuedCount: upTo } = broadcast
  if (splitPhase !== 'deciding') return { ok: false, code: 'not_deciding' }
  const rest = { splitPhase: 'rest', winner: winnerOf(splitResults), splitResults } as const
  const tested = { ...broadcast, waves: (broadcast.waves ?? []).map((one) => ({ upTo, ...one })) }
  return {
    ok: true,
    action: 'broadcast.decide',
    fields: {
      ...rest,
      cursor: undefined,
      ...(wavePlan !== undefined && { waves: withWave({ ...tested, ...rest }, now) })
    }
  }
}

/** Ends a broadcast whose mails have all been handed over or ended. */
export function decideFinish(
  { status, cursor, splitPhase }: BroadcastRow,
  now: Date
): Change | Refusal<'not_finished'> {
  if (status !== 'sending' || cursor !== null || splitPhase === 'deciding')
    return { ok: false, code: 'not_finished' }
  return { ok: true, action: 'broadcast.finish', fields: { status: 'sent', finishedAt: now } }
}
