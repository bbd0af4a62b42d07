// Pages of whole rows: places are looked up first, in few columns and from the newest segments on.
import type { Document } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'
import { type FindOptions, type Found, NEWEST_FIRST } from '../queries/row-source.ts'
import type { TimeRange } from '../queries/types.ts'
import type { Cell } from './cells.ts'
import { ALL_COLUMNS, LINE_OF_COLUMNS, rowOf } from './columns.ts'
import type { Engine } from './engine.ts'
import { conditionOf } from './filter-sql.ts'
import { ask, inView, type Question, type Reading, type View } from './read-view.ts'
import { wireOrder } from './row-order.ts'
import type { SegmentEntry } from './segment-store.ts'
import { Statement } from './statement.ts'

/** Segments that a page of the newest rows looks at first; each further step looks at twice as many. */
const FIRST_STEP = 4
/** Rows of a page whose places are looked up first; a longer one is read whole at once. */
const MOST_PLACES = 1000

/** @throws NotInColumns */
export function pageOfRows(
  parts: Reading,
  engine: Engine,
  filter: Document,
  options: FindOptions
): Promise<Found<StoredRow>> {
  const { sort, limit, projection } = options
  const hot = { filter, sort, limit, ...fieldsOf(filter, projection) }
  return inView(parts, engine, hot, async (view) => {
    if (limit > MOST_PLACES) return ask(parts, view, view.segments, linesOf(filter, options))
    const { items: places, missing } = await findPlaces(parts, view, filter, options)
    if (places.length === 0) return { items: [], missing }
    const some = view.segments.filter((one) => mayHold(one, places))
    const { items } = await ask(parts, view, some, rowsAt(places, sort))
    return { items, missing }
  })
}

/** In order; documents are looked at first, then segments step by step, until no older one can matter. */
async function findPlaces(
  parts: Reading,
  view: View,
  filter: Document,
  options: FindOptions
): Promise<Found<Place>> {
  const { segments } = view
  const question = placesOf(filter, options)
  const missing: TimeRange[] = []
  let places: readonly Place[] = []
  let step = options.sort === NEWEST_FIRST ? FIRST_STEP : segments.length
  for (let from = 0; ; from += step, step *= 2) {
    const within = from === 0 ? view : { ...view, hot: `(SELECT * FROM ${view.hot} LIMIT 0)` }
    const found = await ask(parts, within, segments.slice(from, from + step), question)
    missing.push(...found.missing)
    places = from === 0 ? found.items : firstPlaces([...places, ...found.items], options)
    const next = segments[from + step]
    const last = places.at(-1)
    const isFull = places.length >= options.limit && last !== undefined
    if (next === undefined || (isFull && last.at > next.to.getTime())) {
      return { items: places, missing }
    }
  }
}

/** Of the newest: a document may have become a row of a segment meanwhile. */
function firstPlaces(places: readonly Place[], { limit }: FindOptions): readonly Place[] {
  const each = new Map(places.map((place) => [place.id, place]))
  return [...each.values()].sort(newerFirst).slice(0, limit)
}

/** As `wireOrder`. */
const newerFirst = (a: Place, b: Place): number =>
  b.at - a.at || b.id.length - a.id.length || (a.id < b.id ? 1 : -1)

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
