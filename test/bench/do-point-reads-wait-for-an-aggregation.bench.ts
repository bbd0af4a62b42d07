// The longest point read while $match and $group go over a million indexed documents.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'
import { type Collection, MongoClient } from 'mongodb'
import { printFigure } from './measure.ts'

const DOCUMENTS = Number(process.env['KEELSON_BENCH_DOCUMENTS'] ?? 1_000_000)
const BATCH = 10_000
const ROUNDS = 3

async function fill(rows: Collection<{ _id: number }>): Promise<void> {
  await rows.createIndex({ tenant: 1, at: 1 })
  for (let begin = 0; begin < DOCUMENTS; begin += BATCH) {
    await rows.insertMany(
      Array.from({ length: BATCH }, (_, i) => {
        const _id = begin + i
        return { _id, tenant: `t${_id % 2}`, at: new Date(1_790_000_000_000 + _id), n: _id % 97 }
      })
    )
  }
}

/** Groups everything; how long it took in milliseconds. */
async function group(rows: Collection<{ _id: number }>): Promise<number> {
  const startedAt = performance.now()
  const groups = await rows
    .aggregate([
      { $match: { tenant: { $in: ['t0', 't1'] } } },
      { $group: { _id: '$n', sum: { $sum: '$_id' }, count: { $sum: 1 } } }
    ])
    .toArray()
  if (groups.length !== 97) throw new Error(`${groups.length} groups`)
  return performance.now() - startedAt
}

/** Reads one document after another until told to stop; every wait in milliseconds. */
async function readUntil(
  rows: Collection<{ _id: number }>,
  state: { isOver: boolean }
): Promise<number[]> {
  const waits: number[] = []
  while (!state.isOver) {
    const _id = Math.floor(Math.random() * DOCUMENTS)
    const startedAt = performance.now()
    if ((await rows.findOne({ _id })) === null) throw new Error('a document is missing')
    waits.push(performance.now() - startedAt)
  }
  return waits
}

const folder = await mkdtemp(join(process.env['KEELSON_BENCH_DIR'] ?? tmpdir(), 'keelson-bench-'))
const engine = await startLocalMongo({ dataDir: folder })
const client = await new MongoClient(engine.uri).connect()
const rows = client.db('bench').collection<{ _id: number }>('rows')
await fill(rows)
const alone = await group(rows)
const waits: number[] = []
let beside = 0
for (let round = 0; round < ROUNDS; round++) {
  const state = { isOver: false }
  const reading = readUntil(rows, state)
  beside = await group(rows)
  state.isOver = true
  waits.push(...(await reading))
}
waits.sort((a, b) => b - a)
const [longest = 0] = waits
const detail =
  `ms, 99 of 100 within ${(waits[Math.floor(waits.length / 100)] ?? 0).toFixed(1)}; ${waits.length} reads, ${DOCUMENTS} documents grouped in ` +
  `${alone.toFixed(0)} ms alone, ${beside.toFixed(0)} ms beside reads`
printFigure('longest point read beside an aggregation', longest, { atMost: 50 }, detail)
await client.close()
await engine.close()
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
