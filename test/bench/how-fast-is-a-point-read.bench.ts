// Point reads by _id through the driver, per second, against an echo server that answers a canned reply.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'
import { BSON, type Collection, MongoClient, ObjectId } from 'mongodb'
import { inTurns, printFigure } from './measure.ts'
import { sampleDocument } from './sample-documents.ts'

const READS = 3000

/** Wraps a reply document as OP_MSG or, for the legacy handshake, as OP_REPLY. */
function frame(requestId: number, opcode: number, reply: Uint8Array): Buffer {
  const head = Buffer.alloc(opcode === 2004 ? 36 : 21)
  head.writeInt32LE(head.length + reply.length, 0)
  head.writeInt32LE(requestId, 8)
  head.writeInt32LE(opcode === 2004 ? 1 : 2013, 12)
  if (opcode === 2004) head.writeInt32LE(1, 32)
  return Buffer.concat([head, reply])
}

/** A server that reads whole frames and answers each with a canned document, as fast as Node can. */
async function startEcho(socketPath: string): Promise<() => void> {
  const hello = BSON.serialize({
    helloOk: true,
    isWritablePrimary: true,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    minWireVersion: 0,
    maxWireVersion: 21,
    ok: 1
  })
  const found = BSON.serialize({
    cursor: { firstBatch: [sampleDocument(1)], id: BSON.Long.ZERO, ns: 'bench.rows' },
    ok: 1
  })
  const server = createServer((socket) => {
    let rest: Buffer = Buffer.alloc(0)
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      while (rest.length >= 16 && rest.length >= rest.readInt32LE(0)) {
        const message = rest.subarray(0, rest.readInt32LE(0))
        rest = rest.subarray(message.length)
        const isFind = message.readInt32LE(12) === 2013 && message.includes('find')
        socket.write(frame(message.readInt32LE(4), message.readInt32LE(12), isFind ? found : hello))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  return () => server.close()
}

async function readsPerSecond(rows: Collection, ids: readonly ObjectId[]): Promise<number> {
  const startedAt = process.hrtime.bigint()
  for (let read = 0; read < READS; read++) {
    const _id = ids[read % ids.length] ?? new ObjectId()
    if ((await rows.findOne({ _id })) === null) throw new Error('a document is missing')
  }
  return READS / (Number(process.hrtime.bigint() - startedAt) / 1e9)
}

const folder = await mkdtemp(join(tmpdir(), 'keelson-bench-'))
const socketPath = join(folder, 'echo.sock')
const endEcho = await startEcho(socketPath)
const engine = await startLocalMongo({ dataDir: join(folder, 'engine') })
const options = { maxPoolSize: 1 }
const echoUri = `mongodb://${encodeURIComponent(socketPath)}/?directConnection=true`
const echo = await new MongoClient(echoUri, options).connect()
const client = await new MongoClient(engine.uri, options).connect()
const rows = client.db('bench').collection('rows')
const documents = Array.from({ length: 1000 }, (_, number) => sampleDocument(number))
await rows.insertMany(documents)
const ids = documents.map((document) => document['_id'] as ObjectId)
const echoed = echo.db('bench').collection('rows')
await readsPerSecond(echoed, ids)
await readsPerSecond(rows, ids)
const { first, second } = await inTurns(
  5,
  () => readsPerSecond(echoed, ids),
  () => readsPerSecond(rows, ids)
)
const detail = `engine ${second.toFixed(0)}/s, echo server ${first.toFixed(0)}/s`
printFigure('point read against an echo server', second / first, { atLeast: 0.5 }, detail)
await Promise.all([client.close(), echo.close()])
await engine.close()
endEcho()
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
