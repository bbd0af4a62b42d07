// What SNDS stores: a snapshot for each address and period, blocked ranges, addresses, and the last read.
import type { Collection } from 'mongodb'
import type { SndsActivity } from '../feeds/read-data-feed.ts'
import type { SndsRange } from '../feeds/read-status-feed.ts'

/** One address in one period. */
export interface SnapshotRow extends SndsActivity {
  /** `<ip> <start>` */
  readonly _id: string
  readonly fetchedAt: Date
}

/** An address that the feed had. */
export interface AddressRow {
  /** The address. */
  readonly _id: string
  readonly seenAt: Date
}

/** A range of the latest blocked-range feed. */
export interface RangeRow extends SndsRange {
  /** `<first> <last>` */
  readonly _id: string
  readonly fetchedAt: Date
}

/** The last read. */
export interface PullRow {
  readonly _id: 'pull'
  readonly attemptedAt: Date
  readonly failures: number
  readonly errorMessage: string | null
}

/** The collections of SNDS. */
export interface Stored {
  readonly snapshots: Collection<SnapshotRow>
  readonly addresses: Collection<AddressRow>
  readonly ranges: Collection<RangeRow>
  readonly pulls: Collection<PullRow>
}
