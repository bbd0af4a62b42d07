// Reading and writing commands through the official driver.
import { BSON, Long, ObjectId } from 'mongodb'
import { test } from 'tap'
import { rawConnection, startTestServer } from '../server/test-server.fixture.ts'

test('documents go in, are found, changed and deleted', async (t) => {
  const { db } = await startTestServer(t)
  const c = db.collection<{ _id: number; a: number }>('c')
  t.match(
    await c.insertMany([
      { _id: 1, a: 1 },
      { _id: 2, a: 2 }
    ]),
    { insertedCount: 2 }
  )
  t.same(await c.find({ a: { $gt: 1 } }).toArray(), [{ _id: 2, a: 2 }])
  t.match(await c.updateOne({ _id: 1 }, { $inc: { a: 5 } }), { matchedCount: 1, modifiedCount: 1 })
  t.match(await c.updateOne({ _id: 3 }, { $set: { a: 3 } }, { upsert: true }), { upsertedId: 3 })
  t.match(await c.deleteOne({ _id: 2 }), { deletedCount: 1 })
  t.same(await c.find({}, { sort: { _id: 1 } }).toArray(), [
    { _id: 1, a: 6 },
    { _id: 3, a: 3 }
  ])
  t.same(await c.distinct('a'), [6, 3])
  t.equal(await c.estimatedDocumentCount(), 2)
})

test('documents in the body of an insert command are taken as they are', async (t) => {
  const { db, port } = await startTestServer(t)
  const raw = await rawConnection(t, port)
  const documents = [{ z: 1, _id: 1, list: [1, { b: 'x' }] }, { _id: 2 }]
  t.match(await raw.command({ insert: 'c', documents, $db: 'test' }), { n: 2, ok: 1 })
  t.same(
    await db
      .collection('c')
      .find({}, { sort: { _id: 1 } })
      .toArray(),
    [{ _id: 1, z: 1, list: [1, { b: 'x' }] }, { _id: 2 }]
  )
})

test('a document without _id gets one', async (t) => {
  const { db, port } = await startTestServer(t)
  const raw = await rawConnection(t, port)
  await raw.command({ insert: 'c', documents: [{ a: 1 }], $db: 'test' })
  const found = await db.collection('c').findOne()
  t.ok(found?._id instanceof ObjectId)
  t.same(Object.keys(found ?? {}), ['_id', 'a'])
})

test('a duplicate is reported with its place, pattern and value', async (t) => {
  const { db, port } = await startTestServer(t)
  await db.collection('c').createIndex({ u: 1 }, { unique: true })
  const raw = await rawConnection(t, port)
  const documents = [
    { _id: 1, u: 1 },
    { _id: 2, u: 1 },
    { _id: 3, u: 2 }
  ]
  const reply = await raw.command({ insert: 'c', documents, ordered: false, $db: 'test' })
  t.match(reply, {
    ok: 1,
    n: 2,
    writeErrors: [{ index: 1, code: 11_000, keyPattern: { u: 1 }, keyValue: { u: 1 } }]
  })
})

test('findAndModify answers the document and what was done', async (t) => {
  const { db } = await startTestServer(t)
  const c = db.collection<{ _id: number; a: number }>('c')
  await c.insertOne({ _id: 1, a: 1 })
  const modify = { findAndModify: 'c', query: { _id: 1 } }
  t.match(await db.command({ ...modify, update: { $inc: { a: 1 } }, new: true }), {
    value: { _id: 1, a: 2 },
    lastErrorObject: { n: 1, updatedExisting: true }
  })
  t.match(
    await db.command({
      findAndModify: 'c',
      query: { _id: 2 },
      update: { $set: { a: 9 } },
      upsert: true
    }),
    { value: null, lastErrorObject: { n: 1, updatedExisting: false, upserted: 2 } }
  )
  t.match(await db.command({ ...modify, remove: true }), {
    value: { _id: 1, a: 2 },
    lastErrorObject: { n: 1 }
  })
})

for (const [name, fields] of Object.entries({
  'neither update nor remove': {},
  'update and remove': { update: {}, remove: true },
  'upsert and remove': { remove: true, upsert: true },
  'new and remove': { remove: true, new: true },
  'array filters and remove': { remove: true, arrayFilters: [] }
})) {
  test(`findAndModify with ${name} is refused`, async (t) => {
    const { db } = await startTestServer(t)
    await t.rejects(db.command({ findAndModify: 'c', ...fields }), { code: 9 })
  })
}

test('a cursor pages through everything once, in batches as asked', async (t) => {
  const { db } = await startTestServer(t)
  const c = db.collection<{ _id: number }>('c')
  await c.insertMany(Array.from({ length: 450 }, (_, _id) => ({ _id })))
  const first = await db.command({ find: 'c', sort: { _id: 1 } }, { promoteLongs: false })
  t.equal(first['cursor'].firstBatch.length, 101)
  t.ok(first['cursor'].id instanceof Long)
  const second = await db.command({ getMore: first['cursor'].id, collection: 'c', batchSize: 50 })
  t.equal(second['cursor'].nextBatch[0]._id, 101)
  t.equal(second['cursor'].nextBatch.length, 50)
  const last = await db.command({ getMore: first['cursor'].id, collection: 'c' })
  t.equal(last['cursor'].nextBatch.length, 299)
  t.equal(last['cursor'].id, 0)
  await t.rejects(db.command({ getMore: first['cursor'].id, collection: 'c' }), { code: 43 })
  t.equal((await c.find({}, { batchSize: 7 }).toArray()).length, 450)
})

test('a batch size of 0 opens the cursor alone, and a single batch leaves none', async (t) => {
  const { db } = await startTestServer(t)
  await db.collection('c').insertMany(Array.from({ length: 5 }, (_, a) => ({ a })))
  const none = await db.command({ find: 'c', batchSize: 0 }, { promoteLongs: false })
  t.same(none['cursor'].firstBatch, [])
  t.notOk(none['cursor'].id.isZero())
  const killed = await db.command({ killCursors: 'c', cursors: [none['cursor'].id, Long.ONE] })
  t.equal(killed['cursorsKilled'].length, 1)
  t.equal(killed['cursorsNotFound'].length, 1)
  const one = await db.command({ find: 'c', batchSize: 2, singleBatch: true })
  t.equal(one['cursor'].firstBatch.length, 2)
  t.equal(one['cursor'].id, 0)
})

test('killCursors wakes a getMore that waits for a change', async (t) => {
  const { db } = await startTestServer(t)
  await db.createCollection('c')
  const pipeline = [{ $changeStream: {} }]
  const { cursor } = await db.command(
    { aggregate: 'c', pipeline, cursor: {} },
    { promoteLongs: false }
  )
  const next = db.command({ getMore: cursor.id, collection: 'c', maxTimeMS: 600_000 })
  const refused = t.rejects(next, { code: 237 })
  // The kill is answered only once the getMore holds the cursor, or the getMore finds none: ask until it did.
  for (let isWaiting = false; !isWaiting; ) {
    const { inprog } = await db.admin().command({ currentOp: 1 })
    isWaiting = inprog.some((op: { command?: object }) => 'getMore' in (op.command ?? {}))
  }
  await db.command({ killCursors: 'c', cursors: [cursor.id] })
  await refused
})

test('a reply stays within 16 MiB of documents', async (t) => {
  const { db } = await startTestServer(t)
  const c = db.collection<{ _id: number; text: string }>('c')
  const text = 'x'.repeat(3 * 1024 * 1024)
  for (let _id = 0; _id < 8; _id++) await c.insertOne({ _id, text })
  const { cursor } = await db.command({ find: 'c', batchSize: 100 }, { promoteLongs: false })
  t.equal(cursor.firstBatch.length, 5)
  await db.command({ killCursors: 'c', cursors: [cursor.id] })
  t.equal((await c.find().toArray()).length, 8)
})

test('a result document over 16 MiB is refused', async (t) => {
  const { db } = await startTestServer(t)
  const c = db.collection<{ _id: number; s: string }>('c')
  await c.insertOne({ _id: 1, s: 'x'.repeat(9_000_000) })
  const twice = { a: '$s', b: '$s' }
  await t.rejects(c.aggregate([{ $project: twice }]).toArray(), { code: 10334 })
  await t.rejects(c.find({}, { projection: twice }).toArray(), { code: 10334 })
  t.equal((await c.find().toArray()).length, 1)
})

test('an index on a numeric path gives the answers of a scan for null', async (t) => {
  const { db } = await startTestServer(t)
  const c = db.collection<{ _id: number; a: object[] }>('c')
  await c.insertMany([
    { _id: 1, a: [{ x: 1 }] },
    { _id: 2, a: [{}] },
    { _id: 3, a: [] }
  ])
  const filters = [
    { 'a.0': null },
    { 'a.0': { $in: [null, 5] } },
    { 'a.0': { $lte: null } },
    { 'a.0': { $exists: false } },
    { 'a.0': { $ne: null } },
    { 'a.0.x': null },
    { 'a.0.x': { $gte: null } }
  ]
  const answers = () =>
    Promise.all(
      filters.map((filter) =>
        c
          .find(filter as object)
          .sort({ _id: 1 })
          .toArray()
      )
    )
  const scanned = await answers()
  await c.createIndexes([{ key: { 'a.0': 1 } }, { key: { 'a.0.x': 1 } }])
  t.same(await answers(), scanned)
})

test('database references are queried, indexed, projected and updated by their fields', async (t) => {
  const { db } = await startTestServer(t)
  const c = db.collection<{ _id: number; m?: object; l?: object[] }>('c')
  const reference = { $ref: 'other', $id: 7 }
  await c.insertOne({ _id: 1, m: reference, l: [reference] })
  t.equal(await c.countDocuments({ l: { $elemMatch: { $ref: 'other', $id: 7 } } }), 1)
  t.equal(await c.countDocuments({ l: { $elemMatch: { $id: 8 } } }), 0)
  t.equal(await c.createIndex({ 'm.$id': 1 }), 'm.$id_1')
  t.same(await c.findOne({}, { projection: { 'm.$id': 1 } }), { _id: 1, m: { $id: 7 } })
  await c.updateOne({ _id: 1 }, { $set: { 'm.$id': 9 } })
  t.equal(await c.countDocuments({ 'm.$id': 9 }), 1)
  await t.rejects(c.findOne({ $id: 7 } as object), { code: 2 })
})

test('count obeys skip and limit, distinct a query', async (t) => {
  const { db } = await startTestServer(t)
  await db.collection('c').insertMany(Array.from({ length: 9 }, (_, a) => ({ a: a % 3 })))
  t.match(await db.command({ count: 'c', query: { a: { $lt: 2 } }, skip: 1, limit: 4 }), { n: 4 })
  t.match(await db.command({ count: 'c', limit: -2 }), { n: 2 })
  t.match(await db.command({ distinct: 'c', key: 'a', query: { a: { $gt: 0 } } }), {
    values: [1, 2]
  })
})

test('aggregate runs over a collection and wants a cursor', async (t) => {
  const { db } = await startTestServer(t)
  await db.collection('c').insertMany([{ a: 1 }, { a: 2 }])
  const pipeline = [{ $group: { _id: null, sum: { $sum: '$a' } } }]
  t.same(await db.collection('c').aggregate(pipeline).toArray(), [{ _id: null, sum: 3 }])
  await t.rejects(db.command({ aggregate: 'c', pipeline }), { code: 9 })
  await t.rejects(db.command({ aggregate: 2, pipeline, cursor: {} }), { code: 9 })
})

test('explain tells the plan of every command that can be explained', async (t) => {
  const { db } = await startTestServer(t)
  await db.collection('c').insertOne({ a: 1 })
  const commands = [
    { find: 'c', filter: { a: 1 } },
    { count: 'c', query: { a: 1 } },
    { distinct: 'c', key: 'a' },
    { aggregate: 'c', pipeline: [{ $match: { a: 1 } }], cursor: {} },
    { update: 'c', updates: [{ q: { a: 1 }, u: { $set: { b: 1 } } }] },
    { delete: 'c', deletes: [{ q: { a: 1 }, limit: 0 }] },
    { findAndModify: 'c', query: { a: 1 }, remove: true }
  ]
  for (const explain of commands) {
    const explained = await db.command({ explain, verbosity: 'queryPlanner' })
    t.match(explained, { ok: 1, serverInfo: { version: '8.0.0' }, command: explain })
    t.match(JSON.stringify(explained), /winningPlan/, Object.keys(explain)[0] ?? '')
  }
  t.equal(await db.collection('c').countDocuments({ a: 1 }), 1, 'nothing was done')
  await t.rejects(db.command({ explain: { ping: 1 } }), { code: 59 })
  await t.rejects(db.command({ explain: { delete: 'c', deletes: [] } }), { code: 16 })
})

test('bulkWrite spans collections and counts each kind', async (t) => {
  const { client, db } = await startTestServer(t)
  await db.collection<{ _id: number }>('a').insertOne({ _id: 1 })
  interface Row {
    _id: number
    x?: number
  }
  const verbose = await client.bulkWrite<Record<'test.a' | 'test.b', Row>>(
    [
      { namespace: 'test.a', name: 'insertOne', document: { _id: 2 } },
      { namespace: 'test.b', name: 'insertOne', document: { _id: 1 } },
      { namespace: 'test.a', name: 'updateMany', filter: {}, update: { $set: { x: 1 } } },
      {
        namespace: 'test.a',
        name: 'updateOne',
        filter: { _id: 9 },
        update: { $set: { x: 1 } },
        upsert: true
      },
      { namespace: 'test.b', name: 'deleteOne', filter: { _id: 1 } }
    ],
    { verboseResults: true }
  )
  t.match(verbose, {
    insertedCount: 2,
    matchedCount: 2,
    modifiedCount: 2,
    upsertedCount: 1,
    deletedCount: 1
  })
  t.same(verbose.updateResults?.get(3), {
    matchedCount: 1,
    modifiedCount: 0,
    didUpsert: true,
    upsertedId: 9
  })
  t.equal(verbose.insertResults?.size, 2)
})

test('an ordered bulkWrite stops at its first error, an unordered one goes on', async (t) => {
  const { db } = await startTestServer(t)
  const bulk = (ordered: boolean, ids: number[], errorsOnly: boolean) =>
    db.admin().command({
      bulkWrite: 1,
      ordered,
      errorsOnly,
      ops: ids.map((_id) => ({ insert: 0, document: { _id } })),
      nsInfo: [{ ns: `test.${ordered}` }]
    })
  const stopped = await bulk(true, [1, 2, 2, 3], false)
  t.match(stopped, { ok: 1, nInserted: 2, nErrors: 1 })
  t.match(stopped['cursor'].firstBatch, [{ idx: 0 }, { idx: 1 }, { idx: 2, ok: 0, code: 11_000 }])
  const went = await bulk(false, [1, 1, 2], true)
  t.match(went, { nInserted: 2, nErrors: 1 })
  t.equal(went['cursor'].firstBatch.length, 1)
})

test('an insert of no document, and statements of the wrong shape, are refused', async (t) => {
  const { db, port } = await startTestServer(t)
  const raw = await rawConnection(t, port)
  for (const [command, code] of [
    [{ insert: 'c', documents: [] }, 16],
    [{ insert: 'c', documents: 'x' }, 14],
    [{ insert: 'c', documents: [1] }, 14],
    [{ insert: 'c' }, 40_414],
    [{ update: 'c', updates: [] }, 16],
    [{ update: 'c', updates: [{ q: {} }] }, 40_414],
    [{ delete: 'c', deletes: [{ q: {} }] }, 40_414],
    [{ delete: 'c', deletes: [{ q: {}, limit: 2 }] }, 9],
    [{ bulkWrite: 1, ops: [{ nope: 0 }], nsInfo: [], $db: 'admin' }, 9],
    [{ bulkWrite: 1, ops: [{ delete: 4, filter: {} }], nsInfo: [], $db: 'admin' }, 2],
    [{ bulkWrite: 1, ops: [{ delete: 0, filter: {} }], nsInfo: [{ ns: 'x' }], $db: 'admin' }, 73]
  ] as [BSON.Document, number][]) {
    const reply = await raw.command({ ...command, $db: command['$db'] ?? 'test' })
    t.equal(reply['code'], code, JSON.stringify(command))
  }
  t.same(await db.listCollections().toArray(), [])
})

test('documents beside a command that does not take them are refused', async (t) => {
  const { port } = await startTestServer(t)
  const raw = await rawConnection(t, port)
  const documents = BSON.serialize({ a: 1 })
  const sequence = (name: string): Buffer => {
    const content = Buffer.concat([Buffer.from(`${name}\0`), documents])
    const head = Buffer.alloc(5)
    head[0] = 1
    head.writeInt32LE(content.length + 4, 1)
    return Buffer.concat([head, content])
  }
  const send = async (body: BSON.Document, name: string): Promise<BSON.Document> => {
    const bytes = BSON.serialize(body)
    const message = Buffer.concat([Buffer.alloc(20), sequence(name), Buffer.from([0]), bytes])
    message.writeInt32LE(message.length, 0)
    message.writeInt32LE(2013, 12)
    raw.write(message)
    return BSON.deserialize((await raw.reply()).subarray(21))
  }
  t.match(await send({ insert: 'c', $db: 'test' }, 'others'), { code: 40_415 })
  t.match(await send({ insert: 'c', documents: [], $db: 'test' }, 'documents'), { code: 40_433 })
})
