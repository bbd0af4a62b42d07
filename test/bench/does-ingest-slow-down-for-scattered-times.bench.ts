// Events that lie scattered over a month against events of now: they add to many more rollup documents.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'
import { createTelemetry } from '@keelson/telemetry'
import { MongoClient } from 'mongodb'
import { inTurns, printFigure } from './measure.ts'
import { REGISTRY, wireEvent } from './telemetry-events.ts'

const EVENTS = Number(process.env['KEELSON_BENCH_EVENTS'] ?? 10_000)
const CHUNK = 2000
const ROUNDS = 3
const MONTH_MS = 30 * 86_400_000

const folder = await mkdtemp(join(process.env['KEELSON_BENCH_DIR'] ?? tmpdir(), 'keelson-bench-'))
const foreign = process.env['MONGODB_URI']
const engine = foreign ? undefined : await startLocalMongo({ dataDir: folder })
const client = await new MongoClient(foreign || engine?.uri || '').connect()

async function open(name: string) {
  const telemetry = createTelemetry({
    registry: REGISTRY,
    connection: client.db(name),
    gatherMs: 1
  })
  await telemetry.syncIndexes()
  let written = 0
  /** Events a second, with so much time to lie in. */
  return async (spreadMs: number): Promise<number> => {
    const now = Date.now()
    const startedAt = performance.now()
    for (let from = 0; from < EVENTS; from += CHUNK) {
      for (let n = from; n < from + CHUNK; n++) {
        // A step that shares no factor with the spread: neighbours are days apart.
        const at = now - ((n * 7_654_321) % Math.max(1, spreadMs))
        const { _id, name: event, ...record } = wireEvent(written++, at)
        await telemetry.emit(event, { tenantId: 'acme', service: 'web', release: '1', ...record })
      }
      await telemetry.flush()
    }
    return EVENTS / ((performance.now() - startedAt) / 1000)
  }
}

const [current, scattered] = [await open('current'), await open('scattered')]
const rates = await inTurns(
  ROUNDS,
  () => current(1),
  () => scattered(MONTH_MS)
)
printFigure(
  'events a second scattered over a month against events of now',
  rates.second / rates.first,
  { atLeast: 0.7 },
  `${rates.second.toFixed(0)}/s, ${rates.first.toFixed(0)}/s`
)

for (const name of ['current', 'scattered']) await client.db(name).dropDatabase()
await client.close()
await engine?.close()
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
