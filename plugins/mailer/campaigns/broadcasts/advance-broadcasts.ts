// The tick of broadcasts: starts what is due, queues mails, applies stop rules, and ends what is done.

import { cancelSends } from '../../delivery/sends/cancel-sends.ts'
import type { BroadcastRow } from '../../ledger/broadcast-row.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { messageOf } from '../../ledger/send-update.ts'
import { OWN_KINDS, OWNER_FORBIDDEN, ownerProblem } from '../owner-hold.ts'
import { changeBroadcast, MAILER } from './change-broadcast.ts'
import { decideFinish, decideStart, decideWinner, nextStep } from './decide-step.ts'
import { enqueueRecipients } from './enqueue-recipients.ts'
import { releaseMails } from './hold-mails.ts'
import { hasWaitingMails, stopCounts, variantResults } from './measure-broadcast.ts'
import { beginNextWave } from './next-wave.ts'
import { pauseBroadcast, templatesOf } from './pause-broadcasts.ts'
import { breachOf } from './stop-rules.ts'

/** Broadcasts looked at in one tick. */
const AT_ONCE = 1000
const BUDGET_MS = 20_000
/** Enqueueing waits while so many mails of a broadcast are queued and not handed over. */
const MAX_QUEUED = 100_000

/** How long a full wave is watched. */
const WATCHED_MS = 14 * 86_400_000

/** What a tick may take. */
export interface AdvanceOptions {
  /** Default 20,000. What is left goes on with the next call. */
  readonly budgetMs?: number
  readonly signal?: AbortSignal
}

/**
 * Brings every broadcast as far as it can go. Any number of processes may call it at once. Called with each
 * tick.
 *
 * @returns how much changed; 0 when nothing is left to do before time passes or mails end
 */
export async function advanceBroadcasts(
  context: MailerContext,
  { budgetMs = BUDGET_MS, signal }: AdvanceOptions = {}
): Promise<{ readonly moved: number }> {
  let moved = await startDue(context)
  const running = await runningBroadcasts(context)
  const share = budgetMs / Math.max(running.length, 1)
  for (const broadcast of running) {
    const until = performance.now() + share
    const isOver = () => performance.now() > until || signal?.aborted === true
    moved += await isolated(context, broadcast, () => advanceOne(context, broadcast, isOver))
  }
  return { moved: moved + (await endCancelled(context)) }
}

/** Those that send, and full waves: their mails still leave, and may break a stop rule. */
function runningBroadcasts({ collections, clock }: MailerContext): Promise<BroadcastRow[]> {
  const since = new Date(clock.now().getTime() - WATCHED_MS)
  const full = { 'pauseReason.code': 'cap_reached', updatedAt: { $gt: since } } as const
  return collections.broadcasts
    .find({ status: { $in: ['sending', 'paused'] }, $or: [{ status: 'sending' }, full] })
    .sort({ scheduledAt: 1 })
    .limit(AT_ONCE)
    .toArray()
}

/** A broadcast that fails does not stop the others. */
async function isolated(
  { log }: MailerContext,
  { slug }: BroadcastRow,
  act: () => Promise<number>
): Promise<number> {
  try {
    return await act()
  } catch (error) {
    log.error({ err: error, broadcast: slug }, `mailer: a broadcast waits: ${messageOf(error)}`)
    return 0
  }
}

async function startDue(context: MailerContext): Promise<number> {
  const { collections, clock, templates } = context
  const due = await collections.broadcasts
    .find({ status: 'scheduled', scheduledAt: { $lte: clock.now() } })
    .sort({ scheduledAt: 1 })
    .limit(AT_ONCE)
    .toArray()
  let moved = 0
  for (const broadcast of due) {
    moved += await isolated(context, broadcast, async () => {
      const message = await ownerProblem(context, OWN_KINDS.broadcast, broadcast)
      if (message !== undefined) {
        const pause = { code: 'gate', by: 'owner', cause: OWNER_FORBIDDEN, message } as const
        return (await pauseBroadcast(context, { _id: broadcast._id }, pause)).ok ? 1 : 0
      }
      const published = await templates.load(templatesOf(broadcast))
      const { ok } = await changeBroadcast(context, { _id: broadcast._id }, MAILER, (row) =>
        decideStart(row, { now: clock.now(), published: new Set(published.keys()) })
      )
      return ok ? 1 : 0
    })
  }
  return moved
}

async function advanceOne(
  context: MailerContext,
  broadcast: BroadcastRow,
  isOver: () => boolean
): Promise<number> {
  const { _id } = broadcast
  if (await stopIfBreached(context, broadcast)) return 1
  const released = await releaseMails(context, _id)
  if (broadcast.status === 'paused') return released
  switch (nextStep(broadcast, context.clock.now())) {
    case 'enqueue':
      return released + (await enqueue(context, broadcast, isOver))
    case 'choose_winner':
      return released + (await chooseWinner(context, broadcast))
    case 'next_wave':
      return released + (await beginNextWave(context, broadcast))
    case 'finish':
      return released + (await finish(context, broadcast))
    case 'wait':
      return released
  }
}

async function stopIfBreached(context: MailerContext, broadcast: BroadcastRow) {
  const { _id, stopRules, queuedCount } = broadcast
  if (!stopRules.enabled || queuedCount < stopRules.minSample) return false
  const breach = breachOf(stopRules, await stopCounts(context, broadcast))
  if (breach === undefined) return false
  const { message } = breach
  const paused = await pauseBroadcast(
    context,
    { _id },
    { code: 'stop_rule', by: 'mailer', message }
  )
  return paused.ok
}

async function enqueue(
  context: MailerContext,
  { _id, cursor: before, queuedCount }: BroadcastRow,
  isOver: () => boolean
): Promise<number> {
  if (queuedCount >= MAX_QUEUED && (await isBackedUp(context, _id))) return 0
  const after = await enqueueRecipients(context, _id, isOver)
  if (after === undefined) return 0
  const queued = after.queuedCount - queuedCount
  if (nextStep(after, context.clock.now()) === 'finish')
    return queued + (await finish(context, after)) + 1
  return queued + (after.cursor === before ? 0 : 1)
}

async function isBackedUp({ collections }: MailerContext, broadcastId: string) {
  const waiting = { broadcastId, status: 'queued' } as const
  return (await collections.sends.countDocuments(waiting, { limit: MAX_QUEUED })) >= MAX_QUEUED
}

async function chooseWinner(context: MailerContext, { _id, splitTest }: BroadcastRow) {
  if (splitTest === undefined) return 0
  const results = await variantResults(context, _id, splitTest)
  const now = context.clock.now()
  const { ok } = await changeBroadcast(context, { _id }, MAILER, (row) =>
    decideWinner(row, results, now)
  )
  return ok ? 1 : 0
}

async function finish(context: MailerContext, { _id }: BroadcastRow): Promise<number> {
  if (await hasWaitingMails(context, _id)) return 0
  const now = context.clock.now()
  const { ok } = await changeBroadcast(context, { _id }, MAILER, (row) => decideFinish(row, now))
  return ok ? 1 : 0
}

/** Mails that workers held when a broadcast was cancelled may have come back to wait. */
async function endCancelled(context: MailerContext): Promise<number> {
  const { broadcasts } = context.collections
  const ending = await broadcasts
    .find({ status: 'cancelled', isEnding: true })
    .limit(AT_ONCE)
    .toArray()
  let moved = 0
  for (const { _id } of ending) {
    moved += await cancelSends(context, { broadcastId: _id }, 'broadcast_cancelled')
    if (await hasWaitingMails(context, _id)) continue
    await broadcasts.updateOne({ _id }, { $unset: { isEnding: '' } })
  }
  return moved
}
