// Answers that are lost, a database that is away, full queues, closing: nothing is lost, doubled or held up by them.
import { randomUUID } from 'node:crypto'
import { databaseUri, testDatabase } from '@keelson/sdk/testing'
import { type Collection, type Document, MongoClient } from 'mongodb'
import { type Test, test } from 'tap'
import { createTelemetry, openTelemetry, type TelemetryOptions } from '../create-telemetry.ts'
import type { EmitRecord } from '../envelope/types.ts'
import type { TelemetryStorage } from '../storage/storage.ts'
import { differences } from './recount.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'
import { batch, openWire, viewed } from './wire.ts'

/** A name whose rows are practically never kept. */
const REGISTRY = { ...SAMPLE_SPEC, 'tick.tock': { kind: 'event', sampleRate: 1e-9 } } as const
const TICKS = 10

const user = (id: string, more: Partial<EmitRecord> = {}): EmitRecord => ({
  tenantId: 'acme',
  service: 'web',
  release: 'r1',
  subjects: [{ type: 'user', id }],
  ...more
})

/** A store whose storage is changed on the way. */
async function open(
  t: Test,
  change: (storage: TelemetryStorage) => TelemetryStorage,
  more: Partial<TelemetryOptions> = {}
) {
  const { db } = await testDatabase(t)
  await createTelemetry({ registry: REGISTRY, connection: db }).syncIndexes()
  const options = { registry: REGISTRY, connection: db, gatherMs: 20, ...more }
  const { telemetry } = openTelemetry(options, { change })
  const ticks = async () => {
    const found = await db.collection('telemetry_rollups').find({ as: '$daily' }).toArray()
    return found
      .filter(({ dims }) => dims.includes('name=tick.tock'))
      .reduce((sum, { count }) => sum + count, 0)
  }
  const emitTicks = () =>
    Promise.all(
      Array.from({ length: TICKS }, () =>
        telemetry.emit('tick.tock', { tenantId: 'acme', service: 'web', release: 'r1' })
      )
    )
  return { db, telemetry, ticks, emitTicks }
}

/** The first transaction is committed, and its answer is lost. */
const losesAnswer = (storage: TelemetryStorage): TelemetryStorage => {
  let isLost = false
  return {
    ...storage,
    async transaction(fn) {
      const result = await storage.transaction(fn)
      if (isLost) return result
      isLost = true
      throw new Error('connection lost')
    }
  }
}

test('a refusal whose answer was lost is there once, and holds nothing up', async (t) => {
  const { telemetry } = await open(t, losesAnswer)
  await telemetry.emit('no.such', user('u1'))
  await telemetry.flush()
  const { outcome } = await telemetry.emit('page.viewed', user('u1', { dedupeKey: 'k' }))
  t.equal(outcome, 'written')
  t.equal((await telemetry.quarantine('acme')).length, 1)
})

test('records that are only counted are counted once when the answer was lost', async (t) => {
  const { telemetry, ticks, emitTicks } = await open(t, losesAnswer)
  await emitTicks()
  await telemetry.flush()
  t.equal(await ticks(), TICKS)
  await emitTicks()
  await telemetry.flush()
  t.equal(await ticks(), 2 * TICKS)
})

test('records that are only counted are all counted when a flush has to be halved', async (t) => {
  let isRefused = false
  const { telemetry, ticks, emitTicks } = await open(t, (storage) => ({
    ...storage,
    transaction(fn) {
      if (isRefused) return storage.transaction(fn)
      isRefused = true
      return Promise.reject(Object.assign(new Error('bad value'), { code: 2 }))
    }
  }))
  await emitTicks()
  await telemetry.flush()
  t.equal(await ticks(), TICKS)
})

/** A collection that is away for one call. */
function awayOnce<T extends object>(collection: T): T {
  let isAway = true
  return new Proxy(collection, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (!isAway) return value.apply(target, args)
        isAway = false
        throw new Error('away')
      }
    }
  })
}

test('a database that is away at the first write of a process is written to once it is back', async (t) => {
  const { db } = await open(t, (storage) => storage)
  const { telemetry } = openTelemetry(
    { registry: REGISTRY, connection: db },
    {
      change(storage) {
        const checkpoints = awayOnce(storage.collections.checkpoints)
        return { ...storage, collections: { ...storage.collections, checkpoints } }
      }
    }
  )
  const emit = () => telemetry.emit('account.activated', user('u1', { dedupeKey: 'k' }))
  await t.rejects(emit(), { code: 'TEL_WRITE_FAILED' })
  t.match(await emit(), { outcome: 'written' })
})

test('a process that begins to write leaves what others are doing alone', async (t) => {
  const { db, telemetry } = await open(t, (storage) => storage)
  const other = await new MongoClient(await databaseUri()).connect()
  t.teardown(() => other.close())
  const session = other.startSession()
  t.teardown(() => session.endSession())
  session.startTransaction()
  const accounts = other.db(db.databaseName).collection('accounts')
  await accounts.insertOne({ balance: 1 }, { session })
  // Sessions are pooled: what telemetry wrote with is what anything else of that process uses next.
  const bytes = (session.id as unknown as { id: { buffer: Uint8Array } }).id.buffer
  const noted = { _id: `$writer:${Buffer.from(bytes).toString('hex')}`, at: new Date() }
  await db.collection<typeof noted>('telemetry_checkpoints').insertOne(noted)
  const { outcome } = await telemetry.emit('page.viewed', user('u1', { dedupeKey: 'k' }))
  t.equal(outcome, 'written')
  await session.commitTransaction()
  t.equal(await accounts.countDocuments(), 1)
})

test('notes of writers that are long gone are forgotten', async (t) => {
  const { db, telemetry } = await open(t, (storage) => storage)
  const notes = db.collection('telemetry_checkpoints') as unknown as Collection<
    Document & { _id: string }
  >
  await notes.insertOne({ _id: '$writer:00', at: new Date(Date.now() - 2 * 86_400_000) })
  await telemetry.emit('page.viewed', user('u1', { dedupeKey: 'k' }))
  t.equal(await notes.countDocuments({ _id: '$writer:00' }), 0)
  t.ok(await notes.findOne({ _id: /^\$writer:/ }), 'those that live are noted')
})

test('what waits for room when a process closes is written', async (t) => {
  const { db, telemetry } = await open(t, (storage) => storage, { maxQueued: 1 })
  const sent = ['u1', 'u2', 'u3'].map((id) => telemetry.emit('page.viewed', user(id)))
  await telemetry.close()
  t.same(
    (await Promise.all(sent)).map(({ outcome }) => outcome),
    ['queued', 'queued', 'queued']
  )
  t.equal(await db.collection('telemetry').countDocuments(), 3)
  t.same(await differences(db, REGISTRY), [])
})

test('an export that is turned away halfway ends no process when the rest cannot be written', async (t) => {
  const { app, mint, post, telemetry, client } = await openWire(t, {}, { maxQueued: 1 })
  const key = await mint({ maxPerMinute: 1_000_000 })
  await post(key, batch(viewed({ _id: randomUUID() })))
  const unheard: unknown[] = []
  const hear = (error: unknown) => unheard.push(error)
  process.on('unhandledRejection', hear)
  t.teardown(() => void process.off('unhandledRejection', hear))
  const { startSession } = client
  client.startSession = () => {
    throw new Error('connection lost')
  }
  const logRecords = Array.from({ length: 2500 }, (_, n) => ({ body: { intValue: n } }))
  const reply = await app.inject({
    method: 'POST',
    url: '/ingest/v1/logs',
    headers: { authorization: `Bearer ${key}` },
    payload: { resourceLogs: [{ scopeLogs: [{ logRecords }] }] }
  })
  t.equal(reply.statusCode, 429)
  await telemetry.flush()
  await new Promise(setImmediate)
  client.startSession = startSession
  t.same(unheard, [])
})
