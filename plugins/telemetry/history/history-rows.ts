// Rows as reads find them: documents and segments together, each row once, read by DuckDB.
import type { Document } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'
import {
  aggregateDocuments,
  aggregateNewestDocuments,
  type FindOptions,
  type Found,
  findDocuments,
  NEWEST_FIRST,
  type NewestGroups,
  type RowSource
} from '../queries/row-source.ts'
import { HOUR_MS } from '../rollups/bucket.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import type { Cell } from './cells.ts'
import { ALL_COLUMNS, LINE_OF_COLUMNS, rowOf } from './columns.ts'
import { conditionOf } from './filter-sql.ts'
import type { TimeBounds } from './filter-times.ts'
import {
  type Cut,
  cutOf,
  hourCutOf,
  rowsToLookAt,
  rowsToLookAtFirst,
  startOfNewest
} from './newest-rows.ts'
import { countsOf, type Selection, selectionOf } from './pipeline-sql.ts'
import {
  ask,
  type HistoryParts,
  inView,
  type Question,
  type Reading,
  rangeOf,
  type View
} from './read-view.ts'
import { wireOrder } from './row-order.ts'
import type { SegmentEntry } from './segment-store.ts'
import { Statement } from './statement.ts'
import { firstOf } from './ways.ts'

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
  function groupsOf<T extends Document, F extends Found<T>>(
    pipeline: Document[],
    read: OfDocuments<F>
  ): Promise<F | NewestGroups<T>> {
    const filter: Document = pipeline[0]?.['$match'] ?? {}
    return firstOf<F | NewestGroups<T>>(parts.indexes, [filter, 'groups'], {
      alone: () => ofDocuments(filter, read),
      together: () => aggregateTogether<T, F>(parts, filter, pipeline, read)
    })
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
    aggregate: <T extends Document>(pipeline: Document[]) =>
      groupsOf<T, Found<T>>(pipeline, (rows) => aggregateDocuments<T>(rows, pipeline, given)),
    aggregateNewest: <T extends Document>(pipeline: Document[], rowsOf: (group: T) => number) =>
      groupsOf<T, NewestGroups<T>>(pipeline, (rows) =>
        aggregateNewestDocuments(rows, pipeline, rowsOf, given)
      )
  }
}

type Rows = TelemetryStorage['collections']['rows']
type OfDocuments<F> = (rows: Rows) => Promise<F>

/** What documents alone tell, with the times of all segments as missing. */
async function withoutSegments<F extends Found<unknown>>(
  { storage, index }: Reading,
  filter: Document,
  read: OfDocuments<F>
): Promise<F> {
  const found = await read(storage.collections.rows)
  const segments = await index.choose(await index.read(), filter)
  return { ...found, missing: segments.map(rangeOf) }
}

async function aggregateTogether<T extends Document, F extends Found<T>>(
  parts: Reading,
  filter: Document,
  pipeline: readonly Document[],
  read: OfDocuments<F>
): Promise<F | NewestGroups<T>> {
  const engine = await parts.engine()
  if (engine === undefined) return withoutSegments(parts, filter, read)
  const selection = selectionOf(pipeline)
  const sort = pipeline.find((stage) => '$group' in stage || '$sort' in stage)?.['$sort']
  const limit =
    sort === undefined ? undefined : pipeline.find((stage) => '$limit' in stage)?.['$limit']
  // One more, by which it shows that there are more than the limit.
  const bound = limit === undefined ? {} : { sort, limit: limit + 1 }
  const hot = { filter, fields: selection.fields, ...bound }
  return inView(parts, engine, hot, async (view) => {
    const { segments } = view
    const most = segments.reduce((sum, one) => sum + one.rows, view.hotRows)
    const isWhole = limit === undefined || limit >= most
    const isNewest = sort?.['occurredAt'] === NEWEST_FIRST.occurredAt
    if (isWhole) return askWhole<T>(parts, view, pipeline)
    if (!isNewest) {
      // The oldest rows: whether there are more is not asked.
      return { ...(await ask<T>(parts, view, segments, answerOf(selection))), isCut: false }
    }
    return askNewest<T>(parts, view, pipeline, limit)
  })
}

/** A question whose answers are documents. */
const answerOf = <T>(selection: Selection): Question<T> => ({
  ...selection,
  read: (cells) => selection.decode(cells) as T
})

/** All rows that fit: the limit is not reached. */
async function askWhole<T>(
  parts: Reading,
  view: View,
  pipeline: readonly Document[]
): Promise<NewestGroups<T>> {
  const question = answerOf<T>(selectionOf(uncut(pipeline)))
  return { ...(await ask(parts, view, view.segments, question)), isCut: false }
}

/** Rows that fit are counted by hour first: to sort them all would cost more. */
async function askNewest<T>(
  parts: Reading,
  view: View,
  pipeline: readonly Document[],
  limit: number
): Promise<NewestGroups<T>> {
  const cut = await cutOfNewest(parts, view, pipeline, limit)
  if (cut === undefined) return askWhole<T>(parts, view, pipeline)
  const least = cut.tied?.at ?? cut.from
  const later = segmentsWithin(view, { from: least })
  const found = await ask<T>(parts, view, later, answerOf(selectionOf(pipeline, cut)))
  return { ...found, isCut: true }
}

/** Looks at more and older hours until the limit is reached, then at the milliseconds of one. */
async function cutOfNewest(
  parts: Reading,
  view: View,
  pipeline: readonly Document[],
  limit: number
): Promise<Cut | undefined> {
  const count = async (by: 'hour' | 'millisecond', bounds: TimeBounds) => {
    const question = { ...countsOf(pipeline, by, bounds), read: readCount }
    return (await ask(parts, view, segmentsWithin(view, bounds), question)).items
  }
  const hours = new Map<number, number>()
  let fit = 0
  let looked = rowsToLookAtFirst(limit, isOfTimesAlone(pipeline[0]?.['$match'] ?? {}))
  let to: number | undefined
  for (;;) {
    const from = startOfNewest(view.segments, looked)
    for (const [hour, rows] of await count('hour', { from, to })) {
      hours.set(hour, rows)
      fit += rows
    }
    const cut = fit > limit ? hourCutOf(hours, limit) : undefined
    if (cut !== undefined) {
      const within = { from: cut.hour, to: cut.hour + HOUR_MS }
      return cutOf(new Map(await count('millisecond', within)), cut)
    }
    if (from === undefined) return undefined
    to = from
    looked = rowsToLookAt(limit, looked, fit)
  }
}

/** Tenants have segments of their own. */
const isOfTimesAlone = (filter: Document): boolean =>
  Object.keys(filter).every((field) => field === 'occurredAt' || field === 'tenantId')

const segmentsWithin = ({ segments }: View, { from, to }: TimeBounds): readonly SegmentEntry[] =>
  segments.filter(
    (one) =>
      (from === undefined || one.to.getTime() >= from) &&
      (to === undefined || one.from.getTime() < to)
  )

const readCount = ([time, count]: readonly Cell[]) => [Number(time), Number(count)] as const

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
  const hot = { filter, sort, limit, ...fieldsOf(filter, projection) }
  return inView(parts, engine, hot, async (view) => {
    const { segments: chosen } = view
    if (limit > MOST_PLACES) {
      return ask(parts, view, chosen, linesOf(filter, options))
    }
    for (let step = sort === NEWEST_FIRST ? FIRST_STEP : chosen.length; ; step *= 2) {
      const { items, missing } = await ask(
        parts,
        view,
        chosen.slice(0, step),
        placesOf(filter, options)
      )
      const next = chosen[step]
      const last = items.at(-1)
      const isDone =
        next === undefined ||
        (items.length >= limit && last !== undefined && last.at > next.to.getTime())
      if (!isDone) continue
      const some = chosen.slice(0, step).filter((one) => mayHold(one, items))
      if (items.length === 0) return { items: [], missing }
      const found = await ask(parts, view, some, rowsAt(items, sort))
      return { items: found.items, missing }
    }
  })
}

/** What is read of a row that is copied: its filter is asked again. */
function fieldsOf(
  filter: Document,
  projection: FindOptions['projection']
): { readonly fields?: ReadonlySet<string> } {
  if (projection === undefined) return {}
  const statement = new Statement()
  conditionOf(filter, statement)
  return { fields: new Set([...statement.fields, ...Object.keys(projection)]) }
}

/** The places of the rows that a read is of: few columns, which tell which rows are read whole. */
function placesOf(filter: Document, { sort, limit }: FindOptions): Question<Place> {
  const statement = new Statement()
  const condition = conditionOf(filter, statement)
  const sql = `SELECT "occurredAt" || ' ' || hex("_id") FROM rows WHERE ${condition} ORDER BY ${wireOrder(sort)} LIMIT ${limit}`
  return { sql, ...statement.given, read: readPlace }
}

/** Rows whole: to look up many by their ids would cost more than it saves. */
function linesOf(filter: Document, { sort, limit }: FindOptions): Question<StoredRow> {
  const statement = new Statement()
  const condition = conditionOf(filter, statement)
  const sql = `SELECT ${LINE_OF_COLUMNS} FROM rows WHERE ${condition} ORDER BY ${wireOrder(sort)} LIMIT ${limit}`
  return { sql, ...statement.given, columns: ALL_COLUMNS, read: readLine }
}

const readLine = ([line]: readonly Cell[]): StoredRow => rowOf(String(line))

interface Place {
  readonly at: number
  readonly id: string
}

function readPlace([text]: readonly Cell[]): Place {
  const [at = '', id = ''] = String(text).split(' ')
  return { at: Number(at), id }
}

const mayHold = ({ from, to }: SegmentEntry, places: readonly Place[]): boolean =>
  places.some(({ at }) => at >= from.getTime() && at <= to.getTime())

/** The rows at places, whole. */
function rowsAt(places: readonly Place[], sort: FindOptions['sort']): Question<StoredRow> {
  const statement = new Statement()
  const times = places.map(({ at }) => at)
  const ids = places.map(({ id }) => statement.bytes(id)).join(', ')
  const from = statement.whole(Math.min(...times))
  const to = statement.whole(Math.max(...times))
  const sql = `SELECT ${LINE_OF_COLUMNS} FROM rows WHERE "occurredAt" BETWEEN ${from} AND ${to} AND "_id" IN (${ids}) ORDER BY ${wireOrder(sort)}`
  return { sql, ...statement.given, columns: ALL_COLUMNS, read: readLine }
}
