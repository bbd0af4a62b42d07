// Rows in columns as they are stored: a segment, and the parts of its bytes beside it in the same collection.
import type { Binary } from 'mongodb'

/** Keys of one map that have columns of their own, in their order. */
export interface KeyColumns {
  readonly keys: readonly string[]
  /** Whether the map has no other keys. */
  readonly isAll: boolean
}

/** Rows of one tenant and some days. It never changes: another takes its place. */
export interface StoredSegment {
  /** SHA-256 of its bytes, in hex. */
  readonly _id: string
  readonly tenantId: string
  /** Start of the first of its UTC days. */
  readonly day: Date
  /** Days that its rows are kept, rounded up; null for ever. */
  readonly keepDays: number | null
  /** `occurredAt` of the first and of the last row. */
  readonly from: Date
  readonly to: Date
  readonly rows: number
  readonly bytes: number
  /** How many documents hold its bytes: `<_id>/0`, `<_id>/1`, … */
  readonly parts: number
  /** When the last of its rows expires. */
  readonly expiresAt?: Date
  /** Names of its events; absent when there are many. */
  readonly names?: readonly string[]
  /** Keys of attributes and metrics that have columns of their own; absent in files of old. */
  readonly attrs?: KeyColumns
  readonly metrics?: KeyColumns
  /** Traces and people that it may hold; see key-filter.ts. */
  readonly filter: Binary
  readonly sealedAt: Date
}

/** Bytes of a segment: at most 8 MB of its Parquet file. */
export interface StoredPart {
  readonly _id: string
  readonly segment: string
  readonly data: Binary
}
