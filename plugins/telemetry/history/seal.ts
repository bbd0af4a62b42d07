// Seals older rows of a tenant: slice by slice, a segment appears and its rows go, in one transaction.
import { BSON, type ClientSession } from 'mongodb'
import { sealedKeysOf } from '../envelope/sealed-key.ts'
import { idText } from '../envelope/stored-id.ts'
import type { StoredRow } from '../envelope/stored-row.ts'
import { addDays } from '../envelope/time.ts'
import { startSlices } from '../queries/slices.ts'
import type { StoredSeen, TelemetryStorage } from '../storage/storage.ts'
import { groupRows, SLICE_ROWS } from './plan-segments.ts'
import { type FileTools, segmentOfRows } from './segment-file.ts'
import { type NewSegment, replaceSegments } from './segment-store.ts'

export interface SealContext {
  readonly storage: TelemetryStorage
  readonly tools: FileTools
}

export interface Sealed {
  readonly segments: number
  readonly rows: number
  readonly bytes: number
}

/** Bytes of the rows of one slice, as stored. */
const SLICE_BYTES = 16 * 1024 * 1024
/** Clients with a disk queue come back within a week. */
const SEEN_DAYS = 8

/**
 * One slice of the oldest rows before a time; undefined when there are none. Rows are read and deleted in one snapshot:
 * when one of them is changed meanwhile, by an erasure say, the database refuses to delete it, and all is done again.
 */
export function sealSlice(
  context: SealContext,
  tenantId: string,
  before: Date
): Promise<Sealed | undefined> {
  return context.storage.transaction(async (session) => {
    const rows = await oldestRows(context.storage, { tenantId, before, session })
    if (rows.length === 0) return undefined
    const added: NewSegment[] = []
    for (const group of groupRows(rows)) {
      added.push(await segmentOfRows(context.tools, group, group.rows))
    }
    await exchange(context, { rows, added }, session)
    const bytes = added.reduce((sum, segment) => sum + segment.bytes, 0)
    return { segments: added.length, rows: rows.length, bytes }
  })
}

interface Slice {
  readonly tenantId: string
  readonly before: Date
  readonly session: ClientSession
}

async function oldestRows(
  { collections }: TelemetryStorage,
  { tenantId, before, session }: Slice
): Promise<readonly StoredRow[]> {
  const found = collections.rows
    .find({ tenantId, occurredAt: { $lt: before } }, { raw: true, session })
    .sort({ occurredAt: 1, _id: 1 })
    .limit(SLICE_ROWS)
  const rows: StoredRow[] = []
  const turn = startSlices()
  let size = 0
  for await (const bytes of found as unknown as AsyncIterable<Uint8Array>) {
    rows.push(BSON.deserialize(bytes) as StoredRow)
    await turn()
    size += bytes.length
    if (size > SLICE_BYTES) break
  }
  return rows
}

interface Exchange {
  readonly rows: readonly StoredRow[]
  readonly added: readonly NewSegment[]
}

async function exchange(
  { storage, tools }: SealContext,
  { rows, added }: Exchange,
  session: ClientSession
): Promise<void> {
  const now = tools.now()
  const ids = rows.map(({ _id }) => _id)
  await storage.collections.rows.deleteMany({ _id: { $in: ids } }, { session })
  await remember(storage, rows, { session, now })
  await replaceSegments(storage, { old: [], added }, { session, now })
}

/** Keeps a replay harmless: the ids of rows that may arrive again, and the keys for as long as the row is kept. */
async function remember(
  { collections: { seen } }: TelemetryStorage,
  rows: readonly StoredRow[],
  { session, now }: { readonly session: ClientSession; readonly now: Date }
): Promise<void> {
  const entries: StoredSeen[] = []
  for (const row of rows) {
    const until = addDays(row.receivedAt.getTime(), SEEN_DAYS)
    if (until > now) entries.push({ _id: row._id, expiresAt: until })
    for (const _id of sealedKeysOf(row))
      entries.push({ _id, ...(row.expiresAt && { expiresAt: row.expiresAt }) })
  }
  if (entries.length === 0) return
  const ids = entries.map(({ _id }) => _id)
  const found = await seen
    .find({ _id: { $in: ids } }, { session, projection: { _id: 1 } })
    .toArray()
  const known = new Set(found.map(({ _id }) => idText(_id)))
  const fresh = new Map<string, StoredSeen>()
  for (const entry of entries)
    if (!known.has(idText(entry._id))) fresh.set(idText(entry._id), entry)
  if (fresh.size > 0) {
    await seen.insertMany([...fresh.values()], { session, ignoreUndefined: true })
  }
  const others = entries.filter(({ _id }) => known.has(idText(_id)))
  if (others.length === 0) return
  await seen.bulkWrite(
    others.map(({ _id, expiresAt }) => ({
      replaceOne: {
        filter: { _id },
        replacement: expiresAt === undefined ? {} : { expiresAt }
      }
    })),
    { session, ordered: false }
  )
}
