// What subscribing does to a contact's subscription. Pure.
import { createHash } from 'node:crypto'
import type { SubscriptionStatus } from '../../contracts/mailer-core.ts'
import type { SubscriptionRow } from '../../ledger/contact-rows.ts'

/** What to do about a wish to subscribe. */
export interface SubscriptionDecision {
  readonly status: SubscriptionStatus
  /** The contact was not subscribed before. */
  readonly isNew: boolean
  /** A confirmation mail is due: the first of the day. */
  readonly asksConfirmation: boolean
}

/** Under double opt-in everyone but a subscribed contact confirms, with one mail per day (UTC). */
export function decideSubscription(
  row: Pick<SubscriptionRow, 'status' | 'doiRequestedAt'> | null,
  requireDoubleOptIn: boolean,
  now: Date
): SubscriptionDecision {
  if (row?.status === 'subscribed')
    return { status: 'subscribed', isNew: false, asksConfirmation: false }
  if (!requireDoubleOptIn) return { status: 'subscribed', isNew: true, asksConfirmation: false }
  const asked = row?.doiRequestedAt
  return {
    status: 'pending_doi',
    isNew: false,
    asksConfirmation: asked === undefined || dayOf(asked) !== dayOf(now)
  }
}

/** The day in UTC, as `2026-03-01`. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

/** What is stored of a confirmation token. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')
