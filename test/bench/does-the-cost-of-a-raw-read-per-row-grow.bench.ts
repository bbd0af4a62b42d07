// Raw series and distributions over 30,000 and over 300,000 rows of one service (KEELSON_BENCH_ROWS changes the
// latter): a row must cost as much in both, and another client's requests must not wait for them.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'
import { createQueries, createTelemetry, type Queries } from '@keelson/telemetry'
import { MongoClient } from 'mongodb'
import { median, printFigure } from './measure.ts'
import { REGISTRY, wireEvent } from './telemetry-events.ts'

const FEW = 30_000
const MANY = Number(process.env['KEELSON_BENCH_ROWS'] ?? 300_000)
const DAYS = 30
const DAY_MS = 86_400_000
const CHUNK = 2000
const ROUNDS = 3

const folder = await mkdtemp(join(process.env['KEELSON_BENCH_DIR'] ?? tmpdir(), 'keelson-bench-'))
const foreign = process.env['MONGODB_URI']
const engine = foreign ? undefined : await startLocalMongo({ dataDir: folder })
const client = await new MongoClient(foreign || engine?.uri || '').connect()
const other = await new MongoClient(foreign || engine?.uri || '').connect()
const now = Date.now()

async function fill(name: string, count: number): Promise<Queries> {
  const telemetry = createTelemetry({
    registry: REGISTRY,
    connection: client.db(name),
    gatherMs: 1
  })
  await telemetry.syncIndexes()
  for (let from = 0; from < count; from += CHUNK) {
    for (let n = from; n < Math.min(count, from + CHUNK); n++) {
      const at = now - DAYS * DAY_MS + Math.floor((n / count) * DAYS * DAY_MS)
      const { _id, name: event, ...record } = wireEvent(n, at)
      await telemetry.emit(event, { tenantId: 'acme', service: 'web', release: '1', ...record })
    }
    await telemetry.flush()
  }
  return createQueries({ telemetry, cacheMs: 0 })
}

const month = { from: new Date(now - DAYS * DAY_MS), to: new Date(now) }
const filters = { service: 'web' }
const READS: Readonly<Record<string, (queries: Queries) => Promise<unknown>>> = {
  series: (queries) => queries.series('acme', { ...month, filters, interval: 'day' }),
  distribution: (queries) => queries.distribution('acme', { ...month, filters, measure: 'load_ms' })
}

async function millisecondsOf(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await act()
  return performance.now() - startedAt
}

/** The longest that a ping of another client waits while the read goes on. */
async function longestWait(read: () => Promise<unknown>): Promise<number> {
  let isOver = false
  const reading = read().finally(() => {
    isOver = true
  })
  let longest = 0
  while (!isOver) {
    longest = Math.max(longest, await millisecondsOf(() => other.db('admin').command({ ping: 1 })))
  }
  await reading
  return longest
}

const few = await fill('few', FEW)
const many = await fill('many', MANY)

for (const [name, read] of Object.entries(READS)) {
  const times = { few: [] as number[], many: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    times.few.push(await millisecondsOf(() => read(few)))
    times.many.push(await millisecondsOf(() => read(many)))
  }
  const [fast, slow] = [median(times.few), median(times.many)]
  printFigure(
    `cost of a row of a raw ${name}, ${MANY} rows against ${FEW}`,
    slow / MANY / (fast / FEW),
    { atMost: 1.5 },
    `${slow.toFixed(0)} ms, ${fast.toFixed(0)} ms`
  )
  printFigure(`raw ${name} over ${MANY} rows, ms`, slow, { atMost: 1500 }, '')
  const waited = await longestWait(() => read(many))
  printFigure(
    `longest wait of another client during a raw ${name}, ms`,
    waited,
    { atMost: 100 },
    ''
  )
}

await client.db('few').dropDatabase()
await client.db('many').dropDatabase()
await other.close()
await client.close()
await engine?.close()
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
