// A host process for measurements of ingest: serves it, and tells what it has used so far.
import { createIngest, createTelemetry } from '@keelson/telemetry'
import Fastify from 'fastify'
import { MongoClient } from 'mongodb'
import { REGISTRY } from './telemetry-events.ts'

const [uri = '', database = ''] = process.argv.slice(2)
const client = await new MongoClient(uri, { monitorCommands: true }).connect()
let commands = 0
client.on('commandStarted', () => {
  commands++
})
const telemetry = createTelemetry({ registry: REGISTRY, connection: client.db(database) })
await telemetry.syncIndexes()
const { key } = await telemetry.createKey({
  kind: 'secret',
  tenantMode: 'fixed',
  tenantId: 'acme',
  service: 'web',
  env: 'prod',
  maxPerMinute: 100_000_000
})
const app = Fastify()
await app.register(createIngest({ telemetry }), { prefix: '/ingest' })
app.get('/used', async () => {
  const { user, system } = process.cpuUsage()
  return { commands, cpuMs: (user + system) / 1000, rss: process.memoryUsage().rss }
})
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ address, key })}\n`)
// Ends with whoever started it.
process.stdin.resume().on('end', () => process.exit(0))
