// The longest ping of another client while one expression works for seconds on one document.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { startLocalMongo } from '@keelson/local-mongo'
import { type Collection, type Document, MongoClient } from 'mongodb'
import { printFigure } from './measure.ts'

const ROUNDS = 3_000
const ROWS = 20_000
const PING_EVERY_MS = 2

type Rows = Collection<{ _id: number }>

/** Nine million steps on one document. */
function nested(): Document {
  const input = { $range: [0, ROUNDS] }
  const doubled = { $map: { input, in: { $multiply: ['$$this', 2] } } }
  return { $size: { $map: { input, in: { $sum: doubled } } } }
}

/** Each list holds all rows before it: two hundred million elements in all. */
const GROWING: Document[] = [
  {
    $setWindowFields: {
      sortBy: { _id: 1 },
      output: { list: { $push: '$_id', window: { documents: ['unbounded', 'current'] } } }
    }
  },
  { $group: { _id: null, most: { $max: { $size: '$list' } } } }
]

const MANY = Array.from({ length: 100_000 }, (_, i) => i)

const WORK: Readonly<Record<string, (rows: Rows) => Promise<unknown>>> = {
  'nested $map': (rows) => rows.aggregate([{ $limit: 1 }, { $project: { v: nested() } }]).toArray(),
  filter: (rows) => rows.find({ _id: 1, $expr: { $gt: [nested(), 1] } }).toArray(),
  update: (rows) => rows.updateOne({ _id: 1 }, [{ $set: { v: nested() } }]),
  $setWindowFields: (rows) => rows.aggregate(GROWING).toArray(),
  '$in of 100,000': (rows) => rows.find({ _id: { $in: MANY } }).toArray()
}

/** Pings in a thread, where the other client's own work does not count; answers messages with the longest wait. */
async function pingForEver(uri: string): Promise<void> {
  const client = await new MongoClient(uri).connect()
  let longest = 0
  parentPort?.on('message', () => {
    parentPort?.postMessage(longest)
    longest = 0
  })
  for (;;) {
    const startedAt = performance.now()
    await client.db('bench').command({ ping: 1 })
    longest = Math.max(longest, performance.now() - startedAt)
    await new Promise((resolve) => setTimeout(resolve, PING_EVERY_MS))
  }
}

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(process.env['KEELSON_BENCH_DIR'] ?? tmpdir(), 'keelson-bench-'))
  const engine = await startLocalMongo({ dataDir: folder })
  const client = await new MongoClient(engine.uri).connect()
  const rows: Rows = client.db('bench').collection('rows')
  await rows.insertMany(Array.from({ length: ROWS }, (_, _id) => ({ _id })))
  const pings = new Worker(new URL(import.meta.url), { workerData: engine.uri })
  const longestPing = async (): Promise<number> => {
    pings.postMessage('tell')
    const [longest] = await once(pings, 'message')
    return longest as number
  }
  const waits: (readonly [string, number, number])[] = []
  for (const [name, run] of Object.entries(WORK)) {
    await longestPing()
    const startedAt = performance.now()
    await run(rows)
    waits.push([name, await longestPing(), performance.now() - startedAt])
  }
  const longest = Math.max(...waits.map(([, wait]) => wait))
  const parts = waits.map(
    ([name, wait, took]) => `${name} ${wait.toFixed(0)} in ${took.toFixed(0)}`
  )
  const detail = `ms; ${parts.join(', ')}`
  printFigure("longest ping beside another client's expression", longest, { atMost: 50 }, detail)
  await pings.terminate()
  await client.close()
  await engine.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
}

if (isMainThread) await measure()
else await pingForEver(workerData as string)
