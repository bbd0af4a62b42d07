// Rows as reads find them: documents and segments together, each row once, read by DuckDB.
import type { Document } from 'mongodb'
import {
  aggregateDocuments,
  aggregateNewestDocuments,
  type Found,
  findDocuments,
  NEWEST_FIRST,
  type NewestGroups,
  type RowSource
} from '../queries/row-source.ts'
import { HOUR_MS } from '../rollups/bucket.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import type { Cell } from './cells.ts'
import type { TimeBounds } from './filter-times.ts'
import {
  type Cut,
  cutOf,
  hourCutOf,
  rowsToLookAt,
  rowsToLookAtFirst,
  startOfNewest
} from './newest-rows.ts'
import { pageOfRows } from './page-of-rows.ts'
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
import type { SegmentEntry } from './segment-store.ts'
import { firstOf } from './ways.ts'

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
        together: async () => {
          const engine = await parts.engine()
          return engine === undefined
            ? withoutSegments(parts, filter, (rows) => findDocuments(rows, filter, options))
            : pageOfRows(parts, engine, filter, options)
        }
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
