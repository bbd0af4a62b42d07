// A process for crash.test: sends batches to its own ingest and prints the number of each that was answered 202.
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { MongoClient } from 'mongodb'
import { createIngest } from '../create-ingest.ts'
import { createTelemetry } from '../create-telemetry.ts'
import { crashBatch } from './crash-batch.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

const [uri = '', database = '', key = '', first = '0'] = process.argv.slice(2)
const LANES = 4

const client = await new MongoClient(uri).connect()
const telemetry = createTelemetry({
  registry: SAMPLE_SPEC,
  connection: client.db(database),
  gatherMs: 1
})
const app = Fastify()
await app.register(createIngest({ telemetry }), { prefix: '/ingest' })

// A parent that was killed leaves nobody to kill this process.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) process.exit(1)
}, 500).unref()

let next = Number(first)
async function lane(): Promise<void> {
  for (let number = next++; ; ) {
    const reply = await app.inject({
      method: 'POST',
      url: '/ingest',
      headers: { authorization: `Bearer ${key}` },
      payload: crashBatch(number)
    })
    if (reply.statusCode === 202) {
      process.stdout.write(`${number}\n`)
      number = next++
    } else {
      await sleep(50)
    }
  }
}
await Promise.all(Array.from({ length: LANES }, lane))
