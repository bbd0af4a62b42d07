// One flush: new rows and everything they add to rollups, in one transaction. Sent again, it writes nothing.
import type { BlockedTransactions } from '@keelson/sdk/storage'
import type { Binary, ClientSession } from 'mongodb'
import { idText } from '../envelope/stored-id.ts'
import { addDays } from '../envelope/time.ts'
import { type Increment, mayBeFirst } from '../rollups/increment.ts'
import type { Ledger } from '../rollups/ledger.ts'
import { placeRecord } from '../rollups/place.ts'
import { additionOf, correctionOf, type RollupUpdate } from '../rollups/update.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { mayBeDropped, type WriteItem } from './decide.ts'
import type { Parcel } from './parcel.ts'
import { findKnownRejects, findRepeats, findSealed } from './repeats.ts'
import { meanwhile, type ReadyWrite, readyInsert, readyWrite } from './writes-ahead.ts'

/** Where a flush writes, and what it remembers of earlier ones. */
export interface FlushTarget {
  readonly storage: TelemetryStorage
  readonly ledger: Ledger
  readonly blocked: BlockedTransactions
  /** Whether rows may have left for segments: then a repeat leaves no trace in the rows. */
  readonly isSealing: () => boolean
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

const NONE: ReadonlySet<string> = new Set()
const DUPLICATE_KEY = 11000
/** Another process started and took this one's transaction for that of a dead one. */
const INTERRUPTED = 11601

/**
 * Writes items so that after a crash at any point either all of them and their rollups are there, or
 * none. Repeats by record id, dedupeKey or usage idempotency key are left out and returned.
 */
export async function flush(
  { storage, ledger, blocked, isSealing }: FlushTarget,
  content: Parcel,
  now: Date
): Promise<FlushResult> {
  const { unique, repeats } = splitRepeats(content.items)
  const follow = blocked.begin()
  const forgetWitness = shareWitness(unique)
  let mustLook = unique.some((item) => item.isReplayable && mayBeDropped(item))
  let mayBeWritten = false
  for (let attempt = 1; ; attempt++) {
    try {
      const { known, skipped } = await storage.transaction(async (session) => {
        await follow(session, now)
        const looking = findKnown(storage, unique, { mustLook, isSealing: isSealing() }, session)
        const [known, all] = await meanwhile(looking, () => readyRows(storage, unique, now))
        const fresh = known.size === 0 ? unique : unique.filter((item) => !known.has(item))
        const rows = known.size === 0 ? all : readyRows(storage, fresh, now)
        const [, { skipped, additions }] = await meanwhile(sendAll(rows, session), () => {
          ledger.begin(now.getTime())
          const skipped = placeItems(ledger, fresh)
          return { skipped, additions: readyUpdates(storage, ledger.touched.map(additionOf)) }
        })
        await writeRollups(storage, { increments: ledger.touched, additions }, session)
        await writeBeside(storage, content, mustLook, session)
        mayBeWritten = true
        return { known, skipped }
      })
      ledger.learn()
      return { repeats: new Set([...repeats, ...known]), skipped }
    } catch (error) {
      const isRepeat = (error as { code?: unknown }).code === DUPLICATE_KEY
      const isGone = error instanceof DocumentsGone
      const isEnded = (error as { code?: unknown }).code === INTERRUPTED
      if (!(isRepeat || isGone || isEnded) || attempt >= MAX_TRIES) {
        if (!mayBeWritten) forgetWitness()
        throw error
      }
      if (isRepeat) mustLook = true
      if (isGone) ledger.forget()
    }
  }
}

/**
 * Records that are only counted and never arrive again leave nothing that would show, when the answer of a commit
 * is lost, that they were: one id in `seen` shows it for all of a flush. Returns how to undo that.
 */
function shareWitness(items: readonly WriteItem[]): () => void {
  const alone = items.filter(({ fate, witness }) => fate !== 'kept' && witness === undefined)
  const witness = alone[0]?.record.row._id
  for (const item of alone) item.witness = witness
  return () => {
    for (const item of alone) item.witness = undefined
  }
}

/** Items that repeat an earlier one of the same flush, apart from the rest. */
function splitRepeats(items: readonly WriteItem[]): {
  readonly unique: readonly WriteItem[]
  readonly repeats: readonly WriteItem[]
} {
  const tenants = new Map<string, SeenKeys>()
  const unique: WriteItem[] = []
  const repeats: WriteItem[] = []
  for (const item of items) {
    const { tenantId } = item.record.row
    let taken = tenants.get(tenantId)
    if (taken === undefined) {
      taken = { ids: new Set(), dedupeKeys: new Set(), usageKeys: new Set() }
      tenants.set(tenantId, taken)
    }
    if (take(taken, item)) unique.push(item)
    else repeats.push(item)
  }
  return { unique, repeats }
}

/** The ids and keys of the records of a tenant in one flush. */
interface SeenKeys {
  readonly ids: Set<string>
  readonly dedupeKeys: Set<string>
  readonly usageKeys: Set<string>
}

/** False when a record of the same identity was there before. */
function take({ ids, dedupeKeys, usageKeys }: SeenKeys, { record }: WriteItem): boolean {
  const { dedupeKey, usage } = record.row
  const usageKey = usage?.idempotencyKey
  const isRepeat =
    ids.has(record.id) ||
    (dedupeKey !== undefined && dedupeKeys.has(dedupeKey)) ||
    (usageKey !== undefined && usageKeys.has(usageKey))
  if (isRepeat) return false
  ids.add(record.id)
  if (dedupeKey !== undefined) dedupeKeys.add(dedupeKey)
  if (usageKey !== undefined) usageKeys.add(usageKey)
  return true
}

/** The items that were written before, in rows or in segments. */
async function findKnown(
  storage: TelemetryStorage,
  items: readonly WriteItem[],
  { mustLook, isSealing }: { readonly mustLook: boolean; readonly isSealing: boolean },
  session: ClientSession
): Promise<ReadonlySet<WriteItem>> {
  const known = mustLook ? await findRepeats(storage, items, session) : new Set<WriteItem>()
  if (!isSealing) return known
  for (const item of await findSealed(storage, items, session)) known.add(item)
  return known
}

/** The rows, and the ids that stand for records without one. */
function readyRows(
  { collections: { rows, seen } }: TelemetryStorage,
  items: readonly WriteItem[],
  now: Date
): Writes {
  const kept = items.filter((item) => item.fate === 'kept')
  const witnesses = new Map<string, Binary>()
  for (const { fate, witness } of items) {
    if (fate !== 'kept' && witness !== undefined) witnesses.set(idText(witness), witness)
  }
  const expiresAt = addDays(now.getTime(), SEEN_DAYS)
  return [
    readyInsert(
      rows,
      kept.map((item) => item.record.row)
    ),
    readyInsert(
      seen,
      [...witnesses.values()].map((_id) => ({ _id, expiresAt }))
    )
  ]
}

/** Undefined where there is nothing to write. */
type Writes = readonly (ReadyWrite | undefined)[]

async function sendAll(writes: Writes, session: ClientSession): Promise<void> {
  for (const write of writes) await write?.send(session)
}

/** How many families could not place a record, over all records. */
function placeItems(ledger: Ledger, items: readonly WriteItem[]): number {
  let skipped = 0
  for (const { record } of items) skipped += placeRecord(ledger, record.event, record.row)
  return skipped
}

/** A document that was known to be there is not: nothing is written, and the next try knows nothing. */
class DocumentsGone extends Error {
  override readonly name = 'DocumentsGone'
}

/** Adds to every document; those that existed may have to take over an earlier first record. */
async function writeRollups(
  storage: TelemetryStorage,
  {
    increments,
    additions
  }: { readonly increments: readonly Increment[]; readonly additions: ReadyWrite | undefined },
  session: ClientSession
): Promise<void> {
  if (additions === undefined) return
  const added = await additions.send(session)
  if (added.matchedCount + added.upsertedCount < increments.length) throw new DocumentsGone()
  const corrections = increments
    .filter((one, index) => mayBeFirst(one) && !(index in added.upsertedIds))
    .map(correctionOf)
  await readyUpdates(storage, corrections)?.send(session)
}

const readyUpdates = (
  { collections: { rollups } }: TelemetryStorage,
  updates: readonly RollupUpdate[]
): ReadyWrite | undefined =>
  readyWrite(
    rollups,
    updates.map((updateOne) => ({ updateOne }))
  )

async function writeBeside(
  storage: TelemetryStorage,
  { rejects, aliases }: Parcel,
  mustLook: boolean,
  session: ClientSession
): Promise<void> {
  const known = mustLook ? await findKnownRejects(storage, rejects, session) : NONE
  const fresh = rejects.filter(({ _id }) => !known.has(_id))
  const updates = aliases.map(({ _id, ...rest }) => ({
    updateOne: { filter: { _id }, update: { $set: rest }, upsert: true }
  }))
  const { collections } = storage
  const writes = [readyInsert(collections.rejects, fresh), readyWrite(collections.aliases, updates)]
  await sendAll(writes, session)
}
