// Segments in the database: which there are, their bytes, and the one way to put some in the place of others.
import { Binary, type ClientSession, type Collection } from 'mongodb'
import type { TelemetryStorage } from '../storage/storage.ts'
import type { StoredPart, StoredSegment } from '../storage/stored-segment.ts'

/** A segment without its filter: what reads choose by. */
export type SegmentEntry = Omit<StoredSegment, 'filter'>

/** A segment on its way to the database. */
export interface NewSegment extends StoredSegment {
  readonly content: Uint8Array
}

const VERSION = '$history'
const PART_BYTES = 8 * 1024 * 1024
const ENTRY = { filter: 0 } as const

const partsOf = ({ collections }: TelemetryStorage): Collection<StoredPart> =>
  collections.segments as unknown as Collection<StoredPart>

/** Both are 0 before the first change. */
export interface HistoryVersion {
  /** Changes with every change of segments. */
  readonly version: number
  /** Changes when rows come back from segments. */
  readonly returns: number
}

export async function readVersion(
  { collections: { checkpoints } }: TelemetryStorage,
  session?: ClientSession
): Promise<HistoryVersion> {
  const found = await checkpoints.findOne({ _id: VERSION }, optionsOf(session))
  return { version: found?.version ?? 0, returns: found?.returns ?? 0 }
}

const optionsOf = (session: ClientSession | undefined) => (session === undefined ? {} : { session })

/** All segments, the newest first. */
export function listSegments(
  { collections: { segments } }: TelemetryStorage,
  session?: ClientSession
): Promise<readonly SegmentEntry[]> {
  return segments
    .find(
      { to: { $type: 'date' }, rows: { $exists: true } },
      { ...optionsOf(session), projection: ENTRY }
    )
    .sort({ to: -1 })
    .toArray()
}

/** The filters of segments, by id. */
export async function readFilters(
  { collections: { segments } }: TelemetryStorage,
  ids: readonly string[]
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = await segments
    .find({ _id: { $in: [...ids] } }, { projection: { filter: 1 } })
    .toArray()
  return new Map(found.map(({ _id, filter }) => [_id, filter.value()]))
}

/** Its bytes; undefined when some are missing. */
export async function readBytes(
  storage: TelemetryStorage,
  { _id, parts }: Pick<SegmentEntry, '_id' | 'parts'>,
  session?: ClientSession
): Promise<Uint8Array | undefined> {
  const ids = Array.from({ length: parts }, (_, part) => `${_id}/${part}`)
  const found = await partsOf(storage)
    .find({ _id: { $in: ids } }, optionsOf(session))
    .toArray()
  const byId = new Map(found.map((part) => [part._id, part.data.value()]))
  const pieces = ids.flatMap((id) => byId.get(id) ?? [])
  return pieces.length < parts ? undefined : Buffer.concat(pieces)
}

/** What goes and what comes. */
export interface Replacement {
  readonly old: readonly string[]
  readonly added: readonly NewSegment[]
  /** Whether rows come back from segments. */
  readonly isReturn?: boolean
}

/** Those that are gone must be there still: a segment goes once. */
export class SegmentsChanged extends Error {
  override readonly name = 'SegmentsChanged'
}

/**
 * Puts new segments in the place of old ones, within a transaction.
 *
 * @throws SegmentsChanged when another process has replaced one of the old ones.
 */
export async function replaceSegments(
  storage: TelemetryStorage,
  { old, added, isReturn = false }: Replacement,
  { session, now }: { readonly session: ClientSession; readonly now: Date }
): Promise<void> {
  const { segments, checkpoints } = storage.collections
  if (old.length > 0) {
    const { deletedCount } = await segments.deleteMany({ _id: { $in: [...old] } }, { session })
    if (deletedCount !== old.length) throw new SegmentsChanged('a segment was replaced meanwhile')
    await partsOf(storage).deleteMany({ segment: { $in: [...old] } }, { session })
  }
  for (const { content, ...segment } of added) {
    await partsOf(storage).insertMany(partsFor(segment._id, content), { session })
    await segments.insertOne(segment, { session })
  }
  await checkpoints.updateOne(
    { _id: VERSION },
    { $inc: { version: 1, returns: isReturn ? 1 : 0 }, $set: { at: now } },
    { session, upsert: true }
  )
}

export const partCount = (content: Uint8Array): number =>
  Math.max(1, Math.ceil(content.length / PART_BYTES))

const partsFor = (segment: string, content: Uint8Array): StoredPart[] =>
  Array.from({ length: partCount(content) }, (_, part) => ({
    _id: `${segment}/${part}`,
    segment,
    data: new Binary(content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES))
  }))
