// Complaints among the reports: given to the mailer, which finds the mail and acts on its recipient.
import type { ActingMailer, MailFeedback } from '@keelson/mailer/contracts'
import type { FeedbackReport, FeedbackType } from '../failures/feedback-report.ts'
import type { Ingested } from '../ingest/ingest-file.ts'
import type { DmarcCollections } from '../storage/collections.ts'

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

/** The feedback of one report; null when it asks for nothing, or names no mail. */
export function feedbackOf(report: FeedbackReport, key: string, now: Date): MailFeedback | null {
  const type = ACTIONS[report.feedbackType]
  const { sendId, messageId, recipient, arrivedAt } = report
  if (type === null || (sendId ?? messageId) === null) return null
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

/** What recording needs. */
export interface ComplaintsContext {
  readonly mailer: Pick<ActingMailer, 'recordFeedback'>
  readonly collections: Pick<DmarcCollections, 'failures'>
}

/**
 * Records all complaints, again for reports that were stored before: the mailer takes each once. A report that
 * names no mail of ours changes nothing; its row says so.
 */
export async function recordComplaints(
  { mailer, collections }: ComplaintsContext,
  reports: readonly Ingested[],
  now: Date
): Promise<void> {
  for (const found of reports) {
    const feedback = found.kind === 'failure' ? feedbackOf(found.report, found.key, now) : null
    if (feedback === null) continue
    const { sendId } = await mailer.recordFeedback(feedback)
    if (sendId === null) continue
    await collections.failures.updateOne({ _id: found.key }, { $set: { effect: feedback.type } })
  }
}
