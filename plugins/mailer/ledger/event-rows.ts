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
}
