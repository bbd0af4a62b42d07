// Change streams through the official driver: what is watched, resuming, and an engine that is killed.
import type { Binary, ChangeStreamDocument, Collection, Document, ResumeToken } from 'mongodb'
import { MongoServerError } from 'mongodb'
import tap, { test } from 'tap'
import type { LogEvent } from '../index.ts'
import { startLocalMongo } from '../index.ts'
import type { Scope } from '../server/test-server.fixture.ts'
import { connectTo, startTestServer, temporaryFolder } from '../server/test-server.fixture.ts'

// Most of what these tests do is wait, so they do it side by side.
tap.jobs = 8

type Row = { _id: number; n?: number }

/** The next so many events. */
async function take(
  stream: { next(): Promise<ChangeStreamDocument<Document>> },
  count: number
): Promise<Document[]> {
  const events: Document[] = []
  while (events.length < count) events.push(await stream.next())
  return events
}

const kinds = (events: readonly Document[]) =>
  events.map(({ operationType, ns }) => `${operationType} ${ns?.coll ?? ''}`.trim())

/** A stream that has begun; `close` is left to the end of the test. */
async function begun<S extends { tryNext(): Promise<unknown>; close(): Promise<void> }>(
  t: Scope,
  stream: S
): Promise<S> {
  t.teardown(() => stream.close())
  await stream.tryNext()
  return stream
}

/** The driver tries a write a few times; an engine that was just killed may refuse all of them. */
async function insertSurely(c: Collection<Row>, _id: number, back: Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await c.updateOne({ _id }, { $setOnInsert: { n: 0 } }, { upsert: true })
      return
    } catch (error) {
      if (error instanceof MongoServerError || attempt > 9) throw error
      await back
    }
  }
}

/** So many events; a stream that breaks with the engine is opened again after its last token. */
async function follow(
  c: Collection<Row>,
  count: number,
  { resumeAfter, back }: { resumeAfter: ResumeToken; back: Promise<void> }
): Promise<Document[]> {
  const events: Document[] = []
  let token = resumeAfter
  let breaks = 0
  while (events.length < count) {
    const stream = c.watch([], { ...SHORT, resumeAfter: token })
    try {
      while (events.length < count) {
        const event = await stream.next()
        events.push(event)
        token = event._id
      }
    } catch (error) {
      if (error instanceof MongoServerError || ++breaks > 9) throw error
      await back
    } finally {
      await stream.close()
    }
  }
  return events
}

const SHORT = { maxAwaitTimeMS: 100 }

test('a collection, a database and all databases are watched', async (t) => {
  const { client, db } = await startTestServer(t)
  const things = db.collection<Row>('things')
  const other = client.db('other').collection<Row>('things')
  const streams = [
    await begun(t, things.watch([], SHORT)),
    await begun(t, db.watch([], SHORT)),
    await begun(t, client.watch([], SHORT))
  ]
  await db.collection<Row>('more').insertOne({ _id: 1 })
  await other.insertOne({ _id: 2 })
  await things.insertOne({ _id: 3 })
  const [collection, database, all] = streams
  if (!collection || !database || !all) throw new Error('none')
  t.same(kinds(await take(collection, 1)), ['insert things'])
  t.same(kinds(await take(database, 2)), ['insert more', 'insert things'])
  t.same(kinds(await take(all, 3)), ['insert more', 'insert things', 'insert things'])
})

test('the events of a transaction come on its commit, in its order', async (t) => {
  const { client, db } = await startTestServer(t)
  const [a, b] = [db.collection<Row>('a'), db.collection<Row>('b')]
  await a.insertOne({ _id: 0 })
  await b.insertOne({ _id: 0 })
  const stream = await begun(t, db.watch([], { ...SHORT, fullDocument: 'updateLookup' }))
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await a.insertOne({ _id: 1 }, { session })
      await b.updateOne({ _id: 0 }, { $inc: { n: 1 } }, { session })
      await a.deleteOne({ _id: 0 }, { session })
      t.equal(await stream.tryNext(), null)
    })
  )
  const events = await take(stream, 3)
  t.same(kinds(events), ['insert a', 'update b', 'delete a'])
  t.same(events[1]?.['fullDocument'], { _id: 0, n: 1 })
})

test('the events of a transaction carry its session and number', async (t) => {
  const { client, db } = await startTestServer(t)
  const c = await db.createCollection<Row>('c')
  const stream = await begun(t, c.watch([], SHORT))
  await c.insertOne({ _id: 1 })
  const session = client.startSession()
  t.teardown(() => session.endSession())
  await session.withTransaction(async () => {
    await c.insertOne({ _id: 2 }, { session })
    await c.insertOne({ _id: 3 }, { session })
  })
  const [alone, ...together] = await take(stream, 3)
  t.notOk(alone && ('lsid' in alone || 'txnNumber' in alone))
  const { id } = session.id as unknown as { id: Binary }
  for (const { lsid, txnNumber } of together) {
    t.equal((lsid['id'] as Binary).toString('hex'), id.toString('hex'))
    t.equal(Number(txnNumber), session.serverSession.txnNumber)
  }
})

test('a stream with a read concern other than majority is refused', async (t) => {
  const { db } = await startTestServer(t)
  const c = await db.createCollection<Row>('c')
  const watch = (level: string) =>
    db.command({
      aggregate: 'c',
      pipeline: [{ $changeStream: {} }],
      cursor: {},
      readConcern: { level }
    })
  await t.rejects(watch('local'), { code: 72 })
  const { cursor } = await watch('majority')
  await db.command({ killCursors: c.collectionName, cursors: [cursor.id] })
})

test('a renamed collection ends its stream; startAfter goes on behind the end', async (t) => {
  const { db } = await startTestServer(t)
  const c = await db.createCollection<Row>('c')
  const stream = await begun(t, c.watch([], SHORT))
  await c.rename('d')
  const events = await take(stream, 2)
  t.same(kinds(events), ['rename c', 'invalidate'])
  await c.insertOne({ _id: 1 })
  const after = c.watch([], { ...SHORT, startAfter: events[1]?.['_id'] })
  t.teardown(() => after.close())
  t.same(kinds(await take(after, 1)), ['insert c'])
  const refused = c.watch([], { ...SHORT, resumeAfter: events[1]?.['_id'] })
  await t.rejects(refused.tryNext(), { code: 260 })
})

test('a stream goes on without a gap when the engine is killed', async (t) => {
  const dataDir = await temporaryFolder(t)
  let isBack: () => void = () => {}
  const back = new Promise<void>((resolve) => {
    isBack = resolve
  })
  const log = ({ message }: LogEvent): void => {
    if (/is back/.test(message)) isBack()
  }
  const handle = await startLocalMongo({ dataDir, log })
  t.teardown(() => handle.close())
  const client = await connectTo(t, handle.uri)
  const c = client.db('d').collection<Row>('c')
  await c.insertOne({ _id: -1 })
  const stream = await begun(t, c.watch([], SHORT))
  const { resumeToken } = stream
  const written = (async () => {
    for (let _id = 0; _id < 60; _id++) {
      if (_id === 30) process.kill(handle.pid, 'SIGKILL')
      await insertSurely(c, _id, back)
    }
  })()
  const [seen] = await Promise.all([follow(c, 60, { resumeAfter: resumeToken, back }), written])
  t.same(
    seen.map(({ documentKey }) => documentKey._id),
    Array.from({ length: 60 }, (_, _id) => _id)
  )
  const resumeAfter = seen[0]?.['_id']
  t.equal((await follow(c, 59, { resumeAfter, back })).length, 59)
})
