// A store whose records of a month are sealed but for the last day, for the measurements of reads.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'
import { createQueries, createTelemetry, type Queries, type Telemetry } from '@keelson/telemetry'
import { type Db, MongoClient } from 'mongodb'
import { historyRecord } from './history-records.ts'

/** Of the store. */
export const DATABASE = 'bench'
const DAYS = 30
const HOUR_MS = 3_600_000
const BATCH = 2000
/** Records between two seals: sealing in time keeps what is to be indexed small. */
const SEAL_EVERY = 300_000

export interface SealedHistory {
  readonly telemetry: Telemetry
  readonly queries: Queries
  readonly db: Db
  /** Of the database server. */
  readonly uri: string
  readonly range: { readonly from: Date; readonly to: Date }
  /** Of everything, for files of the measurement too. */
  readonly folder: string
  readonly cacheDir: string
  close(): Promise<void>
}

export async function openSealedHistory(rows: number): Promise<SealedHistory> {
  const folder = await mkdtemp(join(process.env['KEELSON_BENCH_DIR'] ?? tmpdir(), 'keelson-bench-'))
  const cacheDir = join(folder, 'cache')
  const engine = await startLocalMongo({ dataDir: join(folder, 'data') })
  const client = await new MongoClient(engine.uri).connect()
  const db = client.db(DATABASE)
  const end = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const milliseconds = DAYS * 24 * HOUR_MS
  const start = end - milliseconds
  const telemetry = createTelemetry({
    registry: {},
    connection: db,
    history: { enabled: true, cacheDir }
  })
  await telemetry.syncIndexes()
  for (let from = 0; from < rows; from += BATCH) {
    const length = Math.min(BATCH, rows - from)
    const some = Array.from({ length }, (_, n) =>
      historyRecord({ n: from + n, of: rows, start, milliseconds })
    )
    await db.collection('telemetry').insertMany(some, { ordered: false })
    if ((from + length) % SEAL_EVERY === 0) await telemetry.seal()
  }
  await telemetry.seal()
  return {
    telemetry,
    queries: createQueries({ telemetry, cacheMs: 0 }),
    db,
    uri: engine.uri,
    range: { from: new Date(start), to: new Date(end) },
    folder,
    cacheDir,
    async close() {
      await telemetry.close()
      await client.close()
      await engine.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
    }
  }
}
