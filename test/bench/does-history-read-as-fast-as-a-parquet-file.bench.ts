// Reads of records, all but those of the last day sealed, against DuckDB reading one Parquet file of the same rows, and bytes
// of a sealed record. KEELSON_BENCH_ROWS changes how many rows there are.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { startLocalMongo } from '@keelson/local-mongo'
import { createQueries, createTelemetry, type Queries } from '@keelson/telemetry'
import { MongoClient } from 'mongodb'
import { historyRecord } from './history-records.ts'
import { inTurns, printFigure } from './measure.ts'

const ROWS = Number(process.env['KEELSON_BENCH_ROWS'] ?? 310_000)
const DAYS = 30
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ROUNDS = 5

const folder = await mkdtemp(join(process.env['KEELSON_BENCH_DIR'] ?? tmpdir(), 'keelson-bench-'))
const cacheDir = join(folder, 'cache')
const engine = await startLocalMongo({ dataDir: join(folder, 'data') })
const client = await new MongoClient(engine.uri).connect()
const db = client.db('bench')
const end = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
const start = end - DAYS * DAY_MS

const rowAt = (n: number) => historyRecord({ n, of: ROWS, start, milliseconds: DAYS * DAY_MS })

const telemetry = createTelemetry({
  registry: {},
  connection: db,
  history: { enabled: true, cacheDir }
})
await telemetry.syncIndexes()
for (let from = 0; from < ROWS; from += 2000) {
  const some = Array.from({ length: Math.min(2000, ROWS - from) }, (_, n) => rowAt(from + n))
  await db.collection('telemetry').insertMany(some, { ordered: false })
}

await telemetry.seal()
const use = await telemetry.historyUse()
printFigure('bytes of a sealed record', use.bytes / use.sealedRows, { atMost: 120 }, '')

const queries = createQueries({ telemetry, cacheMs: 0 })
const range = { from: new Date(start), to: new Date(end) }
const plain = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect()
const file = join(folder, 'one.parquet')
const files = (await readdir(cacheDir)).filter((name) => name.endsWith('.parquet'))
const list = files.map((name) => `'${join(cacheDir, name)}'`).join(', ')
const hotFile = join(folder, 'hot.json')
const hot = await db.collection('telemetry').find().toArray()
await writeFile(
  hotFile,
  hot
    .map(({ _id, occurredAt, receivedAt, ...row }) =>
      JSON.stringify({ ...row, occurredAt: occurredAt.getTime(), receivedAt: receivedAt.getTime() })
    )
    .join('\n')
)
const attrs = ['method', 'route', 'path', 'status', 'source', 'country']
const shape = `{tenantId: 'VARCHAR', kind: 'VARCHAR', name: 'VARCHAR', occurredAt: 'BIGINT', receivedAt: 'BIGINT', severity: 'VARCHAR', env: 'VARCHAR', service: 'VARCHAR', release: 'VARCHAR', subjectKeys: 'VARCHAR[]', traceId: 'VARCHAR', spanId: 'VARCHAR', durationMs: 'DOUBLE', attrs: 'MAP(VARCHAR, VARCHAR)', metrics: 'MAP(VARCHAR, DOUBLE)'}`
// Attributes as columns, as a person who knows the questions would have them.
await plain.run(
  `COPY (SELECT * EXCLUDE (attrs), ${attrs.map((key) => `attrs['${key}'] AS ${key}`).join(', ')} FROM (SELECT COLUMNS('^[^0-9]*$') FROM read_parquet([${list}], union_by_name = true) UNION ALL BY NAME SELECT * FROM read_json('${hotFile}', format = 'newline_delimited', columns = ${shape})) ORDER BY "occurredAt") TO '${file}' (FORMAT parquet, COMPRESSION zstd)`
)

const day = `("occurredAt" // ${DAY_MS}) * ${DAY_MS}`
const READS: Readonly<
  Record<string, readonly [(queries: Queries, scope: string) => Promise<unknown>, string]>
> = {
  'series, count by day': [
    (q, s) => q.series(s, range),
    `SELECT ${day}, count(*) FROM rows GROUP BY 1`
  ],
  'series, average duration': [
    (q, s) => q.series(s, { ...range, measure: 'avg:durationMs' }),
    `SELECT ${day}, avg("durationMs") FROM rows WHERE "durationMs" IS NOT NULL GROUP BY 1`
  ],
  'series, p95 by day': [
    (q, s) => q.series(s, { ...range, measure: 'p95:durationMs' }),
    `SELECT ${day}, quantile_cont("durationMs", 0.95) FROM rows WHERE "durationMs" IS NOT NULL GROUP BY 1`
  ],
  distribution: [
    (q, s) => q.distribution(s, range),
    'SELECT quantile_cont("durationMs", [0.5, 0.9, 0.95, 0.99]), min("durationMs"), max("durationMs"), avg("durationMs") FROM rows WHERE "durationMs" IS NOT NULL'
  ],
  'breakdown by route': [
    (q, s) => q.breakdown(s, { ...range, by: 'attr:route' }),
    'SELECT route, count(*) FROM rows GROUP BY 1 ORDER BY 2 DESC LIMIT 50'
  ],
  'durations by route': [
    (q, s) => q.durations(s, { ...range, by: 'attr:route' }),
    'SELECT route, count(*), quantile_cont("durationMs", [0.5, 0.95]), max("durationMs") FROM rows WHERE "durationMs" IS NOT NULL GROUP BY 1'
  ],
  'breakdown by subject': [
    (q, s) => q.breakdown(s, { ...range, by: 'subject' }),
    'SELECT "subjectKeys"[1], count(*) FROM rows GROUP BY 1 ORDER BY 2 DESC LIMIT 50'
  ],
  'records of a release': [
    (q, s) => q.records(s, { ...range, filters: { release: 'release-1@1.0.0' }, limit: 50 }),
    `SELECT * FROM rows WHERE release = 'release-1@1.0.0' ORDER BY "occurredAt" DESC LIMIT 50`
  ],
  'records of an attribute': [
    (q, s) =>
      q.records(s, {
        ...range,
        filters: { attrs: new Map([['path', '/products/31']]) },
        limit: 50
      }),
    `SELECT * FROM rows WHERE path = '/products/31' ORDER BY "occurredAt" DESC LIMIT 50`
  ]
}

async function millisecondsOf(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await act()
  return performance.now() - startedAt
}

for (const [name, [read, sql]] of Object.entries(READS)) {
  for (const scope of ['tenant-1', '*']) {
    const where = scope === '*' ? 'TRUE' : `"tenantId" = '${scope}'`
    const text = `WITH rows AS (SELECT * FROM '${file}' WHERE ${where} AND "occurredAt" >= ${start}) ${sql}`
    const { first, second } = await inTurns(
      ROUNDS,
      () => millisecondsOf(() => read(queries, scope)),
      () => millisecondsOf(() => plain.runAndReadAll(text))
    )
    printFigure(
      `${name} of ${scope} over ${ROWS} rows, against one Parquet file`,
      first / second,
      { atMost: 3 },
      `${first.toFixed(1)} ms, ${second.toFixed(1)} ms`
    )
  }
}

plain.closeSync()
await telemetry.close()
await client.close()
await engine.close()
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
