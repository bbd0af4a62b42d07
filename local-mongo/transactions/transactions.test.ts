// Multi-document transactions: what is seen, what conflicts, who waits, and how they end.
import { test } from 'tap'
import { doc } from '../bson/arbitrary-values.test.data.ts'
import { openEngine } from '../engine/open.ts'
import {
  codeOf,
  contextOf,
  openTestCollection,
  openTestEngine,
  TestCollection,
  temporaryFolder
} from '../engine/open-engine.test.data.ts'
import type { OperationContext } from '../engine.ts'
import { CommandError } from '../errors.ts'
import type { Overlay } from './overlay.ts'
import type { RunningTransaction } from './running-transaction.ts'
import { IDLE_LIMIT_MS } from './transactions.ts'

let sessions = 0

/** A transaction of a new session. */
function begin({ engine }: TestCollection, sessionId = `s${sessions++}`, txnNumber = 1n) {
  const id = { sessionId, txnNumber }
  const transaction = engine.transactions.begin(id, { now: new Date() })
  const context: OperationContext = contextOf({ transaction })
  return {
    id,
    context,
    commit: () => engine.transactions.commit(id, {}),
    abort: () => engine.transactions.abort(id)
  }
}

async function failure(act: () => Promise<unknown>): Promise<CommandError> {
  try {
    await act()
  } catch (error) {
    if (error instanceof CommandError) return error
    throw error
  }
  throw new Error('It did not fail.')
}

test('a transaction sees its own writes through every path, others see them after the commit', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ a: 1 })
  await c.index({ u: 1 }, { unique: true, sparse: true })
  await c.insert([
    { _id: 1, a: 1, u: 'x' },
    { _id: 2, a: 2 },
    { _id: 3, a: 3 }
  ])
  const { context, commit } = begin(c)
  await c.insert([{ _id: 4, a: 1, u: 'y' }], context)
  await c.update({ a: 2 }, { $set: { a: 20 } }, {}, context)
  await c.delete({ _id: 3 }, {}, context)
  await c.modify({ u: 'y' }, { update: doc({ $set: { m: true } }) }, context)
  t.same(
    (await c.find({}, {}, context)).map(({ _id }) => _id),
    [1, 2, 4]
  )
  t.same(
    (await c.find({ a: 1 }, { sort: doc({ _id: -1 }) }, context)).map(({ _id }) => _id),
    [4, 1]
  )
  t.same(
    (await c.find({ a: { $gte: 1 } }, { sort: doc({ a: -1 }) }, context)).map(({ a }) => a),
    [20, 1, 1]
  )
  t.same(await c.find({ u: 'y' }, {}, context), [{ _id: 4, a: 1, u: 'y', m: true }])
  t.equal(await c.count({ a: { $lt: 30 } }, context), 3)
  t.equal(await c.count({}, context), 3)
  t.same(await c.ids(), [1, 2, 3])
  t.equal(await c.count({ a: 20 }), 0)
  await commit()
  t.same(await c.ids({}, { sort: doc({ a: 1 }) }), [1, 4, 2])
  t.equal(await c.count(), 3)
  t.match(await c.engine.check(), { ok: true, documents: 3, indexEntries: 5 })
})

test('an aborted transaction leaves nothing', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ a: 1 })
  await c.insert([{ _id: 1, a: 1 }])
  const { context, abort } = begin(c)
  await c.insert([{ _id: 2, a: 2 }], context)
  await c.delete({ _id: 1 }, {}, context)
  const made = new TestCollection(c.engine, { db: 'test', collection: 'made' })
  await made.insert([{ _id: 1 }], context)
  abort()
  t.same(await c.ids(), [1])
  t.same(
    c.engine.listCollections('test').map(({ name }) => name),
    ['things']
  )
  t.equal(await codeOf(() => c.insert([{ _id: 3 }], context)), 251)
  t.equal(await codeOf(() => c.find({}, {}, context)), 251)
  t.match(await c.engine.check(), { ok: true })
})

test('a transaction keeps its snapshot, whatever is written meanwhile', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ a: 1 })
  await c.insert([{ _id: 1, a: 1 }])
  const { context, commit } = begin(c)
  await c.update({ _id: 1 }, { $set: { a: 2 } })
  await c.insert([{ _id: 2, a: 1 }])
  await c.index({ b: 1 })
  t.same(await c.find({ a: 1 }, {}, context), [{ _id: 1, a: 1 }])
  await commit()
})

test('the second writer of a document fails with 112 and a label, and its transaction is over', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1, n: 0 }])
  const first = begin(c)
  const second = begin(c)
  await c.update({ _id: 1 }, { $inc: { n: 1 } }, {}, first.context)
  const error = await failure(() => c.update({ _id: 1 }, { $inc: { n: 10 } }, {}, second.context))
  t.equal(error.code, 112)
  t.same(error.labels, ['TransientTransactionError'])
  await first.commit()
  t.equal((await failure(second.commit)).code, 251)
  t.throws(second.abort, { code: 251 })
  t.same(await c.find(), [{ _id: 1, n: 1 }])
})

test('a document that was changed since the snapshot cannot be written', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ u: 1 }, { unique: true })
  await c.insert([{ _id: 1, u: 1 }])
  const changed = begin(c)
  const inserted = begin(c)
  const taken = begin(c)
  await c.update({ _id: 1 }, { $set: { n: 1 } })
  await c.insert([{ _id: 2, u: 2 }])
  t.equal(
    (await failure(() => c.update({ _id: 1 }, { $set: { n: 2 } }, {}, changed.context))).code,
    112
  )
  t.equal((await failure(() => c.insert([{ _id: 2, u: 5 }], inserted.context))).code, 112)
  t.equal(
    (await failure(() => c.insert([{ _id: 3, u: 2 }], taken.context))).code,
    112,
    'its unique key too'
  )
})

test('two transactions cannot take one unique key', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ u: 1 }, { unique: true })
  const first = begin(c)
  const second = begin(c)
  await c.insert([{ _id: 1, u: 'x' }], first.context)
  t.equal((await failure(() => c.insert([{ _id: 2, u: 'x' }], second.context))).code, 112)
  await first.commit()
  t.match(await c.engine.check(), { ok: true, documents: 1 })
})

test('a write outside waits for the transaction that holds its document', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([
    { _id: 1, n: 0 },
    { _id: 2, n: 0 }
  ])
  const { context, commit } = begin(c)
  await c.update({ _id: 1 }, { $inc: { n: 1 } }, {}, context)
  let isOver = false
  const outside = Promise.all([
    c.update({}, { $inc: { n: 10 } }, { multi: true }),
    c.modify({ _id: 1 }, { update: doc({ $inc: { n: 100 } }) }),
    c.insert([{ _id: 5 }])
  ]).finally(() => {
    isOver = true
  })
  await c.insert([{ _id: 3, n: 0 }])
  t.equal(isOver, false)
  await commit()
  const [updated] = await outside
  t.match(updated, { n: 2, nModified: 2 })
  t.match(await c.find({ _id: { $lte: 2 } }), [
    { _id: 1, n: 111 },
    { _id: 2, n: 10 }
  ])
})

test('a write outside that waits too long ends with its deadline', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1, n: 0 }])
  const { context, abort } = begin(c)
  await c.update({ _id: 1 }, { $inc: { n: 1 } }, {}, context)
  const hurried = contextOf({ deadlineMs: Date.now() + 20 })
  t.equal(await codeOf(() => c.update({ _id: 1 }, { $inc: { n: 1 } }, {}, hurried)), 50)
  t.equal(
    await codeOf(() =>
      c.modify({ _id: 1 }, { remove: true }, contextOf({ deadlineMs: Date.now() + 20 }))
    ),
    50
  )
  abort()
  t.equal((await c.insert([{ _id: 1 }])).writeErrors[0]?.code, 11000)
})

test('a write outside that waits ends when it is killed', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1, n: 0 }])
  const { context, commit } = begin(c)
  await c.update({ _id: 1 }, { $inc: { n: 1 } }, {}, context)
  const stop = new AbortController()
  const killed = contextOf({ signal: stop.signal })
  const writes = [
    codeOf(() => c.update({ _id: 1 }, { $inc: { n: 10 } }, {}, killed)),
    codeOf(() => c.modify({ _id: 1 }, { remove: true }, killed)),
    codeOf(() => c.index({ a: 1 }, {}, killed))
  ]
  await c.insert([{ _id: 2 }])
  stop.abort()
  t.same(await Promise.all(writes), [11601, 11601, 11601])
  t.equal(await codeOf(() => c.delete({ _id: 1 }, {}, killed)), 11601)
  await commit()
  t.same(await c.find({ _id: 1 }), [{ _id: 1, n: 1 }])
})

test('an upsert outside waits for the transaction that makes its document', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ u: 1 }, { unique: true })
  const { context, commit } = begin(c)
  await c.insert([{ _id: 1, u: 'x', n: 1 }], context)
  const upsert = { upsert: true, returnNew: true, update: doc({ $inc: { n: 10 } }) }
  const outside = Promise.all([
    c.modify({ _id: 1 }, upsert),
    c.modify({ u: 'x' }, upsert),
    c.update({ u: 'x' }, { $inc: { n: 100 } }, { upsert: true })
  ])
  await c.insert([{ _id: 2, u: 'y' }])
  await commit()
  t.match(await outside, [{ value: { _id: 1 } }, { value: { _id: 1 } }, { n: 1, upserted: [] }])
  t.same(await c.find({ u: 'x' }), [{ _id: 1, u: 'x', n: 121 }])
})

test('an upsert outside makes the document when the transaction did not', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 0 }])
  const { context, abort } = begin(c)
  await c.insert([{ _id: 1 }], context)
  const upsert = { upsert: true, returnNew: true, update: doc({ $set: { made: true } }) }
  const hurried = contextOf({ deadlineMs: Date.now() + 20 })
  t.equal(await codeOf(() => c.modify({ _id: 1 }, upsert, hurried)), 50)
  const outside = c.modify({ _id: 1 }, upsert)
  abort()
  t.match(await outside, { value: { _id: 1, made: true } })
})

test('a commit waits for the statements that were sent before it, and takes none after', async (t) => {
  const c = await openTestCollection(t)
  await c.engine.createCollection(c.ns, doc({}), contextOf())
  const { context, commit, id } = begin(c)
  const rows = Array.from({ length: 20_000 }, (_, _id) => ({ _id }))
  const inserted = c.insert(rows, context)
  const committed = commit()
  const { n } = await inserted
  await new Promise<void>((resolve) => queueMicrotask(resolve))
  t.equal(await codeOf(async () => c.engine.transactions.resume(id)), 117)
  await committed
  t.equal(await c.count(), n)
})

test('a retryable write ends an older transaction of its session, and yields to a newer', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1, n: 0 }])
  const older = begin(c, 'session', 5n)
  await c.update({ _id: 1 }, { $inc: { n: 1 } }, {}, older.context)
  const write = (txnNumber: bigint) => contextOf({ retry: { sessionId: 'session', txnNumber } })
  t.match(await c.update({ _id: 1 }, { $inc: { n: 10 } }, {}, write(6n)), { nModified: 1 })
  t.equal((await failure(older.commit)).code, 251)
  begin(c, 'session', 7n)
  const late = { update: doc({ $inc: { n: 100 } }) }
  t.equal(await codeOf(() => c.update({ _id: 1 }, { $inc: { n: 100 } }, {}, write(6n))), 225)
  t.equal(await codeOf(() => c.modify({ _id: 1 }, late, write(6n))), 225)
  t.same(await c.find(), [{ _id: 1, n: 10 }])
})

test('a search inside a transaction lets others have their turn', async (t) => {
  const c = await openTestCollection(t)
  await c.insert(Array.from({ length: 5_000 }, (_, _id) => ({ _id, n: _id })))
  const { context, commit } = begin(c)
  let isOver = false
  const found = c.modify({ n: 4_999 }, { remove: true }, context).finally(() => {
    isOver = true
  })
  t.same(await c.ids({ _id: 3 }), [3])
  t.equal(isOver, false)
  t.match(await found, { value: { _id: 4_999 } })
  await commit()
  t.equal(await c.count(), 4_999)
})

test('a duplicate key ends the transaction', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1 }])
  const { context } = begin(c)
  await c.insert([{ _id: 2 }], context)
  t.equal((await c.insert([{ _id: 1 }], context)).writeErrors[0]?.code, 11000)
  t.equal(await codeOf(() => c.insert([{ _id: 3 }], context)), 251)
  t.same(await c.ids(), [1])
})

test('an error in a statement ends the transaction', async (t) => {
  const c = await openTestCollection(t)
  const { context, commit } = begin(c)
  t.equal(await codeOf(() => c.find({ a: { $nope: 1 } }, {}, context)), 2)
  t.equal((await failure(commit)).code, 251)
})

test('a commit can be repeated, also after opening again', async (t) => {
  const folder = await temporaryFolder(t)
  const engine = await openEngine(folder)
  const c = new TestCollection(engine, { db: 'd', collection: 'c' })
  const { context, commit, abort, id } = begin(c)
  await c.insert([{ _id: 1 }], context)
  await Promise.all([commit(), commit()])
  await commit()
  t.throws(abort, { code: 256 })
  t.throws(() => engine.transactions.resume(id), { code: 256 })
  await engine.close()
  const again = await openTestEngine(t, {}, folder)
  await again.transactions.commit(id, {})
  t.throws(() => again.transactions.abort(id), { code: 256 })
  t.throws(() => again.transactions.begin(id, { now: new Date() }), { code: 117 })
  const retry = { sessionId: id.sessionId, txnNumber: id.txnNumber }
  const write = again.insert(c.ns, { documents: [], ordered: true }, contextOf({ retry }))
  t.equal(await codeOf(() => write), 217)
  const unknown = { sessionId: 'unknown', txnNumber: 1n }
  t.match(await failure(() => again.transactions.commit(unknown, {})), {
    code: 251,
    labels: ['TransientTransactionError']
  })
})

test('numbers of a session only grow, and a new transaction ends the one before', async (t) => {
  const c = await openTestCollection(t)
  const { transactions } = c.engine
  const first = begin(c, 'session', 5n)
  await c.insert([{ _id: 1 }], first.context)
  t.equal(transactions.resume(first.id).state, 'running')
  const second = begin(c, 'session', 6n)
  t.throws(() => begin(c, 'session', 5n), { code: 225 })
  t.throws(() => begin(c, 'session', 6n), { code: 117 })
  t.throws(() => transactions.resume(first.id), { code: 225 })
  t.throws(() => transactions.resume({ sessionId: 'session', txnNumber: 7n }), { code: 251 })
  t.throws(() => transactions.resume({ sessionId: 'nobody', txnNumber: 7n }), { code: 251 })
  second.abort()
  t.throws(() => transactions.resume(second.id), { code: 251 })
  t.throws(second.abort, { code: 251 })
  t.same(await c.ids(), [])
})

test('ending a session aborts what it runs, and an idle transaction ends by itself', async (t) => {
  const c = await openTestCollection(t)
  const { transactions } = c.engine
  const ended = begin(c, 'ended')
  transactions.endSession('ended')
  transactions.endSession('nobody')
  t.throws(() => transactions.resume(ended.id), { code: 251 })
  const idle = begin(c, 'idle')
  await c.insert([{ _id: 1 }], idle.context)
  t.equal(transactions.abortIdle(new Date(Date.now() + IDLE_LIMIT_MS - 5_000)), 0)
  t.equal(transactions.abortIdle(new Date(Date.now() + IDLE_LIMIT_MS + 1)), 1)
  t.equal(await codeOf(() => c.insert([{ _id: 2 }], idle.context)), 251)
  t.same(await c.ids(), [])
})

test('a transaction makes collections and their indexes, seen when it commits', async (t) => {
  const c = await openTestCollection(t)
  const { context, commit } = begin(c)
  await c.engine.createCollection(c.ns, doc({}), context)
  await c.insert([{ _id: 1, a: 1 }], context)
  await c.index({ a: 1 }, {}, context)
  const upserted = new TestCollection(c.engine, { db: 'test', collection: 'upserted' })
  await upserted.update({ _id: 1 }, { $set: { a: 1 } }, { upsert: true }, context)
  t.same(c.engine.listCollections('test'), [])
  t.same(await c.find({ a: 1 }, {}, context), [{ _id: 1, a: 1 }])
  await commit()
  t.same(
    c.engine.listCollections('test').map(({ name }) => name),
    ['things', 'upserted']
  )
  t.same(await c.ids({ a: 1 }), [1])
  t.same(c.engine.listIndexes(c.ns).length, 2)
  t.match(await c.engine.check(), { ok: true, documents: 2, indexEntries: 1 })
})

test('a transaction cannot make a collection that is there', async (t) => {
  const c = await openTestCollection(t)
  await c.engine.createCollection(c.ns, doc({}), contextOf())
  const { context } = begin(c)
  t.equal(await codeOf(() => c.engine.createCollection(c.ns, doc({}), context)), 48)
})

test('a collection that another made meanwhile is a conflict', async (t) => {
  const c = await openTestCollection(t)
  const early = begin(c)
  const late = begin(c)
  await c.insert([{ _id: 1 }], early.context)
  await c.insert([{ _id: 2 }])
  t.equal((await failure(() => c.insert([{ _id: 3 }], late.context))).code, 112)
  t.equal((await failure(early.commit)).code, 112)
  t.same(await c.ids(), [2])
})

test('what changes the catalog is refused inside a transaction with 263', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1 }])
  const { engine, ns } = c
  const acts: ((context: OperationContext) => Promise<unknown>)[] = [
    (context) => engine.dropCollection(ns, context),
    (context) => engine.dropDatabase('test', context),
    (context) =>
      engine.renameCollection(ns, { db: 'test', collection: 'x' }, { dropTarget: false }, context),
    (context) => engine.dropIndexes(ns, '*', context),
    (context) => engine.collMod(ns, doc({}), context),
    (context) => engine.createIndexes(ns, [doc({ key: { a: 1 }, name: 'a' })], context)
  ]
  for (const act of acts) t.equal(await codeOf(() => act(begin(c).context)), 263)
})

test('dropping, renaming and indexing wait for transactions that wrote to the collection', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1, a: 1 }])
  const order: string[] = []
  const { context, commit } = begin(c)
  await c.insert([{ _id: 2, a: 2 }], context)
  const index = c.index({ a: 1 }).then(() => order.push('indexed'))
  const drop = c.engine.dropCollection({ db: 'test', collection: 'nothing' }, contextOf())
  await drop
  order.push('commit')
  await commit()
  await index
  t.same(order, ['commit', 'indexed'])
  t.equal(await c.count({ a: { $gte: 0 } }), 2)
  const last = begin(c)
  await c.insert([{ _id: 3 }], last.context)
  const dropping = c.engine.dropCollection(c.ns, contextOf())
  await last.commit()
  t.same(await dropping, { nIndexesWas: 2 })
})

test('a transaction does not write to a collection whose indexes have changed', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1, a: 1 }])
  const { context } = begin(c)
  await c.index({ a: 1 })
  t.equal((await failure(() => c.insert([{ _id: 2 }], context))).code, 112)
})

test('a hundred rows and their rollups go in together, many times', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ at: 1, kind: 1 })
  const rollups = new TestCollection(c.engine, { db: 'test', collection: 'rollups' })
  await rollups.index({ key: 1 }, { unique: true })
  const flush = async (round: number) => {
    const { context, commit } = begin(c)
    await c.insert(
      Array.from({ length: 100 }, (_, i) => ({ _id: `${round}-${i}`, at: i, kind: i % 3 })),
      context
    )
    for (let kind = 0; kind < 3; kind++) {
      const update = [{ $set: { n: { $add: [{ $ifNull: ['$n', 0] }, 100] } } }]
      await rollups.update({ key: `k${kind}` }, update, { upsert: true }, context)
    }
    await commit()
  }
  for (let round = 0; round < 10; round++) await flush(round)
  t.equal(await c.count(), 1_000)
  t.same(
    await rollups.find({}, { projection: doc({ _id: 0 }) }),
    [0, 1, 2].map((kind) => ({ key: `k${kind}`, n: 1_000 }))
  )
  t.match(await c.engine.check(), { ok: true })
})

test('a transaction that has ended keeps nothing of what it did, though its session remembers it', async (t) => {
  const c = await openTestCollection(t)
  for (const end of ['commit', 'abort'] as const) {
    const id = { sessionId: end, txnNumber: 1n }
    const transaction = c.engine.transactions.begin(id, { now: new Date() })
    const scope = (transaction as RunningTransaction).scope.view as Overlay
    await c.insert([{ _id: end, text: 'x'.repeat(10_000) }], contextOf({ transaction }))
    t.ok(scope.bytes > 10_000)
    await c.engine.transactions[end](id, {})
    t.equal(scope.bytes, 0, end)
    t.equal(scope.isEmpty, true, end)
  }
  t.same(await c.ids(), ['commit'])
})
