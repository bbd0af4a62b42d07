// Reads of records, all but those of the last day sealed, against DuckDB reading one Parquet file of the same rows: by time of
// the processor, because others use the machine too. And bytes of a sealed record. KEELSON_BENCH_ROWS changes how many
// rows there are, KEELSON_BENCH_READS takes the reads with this text in their name.
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Queries } from '@keelson/telemetry'
import { printFigure } from './measure.ts'
import { openSealedHistory } from './sealed-history.ts'
import { quantile } from './telemetry-load.ts'

const ROWS = Number(process.env['KEELSON_BENCH_ROWS'] ?? 310_000)
const WANTED = process.env['KEELSON_BENCH_READS'] ?? ''
const DAY_MS = 24 * 3_600_000
const WEEK_MS = 7 * DAY_MS
const ROUNDS = 20

const { telemetry, queries, db, range, folder, cacheDir, close } = await openSealedHistory(ROWS)
const use = await telemetry.historyUse()
printFigure('bytes of a sealed record', use.bytes / use.sealedRows, { atMost: 120 }, '')

const start = range.from.getTime()
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
const TEXT = `concat_ws(' ', name, path, source, country, route, method, status)`
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
  'series, subjects by day': [
    (q, s) => q.series(s, { ...range, measure: 'unique' }),
    `SELECT ${day}, count(DISTINCT ("tenantId", "subjectKeys"[1])) FROM rows GROUP BY 1`
  ],
  'series, share of errors': [
    (q, s) => q.series(s, { ...range, measure: 'error_rate' }),
    `SELECT ${day}, avg(CASE WHEN severity IN ('error', 'fatal') THEN 100 ELSE 0 END) FROM rows GROUP BY 1`
  ],
  'series, greatest of a metric': [
    (q, s) => q.series(s, { ...range, measure: 'max:load_ms' }),
    `SELECT ${day}, max(metrics['load_ms']) FROM rows GROUP BY 1`
  ],
  'series of a name and service': [
    (q, s) => q.series(s, { ...range, filters: { name: 'page.viewed', service: 'service-1' } }),
    `SELECT ${day}, count(*) FROM rows WHERE name = 'page.viewed' AND service = 'service-1' GROUP BY 1`
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
  ],
  'records with a text': [
    (q, s) => q.records(s, { ...range, filters: { q: 'products/31' }, limit: 50 }),
    `SELECT * FROM rows WHERE ${TEXT} ILIKE '%products/31%' ORDER BY "occurredAt" DESC LIMIT 50`
  ],
  'records with a text that none has': [
    (q, s) => q.records(s, { ...range, filters: { q: 'nowhere' }, limit: 50 }),
    `SELECT * FROM rows WHERE ${TEXT} ILIKE '%nowhere%' ORDER BY "occurredAt" DESC LIMIT 50`
  ],
  'funnel of two events': [
    (q, s) => q.eventFunnel(s, { ...range, steps: ['page.viewed', 'http.request'] }),
    `SELECT count(a), count(CASE WHEN b > a THEN 1 END) FROM (SELECT "tenantId", "subjectKeys"[1], min("occurredAt") FILTER (name = 'page.viewed') a, max("occurredAt") FILTER (name = 'http.request') b FROM rows GROUP BY 1, 2)`
  ],
  'retention by week': [
    (q, s) => q.eventRetention(s, { ...range, first: 'page.viewed' }),
    `SELECT * FROM (WITH begun AS (SELECT "tenantId" t, "subjectKeys"[1] u, min("occurredAt") a FROM rows WHERE name = 'page.viewed' GROUP BY 1, 2) SELECT begun.a // ${WEEK_MS}, (rows."occurredAt" - begun.a) // ${WEEK_MS}, count(DISTINCT (t, u)) FROM rows JOIN begun ON begun.t = rows."tenantId" AND begun.u = rows."subjectKeys"[1] WHERE rows.name = 'page.viewed' GROUP BY 1, 2)`
  ]
}

interface Cost {
  readonly cpuMs: number
  readonly ms: number
}

async function costOf(act: () => Promise<unknown>): Promise<Cost> {
  const before = process.cpuUsage()
  const startedAt = performance.now()
  await act()
  const { user, system } = process.cpuUsage(before)
  return { cpuMs: (user + system) / 1000, ms: performance.now() - startedAt }
}

/** The lower quarter: the least of a few is as often luck as the machine is. */
const undisturbed = (costs: readonly Cost[]): Cost => ({
  cpuMs: quantile(
    costs.map(({ cpuMs }) => cpuMs),
    0.25
  ),
  ms: quantile(
    costs.map(({ ms }) => ms),
    0.25
  )
})

for (const [name, [read, sql]] of Object.entries(READS)) {
  if (!name.includes(WANTED)) continue
  for (const scope of ['tenant-1', '*']) {
    const where = scope === '*' ? 'TRUE' : `"tenantId" = '${scope}'`
    const text = `WITH rows AS (SELECT * FROM '${file}' WHERE ${where} AND "occurredAt" >= ${start}) ${sql}`
    const ours: Cost[] = []
    const theirs: Cost[] = []
    await read(queries, scope)
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await costOf(() => read(queries, scope)))
      theirs.push(await costOf(() => plain.runAndReadAll(text)))
    }
    const [one, other] = [undisturbed(ours), undisturbed(theirs)]
    printFigure(
      `${name} of ${scope} over ${ROWS} rows, against one Parquet file`,
      one.cpuMs / other.cpuMs,
      { atMost: 3 },
      `${one.cpuMs.toFixed(1)} and ${other.cpuMs.toFixed(1)} ms of a processor, ${one.ms.toFixed(1)} and ${other.ms.toFixed(1)} ms`
    )
  }
}

plain.closeSync()
await close()
