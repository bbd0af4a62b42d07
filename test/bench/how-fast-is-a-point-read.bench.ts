// Point reads by _id through the driver, per second, against an echo server that answers a canned reply.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startLocalMongo } from '@keelson/local-mongo'
import { type Collection, MongoClient, ObjectId } from 'mongodb'
import { inTurns, printFigure } from './measure.ts'
import { sampleDocument } from './sample-documents.ts'

const READS = 3000

/**
 * An echo server in a separate process, as the engine is, that answers with the engine's bytes: so the
 * driver does the same work for both, and what differs is the engine.
 */
async function startEcho(enginePath: string, socketPath: string): Promise<ChildProcess> {
  const server = fork(fileURLToPath(new URL('echo-server.js', import.meta.url)), [
    enginePath,
    socketPath
  ])
  await once(server, 'message')
  return server
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
const engine = await startLocalMongo({ dataDir: join(folder, 'engine') })
const [enginePath = ''] = decodeURIComponent(engine.uri).match(/\/[^?]*\.sock/) ?? []
const echoServer = await startEcho(enginePath.replace(/^\/+/, '/'), socketPath)
// A streamed hello is answered when something changes: nothing that an echo can do.
const options = { maxPoolSize: 1, serverMonitoringMode: 'poll' } as const
const echoUri = `mongodb://${encodeURIComponent(socketPath)}/?directConnection=true`
const client = await new MongoClient(engine.uri, options).connect()
const rows = client.db('bench').collection('rows')
const documents = Array.from({ length: 1000 }, (_, number) => sampleDocument(number))
await rows.insertMany(documents)
const ids = documents.map((document) => document['_id'] as ObjectId)
const echo = await new MongoClient(echoUri, options).connect()
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
echoServer.kill()
await engine.close()
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
