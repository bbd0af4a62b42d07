// Whether a contact gets marketing mail, as one word for lists. Pure.
import type { SuppressionReason } from '../../contracts/mailer-core.ts'
import type { SubscriptionRow, SuppressionRow } from '../../ledger/contact-rows.ts'
import { type Blocking, suppressionThatBlocks } from './suppression-rules.ts'

/** Every state. Only contacts that are `subscribed` get marketing mail. */
export const CONTACT_STATES = [
  'subscribed',
  'pending',
  'unsubscribed',
  'paused',
  'bounced',
  'complained',
  'suppressed',
  'none'
] as const

/** `none`: the contact never subscribed. `pending`: it has not confirmed yet. */
export type ContactState = (typeof CONTACT_STATES)[number]

const OF_REASON: Readonly<Record<SuppressionReason, ContactState>> = {
  unsubscribed: 'unsubscribed',
  list_cleaning: 'suppressed',
  manual: 'suppressed',
  hard_bounce: 'bounced',
  complaint: 'complained',
  gdpr_forget: 'suppressed'
}

const OF_STATUS = {
  subscribed: 'subscribed',
  pending_doi: 'pending',
  unsubscribed: 'unsubscribed',
  bounced: 'bounced',
  complained: 'complained'
} as const satisfies Readonly<Record<SubscriptionRow['status'], ContactState>>

/** The row that says the state; a suppression is stronger than a subscription. */
export function stateOf(
  subscription: Pick<SubscriptionRow, 'status'> | undefined,
  suppressions: readonly Blocking[],
  now: Date
): ContactState {
  const blocking = suppressionThatBlocks(suppressions, 'marketing', undefined, now)
  if (blocking !== undefined)
    return blocking.scope === 'marketing_pause' ? 'paused' : OF_REASON[blocking.reason]
  return subscription === undefined ? 'none' : OF_STATUS[subscription.status]
}

/** Where contacts of a state are found: by their subscription, by a suppression, or among all. */
export type StateSource =
  | { readonly of: 'subscriptions'; readonly status: SubscriptionRow['status'] }
  | {
      readonly of: 'suppressions'
      readonly filter: Partial<Pick<SuppressionRow, 'reason' | 'scope'>>
    }
  | { readonly of: 'contacts' }

/** Together they have every contact of the state, and others. */
export function sourcesOf(state: ContactState): readonly StateSource[] {
  if (state === 'none') return [{ of: 'contacts' }]
  const statuses = Object.entries(OF_STATUS).flatMap(([status, is]) =>
    is === state
      ? [{ of: 'subscriptions', status: status as SubscriptionRow['status'] } as const]
      : []
  )
  const reasons = Object.entries(OF_REASON).flatMap(([reason, is]) =>
    is === state
      ? [{ of: 'suppressions', filter: { reason: reason as SuppressionReason } } as const]
      : []
  )
  const pauses = { of: 'suppressions', filter: { scope: 'marketing_pause' } } as const
  return [...statuses, ...reasons, ...(state === 'paused' ? [pauses] : [])]
}
