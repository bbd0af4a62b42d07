// What the mailer stores of contacts: subscriptions, suppressions, fallback tags.
import type {
  SubscriptionStatus,
  SuppressionReason,
  SuppressionScope
} from '../contracts/mailer-core.ts'

/** A row of `mailer_subscriptions`; `_id` is random, `externalId` unique. */
export interface SubscriptionRow {
  readonly _id: string
  readonly externalId: string
  readonly status: SubscriptionStatus
  readonly source: string
  /** Lower case. */
  readonly emailAtSubscribe?: string
  readonly consentTimestamp?: Date
  readonly consentIp?: string
  readonly consentUserAgent?: string
  readonly subscribedAt?: Date
  /** When unsubscribes were last taken back, and of which scopes: `marketing` leaves those of categories. */
  readonly resubscribed?: { readonly at: Date; readonly scope: 'marketing' | 'all' }
  readonly unsubscribedAt?: Date
  readonly unsubscribeReason?: string
  /** SHA-256 of the token of the latest confirmation mail, hex. */
  readonly doiTokenHash?: string
  readonly doiRequestedAt?: Date
  readonly doiConfirmedAt?: Date
  readonly doiIp?: string
  readonly doiUserAgent?: string
  readonly firstSentAt?: Date
  /** The latest open or click that a person made. */
  readonly lastEngagedAt?: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What a suppression blocks: a scope of the contract, one category, or marketing for a time. */
export type StoredScope = SuppressionScope | 'marketing_pause' | `category:${string}`

/** A row of `mailer_suppressions`: one per address and scope, `_id` is `<emailHash>:<scope>`. */
export interface SuppressionRow {
  readonly _id: string
  /** Lower case; null when only the hash is kept. */
  readonly email: string | null
  /** SHA-256 of the lower-case address, hex. */
  readonly emailHash: string
  readonly scope: StoredScope
  readonly reason: SuppressionReason
  readonly source?: string
  readonly notes?: string
  readonly addedAt: Date
  /** null: for ever. */
  readonly expiresAt: Date | null
}

/** A row of `mailer_contact_tags`: tags of contacts whose adapter cannot write tags. */
export interface ContactTagRow {
  readonly _id: string
  readonly externalId: string
  readonly tag: string
  readonly addedAt: Date
}
