// Records what a hand-off came to, beside the sends: outcomes, first mail of a contact, failures for the host.
import type { MailerContext } from '../context.ts'
import { type NewOutcome, outcomeOf, recordOutcomes } from '../outcomes/record-outcomes.ts'
import type { SendRow } from './send-row.ts'
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
    return [outcomeOf({ ...send, provider, from, emailAtSend }, { type, occurredAt: clock.now() })]
  }

function recoveredOutcome(send: SendRow): NewOutcome {
  const type = send.handoff === 'sent' ? 'accepted' : 'send_failed'
  return outcomeOf(send, { type, occurredAt: send.sentAt ?? send.attempt?.at ?? send.queuedAt })
}

function outcomeType({ kind }: HandOver): NewOutcome['type'] | undefined {
  if (kind === 'accepted') return 'accepted'
  return kind === 'rejected' || kind === 'failed' ? 'send_failed' : undefined
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
