// What a broadcast does next, and how it starts and ends. Pure.
import type { BroadcastRow, SplitTest, VariantResult } from '../../ledger/broadcast-row.ts'
import type { Change, Refusal } from './change-broadcast.ts'
import { firstPhase, winnerOf } from './split-test.ts'

/** What a sending broadcast does next. */
export type Step = 'enqueue' | 'choose_winner' | 'wait' | 'finish'

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
  { cursor, splitTest, splitPhase, testQueuedAt }: BroadcastRow,
  now: Date
): Step {
  if (splitPhase === 'deciding')
    return now >= decideAtOf({ splitTest, testQueuedAt }) ? 'choose_winner' : 'wait'
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
  const { recipientCap: upTo } = broadcast
  const waves = [{ at: now, ...(upTo !== undefined && { upTo }) }]
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

/** Queues everybody else with the winner: from the first page on, those of the test have their mail. */
export function decideWinner(
  { splitPhase }: BroadcastRow,
  splitResults: readonly VariantResult[]
): Change | Refusal<'not_deciding'> {
  if (splitPhase !== 'deciding') return { ok: false, code: 'not_deciding' }
  return {
    ok: true,
    action: 'broadcast.decide',
    fields: { splitPhase: 'rest', winner: winnerOf(splitResults), splitResults, cursor: undefined }
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
