// Starts both apps on one database engine and prints where they are; ends with its input.
import { startLocalMongo } from '@keelson/local-mongo'
import { MongoClient } from 'mongodb'
import { startHost } from './host.ts'
import { startPlain } from './plain.ts'

const [origins = '', dataDir = 'data'] = process.argv.slice(2)
const engine = await startLocalMongo({ dataDir })
const client = await new MongoClient(engine.uri).connect()
const host = await startHost(engine.uri, origins)
const plain = await startPlain(client)
process.stdout.write(`${JSON.stringify({ host: host.url, plain: plain.url })}\n`)
process.stdin.resume()
process.stdin.once('end', async () => {
  await Promise.all([host.app.close(), plain.app.close()])
  await client.close()
  await engine.close()
})
