// Resident memory of the engine with much data: KEELSON_BENCH_GIGABYTES, 0.5 unless told; the aim is for 5.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'
import { type Collection, MongoClient } from 'mongodb'
import { printFigure } from './measure.ts'
import { sampleDocument } from './sample-documents.ts'

const GIGABYTES = Number(process.env['KEELSON_BENCH_GIGABYTES'] ?? 0.5)
const TEXT_BYTES = 4_000
const BATCH = 2_000
const READS = 20_000

/** All that is resident, with the file's mapped pages, and what of it is the process's own, in MB. */
async function memoryOf(pid: number): Promise<{ own: number; resident: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
  return { own: megabytes('RssAnon'), resident: megabytes('VmRSS') }
}

/** Most of many looks, taken four times a second while `act` runs. */
async function most(
  pid: number,
  act: () => Promise<void>
): Promise<{ own: number; resident: number }> {
  const greatest = { own: 0, resident: 0 }
  const look = async (): Promise<void> => {
    const { own, resident } = await memoryOf(pid)
    greatest.own = Math.max(greatest.own, own)
    greatest.resident = Math.max(greatest.resident, resident)
  }
  const timer = setInterval(look, 250)
  await act()
  clearInterval(timer)
  await look()
  return greatest
}

/** Long enough for its parts to be nowhere near each other. */
const NOISE = randomBytes(3 * 1024 * 1024).toString('base64')
let taken = 0

/** A text that cannot be compressed, so that so much data is so much data. */
function nextText(): string {
  const from = (taken++ * 977) % (NOISE.length - TEXT_BYTES)
  return NOISE.slice(from, from + TEXT_BYTES)
}

async function write(rows: Collection<{ _id: number }>, count: number): Promise<void> {
  await rows.createIndexes([{ key: { userId: 1, at: -1 } }, { key: { score: 1 } }])
  for (let begin = 0; begin < count; begin += BATCH) {
    await rows.insertMany(
      Array.from({ length: BATCH }, (_, i) => ({
        ...sampleDocument(begin + i),
        _id: begin + i,
        text: nextText()
      }))
    )
  }
}

async function read(rows: Collection<{ _id: number }>, count: number): Promise<void> {
  for (let i = 0; i < READS; i++) await rows.findOne({ _id: Math.floor(Math.random() * count) })
  await rows.aggregate([{ $group: { _id: '$score', n: { $sum: 1 } } }]).toArray()
}

const folder = await mkdtemp(join(process.env['KEELSON_BENCH_DIR'] ?? tmpdir(), 'keelson-bench-'))
const engine = await startLocalMongo({ dataDir: folder })
const client = await new MongoClient(engine.uri).connect()
const rows = client.db('bench').collection<{ _id: number }>('rows')
const count = Math.ceil((GIGABYTES * 1024 ** 3) / (TEXT_BYTES + 400) / BATCH) * BATCH
const writing = await most(engine.pid, () => write(rows, count))
const reading = await most(engine.pid, () => read(rows, count))
const detail = (own: number): string =>
  `MB; ${own.toFixed(0)} MB without mapped pages of the file; ${count} documents, ${GIGABYTES} GB`
printFigure('memory while writing', writing.resident, { atMost: 400 }, detail(writing.own))
printFigure('memory while reading', reading.resident, { atMost: 400 }, detail(reading.own))
await client.close()
await engine.close()
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
