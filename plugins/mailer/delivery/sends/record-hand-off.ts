// Records what a hand-off came to, beside the sends: outcomes, first mail of a contact, failures for the host.
import { markSubscriptions } from '../../audience/contacts/mark-subscriptions.ts'
import { recordSuppressions } from '../../audience/contacts/record-suppressions.ts'
import type { MailerContext } from '../../ledger/context.ts'
import {
  type NewOutcome,
  outcomeOf,
  recordOutcomes
} from '../../ledger/outcomes/record-outcomes.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { HandedOver, SendingBatch } from './sending-batch.ts'
import type { HandOver } from './settle-send.ts'

/** Until mails whose outcome could not be recorded are looked at again. */
const AGAIN_MS = 30_000

/**
 * Each write is safe to repeat. Where one fails, the mails stay in the queue: as they are sent by then,
 * their outcomes are all that is left to do.
 */
export async function recordHandOff(batch: SendingBatch): Promise<void> {
  const { context, handed, recovered } = batch
  const toContacts = handed.filter(({ ready }) => ready.send.operatorMail === undefined)
  const lost = recovered.filter(({ operatorMail }) => operatorMail === undefined)
  for (const one of toContacts) notifyHost(batch, one)
  try {
    const outcomes = [...toContacts.flatMap(outcomesOf(context)), ...lost.map(recoveredOutcome)]
    await suppressBounced(context, [...toContacts.flatMap(bouncedMail), ...lost])
    await Promise.all([recordOutcomes(context, outcomes), markFirstMail(context, toContacts)])
  } catch (error) {
    context.log.error({ err: error }, 'mailer: outcomes of mails wait')
    const ids = [...toContacts.map(({ ready }) => ready.send), ...lost].map(({ _id }) => _id)
    keepInQueue(batch, ids)
  }
}

function keepInQueue({ context, results }: SendingBatch, ids: readonly string[]): void {
  const dueAt = new Date(context.clock.now().getTime() + AGAIN_MS)
  for (const id of ids) {
    const result = results.get(id)
    if (result?.state === 'done') results.set(id, { ...result, state: 'scheduled', dueAt })
  }
}

const outcomesOf =
  ({ clock }: MailerContext) =>
  ({ ready, outcome }: HandedOver): readonly NewOutcome[] => {
    const type = outcomeType(outcome)
    if (type === undefined) return []
    const { send, provider, mail } = ready
    const { from, to: emailAtSend } = mail.handed
    const bounceClass = outcome.kind === 'rejected' ? outcome.bounceClass : undefined
    const happened = { type, occurredAt: clock.now(), bounceClass }
    return [outcomeOf({ ...send, provider, from, emailAtSend }, happened)]
  }

function recoveredOutcome(send: SendRow): NewOutcome {
  const { handoff, exitReason, bounceType, bounceClass } = send
  const isBounce = exitReason === 'rejected' && bounceType !== undefined
  const failed = isBounce ? (`${bounceType}_bounce` as const) : 'send_failed'
  const type = handoff === 'sent' ? 'accepted' : failed
  const occurredAt = send.sentAt ?? send.attempt?.at ?? send.queuedAt
  return outcomeOf(send, { type, occurredAt, bounceClass })
}

function outcomeType(outcome: HandOver): NewOutcome['type'] | undefined {
  const { kind } = outcome
  if (kind === 'accepted') return 'accepted'
  if (kind === 'rejected' && outcome.bounce !== undefined) return `${outcome.bounce}_bounce`
  return kind === 'rejected' || kind === 'failed' ? 'send_failed' : undefined
}

type BouncedMail = Pick<SendRow, 'externalId' | 'emailAtSend' | 'bounceType' | 'exitReason'>

function bouncedMail({ ready, outcome }: HandedOver): readonly BouncedMail[] {
  if (outcome.kind !== 'rejected' || outcome.bounce === undefined) return []
  const { externalId } = ready.send
  const { to: emailAtSend } = ready.mail.handed
  return [{ externalId, emailAtSend, bounceType: outcome.bounce, exitReason: 'rejected' }]
}

/** A mailbox that does not exist gets no more mail, as after a bounce that a webhook reports. */
async function suppressBounced(
  context: MailerContext,
  mails: readonly BouncedMail[]
): Promise<void> {
  const hard = mails.flatMap(({ externalId, emailAtSend: email, bounceType, exitReason }) =>
    bounceType === 'hard' && exitReason === 'rejected' && email !== null
      ? { externalId, email }
      : []
  )
  if (hard.length === 0) return
  const cause = { scope: 'all', reason: 'hard_bounce', source: 'hand-off' } as const
  await recordSuppressions(
    context,
    hard.map(({ email }) => ({ ...cause, email }))
  )
  await markSubscriptions(context, {
    status: 'bounced',
    externalIds: hard.map(({ externalId }) => externalId),
    emails: hard.map(({ email }) => email)
  })
}

async function markFirstMail(
  { collections, clock }: MailerContext,
  handed: readonly HandedOver[]
): Promise<void> {
  const isFirst = ({ ready, outcome }: HandedOver) =>
    ready.isFirst && outcome.kind === 'accepted' && ready.send.kind === 'marketing'
  const ids = handed.filter(isFirst).map(({ ready }) => ready.send.externalId)
  if (ids.length === 0) return
  await collections.subscriptions.updateMany(
    { externalId: { $in: ids }, firstSentAt: { $exists: false } },
    { $set: { firstSentAt: clock.now() } }
  )
}

/** Tells the host of mails that failed for good. A hook that throws changes nothing. */
function notifyHost({ context, results }: SendingBatch, { ready, outcome }: HandedOver): void {
  const { onSendFailure } = context.config
  const isFinal = results.get(ready.send._id)?.state === 'done'
  if (onSendFailure === undefined || !isFinal || outcome.kind === 'accepted') return
  const { _id: sendId, externalId, templateSlug, kind } = ready.send
  const reason = outcome.kind === 'failed' ? String(outcome.error) : outcome.reason
  try {
    onSendFailure({ sendId, externalId, templateSlug, kind, reason })
  } catch (error) {
    context.log.error({ err: error }, 'mailer: onSendFailure failed')
  }
}
