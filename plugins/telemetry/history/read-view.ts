// What one read sees: documents at one moment and the files of segments, each row once, and the statements about them.
import type { Document } from 'mongodb'
import { type FindOptions, type Found, MAX_TIME_MS } from '../queries/row-source.ts'
import type { TimeRange } from '../queries/types.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import type { FetchBytes, SegmentCache } from './cache.ts'
import type { Cell } from './cells.ts'
import type { Engine, Session } from './engine.ts'
import { HOT_TABLE, type HotMirror } from './hot-mirror.ts'
import { ListChanged } from './list-changed.ts'
import { relationOf } from './relation.ts'
import { stageRows } from './segment-file.ts'
import type { SegmentIndex, SegmentList } from './segment-index.ts'
import { readBytes, type SegmentEntry } from './segment-store.ts'
import type { Given } from './statement.ts'
import type { ServedReads } from './ways.ts'

export interface HistoryParts {
  readonly storage: TelemetryStorage
  readonly index: SegmentIndex
  readonly cache: SegmentCache
  readonly mirror: HotMirror
  /** Which reads the indexes of documents serve. */
  readonly indexes: ServedReads
  /** Undefined where DuckDB is not installed: segments are missing to every read. */
  readonly engine: () => Promise<Engine | undefined>
  /** Receives segments that could not be read. */
  readonly damaged: Map<string, TimeRange>
  readonly now: () => Date
}

export interface Reading extends HistoryParts {
  readonly signal: AbortSignal | undefined
}

/** How the documents of a read are found. */
export interface HotRead {
  readonly filter: Document
  readonly sort?: FindOptions['sort']
  readonly limit?: number
  /** Fields that the read looks at; default all. */
  readonly fields?: ReadonlySet<string>
}

export interface Question<T> extends Given {
  readonly sql: string
  readonly read: (cells: readonly Cell[]) => T
}

/** What one read sees: documents as they are at one moment, and the segments as they are after it. */
export interface View {
  readonly session: Session
  /** Where documents are. */
  readonly hot: string
  readonly hotRows: number
  readonly list: SegmentList
  /** Those that the read may find something in. */
  readonly segments: readonly SegmentEntry[]
  /** Whether a document may be in a segment too. */
  readonly isNew: boolean
}

/** Files are brought before a connection is taken: others wait for one. */
export async function inView<T>(
  parts: Reading,
  engine: Engine,
  hot: HotRead,
  read: (view: View) => Promise<T>
): Promise<T> {
  const { index, cache, mirror } = parts
  // What was known before the documents are looked at: a row that leaves or comes back later shows in the next list.
  const before = index.known
  const early = await index.choose(before, hot.filter)
  await cache.use(...broughtBy(parts, early), async () => undefined)
  return engine.use(async (session) => {
    const mirrored = await mirror.open(engine, session)
    const hotRows = mirrored ?? (await copyHot(parts, session, hot))
    const list = await index.read()
    // A row that came back meanwhile would be in neither.
    if (list.returns !== before.returns) throw new ListChanged()
    return read({
      session,
      hot: mirrored === undefined ? COPIED : HOT_TABLE,
      hotRows,
      list,
      segments: await index.choose(list, hot.filter),
      isNew: list.version !== before.version
    })
  }, parts.signal)
}

const COPIED = 'hot'

async function copyHot(
  { storage, signal }: Reading,
  session: Session,
  { filter, sort, limit, fields }: HotRead
): Promise<number> {
  const options = {
    maxTimeMS: MAX_TIME_MS,
    ...(signal && { signal }),
    ...(fields && { projection: projectionOf(fields) })
  }
  let cursor = storage.collections.rows.find(filter, options)
  if (sort !== undefined) cursor = cursor.sort(sort)
  if (limit !== undefined) cursor = cursor.limit(limit)
  return stageRows(session, COPIED, cursor)
}

/** Without what is a part of another field, which the database refuses. */
function projectionOf(fields: ReadonlySet<string>): Readonly<Record<string, 1>> {
  const isPart = (path: string) => path.includes('.') && fields.has(path.split('.', 1)[0] ?? '')
  return Object.fromEntries([...fields].filter((path) => !isPart(path)).map((path) => [path, 1]))
}

function broughtBy(
  { storage }: Pick<HistoryParts, 'storage'>,
  segments: readonly SegmentEntry[]
): [readonly string[], FetchBytes] {
  const byId = new Map(segments.map((one) => [one._id, one]))
  return [[...byId.keys()], async (id) => readBytes(storage, byId.get(id) as SegmentEntry)]
}

export async function ask<T>(
  parts: Reading,
  view: View,
  segments: readonly SegmentEntry[],
  { sql, read, ...given }: Question<T>
): Promise<Found<T>> {
  const { cache, index } = parts
  const work = async (paths: ReadonlyMap<string, string>) => {
    const lost = segments.filter(({ _id }) => !paths.has(_id))
    // What another process has replaced is gone, not lost.
    if (lost.length > 0 && (await index.read()).version !== view.list.version) {
      throw new ListChanged()
    }
    const files = segments.flatMap((segment) => {
      const path = paths.get(segment._id)
      return path === undefined ? [] : [{ path, segment }]
    })
    const { hot, isNew } = view
    const rows = relationOf({ hot, isNew, files, now: parts.now() }, given)
    const text = `WITH rows AS NOT MATERIALIZED (${rows}) ${sql}`
    const items = await view.session.rows(text, given.values, read)
    if (!cache.isGivenUp) {
      for (const segment of lost) parts.damaged.set(segment._id, rangeOf(segment))
    }
    return { items, missing: lost.map(rangeOf) }
  }
  // The transaction of the session has failed: the read begins again with another.
  const whenLost = () => Promise.reject(new ListChanged())
  return cache.use(...broughtBy(parts, segments), work, { whenLost })
}

/** Half-open. */
export const rangeOf = ({ from, to }: SegmentEntry): TimeRange => ({
  from,
  to: new Date(to.getTime() + 1)
})
