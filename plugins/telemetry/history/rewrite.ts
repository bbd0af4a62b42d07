// What happens to segments later: small ones become one, expired ones go, and a person's rows come back as rows.

import { KeelsonError } from '@keelson/sdk'
import type { ClientSession } from 'mongodb'
import { sealedKeysOf } from '../envelope/sealed-key.ts'
import type { StoredRow } from '../envelope/stored-row.ts'
import { errors } from '../errors.ts'
import { idHex, LINE_OF_COLUMNS, rowOf } from './columns.ts'
import { filesOf } from './engine.ts'
import { mayHave, personKey } from './key-filter.ts'
import { planMerges } from './plan-segments.ts'
import type { SealContext } from './seal.ts'
import { segmentOfFiles } from './segment-file.ts'
import {
  listSegments,
  readBytes,
  readFilters,
  replaceSegments,
  type SegmentEntry,
  SegmentsChanged
} from './segment-store.ts'
import { Statement } from './statement.ts'

/** Makes one segment of the small ones of a day. Returns how many went. */
export async function mergeSmall(context: SealContext, signal?: AbortSignal): Promise<number> {
  let merged = 0
  for (const group of planMerges(await listSegments(context.storage))) {
    if (signal?.aborted === true) break
    if (await mergeGroup(context, group)) merged += group.length
  }
  return merged
}

/** False when one of them is missing, or another process was faster. */
async function mergeGroup(
  { storage, tools }: SealContext,
  group: readonly SegmentEntry[]
): Promise<boolean> {
  const [first] = group
  const old = group.map(({ _id }) => _id)
  const byId = new Map(group.map((one) => [one._id, one]))
  const fetch = async (id: string) => readBytes(storage, byId.get(id) as SegmentEntry)
  const rows = group.reduce((sum, one) => sum + one.rows, 0)
  return tools.cache.use(old, fetch, async (paths) => {
    if (first === undefined || paths.size < old.length) return false
    const merged = await segmentOfFiles(tools, first, { paths: [...paths.values()], rows })
    const added = merged === undefined ? [] : [merged]
    return unlessChanged(() =>
      storage.transaction((session) =>
        replaceSegments(storage, { old, added }, { session, now: tools.now() })
      )
    )
  })
}

async function unlessChanged(change: () => Promise<void>): Promise<boolean> {
  try {
    await change()
    return true
  } catch (error) {
    if (error instanceof SegmentsChanged) return false
    throw error
  }
}

/** Drops segments whose last row has expired. Returns how many. */
export async function dropExpired({ storage, tools }: SealContext): Promise<number> {
  const now = tools.now()
  const found = await storage.collections.segments
    .find({ expiresAt: { $lte: now } }, { projection: { _id: 1 } })
    .toArray()
  const old = found.map(({ _id }) => _id)
  if (old.length === 0) return 0
  const isDone = await unlessChanged(() =>
    storage.transaction((session) => replaceSegments(storage, { old, added: [] }, { session, now }))
  )
  return isDone ? old.length : 0
}

/** Segments of a tenant that may hold rows of these people. */
async function segmentsOf(
  { storage }: SealContext,
  tenantId: string,
  refs: readonly string[]
): Promise<readonly SegmentEntry[]> {
  const all = (await listSegments(storage)).filter((one) => one.tenantId === tenantId)
  const filters = await readFilters(
    storage,
    all.map(({ _id }) => _id)
  )
  const keys = refs.map(personKey)
  return all.filter(({ _id }) => {
    const filter = filters.get(_id)
    return filter === undefined || keys.some((key) => mayHave(filter, key))
  })
}

/** Rows of a segment in which one of these people has a part. */
async function rowsOfPeople(
  { storage, tools }: SealContext,
  segment: SegmentEntry,
  refs: readonly string[]
): Promise<readonly StoredRow[]> {
  const fetch = () => readBytes(storage, segment)
  const lines = await tools.cache.use([segment._id], fetch, async (paths) => {
    if (paths.size === 0) {
      throw errors.TEL_SEGMENT_MISSING({ from: segment.from.toISOString() })
    }
    const statement = new Statement()
    const list = refs.map((ref) => statement.text(ref)).join(', ')
    const has = (column: string) => `coalesce(list_has_any("${column}", [${list}]), FALSE)`
    const sql = `SELECT ${LINE_OF_COLUMNS} FROM read_parquet(${filesOf([...paths.values()])}) WHERE ${has('subjectKeys')} OR ${has('otherPrincipals')}`
    return tools.engine.use((session) => session.texts(sql, statement.given.values))
  })
  return lines.map(rowOf)
}

/** How many sealed rows these people have a part in. */
export async function countSealed(
  context: SealContext,
  tenantId: string,
  refs: readonly string[]
): Promise<number> {
  let count = 0
  for (const segment of await segmentsOf(context, tenantId, refs)) {
    count += (await rowsOfPeople(context, segment, refs)).length
  }
  return count
}

/**
 * Makes rows of people documents again, so that they can be erased as rows are. It may be broken off and taken up
 * again: each segment is one transaction.
 *
 * @throws TEL_SEGMENT_MISSING when the rows of a segment cannot be looked at.
 */
export async function returnRows(
  context: SealContext,
  tenantId: string,
  refs: readonly string[]
): Promise<number> {
  let returned = 0
  await againWhenMerged(async () => {
    for (const segment of await segmentsOf(context, tenantId, refs)) {
      const rows = await rowsOfPeople(context, segment, refs)
      if (rows.length === 0) continue
      await returnFrom(context, segment, { rows })
      returned += rows.length
    }
  })
  return returned
}

const MAX_TRIES = 4

/** Another process may merge segments meanwhile: then what is left is done with those that there are. */
export async function againWhenMerged(act: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (error) {
      const isMissing = KeelsonError.is(error) && error.code === 'TEL_SEGMENT_MISSING'
      if (!(error instanceof SegmentsChanged || isMissing) || attempt >= MAX_TRIES) throw error
    }
  }
}

/** Rows that leave a segment. */
export interface Returning {
  readonly rows: readonly StoredRow[]
  /** The documents that they become. Default: as they are. */
  readonly as?: readonly StoredRow[]
  /** More of the same transaction. */
  readonly also?: (session: ClientSession) => Promise<void>
}

/** Makes rows of a segment documents, in one transaction. @throws SegmentsChanged */
export async function returnFrom(
  { storage, tools }: SealContext,
  segment: SegmentEntry,
  { rows, as = rows, also }: Returning
): Promise<void> {
  const old = [segment._id]
  const left = await tools.cache.use(
    old,
    () => readBytes(storage, segment),
    (paths) =>
      segmentOfFiles(tools, segment, {
        paths: [...paths.values()],
        rows: segment.rows - rows.length,
        without: rows.map(({ _id }) => idHex(_id).toUpperCase())
      })
  )
  const added = left === undefined ? [] : [left]
  await storage.transaction(async (session) => {
    const now = tools.now()
    await replaceSegments(storage, { old, added, isReturn: true }, { session, now })
    const { rows: stored, seen } = storage.collections
    await stored.insertMany([...as], { session })
    const keys = rows.flatMap(sealedKeysOf)
    if (keys.length > 0) await seen.deleteMany({ _id: { $in: keys } }, { session })
    await also?.(session)
  })
}
