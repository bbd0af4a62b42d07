// Keeps late webhook events of erased contacts from storing their addresses again.
import { findForgotten } from '../../audience/contacts/find-suppressions.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { WebhookEventRow } from '../../ledger/webhook-row.ts'

/** The same events; those of erased addresses without address and content. */
export async function hideForgotten(
  context: Pick<MailerContext, 'collections'>,
  events: readonly WebhookEventRow[]
): Promise<readonly WebhookEventRow[]> {
  const emails = events.flatMap(({ email }) => (email === '' ? [] : [email]))
  const forgotten = await findForgotten(context, emails)
  return events.map((event) =>
    forgotten.has(event.email) ? { ...event, email: '', details: {} } : event
  )
}
