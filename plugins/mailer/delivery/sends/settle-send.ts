// What becomes of a send after its dispatch: retry, hold, or the end. Pure.
import type { ItemResult } from '@keelson/sdk'
import type { BounceClass } from '../../contracts/mailer-provider.ts'
import type { RenderedContent } from '../../ledger/prepared-template.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { type HandoffFields, messageOf, sendUpdate } from '../../ledger/send-update.ts'
import { isConnectionLost } from '../../ledger/storage/connection-lost.ts'
import type { SendStop } from './decide-send.ts'
import { waitsFrom } from './retried.ts'

/** What a provider answered, or why it did not. */
export type DeliveryAnswer =
  | { readonly kind: 'accepted'; readonly provider: string; readonly providerMessageId: string }
  /** Refused for good. */
  | {
      readonly kind: 'rejected'
      readonly provider: string
      readonly reason: string
      /** The mailbox was refused. */
      readonly bounce?: 'hard' | 'soft'
      readonly bounceClass?: BounceClass
    }
  /** The provider may or may not have it. */
  | {
      readonly kind: 'unknown'
      readonly provider: string
      readonly reason: string
      readonly isDown?: boolean
    }
  /** The provider does not have it. */
  | { readonly kind: 'failed'; readonly provider: string; readonly error: unknown }

/** What the ledger keeps of a mail that a provider got. */
export interface MailRecord {
  readonly to: string
  readonly from: { readonly name: string; readonly email: string }
  readonly subject: string
  readonly links: RenderedContent['links']
  readonly bodyHash?: string
  readonly templateVersion?: number
}

/** What retries depend on. */
export interface RetryRules {
  readonly now: Date
  /** Tries of a mail, the first included. */
  readonly maxAttempts: number
  /** Number of this try. */
  readonly attempt: number
  /** The provider drops a second mail with the same key, for this long after the first try. */
  readonly deduplicatesUntil?: Date | undefined
}

const MINUTE = 60_000
const MAX_DELAY = 24 * 60 * MINUTE
/** How long a gate may hold a mail. */
const MAX_HOLD = 72 * 60 * MINUTE
/** What a mail no longer needs when its provider has it. */
const WAITING = ['errorMessage', 'exitReason', 'hold', 'attachments'] as const

/** The queue's result for a mail that was handed over. */
export function settleDelivery(
  mail: MailRecord,
  outcome: DeliveryAnswer,
  rules: RetryRules
): ItemResult {
  const { provider } = outcome
  switch (outcome.kind) {
    case 'accepted': {
      const { to: emailAtSend, ...content } = mail
      const { providerMessageId } = outcome
      const sentAt = rules.now
      const known = { ...content, emailAtSend, provider, providerMessageId, sentAt }
      return done({ ...known, handoff: 'sent' }, WAITING)
    }
    case 'rejected': {
      const errorMessage = messageOf(outcome.reason)
      const { bounce: bounceType, bounceClass } = outcome
      const bounced = { bouncedAt: rules.now, bounceType, bounceReason: errorMessage }
      const known = {
        ...named(mail),
        ...(bounceType !== undefined && bounced),
        ...(bounceClass !== undefined && { bounceClass })
      }
      return done({ ...known, handoff: 'failed', provider, exitReason: 'rejected', errorMessage }, [
        'handedAt'
      ])
    }
    case 'unknown':
      return settleUnknown(
        { ...named(mail), provider, errorMessage: messageOf(outcome.reason) },
        rules
      )
    case 'failed':
      return settleFailure(provider, outcome.error, rules)
  }
}

/** The queue's result for a mail whose delivery ended with its process. */
export function settleLost(rules: RetryRules): ItemResult {
  const errorMessage = 'The process ended between hand-over and answer.'
  return settleUnknown({ errorMessage }, rules)
}

function settleUnknown(fields: HandoffFields, rules: RetryRules): ItemResult {
  const { now, deduplicatesUntil } = rules
  const unknown: HandoffFields = { ...fields, handoff: 'unknown' }
  const dueAt = new Date(now.getTime() + delayOf(rules.attempt))
  if (deduplicatesUntil === undefined || dueAt > deduplicatesUntil) return done(unknown)
  return { state: 'scheduled', dueAt, update: sendUpdate(unknown) }
}

function settleFailure(provider: string, error: unknown, rules: RetryRules): ItemResult {
  const { now, attempt, maxAttempts } = rules
  const failed: HandoffFields = { handoff: 'failed', provider, errorMessage: messageOf(error) }
  if (attempt >= maxAttempts)
    return done({ ...failed, exitReason: 'attempts_used_up' }, ['handedAt'])
  const delay = Math.min(Math.max(delayOf(attempt), wantedDelay(error)), MAX_DELAY)
  const dueAt = new Date(now.getTime() + delay)
  return { state: 'scheduled', dueAt, update: sendUpdate(failed, ['handedAt']) }
}

/** The queue's result for a mail that is not handed over. Held mail is parked until it is resumed. */
export function settleStop({ handoff, reason, message }: SendStop, now: Date): ItemResult {
  if (handoff !== 'held')
    return done({ handoff, exitReason: reason, errorMessage: message }, ['hold'])
  const hold = { cause: reason, message, since: now }
  return { state: 'parked', reason, update: sendUpdate({ handoff, hold }) }
}

/** A mail that waits for a time: a gate asks again, or the policy lets it go. */
export interface Wait {
  readonly handoff: 'held' | 'deferred'
  readonly cause: string
  readonly message: string
  readonly until: Date
  /** Of a gate's hold: the domain that it was asked about. */
  readonly senderDomain?: string | null | undefined
}

/** The queue's result for a mail that waits. What a gate holds for too long is cancelled. */
export function settleWait(send: SendRow, wait: Wait, now: Date): ItemResult {
  const { handoff, cause, message, until, senderDomain } = wait
  const since = send.hold?.since ?? now
  if (handoff === 'held' && now.getTime() - since.getTime() > MAX_HOLD)
    return done({ handoff: 'cancelled', exitReason: cause, errorMessage: message }, ['hold'])
  const hold = { cause, message, since, ...(senderDomain !== undefined && { senderDomain }) }
  return { state: 'scheduled', dueAt: until, update: sendUpdate({ handoff, hold }) }
}

/** The shortest and longest wait for a mail that could not be made ready, and how long it may wait in all. */
const MIN_UNREADY = MINUTE / 2
const MAX_UNREADY = 60 * MINUTE
const MAX_UNREADY_AGE = MAX_HOLD
/** A database that was started again answers sooner. */
const RECONNECTED = 5_000

/**
 * The queue's result for a mail that could not be made ready, as when contacts or variables of the host
 * cannot be read: it waits longer as it gets older, and ends after 72 hours. After a lost connection it waits
 * for seconds: the mails of a large batch are old, and one command that is lost says nothing about the next.
 */
export function settleUnready(send: SendRow, error: unknown, now: Date): ItemResult {
  const age = now.getTime() - waitsFrom(send).getTime()
  const errorMessage = messageOf(error)
  if (age > MAX_UNREADY_AGE)
    return done({ handoff: 'failed', exitReason: 'not_ready', errorMessage })
  const wait = isConnectionLost(error)
    ? RECONNECTED
    : Math.min(Math.max(age, MIN_UNREADY), MAX_UNREADY)
  const dueAt = new Date(now.getTime() + wait)
  // A mail that a provider may have keeps that state.
  if (send.handoff === 'sending' || send.handoff === 'unknown') return { state: 'scheduled', dueAt }
  // The command that was lost may have recorded an attempt.
  const update = sendUpdate({ handoff: 'failed', errorMessage }, ['handedAt'])
  return { state: 'scheduled', dueAt, update }
}

function done(fields: HandoffFields, removed: readonly (keyof HandoffFields)[] = []): ItemResult {
  const kept = removed.filter((name) => fields[name] === undefined)
  return { state: 'done', update: sendUpdate(fields, kept) }
}

/** One minute, doubled with each try. */
function delayOf(attempt: number): number {
  return Math.min(MINUTE * 2 ** Math.min(attempt - 1, 20), MAX_DELAY)
}

function wantedDelay(error: unknown): number {
  const { retryAfterSeconds } = (error ?? {}) as { readonly retryAfterSeconds?: unknown }
  return typeof retryAfterSeconds === 'number' && retryAfterSeconds > 0
    ? retryAfterSeconds * 1000
    : 0
}

const named = ({ to, from, subject, bodyHash, templateVersion }: MailRecord): HandoffFields => ({
  emailAtSend: to,
  from,
  subject,
  ...(bodyHash !== undefined && { bodyHash }),
  ...(templateVersion !== undefined && { templateVersion })
})
