// kill -9 of the writing process and of the database under load: nothing acknowledged is lost, nothing counts twice.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { databaseUri, type TestDatabase, testDatabase } from '@keelson/sdk/testing'
import Fastify from 'fastify'
import type { Binary } from 'mongodb'
import { type Test, test } from 'tap'
import { createIngest } from '../create-ingest.ts'
import { createTelemetry } from '../create-telemetry.ts'
import { wireId } from '../envelope/stored-id.ts'
import { crashBatch, crashIds } from './crash-batch.ts'
import { differences } from './recount.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

const WRITER = fileURLToPath(new URL('./crash-writer.js', import.meta.url))
const ROUNDS = 6
/** A refused batch is sent again after this time. */
const RETRY_MS = 20
const KEY = {
  kind: 'secret',
  tenantMode: 'fixed',
  tenantId: 'acme',
  service: 'web',
  env: 'dev',
  maxPerMinute: 100_000_000
} as const

interface Writer {
  readonly child: ChildProcess
  /** Resolves when so many more batches were acknowledged. */
  acknowledged(count: number): Promise<void>
}

function startWriter(args: readonly string[], acked: Set<number>): Writer {
  const child = spawn(process.execPath, [WRITER, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  lines.on('line', (line) => acked.add(Number(line)))
  return {
    child,
    async acknowledged(count) {
      const goal = acked.size + count
      while (acked.size < goal) await once(lines, 'line')
    }
  }
}

/** Every acknowledged record is stored once, and every rollup is a recount of the rows. */
async function checkStored(
  t: Test,
  { db }: TestDatabase,
  acked: ReadonlySet<number>
): Promise<void> {
  const wanted = [...acked].flatMap(crashIds)
  const stored = new Set(
    (await db.collection('telemetry').find().toArray()).map((row) =>
      wireId(row._id as unknown as Binary)
    )
  )
  t.same(
    wanted.filter((id) => !stored.has(id)),
    [],
    'acknowledged records are there'
  )
  t.same(await differences(db, SAMPLE_SPEC), [], 'rollups equal a recount')
}

test('a writer killed again and again loses nothing it acknowledged and counts nothing twice', async (t) => {
  const database = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: database.db })
  await telemetry.syncIndexes()
  const { key } = await telemetry.createKey(KEY)
  const acked = new Set<number>()
  let first = 0
  for (let round = 0; round < ROUNDS; round++) {
    const args = [await databaseUri(), database.db.databaseName, key, String(first)]
    const writer = startWriter(args, acked)
    await writer.acknowledged(5 + round * 3)
    const ended = once(writer.child, 'close')
    writer.child.kill('SIGKILL')
    await ended
    // As a client would: whatever was not acknowledged is sent again, with what follows it.
    while (acked.has(first)) first++
    await checkStored(t, database, acked)
  }
})

const enginePid = async ({ db }: TestDatabase): Promise<number> =>
  Number((await db.command({ serverStatus: 1 }))['pid'])

const isForeign = (process.env['MONGODB_URI'] ?? '') !== ''

test('an engine killed under load comes back with every acknowledged record and true counts', {
  skip: isForeign
}, async (t) => {
  const database = await testDatabase(t)
  const telemetry = createTelemetry({ registry: SAMPLE_SPEC, connection: database.db, gatherMs: 1 })
  await telemetry.syncIndexes()
  const { key } = await telemetry.createKey(KEY)
  const app = Fastify()
  await app.register(createIngest({ telemetry }), { prefix: '/ingest' })
  t.teardown(() => app.close())
  const acked = new Set<number>()
  let next = 0
  const send = async (number: number) => {
    for (;;) {
      const reply = await app.inject({
        method: 'POST',
        url: '/ingest',
        headers: { authorization: `Bearer ${key}` },
        payload: crashBatch(number)
      })
      if (reply.statusCode === 202) return acked.add(number)
      t.ok([429, 503].includes(reply.statusCode), `${reply.statusCode}`)
      // Injected requests never wait for the network: sent again at once, they would let nothing else happen.
      await delay(RETRY_MS)
    }
  }
  let isOver = false
  const lane = async () => {
    while (!isOver) await send(next++)
  }
  const lanes = Array.from({ length: 4 }, lane)
  for (let round = 0; round < 3; round++) {
    const goal = acked.size + 10
    while (acked.size < goal) await Promise.race([send(next++), ...lanes])
    process.kill(await enginePid(database), 'SIGKILL')
  }
  const goal = acked.size + 10
  while (acked.size < goal) await Promise.race([send(next++), ...lanes])
  isOver = true
  await Promise.all(lanes)
  await telemetry.flush()
  await checkStored(t, database, acked)
})
