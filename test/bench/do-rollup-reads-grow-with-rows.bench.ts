// Reads that rollups serve, with 30,000 and with 300,000 raw rows (KEELSON_BENCH_ROWS changes the latter):
// they must not grow. The data of the overview page. Raw reads grow with the rows in their range. Bytes on
// disk for each event, indexes and rollups included.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'
import { createQueries, createTelemetry, type Queries } from '@keelson/telemetry'
import { MongoClient } from 'mongodb'
import { median, printFigure } from './measure.ts'
import { REGISTRY, wireEvent } from './telemetry-events.ts'
import { quantile } from './telemetry-load.ts'

const FEW = 30_000
const MANY = Number(process.env['KEELSON_BENCH_ROWS'] ?? 300_000)
const DAYS = 30
const DAY_MS = 86_400_000
const CHUNK = 2000
// Few enough for all to be active every day, so that both have the same rollup documents.
const PEOPLE = 500
const READS = 200

const folder = await mkdtemp(join(process.env['KEELSON_BENCH_DIR'] ?? tmpdir(), 'keelson-bench-'))
const foreign = process.env['MONGODB_URI']
const engine = foreign ? undefined : await startLocalMongo({ dataDir: folder })
const client = await new MongoClient(foreign || engine?.uri || '').connect()
const now = Date.now()

/** Spread over 30 days; the last hour holds the same number of rows whatever the total. */
const IN_LAST_HOUR = 500

async function fill(name: string, count: number): Promise<Queries> {
  const telemetry = createTelemetry({
    registry: REGISTRY,
    connection: client.db(name),
    gatherMs: 1
  })
  await telemetry.syncIndexes()
  const older = count - IN_LAST_HOUR
  const timeOf = (n: number) =>
    n < older
      ? now - DAYS * DAY_MS + Math.floor((n / older) * (DAYS * DAY_MS - 2 * 3_600_000))
      : now - Math.floor(((n - older) / IN_LAST_HOUR) * 3_000_000) - 60_000
  for (let from = 0; from < count; from += CHUNK) {
    for (let n = from; n < Math.min(count, from + CHUNK); n++) {
      const { _id, name: event, ...record } = wireEvent(n, timeOf(n), PEOPLE)
      await telemetry.emit(event, { tenantId: 'acme', service: 'web', release: '1', ...record })
    }
    await telemetry.flush()
  }
  return createQueries({ telemetry, cacheMs: 0 })
}

const month = { from: new Date(now - DAYS * DAY_MS), to: new Date(now) }
const before = { from: new Date(now - 2 * DAYS * DAY_MS), to: month.from }
const hour = { from: new Date(now - 3_600_000), to: new Date(now) }

const ROLLUP_READS: Readonly<Record<string, (queries: Queries) => Promise<unknown>>> = {
  activity: (queries) => queries.activity('acme', { ...month, interval: 'day', groupBy: ['kind'] }),
  'activity of all tenants': (queries) => queries.activity('*', { ...month, interval: 'day' }),
  breakdown: (queries) => queries.rollups('acme', { as: 'pages_by_plan', ...month }),
  distinct: (queries) =>
    queries.distinctCount('acme', {
      as: 'daily_active',
      from: new Date(now - DAY_MS),
      to: month.to
    }),
  funnel: (queries) => queries.funnel('acme', { ...month, stages: ['first_seen'] })
}

/** What the overview page shows: tiles and their ghosts, active people, the newest records. */
const overview = (queries: Queries) =>
  Promise.all([
    queries.activity('acme', { ...month, interval: 'day', groupBy: ['kind'] }),
    queries.activity('acme', { ...before, interval: 'day', groupBy: ['kind'] }),
    queries.rollups('acme', { as: 'pages_by_source', ...month, limit: 8, sort: 'count' }),
    queries.records('acme', { ...month, limit: 12 })
  ])

async function millisecondsOf(read: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await read()
  return performance.now() - startedAt
}

async function manyTimes(read: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < READS; n++) times.push(await millisecondsOf(read))
  return times
}

const diskBytes = () => Number(execFileSync('du', ['-sk', folder]).toString().split('\t')[0]) * 1024

const emptyBytes = diskBytes()
const few = await fill('few', FEW)
const fewBytes = diskBytes()
const many = await fill('many', MANY)
const manyBytes = diskBytes()

for (const [name, read] of Object.entries(ROLLUP_READS)) {
  // Turn by turn, so that both meet the same weather.
  const times = { few: [] as number[], many: [] as number[] }
  await read(few)
  await read(many)
  for (let n = 0; n < READS; n++) {
    times.few.push(await millisecondsOf(() => read(few)))
    times.many.push(await millisecondsOf(() => read(many)))
  }
  printFigure(
    `p95 of ${name} with ${MANY} rows against ${FEW}`,
    quantile(times.many, 0.95) / quantile(times.few, 0.95),
    { atMost: 1.3 },
    `${quantile(times.many, 0.95).toFixed(1)} ms, ${quantile(times.few, 0.95).toFixed(1)} ms; medians ${median(times.many).toFixed(1)}, ${median(times.few).toFixed(1)}`
  )
}
await overview(many)
const overviews = await manyTimes(() => overview(many))
printFigure(
  'overview page data, ms',
  median(overviews),
  { atMost: 50 },
  `p95 ${quantile(overviews, 0.95).toFixed(1)} ms`
)
const raw = (queries: Queries) => queries.series('acme', { ...hour, interval: 'hour' })
const rawFew = median(await manyTimes(() => raw(few)))
const rawMany = median(await manyTimes(() => raw(many)))
printFigure(
  'raw read of a range with as many rows, in ten times the collection',
  rawMany / rawFew,
  { atMost: 1.5 },
  `${rawMany.toFixed(1)} ms, ${rawFew.toFixed(1)} ms for ${IN_LAST_HOUR} rows`
)
if (engine !== undefined) {
  printFigure(
    'kB on disk for each event',
    (manyBytes - fewBytes) / MANY / 1000,
    { atMost: 1 },
    `${MANY} events; the first ${FEW} took ${((fewBytes - emptyBytes) / FEW / 1000).toFixed(2)} kB each`
  )
}

await client.db('few').dropDatabase()
await client.db('many').dropDatabase()
await client.close()
await engine?.close()
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
