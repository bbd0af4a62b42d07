// insertMany of 1,000 × 400 B with six indexes, documents per second, against raw LMDB puts of the same
// bytes and keys in one run.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'
import { open, type RootDatabase } from 'lmdb'
import { BSON, type Collection, type Document, MongoClient } from 'mongodb'
import { inTurns, printFigure } from './measure.ts'
import { INDEXES, sampleDocument } from './sample-documents.ts'

const BATCH = 1000
const BATCHES = 10

type EncodeKey = (values: readonly unknown[], directions: readonly (1 | -1)[]) => Uint8Array
const { encodeKey }: { encodeKey: EncodeKey } = await import(
  new URL('../../../local-mongo/dist/bson/key-string.js', import.meta.url).href
)

interface Entry {
  readonly key: Buffer
  readonly value: Buffer
}

const valueAt = (document: Document, path: string): unknown => {
  const value = path.split('.').reduce<unknown>((at, part) => (at as Document)?.[part], document)
  return typeof value === 'number' ? new BSON.Int32(value) : (value ?? null)
}

/** What one document is in LMDB: its bytes, its _id entry and six index entries. */
function entriesOf(document: Document, recordId: number): Entry[] {
  const record = Buffer.alloc(9)
  record.writeUInt8(1)
  record.writeDoubleBE(recordId, 1)
  const entries = [{ key: record, value: Buffer.from(BSON.serialize(document)) }]
  for (const [at, keys] of [{ _id: 1 as const }, ...INDEXES].entries()) {
    const values = Object.keys(keys).map((path) => valueAt(document, path))
    const encoded = encodeKey(values, Object.values(keys))
    entries.push({
      key: Buffer.concat([Buffer.from([2 + at]), encoded, record]),
      value: Buffer.alloc(0)
    })
  }
  return entries
}

let made = 0
const nextDocuments = () => Array.from({ length: BATCH }, () => sampleDocument(made++))

async function rawDocumentsPerSecond(store: RootDatabase<Buffer, Buffer>): Promise<number> {
  const batches = Array.from({ length: BATCHES }, () =>
    nextDocuments().flatMap((document) => entriesOf(document, made++))
  )
  const startedAt = process.hrtime.bigint()
  for (const batch of batches) {
    await store.transaction(() => {
      for (const { key, value } of batch) store.putSync(key, value)
    })
    await store.flushed
  }
  return (BATCH * BATCHES) / (Number(process.hrtime.bigint() - startedAt) / 1e9)
}

async function engineDocumentsPerSecond(rows: Collection): Promise<number> {
  const batches = Array.from({ length: BATCHES }, nextDocuments)
  const startedAt = process.hrtime.bigint()
  for (const batch of batches) await rows.insertMany(batch, { ordered: false })
  return (BATCH * BATCHES) / (Number(process.hrtime.bigint() - startedAt) / 1e9)
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
await rows.createIndexes(INDEXES.map((key) => ({ key })))
await rawDocumentsPerSecond(store)
await engineDocumentsPerSecond(rows)
const { first, second } = await inTurns(
  5,
  () => rawDocumentsPerSecond(store),
  () => engineDocumentsPerSecond(rows)
)
const detail = `engine ${second.toFixed(0)} documents/s, raw LMDB ${first.toFixed(0)}/s`
printFigure('insertMany against raw LMDB', second / first, { atLeast: 0.5 }, detail)
await client.close()
await engine.close()
await store.close()
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
