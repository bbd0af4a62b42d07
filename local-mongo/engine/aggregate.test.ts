// aggregate: what reaches a pipeline, what it reads beside, and where its results go.
import { randomBytes } from 'node:crypto'
import { test } from 'tap'
import { doc } from '../bson/arbitrary-values.test.data.ts'
import {
  allOf,
  codeOf,
  contextOf,
  openTestCollection,
  type Plain,
  stagesOf,
  TestCollection
} from './open-engine.test.data.ts'

const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ _id: i, g: i % 5, n: i }))

async function openNumbered(t: Parameters<typeof openTestCollection>[0], count = 1_000) {
  const c = await openTestCollection(t)
  await c.index({ g: 1, n: 1 })
  await c.insert(numbered(count))
  const other = (name: string) => new TestCollection(c.engine, { db: 'test', collection: name })
  return { c, other }
}

test('the beginning of a pipeline is served by an index', async (t) => {
  const { c } = await openNumbered(t)
  const pipeline = [
    { $match: { g: 3 } },
    { $sort: { n: -1 } },
    { $skip: 1 },
    { $limit: 2 },
    { $project: { n: 1, _id: 0 } }
  ]
  t.same(await c.aggregate(pipeline), [{ n: 993 }, { n: 988 }])
  t.same(
    await c.aggregate([{ $match: { g: 3 } }, { $group: { _id: '$g', sum: { $sum: '$n' } } }]),
    [{ _id: 3, sum: 100_100 }]
  )
  const explained = await c.explainCommand({
    command: 'aggregate',
    request: { pipeline: pipeline.map(doc) }
  })
  const [cursor, ...rest] = explained['stages'] as Plain[]
  t.ok(stagesOf(cursor).includes('IXSCAN'))
  t.notOk(stagesOf(cursor).includes('SORT'))
  t.same(
    rest.map((stage) => Object.keys(stage)[0]),
    ['$project']
  )
  const whole = await c.explainCommand({
    command: 'aggregate',
    request: { pipeline: [doc({ $match: { g: 3 } })] }
  })
  t.match(whole['executionStats'], { nReturned: 200, totalKeysExamined: 200 })
})

test('a count in a pipeline agrees with the documents, however it is made', async (t) => {
  const { c } = await openNumbered(t)
  const count = async (...stages: Plain[]) =>
    (await c.aggregate([...stages, { $count: 'n' }]))[0]?.['n'] ?? 0
  t.equal(await count(), 1_000)
  t.equal(await count({ $match: { g: 2 } }), 200)
  t.equal(await count({ $match: { g: { $in: [2, 3] } } }, { $skip: 50 }, { $limit: 1_000 }), 350)
  t.equal(await count({ $match: { g: 2, z: { $exists: false } } }), 200)
  t.equal(await count({ $limit: 7 }), 7)
  t.equal(await count({ $match: { g: 9 } }), 0)
  await c.insert([{ _id: 'list', g: [1, 2] }])
  t.equal(await count({ $match: { g: { $gte: 0 } } }), 1_001)
})

test('rows of a pipeline come in batches and can be closed', async (t) => {
  const { c } = await openNumbered(t)
  const rows = await c.engine.aggregate(c.ns, { pipeline: [doc({ $set: { x: 1 } })] }, contextOf())
  t.equal((await rows.next(10, 1e6)).length, 10)
  t.equal((await rows.next(10, 60)).length, 1)
  t.equal((await rows.next(5_000, 1e8)).length, 989)
  t.equal(rows.exhausted, true)
  const closed = await c.engine.aggregate(
    c.ns,
    { pipeline: [doc({ $set: { x: 1 } })] },
    contextOf()
  )
  await closed.next(1, 1e6)
  closed.close()
  t.equal(closed.exhausted, true)
  t.same(await closed.next(1, 1e6), [])
})

test('a pipeline over nothing, over given documents, and with another collection', async (t) => {
  const { c, other } = await openNumbered(t, 20)
  await other('names').insert([
    { _id: 1, name: 'one' },
    { _id: 2, name: 'two' }
  ])
  t.same(await other('nothing').aggregate([{ $match: { a: 1 } }]), [])
  t.same(await other('nothing').aggregate([{ $count: 'n' }]), [])
  const documents = await c.engine.aggregate(
    { db: 'test', collection: '' },
    { pipeline: [doc({ $documents: [{ a: 1 }] })] },
    contextOf()
  )
  t.same(await allOf(documents), [{ a: 1 }])
  const joined = await c.aggregate([
    { $match: { n: { $lte: 2 } } },
    { $lookup: { from: 'names', localField: 'g', foreignField: '_id', as: 'names' } },
    { $project: { name: '$names.name' } }
  ])
  t.same(joined, [
    { _id: 0, name: [] },
    { _id: 1, name: ['one'] },
    { _id: 2, name: ['two'] }
  ])
  t.same(await c.aggregate([{ $match: { n: 1 } }, { $unionWith: 'names' }, { $count: 'n' }]), [
    { n: 3 }
  ])
})

test('statistics are sources of pipelines', async (t) => {
  const { c, other } = await openNumbered(t, 10)
  await c.ids({ g: 1 })
  const [id, index] = await c.aggregate([{ $indexStats: {} }])
  t.match(
    [id, index],
    [
      { name: '_id_', accesses: { ops: 0 } },
      { name: 'g_1_n_1', key: { g: 1, n: 1 }, accesses: { ops: 1 } }
    ]
  )
  t.match(await c.aggregate([{ $collStats: { count: {}, storageStats: {} } }]), [
    { ns: 'test.things', count: 10, storageStats: { count: 10 } }
  ])
  t.same(await other('nothing').aggregate([{ $indexStats: {} }]), [])
  t.equal(await codeOf(() => other('nothing').aggregate([{ $collStats: { count: {} } }])), 26)
})

test('an aggregation gives the turn away, and ends when it is interrupted', async (t) => {
  const { c } = await openNumbered(t, 20_000)
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await c.aggregate([{ $group: { _id: '$n', x: { $sum: 1 } } }, { $count: 'n' }])
  clearInterval(timer)
  t.ok(turns > 1)
  const stop = new AbortController()
  const killed = c.aggregate([{ $group: { _id: '$n' } }], contextOf({ signal: stop.signal }))
  setImmediate(() => stop.abort())
  t.equal(await codeOf(() => killed), 11601)
})

test('$out replaces a collection and keeps its indexes', async (t) => {
  const { c, other } = await openNumbered(t, 500)
  const target = other('out')
  t.same(await c.aggregate([{ $match: { g: 1 } }, { $out: 'out' }]), [])
  t.equal(await target.count(), 100)
  await target.index({ n: 1 }, { unique: true })
  await c.aggregate([{ $match: { g: 2 } }, { $out: { db: 'test', coll: 'out' } }])
  t.equal(await target.count({ g: 2 }), 100)
  t.equal(await target.count(), 100)
  t.same(
    target.engine.listIndexes(target.ns).map((spec) => spec.get('name')),
    ['_id_', 'n_1']
  )
  t.equal(await codeOf(() => c.aggregate([{ $set: { n: 1 } }, { $out: 'out' }])), 11000)
  t.equal(await target.count(), 100, 'a failed $out leaves the collection as it was')
  t.same(
    c.engine.listCollections('test').map(({ name }) => name),
    ['out', 'things']
  )
  t.match(await c.engine.check(), { ok: true })
})

test('$merge treats matched and other documents as its options say', async (t) => {
  const { c, other } = await openNumbered(t, 10)
  const target = other('merged')
  const merge = (options: Plain, match: Plain = {}) =>
    c.aggregate([{ $match: match }, { $merge: { into: 'merged', ...options } }])
  await merge({}, { n: { $lt: 3 } })
  t.same(await target.ids(), [0, 1, 2])
  await target.update({}, { $set: { own: true } }, { multi: true })
  await merge({ whenMatched: 'merge', whenNotMatched: 'discard' })
  t.same(await target.find({ _id: 1 }), [{ _id: 1, g: 1, n: 1, own: true }])
  await merge({ whenMatched: 'replace', whenNotMatched: 'discard' }, { n: 1 })
  t.same(await target.find({ _id: 1 }), [{ _id: 1, g: 1, n: 1 }])
  await merge({ whenMatched: 'keepExisting' }, { n: { $lt: 5 } })
  t.same(await target.ids({ own: true }), [0, 2])
  t.equal(await target.count(), 5)
  await merge({ whenMatched: [{ $set: { n: { $add: ['$n', '$$new.n'] } } }] }, { n: 4 })
  t.same(await target.find({ _id: 4 }), [{ _id: 4, g: 4, n: 8 }])
  t.equal(await codeOf(() => merge({ whenMatched: 'fail' }, { n: 1 })), 11000)
  t.equal(await codeOf(() => merge({ whenNotMatched: 'fail' }, { n: 9 })), 13113)
  t.match(await c.engine.check(), { ok: true })
})

test('$merge on other fields needs a unique index on them', async (t) => {
  const { c, other } = await openNumbered(t, 5)
  const target = other('merged')
  const merge = (extra: readonly Plain[] = []) =>
    c.aggregate([
      ...extra,
      { $project: { _id: 0 } },
      { $merge: { into: 'merged', on: ['g', 'n'] } }
    ])
  t.equal(await codeOf(() => merge()), 51183)
  await target.index({ n: 1, g: 1 }, { unique: true })
  await merge()
  await merge([{ $set: { more: 1 } }])
  t.equal(await target.count({ more: 1 }), 5)
  t.equal(await target.count(), 5)
  t.equal(await codeOf(() => merge([{ $set: { g: null } }])), 51132)
  const withId = [{ $set: { _id: 'other' } }, { $merge: { into: 'merged', on: ['g', 'n'] } }]
  t.equal(await codeOf(() => c.aggregate(withId)), 66)
})

test('results go nowhere inside a transaction', async (t) => {
  const { c } = await openNumbered(t, 5)
  const transaction = c.engine.transactions.begin(
    { sessionId: 's', txnNumber: 1n },
    { now: new Date() }
  )
  t.equal(await codeOf(() => c.aggregate([{ $out: 'x' }], contextOf({ transaction }))), 263)
})

test('a transaction’s pipeline reads its snapshot and its own writes', async (t) => {
  const { c } = await openNumbered(t, 5)
  const transaction = c.engine.transactions.begin(
    { sessionId: 's', txnNumber: 1n },
    { now: new Date() }
  )
  const context = contextOf({ transaction })
  await c.insert([{ _id: 'mine', g: 1 }], context)
  await c.insert([{ _id: 'theirs', g: 1 }])
  t.same(await c.aggregate([{ $match: { g: 1 } }, { $count: 'n' }], context), [{ n: 2 }])
})

test('a pipeline that fails on a document releases what it read: its pages are used again', async (t) => {
  const c = await openTestCollection(t)
  const text = () => randomBytes(750).toString('base64')
  await c.insert(Array.from({ length: 500 }, (_, _id) => ({ _id, of: _id === 300 ? 0 : 1 })))
  const write = async () => {
    for (let n = 0; n < 100; n++)
      await c.update({ _id: { $lt: 50 } }, { $set: { n, text: text() } }, { multi: true })
    return c.engine.fileUsage().bytes
  }
  const before = await write()
  const failing = { $match: { $expr: { $gt: [{ $divide: [1, '$of'] }, 0] } } }
  for (const end of [{ $merge: { into: 'other' } }, { $count: 'n' }])
    t.equal(await codeOf(() => c.aggregate([failing, end])), 2)
  t.ok((await write()) < 2 * before)
})
