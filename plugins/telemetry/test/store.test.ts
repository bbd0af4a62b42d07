// Writing through emit, on a real database: outcomes, idempotency, atomic rollups.
// Runs beside the others: it waits for much of its time.

import { databaseUri, type TestDatabase, testDatabase } from '@keelson/sdk/testing'
import { type Binary, MongoClient } from 'mongodb'
import { test } from 'tap'
import { createQueries } from '../create-queries.ts'
import { createTelemetry, type TelemetryOptions } from '../create-telemetry.ts'
import { wireId } from '../envelope/stored-id.ts'
import type { EmitRecord } from '../envelope/types.ts'
import type { Telemetry } from '../telemetry.ts'
import { differences, storedRollups } from './recount.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

type T = Parameters<typeof testDatabase>[0]

async function openStore(
  t: T,
  more: Partial<TelemetryOptions> = {}
): Promise<TestDatabase & { telemetry: Telemetry }> {
  const database = await testDatabase(t)
  const telemetry = createTelemetry({
    registry: SAMPLE_SPEC,
    connection: database.db,
    gatherMs: 0,
    ...more
  })
  await telemetry.syncIndexes()
  database.commands()
  return { ...database, telemetry }
}

const user = (id: string, more: Partial<EmitRecord> = {}): EmitRecord => ({
  tenantId: 'acme',
  service: 'web',
  release: 'r1',
  env: 'prod',
  subjects: [{ type: 'user', id }],
  ...more
})
const usage = (idempotencyKey: string, more: Partial<EmitRecord> = {}) =>
  user('u1', {
    attrs: { model: 'm' },
    metrics: { cost_usd: 0.5 },
    usage: { meter: 'tokens', quantity: 1, unit: 'token', idempotencyKey },
    ...more
  })

test('a record and its rollups are there after flush, in one transaction', async (t) => {
  const { telemetry, db, commands } = await openStore(t)
  await telemetry.emit('account.activated', user('u2'))
  await telemetry.flush()
  commands()
  const { outcome } = await telemetry.emit(
    'account.signed_up',
    user('u1', { attrs: { plan: 'pro' } })
  )
  t.equal(outcome, 'queued')
  await telemetry.flush()
  t.same(commands(), ['insert', 'update', 'commitTransaction'])
  t.equal(await db.collection('telemetry').countDocuments(), 2)
  t.same(await differences(db, SAMPLE_SPEC), [])
})

test('a thousand records take three commands', async (t) => {
  const { telemetry, db, commands } = await openStore(t, { gatherMs: 20 })
  await telemetry.emit('account.activated', user('u2'))
  await telemetry.flush()
  commands()
  await Promise.all(
    Array.from({ length: 1000 }, (_, n) =>
      telemetry.emit(
        'page.viewed',
        user(`u${n % 50}`, { attrs: { source: `s${n % 7}` }, metrics: { load_ms: n } })
      )
    )
  )
  await telemetry.flush()
  t.same(commands(), ['insert', 'update', 'commitTransaction'])
  t.same(await differences(db, SAMPLE_SPEC), [])
})

test('an earlier record that comes later corrects first time, captures and trace', async (t) => {
  const { telemetry, db } = await openStore(t)
  const at = Date.now() - 60_000
  const sent: readonly [number, string, string | undefined][] = [
    [at, 'ads', 'trace-b'],
    [at - 5000, 'blog', undefined],
    [at - 9000, '$$ROOT', '$tenantId'],
    [at + 5000, 'late', 'trace-d']
  ]
  for (const [occurredAt, source, traceId] of sent) {
    await telemetry.emit(
      'account.signed_up',
      user('u1', {
        occurredAt,
        attrs: { source, plan: 'free' },
        ...(traceId !== undefined && { traceId })
      })
    )
    await telemetry.flush()
    t.same(await differences(db, SAMPLE_SPEC), [])
  }
  const stored = (await storedRollups(db)).get('acme signed_up user:u1 ')
  t.match(stored, {
    count: 4,
    capture: { 'attr:source': '$$ROOT', 'attr:plan': 'free' },
    trace: '$tenantId'
  })
})

test('a repeated usage key is one row and one count, per tenant', async (t) => {
  const { telemetry, db } = await openStore(t)
  const outcomes = []
  for (const tenantId of ['acme', 'acme', 'globex']) {
    outcomes.push((await telemetry.emit('llm.tokens', usage('k1', { tenantId }))).outcome)
  }
  t.same(outcomes, ['written', 'deduped', 'written'])
  t.equal(telemetry.counters.deduped, 1)
  t.same(await differences(db, SAMPLE_SPEC), [])
})

test('repeats within one flush and across concurrent ones count once', async (t) => {
  const { telemetry, db } = await openStore(t, { gatherMs: 10 })
  const results = await Promise.all(
    Array.from({ length: 20 }, () => telemetry.emit('llm.tokens', usage('same')))
  )
  t.equal(results.filter(({ outcome }) => outcome === 'written').length, 1)
  t.equal(results.filter(({ outcome }) => outcome === 'deduped').length, 19)
  t.equal(await db.collection('telemetry').countDocuments(), 1)
  t.same(await differences(db, SAMPLE_SPEC), [])
})

test('a dedupeKey holds per tenant, and survives sampling', async (t) => {
  const { telemetry } = await openStore(t)
  const emit = async (tenantId: string, dedupeKey: string) =>
    (await telemetry.emit('cache.read', { tenantId, dedupeKey })).outcome
  t.same(
    [
      await emit('acme', 'a'),
      await emit('acme', 'a'),
      await emit('acme', 'b'),
      await emit('globex', 'a')
    ],
    ['written', 'deduped', 'written', 'written']
  )
})

test('bad usage throws, and nothing of it is counted', async (t) => {
  const { telemetry, db } = await openStore(t)
  await t.rejects(telemetry.emit('llm.tokens', user('u1')), { code: 'TEL_USAGE_REJECTED' })
  await telemetry.flush()
  t.equal(await db.collection('telemetry_rollups').countDocuments(), 0)
  t.equal(telemetry.counters.rejected, 1)
  t.match(await telemetry.quarantine('acme'), [{ name: 'llm.tokens', reason: /needs usage/ }])
})

test('what is refused is quarantined for its tenant, and reaches neither plane', async (t) => {
  const { telemetry, db } = await openStore(t)
  const outcomes = [
    await telemetry.emit('no.such', user('u1')),
    await telemetry.emit('page.viewed', user('u1', { tenantId: '*' })),
    await telemetry.emit('page.viewed', { tenantId: 'globex' }),
    await telemetry.emit('page.viewed', user('u1', { attrs: { $where: '1', 'a.b': 'x' } }))
  ]
  await telemetry.flush()
  t.same(
    outcomes.map(({ outcome }) => outcome),
    ['rejected', 'rejected', 'rejected', 'rejected']
  )
  t.equal(await db.collection('telemetry').countDocuments(), 0)
  t.equal(await db.collection('telemetry_rollups').countDocuments(), 0)
  t.equal(telemetry.counters.rejected, 4)
  t.same(
    (await telemetry.quarantine('globex')).map(({ reason }) => reason),
    ['subject user is missing']
  )
  t.match((await telemetry.quarantine('acme')).map(({ name }) => name).sort(), [
    'no.such',
    'page.viewed'
  ])
  t.equal((await telemetry.quarantine('*')).length, 4)
  t.match(
    (await telemetry.quarantine('*')).find(({ tenantId }) => tenantId === null)?.reason,
    /reserved/
  )
})

test('an error storm is capped in rows and counted in full by rollups', async (t) => {
  const { telemetry, db } = await openStore(t, { gatherMs: 10 })
  const storm = (type: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        telemetry.emit('app.error', {
          tenantId: 'acme',
          service: 'web',
          error: { type, message: 'm' }
        })
      )
    )
  const results = await storm('Loop', 70)
  await storm('Other', 5)
  await telemetry.flush()
  t.equal(results.filter(({ outcome }) => outcome === 'capped').length, 10)
  t.equal(telemetry.counters.capped, 10)
  t.equal(await db.collection('telemetry').countDocuments({ 'error.type': 'Loop' }), 60)
  t.equal(await db.collection('telemetry').countDocuments({ 'error.type': 'Other' }), 5)
  const issue = await db
    .collection('telemetry_rollups')
    .findOne({ as: 'errors_daily', dims: 'error.type=Loop' })
  t.equal(issue?.['count'], 70)
})

test('sampled rows are left out, stamped with the rate, and counted in full', async (t) => {
  const { telemetry, db } = await openStore(t, { gatherMs: 10 })
  await Promise.all(
    Array.from({ length: 400 }, () =>
      telemetry.emit('cache.read', { tenantId: 'acme', service: 'web' })
    )
  )
  await telemetry.emit('cache.read', {
    tenantId: 'acme',
    service: 'web',
    forceKeep: true,
    attrs: { route: 'forced' }
  })
  await telemetry.flush()
  const rows = await db
    .collection('telemetry')
    .find({ 'attrs.route': { $exists: false } })
    .toArray()
  t.ok(rows.length > 50 && rows.length < 150, `${rows.length} rows`)
  t.ok(rows.every((row) => row['sampleRate'] === 0.25))
  t.equal(telemetry.counters.sampled, 400 - rows.length)
  t.match(await db.collection('telemetry').findOne({ 'attrs.route': 'forced' }), { forced: true })
  const hourly = await db.collection('telemetry_rollups').find({ as: '$daily' }).toArray()
  t.equal(
    hourly.reduce((sum, one) => sum + one['count'], 0),
    401
  )
})

test('callers cannot set what is computed', async (t) => {
  const { telemetry, db } = await openStore(t)
  const sneaky = {
    ...user('u1'),
    _id: 'mine-0000000000000',
    kind: 'usage',
    name: 'x',
    sampleRate: 0.1,
    receivedAt: 0,
    rareKind: 'error'
  }
  await telemetry.emit('page.viewed', sneaky as unknown as EmitRecord)
  await telemetry.flush()
  const row = await db.collection('telemetry').findOne()
  t.match(row, { kind: 'event', name: 'page.viewed' })
  t.same([row?.['sampleRate'], row?.['rareKind']], [undefined, undefined])
  t.notMatch(wireId(row?._id as unknown as Binary), /mine/)
})

test('two writers on one database never lose or double a count', async (t) => {
  const { telemetry, db } = await openStore(t)
  const second = createTelemetry({ registry: SAMPLE_SPEC, connection: db, gatherMs: 1 })
  const lane = async (store: Telemetry, name: string) => {
    for (let n = 0; n < 60; n++) {
      await store.emit(
        'account.signed_up',
        user(`u${n % 5}`, {
          dedupeKey: `k${n}`,
          attrs: { plan: n % 2 ? 'free' : 'pro', source: name }
        })
      )
      void store.emit(
        'page.viewed',
        user(`u${n % 3}`, { attrs: { source: name }, metrics: { load_ms: n } })
      )
    }
    await store.flush()
  }
  await Promise.all([
    lane(telemetry, 'a'),
    lane(second, 'b'),
    lane(telemetry, 'a'),
    lane(second, 'b')
  ])
  t.equal(await db.collection('telemetry').countDocuments({ name: 'account.signed_up' }), 60)
  t.equal(await db.collection('telemetry').countDocuments({ name: 'page.viewed' }), 240)
  t.equal(telemetry.counters.deduped + second.counters.deduped, 180)
  t.same(await differences(db, SAMPLE_SPEC), [])
})

test('scoped reads cannot leave their tenant, and * is refused', async (t) => {
  const { telemetry } = await openStore(t)
  await telemetry.emit('llm.tokens', usage('a'))
  await telemetry.emit('llm.tokens', usage('b', { tenantId: 'globex' }))
  t.same((await telemetry.scoped('acme').find({ tenantId: 'globex' })).length, 0)
  t.same((await telemetry.scoped('acme').find()).length, 1)
  t.same((await telemetry.scoped('*').find()).length, 0)
  t.same((await telemetry.scoped('globex').aggregate([{ $count: 'n' }]))[0]?.['n'], 1)
  t.same((await telemetry.scoped('globex').rollups({ as: 'spend' })).length, 1)
  t.same(
    (await telemetry.scoped('globex').rollupAggregate([{ $match: { as: 'spend' } }])).length,
    1
  )
})

test('a checkpoint is null, comes back as set, and may be set back', async (t) => {
  const { telemetry } = await openStore(t)
  const checkpoint = telemetry.checkpoint('job')
  t.equal(await checkpoint.get(), null)
  for (const at of [new Date(2000), new Date(1000)]) {
    await checkpoint.advance(at)
    t.same(await checkpoint.get(), at)
  }
})

test('index sync is repeatable, drops orphaned payload indexes first, and keeps the budget', async (t) => {
  const { telemetry, db } = await openStore(t)
  await telemetry.syncIndexes()
  const names = async () =>
    (await db.collection('telemetry').listIndexes().toArray()).map((one) => one['name'] as string)
  t.ok((await names()).includes('attr_page_viewed_source'))
  t.equal(await telemetry.indexCount(), (await names()).length)
  t.ok((await names()).filter((name) => !/^(attr|metric)_/.test(name)).length <= 16)
  const smaller = createTelemetry({
    registry: { 'page.viewed': { kind: 'event' } },
    connection: db
  })
  await smaller.syncIndexes()
  t.notOk((await names()).some((name) => /^(attr|metric)_/.test(name)))
})

test('rows expire by kind and usage never does', async (t) => {
  const { telemetry, db } = await openStore(t)
  const occurredAt = Date.now()
  await telemetry.emit('llm.tokens', usage('a', { occurredAt }))
  await telemetry.emit('http.request', {
    tenantId: 'acme',
    occurredAt,
    traceId: 't',
    spanId: 's',
    durationMs: 1
  })
  await telemetry.flush()
  const row = (name: string) => db.collection('telemetry').findOne({ name })
  t.equal((await row('llm.tokens'))?.['expiresAt'], undefined)
  t.same((await row('http.request'))?.['expiresAt'], new Date(occurredAt + 90 * 86_400_000))
})

test('declaring data without a retention is warned about', async (t) => {
  const { db } = await testDatabase(t)
  const warnings: string[] = []
  const quiet = () => undefined
  const logger = {
    info: quiet,
    error: quiet,
    warn: (_: object, message: string) => void warnings.push(message)
  }
  createTelemetry({
    connection: db,
    logger,
    registry: {
      warned: { kind: 'event', data: true },
      decided: { kind: 'event', data: true, retentionDays: 30 },
      immortal: { kind: 'usage', data: true }
    }
  })
  t.equal(warnings.length, 1)
  t.match(warnings[0], /warned declares data/)
})

test('wrong options are refused by name', async (t) => {
  const { db } = await testDatabase(t)
  const make = (options: object) => () =>
    createTelemetry({ registry: {}, connection: db, ...options } as TelemetryOptions)
  t.throws(make({ collection: 'A b' }), { message: /collection/ })
  t.throws(make({ connection: undefined }), { message: /connection/ })
  t.throws(() => createQueries({ telemetry: {} as Telemetry }), { code: 'TEL_OPTION_INVALID' })
})

test('after close nothing is taken, and what was taken is written', async (t) => {
  const { telemetry, db } = await openStore(t)
  await telemetry.emit('page.viewed', user('u1'))
  await telemetry.close()
  t.equal(await db.collection('telemetry').countDocuments(), 1)
  await t.rejects(telemetry.emit('page.viewed', user('u1')), { code: 'TEL_CLOSED' })
})

test('names may be added before the first write, checked together', async (t) => {
  const { telemetry } = await openStore(t)
  telemetry.extendRegistry({ 'late.name': { kind: 'event' } })
  t.equal((await telemetry.emit('late.name', { tenantId: 'acme' })).outcome, 'queued')
  t.throws(() => telemetry.extendRegistry({ bad: { kind: 'thing' as 'event' } }), {
    code: 'TEL_REGISTRY_INVALID'
  })
  await telemetry.flush()
})

test('a rollup that was removed meanwhile is made anew, with nothing lost', async (t) => {
  const { telemetry, db } = await openStore(t)
  const emit = async () => {
    await telemetry.emit('account.signed_up', user('u1', { attrs: { plan: 'pro' } }))
    await telemetry.flush()
  }
  await emit()
  await emit()
  await db.collection('telemetry').deleteMany({})
  await db.collection('telemetry_rollups').deleteMany({})
  await emit()
  t.same(await differences(db, SAMPLE_SPEC), [])
})

test('documents this process has just written are updated without what only a new one needs', async (t) => {
  const { telemetry, client, db } = await openStore(t)
  const updates: { upsert?: boolean }[][] = []
  client.on('commandStarted', ({ command }) => {
    if (command['update'] === 'telemetry_rollups') updates.push(command['updates'])
  })
  for (let n = 0; n < 3; n++) {
    await telemetry.emit(
      'account.signed_up',
      user('u1', { attrs: { plan: 'pro' }, occurredAt: Date.now() + n })
    )
    await telemetry.flush()
  }
  t.same(
    updates.map((list) => list.filter((one) => one.upsert === true).length),
    [4, 0, 0]
  )
  t.same(await differences(db, SAMPLE_SPEC), [])
})

test('a storm of refusals is counted in full, and leaves room for the refusals of others', async (t) => {
  const { telemetry } = await openStore(t, { gatherMs: 20 })
  await Promise.all(Array.from({ length: 400 }, () => telemetry.emit('no.such', user('u1'))))
  await telemetry.emit('no.such', user('u1', { tenantId: 'globex' }))
  await telemetry.flush()
  t.equal(telemetry.counters.rejected, 401)
  t.equal((await telemetry.quarantine('acme', 1000)).length, 300)
  t.equal((await telemetry.quarantine('globex')).length, 1)
})

test('a new process ends the transaction that a killed one left open', async (t) => {
  const { telemetry, db } = await openStore(t)
  await telemetry.emit('account.activated', user('u1'))
  await telemetry.flush()
  // What kill -9 leaves: a transaction that holds a rollup document, and nobody to end it.
  const killed = await new MongoClient(await databaseUri()).connect()
  t.teardown(() => killed.close())
  const orphan = killed.startSession()
  orphan.startTransaction()
  const rollups = killed.db(db.databaseName).collection('telemetry_rollups')
  await rollups.updateOne({ as: 'activated' }, { $inc: { count: 100 } }, { session: orphan })
  const bytes = (orphan.id as unknown as { id: { buffer: Uint8Array } }).id.buffer
  const checkpoints = db.collection<{ _id: string; at: Date }>('telemetry_checkpoints')
  const id = Buffer.from(bytes).toString('hex')
  await checkpoints.insertOne({ _id: `$writer:${id}`, at: new Date() })
  const next = createTelemetry({ registry: SAMPLE_SPEC, connection: db, gatherMs: 0 })
  const { outcome } = await next.emit('account.activated', user('u1', { dedupeKey: 'k' }))
  t.equal(outcome, 'written')
  t.same(await differences(db, SAMPLE_SPEC), [])
  t.equal((await next.emit('account.activated', user('u1', { dedupeKey: 'l' }))).outcome, 'written')
  t.equal(
    (await telemetry.emit('account.activated', user('u1', { dedupeKey: 'm' }))).outcome,
    'written'
  )
  t.same(await differences(db, SAMPLE_SPEC), [])
})
