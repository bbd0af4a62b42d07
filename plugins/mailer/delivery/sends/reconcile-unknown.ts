// A mail whose delivery ended without an answer, and that something was heard of: the provider had it.
import type { Document } from 'mongodb'
import type { MailerContext } from '../../ledger/context.ts'

const isUnknown = { $eq: ['$handoff', 'unknown'] }
const ifUnknown = (value: unknown, field: string) => ({ $cond: [isUnknown, value, `$${field}`] })

/** A stage that makes an unknown send a sent one, and changes no other. `STATUS_STAGE` must follow it. */
export const RECONCILE_STAGE: Document = {
  $set: {
    sentAt: ifUnknown({ $ifNull: ['$sentAt', '$attempt.at'] }, 'sentAt'),
    provider: ifUnknown({ $ifNull: ['$provider', '$attempt.provider'] }, 'provider'),
    errorMessage: ifUnknown('$$REMOVE', 'errorMessage'),
    handoff: ifUnknown('sent', 'handoff')
  }
}

/** Takes reconciled sends off the queue, where another try may be due. */
export async function withdrawReconciled(
  { queues }: Pick<MailerContext, 'queues'>,
  sendIds: readonly string[]
): Promise<void> {
  if (sendIds.length === 0) return
  const filter = { _id: { $in: [...sendIds] }, handoff: 'sent' }
  await queues.urgentSends.withdraw(filter, { state: 'done' })
}
