// Records what the mails of a batch came to, beside the sends: outcomes, first mail of a contact, failures for the host.
import { markSubscriptions } from '../../audience/contacts/mark-subscriptions.ts'
import { recordSuppressions } from '../../audience/contacts/record-suppressions.ts'
import type { MailerContext } from '../../ledger/context.ts'
import {
  type NewOutcome,
  outcomeOf,
  recordOutcomes
} from '../../ledger/outcomes/record-outcomes.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { AnsweredMail } from './ready-mail.ts'
import type { SendingBatch } from './sending-batch.ts'
import type { DeliveryAnswer } from './settle-send.ts'
import type { Settlement, Step } from './step.ts'

/** Until mails whose outcome could not be recorded are looked at again. */
const AGAIN_MS = 30_000

/**
 * Each write is safe to repeat. Where one fails, the mails stay in the queue: as they are sent by then,
 * their outcomes are all that is left to do.
 */
export async function recordDispatch(batch: SendingBatch): Promise<Step<never>> {
  const { context, answered, recovered } = batch
  const toContacts = answered.filter(({ ready }) => ready.send.operatorMail === undefined)
  const lost = recovered.filter(({ operatorMail }) => operatorMail === undefined)
  for (const one of toContacts) notifyHost(batch, one)
  try {
    const outcomes = [...toContacts.flatMap(outcomesOf(context)), ...lost.map(recoveredOutcome)]
    await suppressBounced(context, [...toContacts.flatMap(bouncedMail), ...lost])
    await Promise.all([recordOutcomes(context, outcomes), markFirstMail(context, toContacts)])
    return { go: [], settled: [] }
  } catch (error) {
    context.log.error({ err: error }, 'mailer: outcomes of mails wait')
    return keepInQueue(batch, [...toContacts.map(({ ready }) => ready.send), ...lost])
  }
}

function keepInQueue({ context, results }: SendingBatch, sends: readonly SendRow[]): Step<never> {
  const dueAt = new Date(context.clock.now().getTime() + AGAIN_MS)
  const settled = sends.flatMap((send): Settlement[] => {
    const result = results.get(send._id)
    return result?.state === 'done'
      ? [{ send, result: { ...result, state: 'scheduled', dueAt } }]
      : []
  })
  return { go: [], settled }
}

const outcomesOf =
  ({ clock }: MailerContext) =>
  ({ ready, answer }: AnsweredMail): readonly NewOutcome[] => {
    const type = outcomeType(answer)
    if (type === undefined) return []
    const { send, provider, mail } = ready
    const { from, to: emailAtSend } = mail.record
    const bounceClass = answer.kind === 'rejected' ? answer.bounceClass : undefined
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

function outcomeType(answer: DeliveryAnswer): NewOutcome['type'] | undefined {
  const { kind } = answer
  if (kind === 'accepted') return 'accepted'
  if (kind === 'rejected' && answer.bounce !== undefined) return `${answer.bounce}_bounce`
  return kind === 'rejected' || kind === 'failed' ? 'send_failed' : undefined
}

type BouncedMail = Pick<SendRow, 'externalId' | 'emailAtSend' | 'bounceType' | 'exitReason'>

function bouncedMail({ ready, answer }: AnsweredMail): readonly BouncedMail[] {
  if (answer.kind !== 'rejected' || answer.bounce === undefined) return []
  const { externalId } = ready.send
  const { to: emailAtSend } = ready.mail.record
  return [{ externalId, emailAtSend, bounceType: answer.bounce, exitReason: 'rejected' }]
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
  answered: readonly AnsweredMail[]
): Promise<void> {
  const isFirst = ({ ready, answer }: AnsweredMail) =>
    ready.isFirst && answer.kind === 'accepted' && ready.send.kind === 'marketing'
  const ids = answered.filter(isFirst).map(({ ready }) => ready.send.externalId)
  if (ids.length === 0) return
  await collections.subscriptions.updateMany(
    { externalId: { $in: ids }, firstSentAt: { $exists: false } },
    { $set: { firstSentAt: clock.now() } }
  )
}

/** Tells the host of mails that failed for good. A hook that throws changes nothing. */
function notifyHost({ context, results }: SendingBatch, { ready, answer }: AnsweredMail): void {
  const { onSendFailure } = context.config
  const isFinal = results.get(ready.send._id)?.state === 'done'
  if (onSendFailure === undefined || !isFinal || answer.kind === 'accepted') return
  const { _id: sendId, externalId, templateSlug, kind } = ready.send
  const reason = answer.kind === 'failed' ? String(answer.error) : answer.reason
  try {
    onSendFailure({ sendId, externalId, templateSlug, kind, reason })
  } catch (error) {
    context.log.error({ err: error }, 'mailer: onSendFailure failed')
  }
}
