// What sealing a record costs: time of one run of the job, and of the processor in this process.
// KEELSON_BENCH_ROWS changes how many records there are.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'
import { createTelemetry } from '@keelson/telemetry'
import { MongoClient } from 'mongodb'
import { historyRecord } from './history-records.ts'
import { printFigure } from './measure.ts'

const ROWS = Number(process.env['KEELSON_BENCH_ROWS'] ?? 100_000)
const DAYS = 30
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

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

const before = process.cpuUsage()
const sealedAt = performance.now()
await telemetry.seal()
const sealing = performance.now() - sealedAt
const { user, system } = process.cpuUsage(before)
const use = await telemetry.historyUse()
printFigure(
  'microseconds to seal a record',
  (sealing * 1000) / use.sealedRows,
  { atMost: 60 },
  `${use.segments} segments, ${use.hotRows} records hot`
)
printFigure(
  "microseconds of this process's processor to seal a record",
  (user + system) / use.sealedRows,
  { atMost: 60 },
  ''
)

await telemetry.close()
await client.close()
await engine.close()
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
