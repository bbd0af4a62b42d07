// Complaints among the reports: told to the mailer, which finds the mail and acts on its address.
import type { ActingMailer, MailFeedback } from '@keelson/mailer/contracts'
import type { FeedbackReport, FeedbackType } from '../failures/feedback-report.ts'
import type { Ingested } from '../ingest/ingest-file.ts'

/** What each type asks for. A failed check says nothing about the recipient: it never suppresses. */
const ACTIONS: Readonly<Record<FeedbackType, MailFeedback['type'] | null>> = {
  abuse: 'complaint',
  fraud: 'complaint',
  virus: null,
  other: null,
  'not-spam': null,
  'opt-out': 'unsubscribe',
  'auth-failure': null
}

/** The feedback of one report; null when it asks for nothing, or names neither mail nor recipient. */
export function feedbackOf(report: FeedbackReport, key: string, now: Date): MailFeedback | null {
  const type = ACTIONS[report.feedbackType]
  const { sendId, messageId, recipient, arrivedAt } = report
  if (type === null || (sendId ?? messageId ?? recipient) === null) return null
  return {
    type,
    source: 'feedback-loop',
    feedbackId: key,
    occurredAt: arrivedAt !== null && arrivedAt < now ? arrivedAt : now,
    ...(sendId !== null && { sendId: sendId.slice(0, 64) }),
    ...(messageId !== null && { messageId: messageId.slice(0, 998) }),
    ...(recipient !== null && { email: recipient })
  }
}

/** Records all complaints, again for reports that were stored before: the mailer takes each once. */
export async function recordComplaints(
  mailer: Pick<ActingMailer, 'recordFeedback'>,
  reports: readonly Ingested[],
  now: Date
): Promise<number> {
  let recorded = 0
  for (const found of reports) {
    const feedback = found.kind === 'failure' ? feedbackOf(found.report, found.key, now) : null
    if (feedback === null) continue
    await mailer.recordFeedback(feedback)
    recorded++
  }
  return recorded
}
