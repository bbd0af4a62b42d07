// One flush: new rows and everything they add to rollups, in one transaction. Sent again, it writes nothing.
import type { ClientSession } from 'mongodb'
import { idText } from '../envelope/stored-id.ts'
import { addDays } from '../envelope/time.ts'
import type { Increment, Increments } from '../rollups/increment.ts'
import type { KnownDocuments } from '../rollups/known-documents.ts'
import { placeRecord } from '../rollups/place.ts'
import { additionOf, correctionOf } from '../rollups/update.ts'
import type { StoredAlias, StoredReject, TelemetryStorage } from '../storage/storage.ts'
import { mayBeDropped, type WriteItem } from './decide.ts'
import type { Predecessors } from './predecessors.ts'
import { findRepeats } from './repeats.ts'
import { insertAll, updateAll } from './write-commands.ts'

/** What one flush writes. */
export interface FlushContent {
  readonly items: readonly WriteItem[]
  readonly rejects: readonly StoredReject[]
  readonly aliases: readonly StoredAlias[]
}

/** Where a flush writes, and what it remembers of earlier ones. */
export interface FlushTarget {
  readonly storage: TelemetryStorage
  readonly documents: KnownDocuments
  readonly predecessors: Predecessors
}

export interface FlushResult {
  /** Items that had been written before. */
  readonly repeats: ReadonlySet<WriteItem>
  /** Families that could not place a record, over all records. */
  readonly skipped: number
}

// Each try after the first looks for repeats; a further one is only needed when somebody else writes the
// same ids at the same moment.
const MAX_TRIES = 8
// Clients with a disk queue come back within a week.
const SEEN_DAYS = 8

const DUPLICATE_KEY = 11000
/** Another process started and took this one's transaction for that of a dead one. */
const INTERRUPTED = 11601

/**
 * Writes items so that after a crash at any point either all of them and their rollups are there, or
 * none. Repeats by record id, dedupeKey or usage idempotency key are left out and returned.
 */
export async function flush(
  { storage, documents, predecessors }: FlushTarget,
  content: FlushContent,
  now: Date
): Promise<FlushResult> {
  const { unique, repeats } = splitRepeats(content.items)
  let mustLook = unique.some((item) => item.isReplayable && mayBeDropped(item))
  for (let attempt = 1; ; attempt++) {
    try {
      const { known, placed } = await storage.transaction(async (session) => {
        await predecessors.follow(session, now)
        const known = mustLook ? await findRepeats(storage, unique, session) : new Set<WriteItem>()
        const fresh = known.size === 0 ? unique : unique.filter((item) => !known.has(item))
        await writeRows(storage, fresh, session, now)
        const placed = placeItems(fresh)
        await writeRollups(storage, placed.increments, documents, session, now)
        await writeBeside(storage, content, session)
        return { known, placed }
      })
      documents.learn(placed.increments)
      return { repeats: new Set([...repeats, ...known]), skipped: placed.skipped }
    } catch (error) {
      const isRepeat = (error as { code?: unknown }).code === DUPLICATE_KEY
      const isGone = error instanceof DocumentsGone
      const isEnded = (error as { code?: unknown }).code === INTERRUPTED
      if (!(isRepeat || isGone || isEnded) || attempt >= MAX_TRIES) throw error
      if (isRepeat) mustLook = true
      if (isGone) documents.clear()
    }
  }
}

/** Items that repeat an earlier one of the same flush, apart from the rest. */
function splitRepeats(items: readonly WriteItem[]): {
  readonly unique: readonly WriteItem[]
  readonly repeats: readonly WriteItem[]
} {
  const taken = new Set<string>()
  const unique: WriteItem[] = []
  const repeats: WriteItem[] = []
  for (const item of items) {
    const identities = identitiesOf(item)
    if (identities.some((identity) => taken.has(identity))) {
      repeats.push(item)
      continue
    }
    for (const identity of identities) taken.add(identity)
    unique.push(item)
  }
  return { unique, repeats }
}

function identitiesOf({ record: { row } }: WriteItem): readonly string[] {
  const identities = [idText(row._id)]
  if (row.dedupeKey !== undefined) identities.push(`d ${row.tenantId} ${row.dedupeKey}`)
  const usageKey = row.usage?.idempotencyKey
  if (usageKey !== undefined) identities.push(`u ${row.tenantId} ${usageKey}`)
  return identities
}

async function writeRows(
  storage: TelemetryStorage,
  items: readonly WriteItem[],
  session: ClientSession,
  now: Date
): Promise<void> {
  const { rows, seen } = storage.collections
  const kept = items.filter((item) => item.fate === 'kept')
  const dropped = items.filter((item) => item.fate !== 'kept' && item.isReplayable)
  await insertAll(
    rows,
    kept.map((item) => item.record.row),
    session
  )
  if (dropped.length === 0) return
  const expiresAt = addDays(now.getTime(), SEEN_DAYS)
  await insertAll(
    seen,
    dropped.map((item) => ({ _id: item.record.row._id, expiresAt })),
    session
  )
}

function placeItems(items: readonly WriteItem[]): {
  readonly increments: readonly Increment[]
  readonly skipped: number
} {
  const increments: Increments = new Map()
  let skipped = 0
  for (const { record } of items) skipped += placeRecord(increments, record.event, record.row)
  return { increments: [...increments.values()], skipped }
}

/** A document that was known to be there is not: nothing is written, and the next try knows nothing. */
class DocumentsGone extends Error {
  override readonly name = 'DocumentsGone'
}

/** Adds to every document; those that were there may have to take over an earlier first record. */
async function writeRollups(
  { collections: { rollups } }: TelemetryStorage,
  increments: readonly Increment[],
  documents: KnownDocuments,
  session: ClientSession,
  now: Date
): Promise<void> {
  if (increments.length === 0) return
  const at = now.getTime()
  const additions = increments.map((one) => additionOf(one, documents.isThere(one, at)))
  const { n, upserted } = await updateAll(rollups, additions, session)
  if (n < additions.length) throw new DocumentsGone()
  const corrections = increments
    .filter((one, index) => !upserted.has(index) && documents.mayBeFirst(one, at))
    .map(correctionOf)
  await updateAll(rollups, corrections, session)
}

async function writeBeside(
  storage: TelemetryStorage,
  { rejects, aliases }: FlushContent,
  session: ClientSession
): Promise<void> {
  await insertAll(storage.collections.rejects, rejects, session)
  if (aliases.length === 0) return
  await storage.collections.aliases.bulkWrite(
    aliases.map(({ _id, ...rest }) => ({
      updateOne: { filter: { _id }, update: { $set: rest }, upsert: true }
    })),
    { session, ordered: true }
  )
}
