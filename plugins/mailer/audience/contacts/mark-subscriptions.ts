// Marks subscriptions as ended: by an unsubscribe, a bounce or a complaint.

import type { ClientSession } from 'mongodb'
import type { SubscriptionStatus } from '../../contracts/mailer-core.ts'
import { addressForms } from '../../ledger/address.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import { durably } from '../../ledger/storage/durable.ts'
import { appendSteps } from './consent-steps.ts'

/** Why a subscription ends. */
export type EndStatus = 'unsubscribed' | 'bounced' | 'complained'

/** Subscriptions to mark, all for the same cause. */
export interface SubscriptionMarks {
  readonly status: EndStatus
  readonly externalIds: readonly string[]
  /** Subscriptions that were made with these addresses are marked too. */
  readonly emails: readonly string[]
  /** Of an unsubscribe. */
  readonly reason?: string | undefined
  /** Where it came from: an unsubscribe link, `admin`. */
  readonly source?: string | undefined
}

/** What each mark may replace: a complaint outranks a bounce, and that an unsubscribe. */
const REPLACES: Readonly<Record<EndStatus, readonly SubscriptionStatus[]>> = {
  unsubscribed: ['subscribed', 'pending_doi'],
  bounced: ['subscribed', 'pending_doi', 'unsubscribed'],
  complained: ['subscribed', 'pending_doi', 'unsubscribed', 'bounced']
}

/** Marks in one command. The order of marks never matters. */
export async function markSubscriptions(
  { collections, clock }: Pick<MailerContext, 'collections' | 'clock'>,
  { status, externalIds, emails, reason, source }: SubscriptionMarks,
  { session }: { readonly session?: ClientSession } = {}
): Promise<void> {
  const now = clock.now()
  const end = {
    unsubscribedAt: now,
    ...(reason !== undefined && { unsubscribeReason: reason })
  }
  const update = {
    $set: { status, updatedAt: now, ...(status === 'unsubscribed' && end) },
    ...appendSteps([{ at: now, what: status, ...defined({ reason, source }) }])
  }
  const replaced = { status: { $in: [...REPLACES[status]] } }
  const selections = [
    { externalId: { $in: [...externalIds] } },
    { emailAtSubscribe: { $in: emails.flatMap(addressForms) } }
  ]
  const operations = selections.map((selection) => ({
    updateMany: { filter: { ...selection, ...replaced }, update }
  }))
  await collections.subscriptions.bulkWrite(operations, durably(session))
}
