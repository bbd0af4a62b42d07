// Rows of mails that were handed over, for tests of what happens to them afterwards.

import { sendIdOf } from '../sends/send-id.ts'
import type { SendRow } from '../sends/send-row.ts'

/** The row of a sent mail; `key` names it. */
export function sentMail(key: string, more: Partial<SendRow> = {}): SendRow {
  const sentAt = new Date(Date.now() - 3_600_000)
  return {
    _id: sendIdOf(key),
    lane: 'bulk',
    dedupeKey: key,
    externalId: `contact-${key}`,
    emailAtSend: `${key}@recipient.test`,
    kind: 'marketing',
    templateSlug: 'news',
    handoff: 'sent',
    status: 'sent',
    state: 'done',
    doneAt: sentAt,
    queuedAt: sentAt,
    handedAt: sentAt,
    sentAt,
    provider: 'recording',
    providerMessageId: `message-${key}`,
    from: { name: 'Acme', email: 'hello@acme.test' },
    links: [
      { linkId: '000000000001', url: 'https://example.test/one?a=1&b=2' },
      { linkId: '000000000002', url: 'https://example.test/two' },
      { linkId: '000000000003', url: 'https://example.test/three' }
    ],
    ...more
  }
}
