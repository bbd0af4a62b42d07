// What a queue keeps about a row that is an item of it.

/** Fields that the queue writes and an item must not bring, but `dueAt`. */
export interface QueuedRow {
  readonly _id: string
  readonly state?: 'due' | 'leased' | 'done' | 'parked'
  /** When it is looked at next; absent when it is done or parked. */
  readonly dueAt?: Date
  readonly lease?: string
  readonly leaseUntil?: Date
  readonly attempts?: number
  /** Why the last try failed, or why it is parked. */
  readonly reason?: string
  readonly doneAt?: Date
  readonly parkedAt?: Date
}
