// Events as stored on their way in: recorded, or waiting in the outbox of a transaction.
import type { QueuedRow } from './queued-row.ts'

/** A row of `mailer_outbox`, and an item of its queue: an event written inside a transaction of the host. */
export interface OutboxRow extends QueuedRow {
  readonly payload: {
    readonly type: 'event'
    readonly name: string
    readonly externalId: string
    readonly properties: Readonly<Record<string, unknown>>
    readonly dedupeKey: string
    readonly occurredAt: Date
  }
  readonly enqueuedAt: Date
}

/**
 * Why a contact does not enter a flow: it has no subscription, or one in this status, or its address is
 * suppressed, and the flow sends no transactional mail; it has no valid address; or it was in a flow that takes
 * each contact once.
 */
export const NOT_ENTERED_REASONS = [
  'not_subscribed',
  'pending_doi',
  'unsubscribed',
  'bounced',
  'complained',
  'suppressed',
  'no_address',
  'was_in_it'
] as const

/** One of `NOT_ENTERED_REASONS`. */
export type NotEnteredReason = (typeof NOT_ENTERED_REASONS)[number]

/** A flow that an event started no run of. */
export interface NotEntered {
  /** Its slug. */
  readonly flow: string
  readonly reason: NotEnteredReason
}

/** A row of `mailer_events`, and an item of the queue that starts and wakes runs. */
export interface EventRow extends QueuedRow {
  readonly name: string
  readonly externalId: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly dedupeKey: string
  readonly occurredAt: Date
  readonly createdAt: Date
  /** Fired by a flow: how many runs led to it, one by the event of another. Left out for an event of the host. */
  readonly chain?: number
  /** The flows that the contact did not enter by it; left out where it entered all. */
  readonly notEntered?: readonly NotEntered[]
}
