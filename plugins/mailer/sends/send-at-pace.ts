// Hands a batch over at the pace of its providers: records each attempt before the provider sees it.
import type { BatchRun, ItemResult } from '@keelson/sdk'
import type { MailProvider } from '@keelson/sdk/contracts/mailer-provider'
import type { Document } from 'mongodb'
import { domainOf } from '../contacts/address.ts'
import type { MailerContext } from '../context.ts'
import { groupedBy } from '../grouped-by.ts'
import type { PastHandOver } from '../providers/failover.ts'
import { DURABLE } from '../storage/durable.ts'
import type { NamedHold } from './ask-gates.ts'
import type { ComposedMail } from './compose-mail.ts'
import { handOver } from './hand-over.ts'
import { messageIdOf } from './message-id.ts'
import type { Pace } from './pace.ts'
import type { SendRow } from './send-row.ts'
import { STATUS_STAGE } from './send-status.ts'
import { type HandOver, settleHandOver } from './settle-send.ts'

/** A mail that may leave. */
export interface ReadyMail {
  readonly send: SendRow
  /** Number of this try. */
  readonly attempt: number
  readonly provider: string
  /** Hand-overs before this one. */
  readonly past: readonly PastHandOver[]
  readonly mail: ComposedMail
}

/** What happened to a mail in this batch. */
export interface HandedOver {
  readonly ready: ReadyMail
  readonly outcome: HandOver
}

/** The lease of a batch is 60 s: no hand-over begins after this long. */
const BUDGET_MS = 25_000

/** A provider with its pace. */
export interface PacedProvider {
  readonly provider: MailProvider
  readonly pace: Pace
  /** Hand-overs at a time. */
  readonly concurrency: number
}

/** What the parts of a hand-off share. */
export interface SendingBatch {
  readonly context: MailerContext
  readonly run: BatchRun
  readonly results: Map<string, ItemResult>
  readonly handed: HandedOver[]
  /** Broadcasts that a gate wants to be paused. */
  readonly pauses: Map<string, NamedHold>
  /** `performance.now()` when the batch was claimed. */
  readonly startedAt: number
}

/** Hands the mails of one provider over, as many as its rate allows; the rest goes back to the queue. */
export async function sendAtPace(
  batch: SendingBatch,
  mails: readonly ReadyMail[],
  { provider, pace, concurrency }: PacedProvider
): Promise<void> {
  const { run, results, context } = batch
  let waiting = mails
  while (waiting.length > 0 && !run.signal.aborted && !isOverBudget(batch)) {
    const [{ send }] = waiting as readonly [ReadyMail]
    const { granted, waitMs } = await pace.take(send.lane, waiting.length)
    if (granted === 0 && !(await pause(batch, waitMs))) break
    const now = waiting.slice(0, granted)
    waiting = waiting.slice(granted)
    if (now.length === 0) continue
    const ours = await recordAttempts(batch, now)
    await inParallel(ours, concurrency, (ready) => sendOne(batch, ready, provider))
  }
  const dueAt = context.clock.now()
  // A mail that a first provider did not take keeps the result of that.
  for (const { send } of waiting) {
    if (!results.has(send._id)) results.set(send._id, { state: 'scheduled', dueAt })
  }
}

async function sendOne(
  { context, run, results, handed }: SendingBatch,
  ready: ReadyMail,
  provider: MailProvider
): Promise<void> {
  const { send, attempt, mail } = ready
  const messageId = messageIdOf(send._id, attempt, senderDomainOf(ready))
  const outcome = await handOver(ready.provider, provider, mail.message, {
    messageId,
    idempotencyKey: send._id,
    signal: run.signal
  })
  const now = context.clock.now()
  const rules = {
    now,
    attempt,
    maxAttempts: context.config.sendRetryAttempts,
    deduplicatesUntil: deduplicatesUntil(provider, send.firstAttemptAt ?? now)
  }
  results.set(send._id, settleHandOver(mail.handed, outcome, rules))
  handed.push({ ready, outcome })
}

/** How long a second mail with the same key is dropped by the provider; undefined: it does not drop any. */
export function deduplicatesUntil(
  { capabilities = {} }: MailProvider,
  firstAttemptAt: Date
): Date | undefined {
  const { idempotencyKeys = false, idempotencyHours = 24 } = capabilities
  if (!idempotencyKeys) return undefined
  return new Date(firstAttemptAt.getTime() + idempotencyHours * 3_600_000)
}

/**
 * Writes the attempts, durably, and returns the mails that this batch still holds. A process that dies
 * after this leaves mails whose outcome is unknown.
 */
async function recordAttempts(
  { context, run }: SendingBatch,
  mails: readonly ReadyMail[]
): Promise<readonly ReadyMail[]> {
  const { sends } = context.collections
  const ids = mails.map(({ send }) => send._id)
  const filter = { _id: { $in: ids }, lease: run.lease }
  const now = context.clock.now()
  // What the attempts of one provider and sender domain say differs in their ids alone.
  const groups = groupedBy(mails, (mail) => `${mail.provider} ${senderDomainOf(mail)}`)
  const operations = [...groups.values()].map((group) => {
    const [first] = group as [ReadyMail]
    const groupIds = group.map(({ send }) => send._id)
    const update = attemptStages(now, first.provider, senderDomainOf(first))
    return { updateMany: { filter: { ...filter, _id: { $in: groupIds } }, update } }
  })
  const { matchedCount } = await sends.bulkWrite(operations, { ordered: false, ...DURABLE })
  if (matchedCount === mails.length) return mails
  const held = await sends.find(filter, { projection: { _id: 1 } }).toArray()
  const heldIds = new Set(held.map(({ _id }) => _id))
  return mails.filter(({ send }) => heldIds.has(send._id))
}

const senderDomainOf = ({ mail }: ReadyMail): string => domainOf(mail.handed.from.email)

function attemptStages(at: Date, provider: string, domain: string): Document[] {
  const number = { $add: [{ $ifNull: ['$attempt.number', 0] }, 1] }
  const tail = `@${domain}>`
  return [
    {
      $set: {
        handoff: 'sending',
        handedAt: at,
        firstAttemptAt: { $ifNull: ['$firstAttemptAt', at] },
        attempt: {
          number,
          at,
          provider: { $literal: provider },
          messageId: { $concat: ['<', '$_id', '.', { $toString: number }, { $literal: tail }] }
        }
      }
    },
    STATUS_STAGE
  ]
}

function isOverBudget({ startedAt }: SendingBatch): boolean {
  return performance.now() - startedAt > BUDGET_MS
}

/** False when waiting would leave no time to send. */
async function pause(batch: SendingBatch, ms: number): Promise<boolean> {
  const left = BUDGET_MS - (performance.now() - batch.startedAt)
  if (ms >= left) return false
  await new Promise((resolve) => setTimeout(resolve, ms))
  return true
}

async function inParallel<T>(
  items: readonly T[],
  concurrency: number,
  act: (item: T) => Promise<void>
): Promise<void> {
  const queue = [...items]
  const work = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await act(item)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, queue.length) }, work))
}
