// Outcomes for tests.
import type { MailOutcome } from '@keelson/mailer/contracts'

/** `times` outcomes of marketing mail from acme.test, with the given fields. */
export function outcomes(
  times: number,
  fields: Partial<MailOutcome> & Pick<MailOutcome, 'type' | 'occurredAt'>
): MailOutcome[] {
  return Array.from({ length: times }, (_, at) => ({
    sendId: `send-${at}`,
    externalId: `contact-${at}`,
    kind: 'marketing',
    senderDomain: 'acme.test',
    recipientDomain: 'example.net',
    provider: 'stand-in',
    templateSlug: 'newsletter',
    broadcastSlug: null,
    flowSlug: null,
    isMachine: false,
    ...fields
  }))
}
