// What a plugin sees of a queue: its items, its handlers and their results, and the queue itself.
import type { ClientSession, Document } from 'mongodb'
import type { JobRun } from '../job.ts'

/** An item of a queue, as stored. Your own fields are beside `_id`. */
export interface QueueItem extends Document {
  readonly _id: string
}

/**
 * Handles one item. It must be safe to repeat: a lease that runs out is claimed again. An item whose handler
 * throws is tried again after the queue's back-off, and not before the `retryAfterSeconds` of the error, if it
 * has any.
 */
export type QueueHandler<T extends QueueItem = QueueItem> = (
  item: T,
  run: JobRun
) => Promise<void> | void

/** An item of a claimed batch. */
export interface ClaimedItem<T extends QueueItem = QueueItem> {
  readonly item: T
  /** Tries so far, this one included. */
  readonly attempts: number
}

/**
 * Stages of an update pipeline (`$set`, `$unset`) for the item's own fields. Values may be expressions; wrap
 * foreign strings in `$literal`.
 */
export type ItemUpdate = readonly Document[]

/** An update of some items of a batch. */
export interface HeldUpdate {
  readonly ids: readonly string[]
  readonly update: ItemUpdate
}

/** A run over a claimed batch. */
export interface BatchRun extends JobRun {
  /**
   * Writes what is known about items before the batch ends: what is about to be done to some, what became
   * of others. One durable command for all updates. An item whose lease ran out is left as it is.
   *
   * A process that dies later leaves the items leased with these fields: the handler gets them again, and
   * must see by them what is done.
   *
   * @returns the ids, of those named, that the batch still holds
   */
  update(updates: readonly HeldUpdate[]): Promise<ReadonlySet<string>>
}

/** What became of one item; `update` is written in the same command as the item's state. */
export type ItemResult =
  | { readonly state: 'done'; readonly update?: ItemUpdate }
  /** It goes on at `dueAt`; tries are counted anew. */
  | { readonly state: 'scheduled'; readonly dueAt: Date; readonly update?: ItemUpdate }
  /** Tried again after the queue's back-off, or parked after the last try. */
  | { readonly state: 'failed'; readonly error: unknown; readonly update?: ItemUpdate }
  /** Set aside until `reschedule`. */
  | { readonly state: 'parked'; readonly reason: string; readonly update?: ItemUpdate }

/**
 * Handles the items of one claim together, for work that is cheaper in bulk. It must be safe to repeat. A
 * throw fails every item; an item without a result has failed.
 */
export interface BatchHandler<T extends QueueItem = QueueItem> {
  batch(
    items: readonly ClaimedItem<T>[],
    run: BatchRun
  ): Promise<ReadonlyMap<string, ItemResult>> | ReadonlyMap<string, ItemResult>
}

/** How waiting items leave the queue. */
export interface WithdrawOptions {
  /** `done`: for good. `parked`: until `reschedule`. */
  readonly state: 'done' | 'parked'
  /** Stored with parked items, for operators. */
  readonly reason?: string
  readonly update?: ItemUpdate
  readonly session?: ClientSession
}

/** When waiting and parked items are due. */
export interface RescheduleOptions {
  /** Default: now. */
  readonly dueAt?: Date
  readonly update?: ItemUpdate
  readonly session?: ClientSession
}

/** How items are added to a queue. */
export interface AddOptions {
  readonly session?: ClientSession
  /** A field with a unique index: an item whose value is there already is known, whatever its `_id`. */
  readonly uniqueBy?: string
}

/**
 * Work that is done in leased batches, by whichever worker is free; up to 32 items of a batch are handled
 * at once. An item that is done stays in the collection with `doneAt`: declare a TTL index on that field,
 * or remove it yourself.
 */
export interface Queue<T extends QueueItem = QueueItem> {
  /**
   * Adds items; one that is there already (by `_id`, or by the field `uniqueBy`) is left as it is. Durable
   * when it resolves. `dueAt` on an item delays it.
   */
  add(
    items: readonly (T & { readonly dueAt?: Date })[],
    options?: AddOptions
  ): Promise<{ readonly added: number }>
  /**
   * Takes waiting items that match `filter` off the queue: for good, parked ones included, or until
   * `reschedule`. Items that a worker is handling stay. Durable when it resolves.
   */
  withdraw(filter: Document, options: WithdrawOptions): Promise<{ readonly withdrawn: number }>
  /** Makes waiting and parked items that match `filter` due at `dueAt` (default: now), with fresh tries. */
  reschedule(
    filter: Document,
    options?: RescheduleOptions
  ): Promise<{ readonly rescheduled: number }>
}
