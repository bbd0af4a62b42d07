// A bucket as it is stored: what happened to the mail of one sender domain and kind, and whether it tripped.
import type { MailKind } from '@keelson/mailer/contracts'
import type { Said } from '@keelson/sdk'
import type { RefusalSlots } from './refusals.ts'
import type { Counters, Slot } from './window.ts'

/** How a bucket is. */
export type BucketStatus = 'healthy' | 'degraded' | 'tripped'

/** Which mail a bucket is about. */
export interface BucketKey {
  /** Lower case; null for mail whose From address has no domain. */
  readonly senderDomain: string | null
  readonly kind: MailKind
}

/** Counts of the recent past, in slots. */
export interface CountedRow {
  /** A slot for each minute of the window. */
  readonly minutes: readonly Slot[]
  /** A slot for each hour of the last week: what low volumes are judged by. */
  readonly hours: readonly Slot[]
  readonly updatedAt: Date
}

/** A row of `circuit_breaker_health`; `_id` is `d:<domain>|k:<kind>`. */
export interface BucketRow extends BucketKey, CountedRow {
  readonly _id: string
  readonly status: BucketStatus
  readonly trippedAt: Date | null
  readonly trippedReason: string | null
  /** The reason by its code. Missing for evidence of plugins that give none, and in rows of older versions. */
  readonly trippedSaid?: Said | null
  /** The counters that tripped it: shown until it is resumed. */
  readonly trippedCounters: Counters | null
  /** What happened before does not count. */
  readonly manuallyResumedAt: Date | null
  /** A rate that is high for so few mails; null without one. */
  readonly warning: string | null
  /** The warning by its code. */
  readonly warningSaid?: Said | null
  /** Refusals of the sender by mailbox provider. Rows of older versions have none. */
  readonly refusals?: RefusalSlots
  /** Evidence of other plugins that tripped it before, newest last. */
  readonly evidence: readonly string[]
}

/** The one row with `_id` `agg`: all buckets together, and how far the feed of outcomes was read. */
export interface AggregateRow extends CountedRow {
  readonly _id: typeof AGGREGATE_ID
  readonly cursor: string | null
}

/** The `error` of holds of this gate. */
export const HOLD = 'circuit_breaker_tripped'

export const AGGREGATE_ID = 'agg'
/** Evidence ids that a bucket remembers. */
export const MAX_EVIDENCE = 50

/** The `_id` of a bucket. */
export const bucketId = ({ senderDomain, kind }: BucketKey): string =>
  `d:${senderDomain ?? ''}|k:${kind}`

/** How people name a bucket. */
export const bucketSlug = ({ senderDomain, kind }: BucketKey): string =>
  `${senderDomain ?? 'unknown'}|${kind}`

/** A bucket without mail. */
export function newBucket(key: BucketKey, now: Date): BucketRow {
  return {
    _id: bucketId(key),
    senderDomain: key.senderDomain,
    kind: key.kind,
    status: 'healthy',
    minutes: [],
    hours: [],
    trippedAt: null,
    trippedReason: null,
    trippedCounters: null,
    manuallyResumedAt: null,
    warning: null,
    evidence: [],
    updatedAt: now
  }
}
