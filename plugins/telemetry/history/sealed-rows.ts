// Sealed rows that fit a filter: of one segment, or of all that may have some.
import type { ClientSession, Document } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'
import { errors } from '../errors.ts'
import { ALL_COLUMNS, LINE_OF_COLUMNS, rowOf } from './columns.ts'
import { conditionOf } from './filter-sql.ts'
import { relationOf } from './relation.ts'
import type { SealContext } from './seal.ts'
import { mayFit } from './segment-index.ts'
import { listSegments, readBytes, type SegmentEntry } from './segment-store.ts'
import { Statement } from './statement.ts'

interface SealedReader {
  readonly storage: SealContext['storage']
  readonly context: (act: string) => Promise<SealContext>
}

/** In a snapshot of the session. @throws TEL_HISTORY_ENGINE, TEL_SEGMENT_MISSING */
export async function* readSealed(
  { storage, context }: SealedReader,
  filter: Document,
  session: ClientSession
): AsyncIterable<StoredRow> {
  const list = (await listSegments(storage, session)).filter((one) => mayFit(one, filter))
  for (const segment of list) {
    yield* await rowsOfSegment(await context('read'), segment, { filter, session })
  }
}

interface Wanted {
  readonly filter: Document
  readonly session?: ClientSession
}

/** @throws TEL_SEGMENT_MISSING */
export async function rowsOfSegment(
  { storage, tools }: SealContext,
  segment: SegmentEntry,
  { filter, session }: Wanted
): Promise<readonly StoredRow[]> {
  const statement = new Statement()
  const condition = conditionOf(filter, statement)
  const { given } = statement
  const fetch = () => readBytes(storage, segment, session)
  const lines = await tools.cache.use([segment._id], fetch, async (paths) => {
    if (paths.size === 0) throw errors.TEL_SEGMENT_MISSING({ from: segment.from.toISOString() })
    const files = [...paths.values()].map((path) => ({ path, segment: {} }))
    const rows = relationOf({ files }, { ...given, columns: ALL_COLUMNS })
    const sql = `SELECT ${LINE_OF_COLUMNS} FROM (${rows}) WHERE ${condition}`
    return tools.engine.use((one) => one.texts(sql, given.values))
  })
  return lines.map(rowOf)
}
