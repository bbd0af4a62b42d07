// Ingest over HTTP, batches of 100, five rollup families: documents per second against the driver's own
// insertMany of the same rows with the same indexes, commands and CPU of the host, and the slowest batches.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'
import { Binary, type Document, MongoClient } from 'mongodb'
import { inTurns, printFigure } from './measure.ts'
import { quantile, sendBatches, startIngestHost } from './telemetry-load.ts'

const ROUNDS = 5
const BATCHES = 60
const INSERT_BATCH = 1000
/** One commit is of as many events at most as one of the driver's inserts is of rows. */
const LANES = INSERT_BATCH / 100
const EVENTS = BATCHES * 100

const folder = await mkdtemp(join(tmpdir(), 'keelson-bench-'))
const foreign = process.env['MONGODB_URI']
const engine = foreign ? undefined : await startLocalMongo({ dataDir: folder })
const uri = foreign || engine?.uri || ''
const client = await new MongoClient(uri).connect()
const database = `bench_${process.pid}`
const db = client.db(database)
const host = await startIngestHost(uri, database)

const perSecond = (count: number, startedAt: number) =>
  count / ((performance.now() - startedAt) / 1000)

// Warm: the first rollup documents, prepared code.
await sendBatches(host, BATCHES, LANES)
const rows: Document[] = await db.collection('telemetry').find().limit(EVENTS).toArray()
const plain = db.collection<{ _id: Binary }>('plain')
const [, ...indexes] = await db.collection('telemetry').indexes()
await plain.createIndexes(
  indexes.map(({ v: _v, key, expireAfterSeconds, ...rest }) => ({
    key,
    ...rest,
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds })
  }))
)

let round = 0

/** An id of the same form and time. */
function otherId({ buffer, sub_type }: Binary): Binary {
  const bytes = Buffer.from(buffer)
  bytes[bytes.length - 1] = ((bytes[bytes.length - 1] ?? 0) + round) & 0xff
  return new Binary(bytes, sub_type)
}

async function insertPlain(): Promise<number> {
  round++
  const fresh = rows.map((row) => ({ ...row, _id: otherId(row['_id'] as Binary) }))
  const startedAt = performance.now()
  for (let at = 0; at < fresh.length; at += INSERT_BATCH) {
    await plain.insertMany(fresh.slice(at, at + INSERT_BATCH), { ordered: false })
  }
  return perSecond(fresh.length, startedAt)
}

const times: number[] = []
const before = await host.used()
async function ingest(): Promise<number> {
  const startedAt = performance.now()
  times.push(...(await sendBatches(host, BATCHES, LANES)))
  return perSecond(EVENTS, startedAt)
}

await insertPlain()
const { first: direct, second: over } = await inTurns(ROUNDS, insertPlain, ingest)
const after = await host.used()
const events = ROUNDS * EVENTS
printFigure(
  'ingest against insertMany of the same rows',
  over / direct,
  { atLeast: 0.45 },
  `${over.toFixed(0)}/s over HTTP, ${direct.toFixed(0)}/s by insertMany`
)
printFigure(
  'database commands per 1,000 events',
  ((after.commands - before.commands) / events) * 1000,
  { atMost: 7 },
  `${after.commands - before.commands} for ${events}`
)
printFigure(
  'microseconds of CPU per event in the host',
  ((after.cpuMs - before.cpuMs) * 1000) / events,
  { atMost: 45 },
  `${LANES} batches of 100 at a time`
)
printFigure(
  'p99 of a batch under full load, ms',
  quantile(times, 0.99),
  { atMost: 400 },
  `p50 ${quantile(times, 0.5).toFixed(0)} ms`
)

await host.close()
await db.dropDatabase()
await client.close()
await engine?.close()
await rm(folder, { recursive: true, force: true })
