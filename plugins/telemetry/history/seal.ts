// Seals older rows of a tenant: slice by slice, a segment appears and its rows go, in one transaction.
import { type Binary, BSON, type ClientSession } from 'mongodb'
import { sealedKeysOf } from '../envelope/sealed-key.ts'
import type { StoredRow } from '../envelope/stored-row.ts'
import { addDays } from '../envelope/time.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
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

/** One slice of the oldest rows before a time; undefined when there are none, or they changed meanwhile. */
export async function sealSlice(
  context: SealContext,
  tenantId: string,
  before: Date
): Promise<Sealed | undefined> {
  const raw = await oldestRows(context.storage, tenantId, before)
  if (raw.length === 0) return undefined
  const rows = raw.map((bytes) => BSON.deserialize(bytes) as StoredRow)
  const added: NewSegment[] = []
  for (const group of groupRows(rows)) {
    added.push(await segmentOfRows(context.tools, group, group.rows))
  }
  const isSealed = await context.storage.transaction((session) =>
    exchange(context, { raw, rows, added }, session)
  )
  if (!isSealed) return undefined
  const bytes = added.reduce((sum, segment) => sum + segment.bytes, 0)
  return { segments: added.length, rows: rows.length, bytes }
}

/** As their bytes, so that a change of any kind shows. */
async function oldestRows(
  { collections }: TelemetryStorage,
  tenantId: string,
  before: Date
): Promise<readonly Uint8Array[]> {
  const found = collections.rows
    .find({ tenantId, occurredAt: { $lt: before } }, { raw: true })
    .sort({ occurredAt: 1, _id: 1 })
    .limit(SLICE_ROWS)
  const raw: Uint8Array[] = []
  let bytes = 0
  for await (const row of found as unknown as AsyncIterable<Uint8Array>) {
    raw.push(row)
    bytes += row.length
    if (bytes > SLICE_BYTES) break
  }
  return raw
}

interface Slice {
  readonly raw: readonly Uint8Array[]
  readonly rows: readonly StoredRow[]
  readonly added: readonly NewSegment[]
}

/** False when a row is not what was sealed: erased, or redacted. */
async function exchange(
  { storage, tools }: SealContext,
  { raw, rows, added }: Slice,
  session: ClientSession
): Promise<boolean> {
  const ids = rows.map(({ _id }) => _id)
  const now = tools.now()
  const filter = { _id: { $in: ids } }
  const stored = storage.collections.rows
  const again = await stored.find(filter, { raw: true, session }).toArray()
  if (!isEqual(raw, again as unknown as Uint8Array[])) return false
  await stored.deleteMany(filter, { session })
  await remember(storage, rows, { session, now })
  await replaceSegments(storage, { old: [], added }, { session, now })
  return true
}

function isEqual(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  if (some.length !== others.length) return false
  const known = new Set(some.map((bytes) => Buffer.from(bytes).toString('latin1')))
  return others.every((bytes) => known.has(Buffer.from(bytes).toString('latin1')))
}

/** Keeps a replay harmless: the ids of rows that may arrive again, and the keys for as long as the row is kept. */
async function remember(
  { collections: { seen } }: TelemetryStorage,
  rows: readonly StoredRow[],
  { session, now }: { readonly session: ClientSession; readonly now: Date }
): Promise<void> {
  const entries: { readonly _id: Binary; readonly expiresAt?: Date | undefined }[] = []
  for (const row of rows) {
    const until = addDays(row.receivedAt.getTime(), SEEN_DAYS)
    if (until > now) entries.push({ _id: row._id, expiresAt: until })
    for (const _id of sealedKeysOf(row)) entries.push({ _id, expiresAt: row.expiresAt })
  }
  if (entries.length === 0) return
  await seen.bulkWrite(
    entries.map(({ _id, expiresAt }) => ({
      replaceOne: {
        filter: { _id },
        replacement: expiresAt === undefined ? {} : { expiresAt },
        upsert: true
      }
    })),
    { session, ordered: false }
  )
}
