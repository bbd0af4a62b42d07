// Makes the Parquet file of a segment from rows or from other segments, and reads it back before anything relies on it.
import { readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Binary } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'
import { errors } from '../errors.ts'
import { hashOf, type SegmentCache } from './cache.ts'
import { COLUMN_LIST, COLUMNS_OF_LINE, LINE_SHAPE } from './columns.ts'
import { type Engine, filesOf, type Session } from './engine.ts'
import { keySelection, keysOfMap } from './key-columns.ts'
import { filterOf, personKey, traceKey } from './key-filter.ts'
import { lineBatches } from './line-batches.ts'
import type { SegmentGroup } from './plan-segments.ts'
import { wireOrder } from './row-order.ts'
import { type NewSegment, partCount } from './segment-store.ts'

/** What files are made with. */
export interface FileTools {
  readonly engine: Engine
  readonly cache: SegmentCache
  readonly now: () => Date
}

/** Two chunks of DuckDB. */
const BATCH = 4096

/** Puts rows into a temporary table of this name, batch by batch: the table may leave memory, batches may not. */
export async function stageRows(
  session: Session,
  table: string,
  rows: Iterable<StoredRow> | AsyncIterable<StoredRow>
): Promise<number> {
  const lines = `${table}_lines`
  const columns = `SELECT ${COLUMNS_OF_LINE} FROM (SELECT unnest(from_json(line, '${LINE_SHAPE}')) FROM ${lines})`
  await session.run(`CREATE TEMP TABLE ${lines} (line VARCHAR)`)
  await session.run(`CREATE TEMP TABLE ${table} AS ${columns}`)
  let count = 0
  for await (const batch of lineBatches(rows, BATCH)) {
    await session.fill(lines, batch)
    await session.run(`INSERT INTO ${table} ${columns}`)
    await session.run(`DELETE FROM ${lines}`)
    count += batch.length
  }
  await session.run(`DROP TABLE ${lines}`)
  return count
}

/** A segment of rows. @throws TEL_SEGMENT_WRONG when the file does not hold them. */
export function segmentOfRows(
  tools: FileTools,
  group: SegmentGroup,
  rows: readonly StoredRow[]
): Promise<NewSegment> {
  const sum = rows.reduce((total, { occurredAt }) => total + BigInt(occurredAt.getTime()), 0n)
  return tools.engine.use(async (session) => {
    await stageRows(session, 'staged', rows)
    return makeSegment(tools, session, group, {
      from: 'staged',
      rows: rows.length,
      sum: String(sum)
    })
  })
}

/** A segment of all rows of some files that a condition leaves; undefined when it leaves none. */
export function segmentOfFiles(
  tools: FileTools,
  group: SegmentGroup,
  { paths, rows, without }: { paths: readonly string[]; rows: number; without?: readonly string[] }
): Promise<NewSegment | undefined> {
  if (rows === 0) return Promise.resolve(undefined)
  return tools.engine.use(async (session) => {
    await session.run('CREATE TEMP TABLE gone (id VARCHAR)')
    if (without !== undefined) await session.fill('gone', without)
    await session.run(
      `CREATE TEMP TABLE staged AS SELECT ${COLUMN_LIST} FROM read_parquet(${filesOf(paths)}) WHERE hex("_id") NOT IN (SELECT id FROM gone)`
    )
    return makeSegment(tools, session, group, { from: 'staged', rows })
  })
}

/** Of all rows, in any order. */
const hashOfColumns = (columns: string) => `coalesce(bit_xor(hash(${columns})), 0)::VARCHAR`

/** What a file has. */
const factsOfColumns = (columns: string) =>
  `SELECT json_object('rows', count(*), 'sum', coalesce(sum("occurredAt"), 0)::VARCHAR, 'ids', count(DISTINCT "_id"), 'hash', ${hashOfColumns(columns)}, 'from', min("occurredAt"), 'to', max("occurredAt"), 'ends', max("expiresAt"))::VARCHAR FROM `

interface Facts {
  readonly rows: number
  readonly sum: string
  readonly ids: number
  readonly hash: string
  readonly from: number
  readonly to: number
  readonly ends: number | null
}

async function factsOf(session: Session, relation: string, columns: string): Promise<Facts> {
  const [text = '{}'] = await session.texts(factsOfColumns(columns) + relation)
  return JSON.parse(text) as Facts
}

interface Expected {
  readonly from: string
  readonly rows: number
  /** Of the times of all rows. */
  readonly sum?: string
}

/** Rows that are left out together by their times. */
const GROUP_ROWS = 10_240

const makeSegment = (
  tools: FileTools,
  session: Session,
  group: SegmentGroup,
  expected: Expected
): Promise<NewSegment> =>
  tools.cache.withNewPath((part) => makeSegmentAt(part, { tools, session, group, expected }))

interface Making {
  readonly tools: FileTools
  readonly session: Session
  readonly group: SegmentGroup
  readonly expected: Expected
}

async function makeSegmentAt(
  part: string,
  { tools: { now }, session, group: { tenantId, day, keepDays }, expected }: Making
): Promise<NewSegment> {
  try {
    const attrs = await keysOfMap(session, expected.from, 'attrs')
    const metrics = await keysOfMap(session, expected.from, 'metrics')
    const { sql, names, values } = keySelection({ attrs, metrics })
    const columns = COLUMN_LIST + names
    const rows = `SELECT ${COLUMN_LIST}${sql} FROM ${expected.from}`
    await session.run(
      `COPY (${rows} ORDER BY ${wireOrder({ occurredAt: 1, _id: 1 })}) TO ${filesOf([part]).slice(1, -1)} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 3, ROW_GROUP_SIZE ${GROUP_ROWS}, PARQUET_VERSION v2)`,
      values
    )
    const [hash] = await session.texts(`SELECT ${hashOfColumns(columns)} FROM (${rows})`, values)
    const written = await factsOf(session, `read_parquet(${filesOf([part])})`, columns)
    check(expected, hash, written)
    const content = await readFile(part)
    const _id = hashOf(content)
    await rename(part, join(dirname(part), `${_id}.parquet`))
    const { from, to, ends } = written
    return {
      _id,
      tenantId,
      day,
      keepDays,
      from: new Date(from),
      to: new Date(to),
      rows: written.rows,
      bytes: content.length,
      parts: partCount(content),
      ...(ends !== null && { expiresAt: new Date(ends) }),
      attrs,
      metrics,
      ...(await namesOf(session, expected.from)),
      filter: new Binary(filterOf(await keysOf(session, expected.from))),
      sealedAt: now(),
      content
    }
  } finally {
    await rm(part, { force: true })
  }
}

function check({ rows, sum }: Expected, hash: string | undefined, written: Facts): void {
  const problems = [
    [written.rows !== rows, `it has ${written.rows} of ${rows} records`],
    [written.ids !== rows, `it has ${written.ids} ids for ${rows} records`],
    [sum !== undefined && written.sum !== sum, 'the sum of its times is another one'],
    [hash !== written.hash, 'it does not hold what was written']
  ] as const
  const found = problems.find(([isWrong]) => isWrong)
  if (found !== undefined) throw errors.TEL_SEGMENT_WRONG({ problem: found[1] })
}

const MOST_NAMES = 100

async function namesOf(session: Session, relation: string): Promise<Pick<NewSegment, 'names'>> {
  const names = await session.texts(
    `SELECT DISTINCT "name" FROM ${relation} WHERE "name" IS NOT NULL LIMIT ${MOST_NAMES + 1}`
  )
  return names.length > MOST_NAMES ? {} : { names }
}

async function keysOf(session: Session, relation: string): Promise<ReadonlySet<string>> {
  const traces = await session.texts(
    `SELECT DISTINCT "traceId" FROM ${relation} WHERE "traceId" IS NOT NULL`
  )
  const people = await session.texts(
    `SELECT DISTINCT unnest(list_concat(coalesce("subjectKeys", []), coalesce("otherPrincipals", []))) FROM ${relation}`
  )
  return new Set([...traces.map(traceKey), ...people.map(personKey)])
}
