// Rows as reads find them: documents and segments together, each row once, read by DuckDB.
import { KeelsonError } from '@keelson/sdk'
import type { Document } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'
import {
  aggregateDocuments,
  type FindOptions,
  type Found,
  findDocuments,
  MAX_TIME_MS,
  NEWEST_FIRST,
  type RowSource
} from '../queries/row-source.ts'
import type { TimeRange } from '../queries/types.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import type { FetchBytes, SegmentCache } from './cache.ts'
import { LINE_OF_COLUMNS, rowOf } from './columns.ts'
import type { Cell, Engine, Session } from './engine.ts'
import { conditionOf } from './filter-sql.ts'
import { HOT_TABLE, type HotMirror } from './hot-mirror.ts'
import { cutOf, hoursOf, selectionOf } from './pipeline-sql.ts'
import { relationOf } from './relation.ts'
import { wireOrder } from './row-order.ts'
import { stageRows } from './segment-file.ts'
import type { SegmentIndex, SegmentList } from './segment-index.ts'
import { readBytes, type SegmentEntry } from './segment-store.ts'
import { type MapValue, type SqlValue, Statement } from './statement.ts'
import { firstOf, ListChanged, type ServedReads } from './ways.ts'

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

interface Reading extends HistoryParts {
  readonly signal: AbortSignal | undefined
}

/** How the documents of a read are found. */
interface HotRead {
  readonly filter: Document
  readonly sort?: FindOptions['sort']
  readonly limit?: number
  readonly projection?: Readonly<Record<string, 1>>
}

interface Question {
  readonly sql: string
  readonly values: readonly SqlValue[]
  readonly mapValues: readonly MapValue[]
}

/** Segments that a page of the newest rows looks at first; each further step looks at twice as many. */
const FIRST_STEP = 4
/** Rows of a page whose places are looked up first; a longer one is read whole at once. */
const MOST_PLACES = 1000

/** Their reads end with the signal. */
export function historyRows(shared: HistoryParts, signal: AbortSignal | undefined): RowSource {
  const parts: Reading = { ...shared, signal }
  const given = signal === undefined ? {} : { signal }
  const { storage, index } = parts
  const stored = storage.collections.rows
  async function ofDocuments<T>(
    filter: Document,
    read: (rows: typeof stored) => Promise<T>
  ): Promise<{ readonly value: T } | undefined> {
    const before = index.known
    if ((await index.choose(before, filter)).length > 0) return undefined
    const value = await read(stored)
    const after = await index.read()
    // A row that came back meanwhile may have been in neither.
    const isAll =
      after.returns === before.returns && (await index.choose(after, filter)).length === 0
    return isAll ? { value } : undefined
  }
  return {
    ofDocuments,
    async find(filter, options) {
      return firstOf(parts.indexes, [filter, 'page'], {
        alone: () =>
          ofDocuments(filter, (rows) => findDocuments(rows, filter, { ...options, ...given })),
        together: () => findTogether(parts, filter, options)
      })
    },
    async aggregate<T extends Document>(pipeline: Document[]) {
      const filter: Document = pipeline[0]?.['$match'] ?? {}
      return firstOf(parts.indexes, [filter, 'groups'], {
        alone: () => ofDocuments(filter, (rows) => aggregateDocuments<T>(rows, pipeline, given)),
        together: () => aggregateTogether<T>(parts, filter, pipeline)
      })
    }
  }
}

/** What documents alone tell, with the times of all segments as missing. */
async function withoutSegments<T>(
  { storage, index }: Reading,
  filter: Document,
  read: (rows: TelemetryStorage['collections']['rows']) => Promise<Found<T>>
): Promise<Found<T>> {
  const { items } = await read(storage.collections.rows)
  const segments = await index.choose(await index.read(), filter)
  return { items, missing: segments.map(rangeOf) }
}

async function aggregateTogether<T extends Document>(
  parts: Reading,
  filter: Document,
  pipeline: readonly Document[]
): Promise<Found<T>> {
  const engine = await parts.engine()
  if (engine === undefined)
    return withoutSegments(parts, filter, (rows) => aggregateDocuments<T>(rows, [...pipeline]))
  const selection = selectionOf(pipeline)
  const sort = pipeline.find((stage) => '$group' in stage || '$sort' in stage)?.['$sort']
  const limit =
    sort === undefined ? undefined : pipeline.find((stage) => '$limit' in stage)?.['$limit']
  const hot = { filter, projection: selection.fields, ...(sort && { sort, limit }) }
  return inView(parts, engine, hot, async (view) => {
    const { segments } = view
    const most = segments.reduce((sum, one) => sum + one.rows, view.hotRows)
    const isWhole = limit === undefined || limit >= most
    const isNewest = sort?.['occurredAt'] === NEWEST_FIRST.occurredAt
    const question = isWhole
      ? selectionOf(uncut(pipeline))
      : isNewest
        ? await cutSelection(parts, view, pipeline, limit)
        : selection
    const found = await ask(parts, view, segments, question)
    return {
      items: found.items.map((cells) => selection.decode(cells) as T),
      missing: found.missing
    }
  })
}

/** Rows that fit are counted by hour first: to sort them all would cost more. */
async function cutSelection(
  parts: Reading,
  view: View,
  pipeline: readonly Document[],
  limit: number
): Promise<Question> {
  const hours = await ask(parts, view, view.segments, hoursOf(pipeline))
  const cut = cutOf(
    hours.items.map(([text]) => String(text)),
    limit
  )
  return cut === undefined ? selectionOf(uncut(pipeline)) : selectionOf(pipeline, cut)
}

/** Without the limit of rows that are grouped, which is above all that there are. */
function uncut(pipeline: readonly Document[]): readonly Document[] {
  const at = pipeline.findIndex((stage) => '$group' in stage)
  return pipeline.filter((stage, index) => index >= at || '$match' in stage)
}

/** The newest rows of segments that are read step by step, until no older one can matter. */
async function findTogether(
  parts: Reading,
  filter: Document,
  options: FindOptions
): Promise<Found<StoredRow>> {
  const engine = await parts.engine()
  const { sort, limit, projection } = options
  if (engine === undefined) {
    return withoutSegments(parts, filter, (rows) => findDocuments(rows, filter, options))
  }
  const hot = { filter, sort, limit, ...(projection !== undefined && { projection }) }
  return inView(parts, engine, hot, async (view) => {
    const { segments: chosen } = view
    if (limit > MOST_PLACES) {
      const found = await ask(parts, view, chosen, linesOf(filter, options))
      return { ...found, items: found.items.map(([line]) => rowOf(String(line))) }
    }
    for (let step = sort === NEWEST_FIRST ? FIRST_STEP : chosen.length; ; step *= 2) {
      const { items, missing } = await ask(
        parts,
        view,
        chosen.slice(0, step),
        placesOf(filter, options)
      )
      const next = chosen[step]
      const places = items.map(([text]) => readPlace(String(text)))
      const last = places.at(-1)
      const isDone =
        next === undefined ||
        (items.length >= limit && last !== undefined && last.at > next.to.getTime())
      if (!isDone) continue
      const some = chosen.slice(0, step).filter((one) => mayHold(one, places))
      if (places.length === 0) return { items: [], missing }
      const found = await ask(parts, view, some, rowsAt(places, sort))
      return { items: found.items.map(([line]) => rowOf(String(line))), missing }
    }
  })
}

/** The places of the rows that a read is of: few columns, which tell which rows are read whole. */
function placesOf(filter: Document, { sort, limit }: FindOptions): Question {
  const statement = new Statement()
  const condition = conditionOf(filter, statement)
  const sql = `SELECT "occurredAt" || ' ' || hex("_id") FROM rows WHERE ${condition} ORDER BY ${wireOrder(sort)} LIMIT ${limit}`
  return { sql, values: statement.values, mapValues: statement.mapValues }
}

/** Rows whole: to look up many by their ids would cost more than it saves. */
function linesOf(filter: Document, { sort, limit }: FindOptions): Question {
  const statement = new Statement()
  const condition = conditionOf(filter, statement)
  const sql = `SELECT ${LINE_OF_COLUMNS} FROM rows WHERE ${condition} ORDER BY ${wireOrder(sort)} LIMIT ${limit}`
  return { sql, values: statement.values, mapValues: statement.mapValues }
}

interface Place {
  readonly at: number
  readonly id: string
}

function readPlace(text: string): Place {
  const [at = '', id = ''] = text.split(' ')
  return { at: Number(at), id }
}

const mayHold = ({ from, to }: SegmentEntry, places: readonly Place[]): boolean =>
  places.some(({ at }) => at >= from.getTime() && at <= to.getTime())

/** The rows at places, whole. */
function rowsAt(places: readonly Place[], sort: FindOptions['sort']): Question {
  const statement = new Statement()
  const times = places.map(({ at }) => at)
  const ids = places.map(({ id }) => statement.bytes(id)).join(', ')
  const from = statement.whole(Math.min(...times))
  const to = statement.whole(Math.max(...times))
  const sql = `SELECT ${LINE_OF_COLUMNS} FROM rows WHERE "occurredAt" BETWEEN ${from} AND ${to} AND "_id" IN (${ids}) ORDER BY ${wireOrder(sort)}`
  return { sql, values: statement.values, mapValues: [] }
}

/** What one read sees: documents as they are at one moment, and the segments as they are after it. */
interface View {
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
async function inView<T>(
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
  { filter, sort, limit, projection }: HotRead
): Promise<number> {
  const options = {
    maxTimeMS: MAX_TIME_MS,
    ...(signal && { signal }),
    ...(projection && { projection })
  }
  let cursor = storage.collections.rows.find(filter, options)
  if (sort !== undefined) cursor = cursor.sort(sort)
  if (limit !== undefined) cursor = cursor.limit(limit)
  const rows = await cursor.toArray()
  await stageRows(session, COPIED, rows)
  return rows.length
}

function broughtBy(
  { storage }: Pick<HistoryParts, 'storage'>,
  segments: readonly SegmentEntry[]
): [readonly string[], FetchBytes] {
  const byId = new Map(segments.map((one) => [one._id, one]))
  return [[...byId.keys()], async (id) => readBytes(storage, byId.get(id) as SegmentEntry)]
}

async function ask(
  parts: Reading,
  view: View,
  segments: readonly SegmentEntry[],
  { sql, values, mapValues }: Question
): Promise<Found<readonly Cell[]>> {
  const { cache, index } = parts
  return cache.use(...broughtBy(parts, segments), async (paths) => {
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
    const rows = relationOf({ hot, isNew, files, now: parts.now() }, mapValues)
    const read = () => view.session.rows(`WITH rows AS NOT MATERIALIZED (${rows}) ${sql}`, values)
    const items = await unlessLost(read, cache, [...paths.keys()])
    if (!cache.isGivenUp) {
      for (const segment of lost) parts.damaged.set(segment._id, rangeOf(segment))
    }
    return { items, missing: lost.map(rangeOf) }
  })
}

/** Half-open. */
export const rangeOf = ({ from, to }: SegmentEntry): TimeRange => ({
  from,
  to: new Date(to.getTime() + 1)
})

/** A file that was taken away or damaged after it was checked is brought again, and the read repeated. */
async function unlessLost<T>(
  read: () => Promise<T>,
  cache: SegmentCache,
  ids: readonly string[]
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!KeelsonError.is(error) && (await cache.forgetDamaged(ids))) throw new ListChanged()
    throw error
  }
}
