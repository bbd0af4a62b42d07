// A broadcast as stored.

/** Where a broadcast is. `sent`: every mail of it is queued. */
export type BroadcastStatus =
  | 'draft'
  | 'scheduled'
  | 'sending'
  | 'paused'
  | 'sent'
  | 'cancelled'
  | 'failed'

/** Why a broadcast is paused. */
export interface PauseReason {
  readonly code: 'cap_reached' | 'stop_rule' | 'gate' | 'manual'
  /** Who paused: a gate, a plugin, or a person as the audit log names them. */
  readonly by: string
  readonly message: string
  readonly at: Date
}

/** When a broadcast stops by itself: rates in per cent of delivered and bounced mails. */
export interface StopRules {
  readonly enabled: boolean
  readonly hardBounceRatePct: number
  readonly complaintRatePct: number
  readonly unsubscribeRatePct: number
  readonly minSample: number
}

/** Two or more templates, and how the better one is found. */
export interface SplitTest {
  readonly variants: readonly { readonly name: string; readonly templateSlug: string }[]
  /** Share of the audience that takes part in the test. */
  readonly testPercent: number
  readonly winner: 'human_opens' | 'human_clicks'
  readonly decideAfterHours: number
}

/** A row of `mailer_broadcasts`; `slug` is unique. */
export interface BroadcastRow {
  readonly _id: string
  readonly slug: string
  readonly name: string
  readonly templateSlug: string
  readonly segmentDefinition: unknown
  readonly status: BroadcastStatus
  readonly scheduledAt?: Date
  /** A schedule that could not start by then fails. */
  readonly expiresAt?: Date
  readonly confirmedCount?: number
  readonly recipientCount?: number
  /** Mails queued so far. */
  readonly queuedCount: number
  readonly respectRecipientTimezone: boolean
  readonly recipientCap?: number
  readonly order?: { readonly field: string; readonly direction: 'asc' | 'desc' }
  readonly stopRules: StopRules
  readonly splitTest?: SplitTest
  readonly pauseReason?: PauseReason
  /** Where enqueueing goes on: a cursor of the contact adapter; null when all are queued. */
  readonly cursor?: string | null
  readonly leaseUntil?: Date
  readonly lease?: string
  readonly startedAt?: Date
  readonly finishedAt?: Date
  readonly createdBy: string
  readonly createdAt: Date
  readonly updatedAt: Date
}
