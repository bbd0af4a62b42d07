// Feedback of receivers as webhook events: durable, then applied with the same effects and the same repeats.
import { Type } from '@keelson/sdk'
import type { MailFeedback } from '../../contracts/mailer-core.ts'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { hideForgotten } from './hide-forgotten.ts'
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

/** Records it; the queue of webhook events applies it. @throws MLR_INPUT_INVALID */
export async function recordFeedback(
  context: Pick<MailerContext, 'collections' | 'clock' | 'queues'>,
  feedback: MailFeedback
): Promise<void> {
  const { type, source, feedbackId, occurredAt, sendId, messageId, email } = checkedInput(
    'recordFeedback',
    feedbackSchema,
    feedback
  )
  const event = {
    type: type === 'complaint' ? 'spam_report' : 'unsubscribe',
    providerEventId: feedbackId,
    providerMessageId: messageId ?? null,
    email: email ?? '',
    occurredAt,
    details: sendId === undefined ? {} : { sendId }
  }
  const rows = readEvents([event], { provider: source, receivedAt: context.clock.now() })
  await context.queues.webhookEvents.add(await hideForgotten(context, rows))
}
