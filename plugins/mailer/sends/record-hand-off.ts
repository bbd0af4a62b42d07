// Records what a hand-off came to, beside the sends: outcomes, first mail of a contact, failures for the host.
import type { MailerContext } from '../context.ts'
import { type NewOutcome, outcomeOf, recordOutcomes } from '../outcomes/record-outcomes.ts'
import type { HandedOver, SendingBatch } from './send-at-pace.ts'
import type { HandOver } from './settle-send.ts'

/** Each write is safe to repeat: a batch whose process dies is handed off again. */
export async function recordHandOff(batch: SendingBatch): Promise<void> {
  const { context, handed } = batch
  const toContacts = handed.filter(({ ready }) => ready.send.operatorMail === undefined)
  if (toContacts.length === 0) return
  await Promise.all([
    recordOutcomes(context, toContacts.flatMap(outcomesOf(context))),
    markFirstMail(context, toContacts)
  ])
  for (const one of toContacts) notifyHost(batch, one)
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

function outcomeType({ kind }: HandOver): NewOutcome['type'] | undefined {
  if (kind === 'accepted') return 'accepted'
  return kind === 'rejected' || kind === 'failed' ? 'send_failed' : undefined
}

async function markFirstMail(
  { collections, clock }: MailerContext,
  handed: readonly HandedOver[]
): Promise<void> {
  const isMarketing = ({ ready, outcome }: HandedOver) =>
    outcome.kind === 'accepted' && ready.send.kind === 'marketing'
  const ids = handed.filter(isMarketing).map(({ ready }) => ready.send.externalId)
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
