// The longest ping of another client while one expression works for seconds on one document.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'
import { type Collection, type Db, type Document, MongoClient } from 'mongodb'
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

const WORK: Readonly<Record<string, (rows: Rows) => Promise<unknown>>> = {
  'nested $map': (rows) => rows.aggregate([{ $limit: 1 }, { $project: { v: nested() } }]).toArray(),
  filter: (rows) => rows.find({ _id: 1, $expr: { $gt: [nested(), 1] } }).toArray(),
  update: (rows) => rows.updateOne({ _id: 1 }, [{ $set: { v: nested() } }]),
  $setWindowFields: (rows) => rows.aggregate(GROWING).toArray(),
  '$in of 100,000': (rows) =>
    rows.find({ _id: { $in: Array.from({ length: 100_000 }, (_, i) => i) } }).toArray()
}

/** Pings until the work is done; the longest wait in milliseconds. */
async function longestPing(db: Db, work: Promise<unknown>): Promise<number> {
  const state = { isOver: false }
  const over = () => {
    state.isOver = true
  }
  work.then(over, over)
  let longest = 0
  while (!state.isOver) {
    const startedAt = performance.now()
    await db.command({ ping: 1 })
    longest = Math.max(longest, performance.now() - startedAt)
    await new Promise((resolve) => setTimeout(resolve, PING_EVERY_MS))
  }
  await work
  return longest
}

const folder = await mkdtemp(join(process.env['KEELSON_BENCH_DIR'] ?? tmpdir(), 'keelson-bench-'))
const engine = await startLocalMongo({ dataDir: folder })
const client = await new MongoClient(engine.uri).connect()
const other = await new MongoClient(engine.uri).connect()
const rows: Rows = client.db('bench').collection('rows')
await rows.insertMany(Array.from({ length: ROWS }, (_, _id) => ({ _id })))
await other.db('bench').command({ ping: 1 })
const waits: [string, number, number][] = []
for (const [name, run] of Object.entries(WORK)) {
  const startedAt = performance.now()
  const wait = await longestPing(other.db('bench'), run(rows))
  waits.push([name, wait, performance.now() - startedAt])
}
const longest = Math.max(...waits.map(([, wait]) => wait))
const detail = waits.map(([name, wait, took]) => `${name} ${wait.toFixed(0)} of ${took.toFixed(0)}`)
printFigure(
  "longest ping beside another client's expression",
  longest,
  { atMost: 50 },
  `ms; ${detail.join(', ')}`
)
await other.close()
await client.close()
await engine.close()
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
