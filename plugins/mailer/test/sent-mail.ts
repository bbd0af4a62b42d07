// Rows of mails that were handed over, for tests of what happens to them afterwards.

import type { Document } from 'mongodb'
import { sendIdOf } from '../ledger/send-id.ts'
import type { SendRow } from '../ledger/send-row.ts'
import { STATUS_STAGE } from '../ledger/send-status.ts'
import { TEST_SECRET } from './test-context.ts'

/** The row of a sent mail; `key` names it. */
export function sentMail(key: string, more: Partial<SendRow> = {}): SendRow {
  const sentAt = new Date(Date.now() - 3_600_000)
  return {
    _id: sendIdOf(TEST_SECRET, key),
    lane: 'bulk',
    dedupeKey: key,
    externalId: `contact-${key}`,
    emailAtSend: `${key}@recipient.test`,
    kind: 'marketing',
    templateSlug: 'news',
    handoff: 'sent',
    status: 'sent',
    progress: 'h',
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

/** An update that records facts about mails as the mailer does, and takes them out of the queue. */
export const recorded = (facts: Partial<SendRow>): Document[] => [
  { $set: { state: 'done', ...facts } },
  { $unset: ['dueAt'] },
  STATUS_STAGE
]
