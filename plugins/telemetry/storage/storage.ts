// The seam to the database: the collections of one telemetry instance, its indexes and its transactions.
import type { CommandHost, MigrationHost } from '@keelson/sdk'
import type { Binary, ClientSession, Collection, Document } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'
import type { StoredRollup } from '../rollups/update.ts'
import type { StoredAlert, StoredChange } from './stored-alert.ts'
import type { StoredErasure } from './stored-erasure.ts'
import type { StoredKey } from './stored-key.ts'
import type { StoredSegment } from './stored-segment.ts'

/** A refused write as stored. */
export interface StoredReject {
  _id: string
  at: Date
  name: string
  reason: string
  /** JSON text: what clients send may hold names that no document can. */
  raw: string
  tenantId?: string
  keyId?: string
  subjectKeys?: readonly string[]
}

/**
 * The id of a wire record whose row was not kept, so that sending it again counts nothing; or one for all of a flush.
 * Of sealed rows the id, and the key that makes one unique.
 */
export interface StoredSeen {
  /** As of a row, or of `sealedKey`. */
  _id: Binary
  /** Absent on keys of rows that are kept for ever. */
  expiresAt?: Date
}

/** An anonymous ref that turned out to be a known one; one for each link. */
export interface StoredAlias {
  /** `<tenant>|<anonymous ref>|<id of the record>`, the first two escaped. */
  _id: string
  tenantId: string
  anonRef: string
  userRef: string
  linkedAt: Date
}

/** A named time; those of this package begin with `$` and may hold more. */
export interface StoredCheckpoint {
  _id: string
  at: Date
  /** `$registry`: the declarations of all names, as JSON. */
  spec?: string
  /** `$family:<name>`: what its documents are keyed by. */
  shape?: string
  /** `$backfill:<name>`: what was asked for, and how far it has come. */
  asked?: string
  position?: string
  /** `$history`: changes with every change of segments. */
  version?: number
  /** `$history`: how often rows have come back from segments. */
  returns?: number
  /** `$regroup:<tenant>|<fingerprint>`: the issue whose records move, with `tenantId` and its successor as `position`. */
  fingerprint?: string
  /** `$forget:<tenant>|<ref>`: an erasure that a running host completes. */
  tenantId?: string
  ref?: string
}

/** Saved views, as far as this package reads and erases them. */
export type ViewsCollection = Collection<Document & { _id: string }>

export interface StorageCollections {
  readonly rows: Collection<StoredRow>
  readonly rollups: Collection<StoredRollup>
  readonly rejects: Collection<StoredReject>
  readonly seen: Collection<StoredSeen>
  readonly aliases: Collection<StoredAlias>
  readonly checkpoints: Collection<StoredCheckpoint>
  readonly keys: Collection<StoredKey>
  /** Saved views. The dashboard declares them and hands them over; without the kernel `createTelemetry` opens them. */
  views?: ViewsCollection
  readonly alerts: Collection<StoredAlert>
  /** Changes of state of alerts. */
  readonly changes: Collection<StoredChange>
  /** The log of erasures. */
  readonly erasures: Collection<StoredErasure>
  /** Rows in columns, and the parts of their bytes. */
  readonly segments: Collection<StoredSegment>
}

/** What the rest of the package needs of a database. */
export interface TelemetryStorage {
  readonly collections: StorageCollections
  /** Runs `fn` in a majority, journaled transaction; again on conflict. */
  transaction<T>(fn: (session: ClientSession) => Promise<T>): Promise<T>
}

/** Role to the suffix of the collection's name. */
export const COLLECTION_SUFFIXES = {
  rows: '',
  rollups: '_rollups',
  rejects: '_rejects',
  seen: '_seen',
  aliases: '_aliases',
  checkpoints: '_checkpoints',
  keys: '_keys',
  alerts: '_alerts',
  changes: '_alert_changes',
  erasures: '_erasures',
  segments: '_segments'
} as const satisfies Record<Exclude<keyof StorageCollections, 'views'>, string>

function collectionsFrom(open: (name: string) => Collection): StorageCollections {
  const opened = Object.entries(COLLECTION_SUFFIXES).map(([role, suffix]) => [
    role,
    open(`telemetry${suffix}`)
  ])
  return Object.fromEntries(opened) as unknown as StorageCollections
}

/** How many indexes a collection has; none when it does not exist yet. */
export async function countIndexes<T extends object>(collection: Collection<T>): Promise<number> {
  try {
    return (await collection.listIndexes().toArray()).length
  } catch (error) {
    if ((error as { codeName?: string }).codeName === 'NamespaceNotFound') return 0
    throw error
  }
}

/** The storage of a plugin, a migration or a command. */
export const storageOfHost = (
  host: Pick<MigrationHost | CommandHost, 'collection' | 'withTransaction'>
): TelemetryStorage => ({
  collections: collectionsFrom((name) => host.collection(name) as Collection),
  transaction: (fn) => host.withTransaction(fn)
})
