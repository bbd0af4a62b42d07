// Durable single inserts per second: fifty at a time against one at a time. On a disk whose flush takes five
// milliseconds more than this one's, that is what group commit is for; and on this disk as it is, where
// a flush may take a fraction of a millisecond, so that processors and not flushes bound the figure.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'
import { type Collection, MongoClient } from 'mongodb'
import { inTurns, printFigure } from './measure.ts'
import { sampleDocument } from './sample-documents.ts'

const CALLERS = 50
const SECONDS = 2

let made = 0

async function commitsOf(client: MongoClient): Promise<number> {
  const { storageEngine } = await client.db('admin').command({ serverStatus: 1 })
  return storageEngine.commits
}

let shared = 0

/** Fifty at a time; also notes how many inserts a commit took. */
async function concurrentPerSecond(client: MongoClient, rows: Collection): Promise<number> {
  const [before, madeBefore] = [await commitsOf(client), made]
  const perSecond = await insertsPerSecond(rows, CALLERS)
  shared = (made - madeBefore) / ((await commitsOf(client)) - before)
  return perSecond
}

/** So many callers insert one document after another; inserts per second of all. */
async function insertsPerSecond(rows: Collection, callers: number): Promise<number> {
  const startedAt = performance.now()
  const until = startedAt + SECONDS * 1_000
  let done = 0
  const call = async (): Promise<void> => {
    while (performance.now() < until) {
      await rows.insertOne(sampleDocument(made++), {
        writeConcern: { w: 'majority', journal: true }
      })
      done++
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  return (done * 1_000) / (performance.now() - startedAt)
}

/** Measures an engine whose flushes take so many milliseconds longer. */
async function measure(slowerMs: number, disk: string, aim: { readonly atLeast: number }) {
  process.env['LOCAL_MONGO_TEST_COMMANDS'] = '1'
  process.env['LOCAL_MONGO_TEST_FLUSH_MS'] = String(slowerMs)
  const folder = await mkdtemp(join(process.env['KEELSON_BENCH_DIR'] ?? tmpdir(), 'keelson-bench-'))
  const engine = await startLocalMongo({ dataDir: folder })
  const client = await new MongoClient(engine.uri, { maxPoolSize: CALLERS }).connect()
  const rows = client.db('bench').collection('rows')
  await insertsPerSecond(rows, CALLERS)
  const { first, second } = await inTurns(
    3,
    () => insertsPerSecond(rows, 1),
    () => concurrentPerSecond(client, rows)
  )
  printFigure(
    `concurrent durable inserts against one at a time, ${disk}`,
    second / first,
    aim,
    `${CALLERS} at a time ${second.toFixed(0)}/s, one at a time ${first.toFixed(0)}/s, ${shared.toFixed(1)} inserts in a commit`
  )
  await client.close()
  await engine.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
}

await measure(5, 'a flush 5 ms slower', { atLeast: 20 })
await measure(0, 'this disk', { atLeast: 20 })
