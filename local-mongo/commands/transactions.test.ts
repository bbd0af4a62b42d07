// Sessions and transactions over the wire: flow, refusals, labels, retries, snapshots, failpoints.
import type { ClientSession, MongoServerError } from 'mongodb'
import { Binary, Long } from 'mongodb'
import { test } from 'tap'
import { rawConnection, startTestServer } from '../server/test-server.fixture.ts'

const lsid = () => ({ id: new Binary(Buffer.alloc(16, 5), 4) })
const failure = (promise: Promise<unknown>): Promise<MongoServerError> =>
  promise.then(
    () => {
      throw new Error('it succeeded')
    },
    (error: MongoServerError) => error
  )

test('a transaction is seen when it commits, and may be committed again', async (t) => {
  const { client, db } = await startTestServer(t)
  const c = db.collection<{ _id: number }>('c')
  await c.insertOne({ _id: 0 })
  await client.withSession(async (session: ClientSession) => {
    session.startTransaction()
    await c.insertOne({ _id: 1 }, { session })
    t.equal(await c.countDocuments(), 1)
    t.equal((await c.find({}, { session }).toArray()).length, 2)
    await session.commitTransaction()
    await session.commitTransaction()
  })
  t.equal(await c.countDocuments(), 2)
})

test('a statement with a write error ends its transaction', async (t) => {
  const { client, db } = await startTestServer(t)
  const c = db.collection<{ _id: number }>('c')
  await c.insertOne({ _id: 1 })
  await client.withSession(async (session) => {
    session.startTransaction()
    await c.insertOne({ _id: 2 }, { session })
    t.equal((await failure(c.insertOne({ _id: 1 }, { session }))).code, 11_000)
    const after = await failure(c.insertOne({ _id: 3 }, { session }))
    t.equal(after.code, 251)
    t.ok(after.hasErrorLabel('TransientTransactionError'))
  })
  t.equal(await c.countDocuments(), 1)
})

test('a refused statement ends its transaction and its cursors', async (t) => {
  const { client, db } = await startTestServer(t)
  const c = db.collection<{ _id: number }>('c')
  await c.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }])
  await client.withSession(async (session) => {
    session.startTransaction()
    const cursor = c.find({}, { session, batchSize: 1 })
    await cursor.next()
    await failure(db.command({ find: 'c', nope: 1 }, { session }))
    t.equal((await failure(cursor.next().then(() => cursor.next()))).code, 251)
    await cursor.close()
  })
})

test('statements and ends of transactions that are not there are refused', async (t) => {
  const { port } = await startTestServer(t)
  const raw = await rawConnection(t, port)
  const transaction = { lsid: lsid(), txnNumber: Long.fromNumber(7), autocommit: false }
  t.match(await raw.command({ find: 'c', ...transaction, $db: 'test' }), { code: 251 })
  t.match(await raw.command({ commitTransaction: 1, ...transaction, $db: 'admin' }), {
    code: 251,
    errorLabels: ['TransientTransactionError']
  })
  t.match(await raw.command({ abortTransaction: 1, ...transaction, $db: 'admin' }), { code: 251 })
  t.match(await raw.command({ abortTransaction: 1, $db: 'admin' }), { code: 125 })
  const begin = { ...transaction, startTransaction: true, $db: 'test' }
  t.match(await raw.command({ insert: 'c', documents: [{ _id: 1 }], ...begin }), { ok: 1 })
  t.match(await raw.command({ find: 'c', ...begin, txnNumber: Long.fromNumber(6) }), { code: 225 })
  t.match(await raw.command({ abortTransaction: 1, ...transaction, $db: 'admin' }), { ok: 1 })
})

test('a repeated write with the same number is done once', async (t) => {
  const { port } = await startTestServer(t)
  const raw = await rawConnection(t, port)
  const update = {
    update: 'c',
    updates: [{ q: { _id: 1 }, u: { $inc: { n: 1 } }, upsert: true }],
    lsid: lsid(),
    txnNumber: Long.fromNumber(1),
    $db: 'test'
  }
  t.match(await raw.command(update), { n: 1, ok: 1 })
  t.match(await raw.command(update), { n: 1, retriedStmtIds: [0] })
  const bulk = {
    bulkWrite: 1,
    ops: [
      { insert: 0, document: { _id: 2 } },
      { update: 0, filter: { _id: 1 }, updateMods: { $inc: { n: 1 } } }
    ],
    nsInfo: [{ ns: 'test.c' }],
    lsid: lsid(),
    txnNumber: Long.fromNumber(2),
    $db: 'admin'
  }
  t.match(await raw.command(bulk), { nInserted: 1, nModified: 1 })
  t.match(await raw.command(bulk), { nInserted: 1, nModified: 1, retriedStmtIds: [0, 1] })
  const found = await raw.command({ find: 'c', filter: { _id: 1 }, $db: 'test' })
  t.same(found['cursor'].firstBatch, [{ _id: 1, n: 2 }])
})

test('a write of many documents cannot be made once-only', async (t) => {
  const { port } = await startTestServer(t)
  const raw = await rawConnection(t, port)
  const retry = { lsid: lsid(), txnNumber: Long.fromNumber(1) }
  for (const command of [
    { update: 'c', updates: [{ q: {}, u: { $set: { a: 1 } }, multi: true }], $db: 'test' },
    { delete: 'c', deletes: [{ q: {}, limit: 0 }], $db: 'test' },
    {
      bulkWrite: 1,
      ops: [{ delete: 0, filter: {}, multi: true }],
      nsInfo: [{ ns: 'a.b' }],
      $db: 'admin'
    }
  ]) {
    t.match(await raw.command({ ...command, ...retry }), { code: 72 })
  }
})

test('a snapshot session reads what was there when it began', async (t) => {
  const { client, db } = await startTestServer(t)
  const c = db.collection<{ _id: number; a: number }>('c')
  await c.insertOne({ _id: 1, a: 1 })
  const session = client.startSession({ snapshot: true })
  t.same(await c.find({}, { session }).toArray(), [{ _id: 1, a: 1 }])
  await c.updateOne({ _id: 1 }, { $set: { a: 2 } })
  t.same(await c.find({}, { session }).toArray(), [{ _id: 1, a: 1 }])
  t.same(await c.distinct('a', {}, { session }), [1])
  await session.endSession()
  t.same(await c.find().toArray(), [{ _id: 1, a: 2 }])
})

test('a snapshot session reads its later batches and ends its cursors', async (t) => {
  const { client, db } = await startTestServer(t)
  const c = db.collection<{ _id: number }>('c')
  await c.insertMany(Array.from({ length: 250 }, (_, _id) => ({ _id })))
  const session = client.startSession({ snapshot: true })
  t.equal((await c.find({}, { session }).toArray()).length, 250)
  t.equal((await c.aggregate([{ $match: {} }], { session }).toArray()).length, 250)
  const open = c.find({}, { session, batchSize: 2 })
  await open.next()
  await open.close()
  await session.endSession()
})

test('a bulkWrite in a transaction answers in several batches', async (t) => {
  const { client, db } = await startTestServer(t)
  await db.collection('a').insertOne({ a: 1 })
  const admin = client.db('admin')
  const session = client.startSession()
  session.startTransaction()
  const ops = [5, 6, 7].map((id) => ({ insert: 0, document: { _id: id } }))
  const bulk = { bulkWrite: 1, ops, nsInfo: [{ ns: `${db.databaseName}.a` }] }
  const first = await admin.command(
    { ...bulk, cursor: { batchSize: 1 } },
    { session, promoteLongs: false }
  )
  const { id } = first['cursor']
  const next = await admin.command({ getMore: id, collection: '$cmd.bulkWrite' }, { session })
  t.equal(next['cursor'].nextBatch.length, 2)
  await session.commitTransaction()
  await session.endSession()
  t.equal(await db.collection('a').countDocuments(), 4)
})

test('a failpoint fails the commands it names, as often as it says', async (t) => {
  const { db } = await startTestServer(t, { testCommands: true }, { retryReads: false })
  const set = (mode: unknown, data: object = {}) =>
    db.admin().command({ configureFailPoint: 'failCommand', mode, data })
  await set({ times: 2 }, { failCommands: ['find'], errorCode: 8 })
  for (const _ of [1, 2]) {
    t.equal((await failure(db.collection('c').findOne())).codeName, 'UnknownError')
  }
  t.equal(await db.collection('c').findOne(), null)
  await set({ skip: 1 }, { failCommands: ['find'], errorCode: 8, appName: 'other' })
  t.equal(await db.collection('c').findOne(), null)
  await set({ skip: 1 }, { failCommands: ['find'], errorCode: 8 })
  t.equal(await db.collection('c').findOne(), null)
  t.equal((await failure(db.collection('c').findOne())).code, 8)
  t.match(await set('off'), { count: 3 })
  await t.rejects(db.admin().command({ configureFailPoint: 'nope', mode: 'off' }), { code: 2 })
})

test('a failpoint may cut the connection, wait, and choose labels and write concern errors', async (t) => {
  const { db } = await startTestServer(
    t,
    { testCommands: true },
    { retryWrites: false, retryReads: false }
  )
  const set = (data: object) =>
    db.admin().command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data })
  await set({ failCommands: ['insert'], closeConnection: true })
  t.match(await failure(db.collection('c').insertOne({})), { name: 'MongoNetworkError' })
  await set({ failCommands: ['insert'], errorCode: 91, errorLabels: ['X'] })
  const labeled = await failure(db.collection('c').insertOne({}))
  t.equal(labeled.hasErrorLabel('X'), true)
  t.equal(labeled.hasErrorLabel('RetryableWriteError'), false)
  await set({ failCommands: ['insert'], blockConnection: true, blockTimeMS: 5 })
  await db.collection('c').insertOne({})
  await set({
    failCommands: ['insert'],
    writeConcernError: { code: 64, errmsg: 'waiting', errInfo: { wtimeout: true } }
  })
  await t.rejects(db.collection('c').insertOne({}), { code: 64 })
  t.equal(await db.collection('c').countDocuments(), 2)
})

test('an error of a write has the failure of its write concern beside it', async (t) => {
  const { db } = await startTestServer(t, { testCommands: true })
  const wrong = {
    update: 'c',
    updates: [{ q: {}, u: { $set: { a: 1 } } }],
    bypassDocumentValidation: 'x',
    writeConcern: { w: 3 }
  }
  t.match(await failure(db.command(wrong)), {
    code: 14,
    errorResponse: { ok: 0, code: 14, writeConcernError: { code: 100 } }
  })
  const read = await failure(db.command({ find: 1 }))
  t.notOk('writeConcernError' in read.errorResponse)
  await db.admin().command({
    configureFailPoint: 'failCommand',
    mode: { times: 1 },
    data: {
      failCommands: ['insert'],
      errorCode: 91,
      writeConcernError: { code: 64, errmsg: 'waiting' }
    }
  })
  const insert = { insert: 'c', documents: [{}] }
  t.match(await failure(db.command(insert)), {
    errorResponse: { code: 91, writeConcernError: { code: 64, errmsg: 'waiting' } }
  })
})

test('the driver retries a write whose connection was cut, and it is done once', async (t) => {
  const { db } = await startTestServer(t, { testCommands: true })
  await db.admin().command({
    configureFailPoint: 'failCommand',
    mode: { times: 1 },
    data: { failCommands: ['insert'], closeConnection: true }
  })
  await db.collection('c').insertOne({ a: 1 })
  t.equal(await db.collection('c').countDocuments(), 1)
})
