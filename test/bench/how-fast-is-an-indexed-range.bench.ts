// 10,000 documents by an index range through the driver, against a raw LMDB range plus BSON decode.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'
import { open, type RootDatabase } from 'lmdb'
import { BSON, type Collection, type Document, MongoClient } from 'mongodb'
import { inTurns, printFigure } from './measure.ts'
import { sampleDocument } from './sample-documents.ts'

const DOCUMENTS = 100_000
const READ = 10_000
const BATCH = 5_000
const ROUNDS = 15

/** The place of a document in the range: scattered, so that the order of writing does not help. */
const placeOf = (number: number): number => (number * 7_919) % DOCUMENTS

const keyOf = (place: number): Buffer => {
  const key = Buffer.alloc(8)
  key.writeDoubleBE(place)
  return key
}

async function rawPerSecond(store: RootDatabase<Buffer, Buffer>): Promise<number> {
  const from = Math.floor(Math.random() * (DOCUMENTS - READ))
  const startedAt = performance.now()
  const found: Document[] = []
  for (const { value } of store.getRange({ start: keyOf(from), end: keyOf(from + READ) })) {
    found.push(BSON.deserialize(value))
  }
  if (found.length !== READ) throw new Error(`raw: ${found.length}`)
  return (READ * 1_000) / (performance.now() - startedAt)
}

async function enginePerSecond(rows: Collection): Promise<number> {
  const from = Math.floor(Math.random() * (DOCUMENTS - READ))
  const startedAt = performance.now()
  const found = await rows
    .find({ place: { $gte: from, $lt: from + READ } })
    .sort({ place: 1 })
    .batchSize(READ)
    .toArray()
  if (found.length !== READ) throw new Error(`engine: ${found.length}`)
  return (READ * 1_000) / (performance.now() - startedAt)
}

const folder = await mkdtemp(join(tmpdir(), 'keelson-bench-'))
const store = open<Buffer, Buffer>({
  path: join(folder, 'raw'),
  keyEncoding: 'binary',
  encoding: 'binary'
})
const engine = await startLocalMongo({ dataDir: join(folder, 'engine') })
const client = await new MongoClient(engine.uri).connect()
const rows = client.db('bench').collection('rows')
await rows.createIndex({ place: 1 })
for (let begin = 0; begin < DOCUMENTS; begin += BATCH) {
  const documents = Array.from({ length: BATCH }, (_, i) => {
    const number = begin + i
    return { ...sampleDocument(number), place: placeOf(number) }
  })
  await rows.insertMany(documents)
  await store.transaction(() => {
    for (const document of documents) {
      store.putSync(keyOf(document.place), Buffer.from(BSON.serialize(document)))
    }
  })
}
await rawPerSecond(store)
await enginePerSecond(rows)
const { first, second } = await inTurns(
  ROUNDS,
  () => rawPerSecond(store),
  () => enginePerSecond(rows)
)
const detail = `engine ${second.toFixed(0)} documents/s, raw LMDB ${first.toFixed(0)}/s`
printFigure('indexed range of 10,000', second / first, { atLeast: 0.3 }, detail)
await client.close()
await engine.close()
await store.close()
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
