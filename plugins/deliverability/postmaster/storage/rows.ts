// What Postmaster stores: a snapshot for each domain and day, and the state of each domain.
import type { Collection } from 'mongodb'
import type { Compliance, DayStats } from '../api/day-stats.ts'

/** The figures of one domain on one day. */
export interface SnapshotRow extends DayStats {
  /** `<domain> <date>` */
  readonly _id: string
  readonly domain: string
  readonly source: 'v2' | 'v1'
  readonly fetchedAt: Date
}

/** The last read of a domain. */
export interface DomainRow {
  /** The domain. */
  readonly _id: string
  readonly attemptedAt: Date
  /** Reads in a row that failed. */
  readonly failures: number
  /** Of the last read; null when it worked. */
  readonly errorMessage: string | null
  readonly compliance: readonly Compliance[]
}

/** The collections of Postmaster. */
export interface Stored {
  readonly snapshots: Collection<SnapshotRow>
  readonly domains: Collection<DomainRow>
}

export const HISTORY = 30

/** The newest days of a domain. */
export const historyOf = ({ snapshots }: Stored, domain: string): Promise<SnapshotRow[]> =>
  snapshots.find({ domain }).sort({ date: -1 }).limit(HISTORY).toArray()
