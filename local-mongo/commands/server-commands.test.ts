// Commands on databases, collections, indexes, sessions and the server itself.
import type { W } from 'mongodb'
import { Long, Timestamp, UUID } from 'mongodb'
import { test } from 'tap'
import { rawConnection, startTestServer } from '../server/test-server.fixture.ts'

test('the server presents itself as the primary of a one-member set', async (t) => {
  const { db, server } = await startTestServer(t)
  t.match(await db.admin().command({ hello: 1 }), {
    isWritablePrimary: true,
    secondary: false,
    setName: 'keelson',
    hosts: [server.address],
    me: server.address,
    primary: server.address,
    logicalSessionTimeoutMinutes: 30,
    maxWireVersion: 25
  })
  t.match(await db.admin().command({ buildInfo: 1 }), {
    version: '8.0.0',
    versionArray: [8, 0, 0, 0],
    modules: ['keelson-local']
  })
  t.match(await db.command({ connectionStatus: 1 }), { authInfo: { authenticatedUsers: [] } })
  t.match(await db.command({ whatsmyuri: 1 }), { you: /127\.0\.0\.1/ })
})

test('serverStatus tells what is open', async (t) => {
  const { db } = await startTestServer(t)
  t.match(await db.command({ serverStatus: 1 }), {
    pid: process.pid,
    connections: { current: Number, totalCreated: Number },
    storageEngine: { name: 'lmdb' },
    metrics: { cursor: { open: { total: 0 } } },
    repl: { setName: 'keelson' }
  })
})

test('a cluster time more than a year ahead is refused, and moves no clock', async (t) => {
  const { db, port } = await startTestServer(t)
  const raw = await rawConnection(t, port)
  const nextYear = Math.floor(Date.now() / 1000) + 367 * 24 * 3600
  const clusterTime = new Timestamp({ t: nextYear, i: 1 })
  const $clusterTime = { clusterTime }
  t.match(await raw.command({ ping: 1, $db: 'admin', $clusterTime }), { ok: 0, code: 209 })
  const { operationTime } = await db.command({ ping: 1 })
  t.ok(operationTime.lessThan(clusterTime))
})

test('parameters can be asked for', async (t) => {
  const { db } = await startTestServer(t)
  const admin = db.admin()
  t.match(await admin.command({ getParameter: 1, featureCompatibilityVersion: 1 }), {
    featureCompatibilityVersion: { version: '8.0' }
  })
  t.match(await admin.command({ getParameter: '*' }), { enableTestCommands: false })
  await t.rejects(admin.command({ getParameter: 1, nope: 1 }), { code: 72 })
})

test('the TTL monitor is switched off and on', async (t) => {
  const { db } = await startTestServer(t)
  const admin = db.admin()
  const asked = { getParameter: 1, ttlMonitorEnabled: 1 }
  t.match(await admin.command({ setParameter: 1, ttlMonitorEnabled: false }), { was: true })
  t.match(await admin.command(asked), { ttlMonitorEnabled: false })
  t.match(await admin.command({ setParameter: 1, ttlMonitorEnabled: true }), { was: false })
  t.match(await admin.command(asked), { ttlMonitorEnabled: true })
})

for (const [name, command, code] of [
  ['no parameter to set', { setParameter: 1, $db: 'admin' }, 72],
  ['two parameters to set', { setParameter: 1, ttlMonitorEnabled: true, x: 1, $db: 'admin' }, 72],
  ['an unknown parameter', { setParameter: 1, nope: 1, $db: 'admin' }, 72],
  ['a parameter that is fixed', { setParameter: 1, cursorTimeoutMillis: 1, $db: 'admin' }, 20],
  ['a parameter of the wrong type', { setParameter: 1, ttlMonitorEnabled: 'no', $db: 'admin' }, 14],
  ['an unknown command', { nope: 1 }, 59],
  ['a database name with a slash', { find: 'c', $db: '../d' }, 73],
  ['a collection name with NUL', { find: '\0' }, 73],
  ['a collection that is a number', { find: 7 }, 73],
  ['an empty collection name', { find: '' }, 73],
  ['a command of the admin database elsewhere', { listDatabases: 1 }, 13],
  ['an unknown field', { find: 'c', nope: 1 }, 40_415],
  ['a negative skip', { find: 'c', skip: -1 }, 51_024],
  ['a tailable cursor', { find: 'c', tailable: true }, 2],
  ['a cursor id of the wrong type', { getMore: 'x', collection: 'c' }, 14],
  ['an unknown cursor', { getMore: Long.fromNumber(-1), collection: 'c' }, 43],
  ['no index to create', { createIndexes: 'c', indexes: [] }, 2],
  ['an index choice of the wrong type', { dropIndexes: 'c', index: 1 }, 14],
  ['a repair', { validate: 'c', repair: true }, 72],
  ['a scale of 0', { dbStats: 1, scale: 0 }, 2],
  ['a command outside the stable API', { dbStats: 1, apiVersion: '1', apiStrict: true }, 323],
  ['distinct in strict mode', { distinct: 'c', key: 'a', apiVersion: '1', apiStrict: true }, 323],
  [
    'a stage outside the stable API',
    {
      aggregate: 1,
      pipeline: [{ $listLocalSessions: {} }],
      cursor: {},
      apiVersion: '1',
      apiStrict: true
    },
    323
  ],
  [
    'an explained pipeline with a write concern',
    { aggregate: 'c', pipeline: [], explain: true, writeConcern: { w: 1 } },
    9
  ],
  [
    'a failpoint of a server that is not for tests',
    { configureFailPoint: 'failCommand', mode: 'off', $db: 'admin' },
    59
  ],
  ['letting go of a server that is not shared', { keelsonRelease: 1, $db: 'admin' }, 59],
  ['holding a server that is not shared', { keelsonHold: 1, $db: 'admin' }, 59],
  [
    'a login where no password is asked for',
    { saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: '' },
    18
  ],
  [
    'a snapshot read of a command without them',
    { count: 'c', readConcern: { level: 'snapshot' } },
    72
  ]
] as [string, Record<string, unknown>, number][]) {
  test(`${name} is refused with ${code}`, async (t) => {
    const { port, events } = await startTestServer(t)
    const raw = await rawConnection(t, port)
    t.match(await raw.command({ ...command, $db: command['$db'] ?? 'test' }), { ok: 0, code })
    t.match(events.at(-1), { message: 'a command was refused', command: Object.keys(command)[0] })
  })
}

test('a command without a database, and an empty one, are refused', async (t) => {
  const { port } = await startTestServer(t)
  const raw = await rawConnection(t, port)
  t.match(await raw.command({ ping: 1 }), { ok: 0, code: 40_571 })
  t.match(await raw.command({}), { ok: 0, code: 59 })
})

test('collections are made, listed, changed, renamed and dropped', async (t) => {
  const { db } = await startTestServer(t)
  await db.createCollection('a')
  await t.rejects(db.createCollection('a', { collation: { locale: 'en', strength: 2 } }), {
    code: 48
  })
  const [listed] = await db.listCollections({ name: 'a' }).toArray()
  t.match(listed, { name: 'a', type: 'collection', info: { readOnly: false } })
  t.same(await db.listCollections({}, { nameOnly: true }).toArray(), [
    { name: 'a', type: 'collection' }
  ])
  await db.collection('a').rename('b')
  t.same(
    (await db.listCollections().toArray()).map(({ name }) => name),
    ['b']
  )
  t.match(await db.command({ drop: 'b' }), { ok: 1, ns: 'test.b', nIndexesWas: 1 })
  t.match(await db.command({ drop: 'b' }), { ok: 1 })
})

test('databases are listed and dropped', async (t) => {
  const { client, db } = await startTestServer(t)
  await db.collection('c').insertOne({})
  const { databases, totalSize } = await db.admin().listDatabases()
  t.match(databases, [
    { name: 'admin', empty: false },
    { name: 'test', empty: false }
  ])
  t.ok(Number(totalSize) > 0)
  t.match(await db.admin().listDatabases({ nameOnly: true, filter: { name: 'x' } }), {
    databases: []
  })
  t.equal(await db.dropDatabase(), true)
  t.same((await client.db('admin').admin().listDatabases({ nameOnly: true })).databases, [
    { name: 'admin' }
  ])
})

test('indexes are made, listed, hidden and dropped', async (t) => {
  const { db } = await startTestServer(t)
  const c = db.collection('c')
  t.match(await db.command({ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a' }] }), {
    numIndexesBefore: 1,
    numIndexesAfter: 2,
    createdCollectionAutomatically: true
  })
  t.match(await db.command({ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a' }] }), {
    note: 'all indexes already exist'
  })
  await db.command({ collMod: 'c', index: { name: 'a', hidden: true } })
  t.match(await c.indexes(), [{ name: '_id_' }, { name: 'a', hidden: true }])
  t.match(await db.command({ dropIndexes: 'c', index: 'a' }), { nIndexesWas: 2 })
  t.match(await db.command({ dropIndexes: 'c', index: '*' }), { ok: 1 })
  await t.rejects(db.command({ dropIndexes: 'c', index: ['a', 'b'] }), { code: 27 })
})

test('statistics are scaled as asked', async (t) => {
  const { db } = await startTestServer(t)
  await db.collection('c').insertOne({ text: 'x'.repeat(5000) })
  const bytes = await db.command({ collStats: 'c' })
  const kilobytes = await db.command({ collStats: 'c', scale: 1024 })
  t.equal(bytes['ns'], 'test.c')
  t.equal(kilobytes['size'], Math.floor(bytes['size'] / 1024))
  t.equal(kilobytes['scaleFactor'], 1024)
  t.match(await db.command({ dbStats: 1 }), { db: 'test', collections: 1 })
  t.match(await db.command({ validate: 'c' }), { valid: true })
  t.match(await db.command({ validate: 'c', scandata: false }), { valid: true })
})

test('an impossible write concern is reported, and the write is kept', async (t) => {
  const { db } = await startTestServer(t)
  for (const [w, code] of [
    [9, 100],
    ['elsewhere', 79]
  ] as [W, number][]) {
    await t.rejects(db.collection('c').insertOne({ w }, { writeConcern: { w } }), { code })
    t.equal(await db.collection('c').countDocuments({ w }), 1)
  }
})

test('running commands are listed and can be killed', async (t) => {
  const { db, connect } = await startTestServer(t)
  const other = await connect({ appName: 'watcher' })
  const stream = other.db('test').collection('c').watch([], { maxAwaitTimeMS: 30_000 })
  const ended = stream.next().then(
    () => 'an event',
    (error: Error) => error.message
  )
  const find = async (): Promise<number> => {
    const { inprog } = await db
      .admin()
      .command({ currentOp: 1, appName: 'watcher', ns: 'test.$cmd' })
    return inprog[0]?.opid ?? find()
  }
  t.match(await db.admin().command({ killOp: 1, op: await find() }), { ok: 1 })
  await stream.close()
  t.match(await ended, /interrupted|closed/i)
})

test('sessions are started, kept and ended with what they hold', async (t) => {
  const { client, db } = await startTestServer(t)
  const started = await db.admin().command({ startSession: 1 })
  t.equal(started['timeoutMinutes'], 30)
  t.match(await db.admin().command({ refreshSessions: [started['id']] }), { ok: 1 })
  await db.collection('c').insertMany(Array.from({ length: 5 }, (_, a) => ({ a })))
  for (const end of ['endSessions', 'killSessions', 'killAllSessions']) {
    const session = client.startSession()
    const options = { session, promoteLongs: false }
    const { cursor } = await db.command({ find: 'c', batchSize: 2 }, options)
    await db.admin().command({ [end]: end === 'killAllSessions' ? [] : [session.id] })
    await t.rejects(db.command({ getMore: cursor.id, collection: 'c' }, options), { code: 43 })
    await session.endSession()
  }
  t.match(await db.admin().command({ killSessions: [] }), { ok: 1 })
  await t.rejects(db.admin().command({ endSessions: [{ id: new UUID().toHexString() }] }), {
    code: 14
  })
})

test('operations and sessions can be read by a pipeline', async (t) => {
  const { client, db } = await startTestServer(t)
  const admin = client.db('admin')
  t.match(await admin.aggregate([{ $currentOp: {} }, { $match: { type: 'op' } }]).toArray(), [
    { command: { aggregate: 1 } }
  ])
  const sessions = [{ $listLocalSessions: {} }, { $limit: 1 }, { $project: { lastUse: 1 } }]
  t.match(await admin.aggregate(sessions).toArray(), [{ lastUse: Date }])
  await t.rejects(db.aggregate([{ $currentOp: {} }]).toArray(), { code: 73 })
  await t.rejects(db.collection('c').aggregate(sessions).toArray(), { code: 73 })
})

test('what waits for its client is listed on request, with the commands at work', async (t) => {
  const { client, db } = await startTestServer(t)
  const admin = client.db('admin')
  const c = db.collection<{ _id: number }>('c')
  await c.insertMany(Array.from({ length: 5 }, (_, _id) => ({ _id })))
  const session = client.startSession()
  t.teardown(() => session.endSession())
  session.startTransaction()
  await c.insertOne({ _id: 9 }, { session })
  const cursor = c.find({}, { batchSize: 2 })
  t.teardown(() => cursor.close())
  await cursor.next()
  const listed = (spec: object) =>
    admin.aggregate([{ $currentOp: spec }, { $match: { active: { $ne: true } } }]).toArray()
  t.match(await listed({}), [
    { type: 'idleSession', lsid: session.id, transaction: { parameters: { autocommit: false } } }
  ])
  t.same(await listed({ idleSessions: false }), [])
  const cursors = await listed({ idleSessions: false, idleCursors: true })
  t.match(cursors, [{ type: 'idleCursor', ns: 'test.c' }])
  // The driver reads a small id as a number.
  t.equal(String(cursors[0]?.['cursor'].cursorId), String(cursor.id))
  t.match(await admin.command({ currentOp: 1, type: 'idleSession' }), {
    inprog: [{ active: false }]
  })
  await t.rejects(admin.aggregate([{ $currentOp: { idle: true } }]).toArray(), { code: 40_415 })
  await t.rejects(admin.aggregate([{ $currentOp: 1 }]).toArray(), { code: 14 })
})

test('connections without a command are listed for those who ask', async (t) => {
  const { client, connect } = await startTestServer(t)
  const other = await connect({ appName: 'resting' })
  await other.db('admin').command({ ping: 1 })
  const admin = client.db('admin')
  const resting = { appName: 'resting', active: false, op: 'none' }
  const { inprog } = await admin.command({ currentOp: 1, $all: true, ...resting })
  t.match(inprog, [{ type: 'op', desc: /^conn\d+$/ }])
  t.same((await admin.command({ currentOp: 1, ...resting }))['inprog'], [])
})

test('a command at work is listed with its arguments, unless they are long', async (t) => {
  const { client } = await startTestServer(t)
  const admin = client.db('admin')
  const command = async (comment: string) => {
    const [listed] = await admin.aggregate([{ $currentOp: {} }], { comment }).toArray()
    return listed?.['command']
  }
  t.match(await command('short'), {
    aggregate: 1,
    pipeline: [{ $currentOp: {} }],
    comment: 'short'
  })
  const long = await command('x'.repeat(20_000))
  t.match(long, { aggregate: 1, $truncated: /pipeline/ })
  t.notOk('comment' in long)
})

test('a pipeline that takes longer than it may is ended', async (t) => {
  const { db } = await startTestServer(t)
  await db.collection('c').insertMany(Array.from({ length: 2000 }, (_, a) => ({ a })))
  const pipeline = [
    { $lookup: { from: 'c', pipeline: [{ $match: { b: 1 } }], as: 'x' } },
    { $count: 'n' }
  ]
  await t.rejects(db.collection('c').aggregate(pipeline, { maxTimeMS: 1 }).toArray(), { code: 50 })
})
