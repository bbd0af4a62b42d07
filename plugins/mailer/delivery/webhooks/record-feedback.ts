// Feedback of receivers as webhook events: durable, then applied with the same effects and the same repeats.
import { Type } from '@keelson/sdk'
import type { FeedbackResult, MailFeedback } from '../../contracts/mailer-feedback.ts'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { findNamedSends } from './find-event-sends.ts'
import { readEvents } from './read-events.ts'

const feedbackSchema = Type.Object({
  type: Type.Enum(['complaint', 'unsubscribe']),
  source: Type.String({ minLength: 1, maxLength: 64 }),
  feedbackId: inputs.dedupeKey,
  occurredAt: inputs.date,
  sendId: Type.Optional(Type.String({ maxLength: 64 })),
  messageId: Type.Optional(Type.String({ maxLength: 998 })),
  email: Type.Optional(inputs.email)
})

/**
 * Records feedback that names a mail of ours; the queue of webhook events applies it to the recipient of that
 * mail. Anybody can write a report, so an address alone changes nothing, and is not kept here.
 *
 * @throws MLR_INPUT_INVALID
 */
export async function recordFeedback(
  context: Pick<MailerContext, 'collections' | 'clock' | 'queues'>,
  feedback: MailFeedback
): Promise<FeedbackResult> {
  const { type, source, feedbackId, occurredAt, sendId, messageId } = checkedInput(
    'recordFeedback',
    feedbackSchema,
    feedback
  )
  const event = {
    type: type === 'complaint' ? 'spam_report' : 'unsubscribe',
    providerEventId: feedbackId,
    providerMessageId: messageId ?? null,
    email: '',
    occurredAt,
    details: sendId === undefined ? {} : { sendId }
  }
  const rows = readEvents([event], { provider: source, receivedAt: context.clock.now() })
  const sends = await findNamedSends(context, rows)
  const named = rows.flatMap((row) => {
    const send = sends.get(row._id)
    return send === undefined ? [] : [{ ...row, details: { sendId: send._id }, sendId: send._id }]
  })
  await context.queues.webhookEvents.add(named)
  return { sendId: named[0]?.sendId ?? null }
}
