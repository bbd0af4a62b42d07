// update, delete and findAndModify on stored documents and their indexes.
import { test } from 'tap'
import { doc, plain } from '../bson/arbitrary-values.test.data.ts'
import { codeOf, contextOf, openTestCollection, updateStatement } from './open-engine.test.data.ts'

test('an update changes the document and its entries in the indexes', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ a: 1 })
  await c.index({ t: 1 })
  await c.index({ b: 1 }, { partialFilterExpression: { on: true } })
  await c.insert([{ _id: 1, a: 1, t: [1, 2], b: 5, on: false }])
  t.match(await c.update({ a: 1 }, { $set: { a: 2, on: true }, $push: { t: 3 } }), {
    n: 1,
    nModified: 1
  })
  t.same(await c.ids({ a: 2 }), [1])
  t.same(await c.ids({ a: 1 }), [])
  t.same(await c.ids({ t: 3 }), [1])
  t.same(await c.ids({ b: 5, on: true }), [1])
  t.match(await c.engine.check(), { ok: true, indexEntries: 5 })
})

test('an update that changes nothing counts as matched only', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1, a: 1 }])
  t.match(await c.update({ _id: 1 }, { $set: { a: 1 } }), { n: 1, nModified: 0, upserted: [] })
  t.match(await c.update({ _id: 2 }, { $set: { a: 1 } }), { n: 0, nModified: 0 })
})

test('a multi-update by the index that it moves updates each document once', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ a: 1 })
  await c.insert(Array.from({ length: 1_000 }, (_, i) => ({ _id: i, a: i })))
  t.match(await c.update({ a: { $gte: 0 } }, { $inc: { a: 10 } }, { multi: true }), {
    n: 1_000,
    nModified: 1_000
  })
  t.equal(await c.count({ a: { $gte: 10, $lt: 1_010 } }), 1_000)
  t.match(await c.engine.check(), { ok: true })
})

test('many documents are updated and deleted over many turns, while others have theirs', async (t) => {
  const c = await openTestCollection(t)
  for (let i = 0; i < 6_000; i += 1_000)
    await c.insert(Array.from({ length: 1_000 }, (_, k) => ({ _id: i + k, n: 0 })))
  const [updated, inserted] = await Promise.all([
    c.update({ n: 0 }, { $inc: { n: 1 } }, { multi: true }),
    c.insert([{ _id: 'other' }])
  ])
  t.match(updated, { n: 6_000, nModified: 6_000 })
  t.equal(inserted.n, 1)
  t.equal((await c.delete({ n: 1 })).n, 6_000)
  t.same(await c.ids(), ['other'])
})

test('an update into a duplicate fails and leaves the document and its entries', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ z: 1 })
  await c.index({ u: 1 }, { unique: true })
  await c.insert([
    { _id: 1, u: 1, z: 1 },
    { _id: 2, u: 2, z: 2 }
  ])
  const { n, writeErrors } = await c.update({ _id: 2 }, { $set: { u: 1, z: 3 } })
  t.equal(n, 0)
  t.match(writeErrors, [{ index: 0, code: 11000 }])
  t.same(await c.find({ _id: 2 }), [{ _id: 2, u: 2, z: 2 }])
  t.match(await c.engine.check(), { ok: true })
})

test('statements of one command see each other, and an ordered command ends at an error', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1, n: 0 }])
  const updates = [
    updateStatement({ _id: 1 }, { $inc: { n: 1 } }),
    updateStatement({ n: 1 }, { $inc: { n: 1 } }),
    updateStatement({ n: 2 }, { $nope: 1 }),
    updateStatement({ n: 2 }, { $inc: { n: 1 } })
  ]
  const ordered = await c.engine.update(c.ns, { updates, ordered: true }, contextOf())
  t.match(ordered, { n: 2, nModified: 2, writeErrors: [{ index: 2, code: 9 }] })
  const { n } = await c.engine.update(
    c.ns,
    { updates: updates.slice(2), ordered: false },
    contextOf()
  )
  t.equal(n, 1)
  t.same(await c.find(), [{ _id: 1, n: 3 }])
})

test('a document does not grow over 16 MiB', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1, a: 'x'.repeat(9_000_000) }])
  t.match((await c.update({ _id: 1 }, { $set: { b: 'x'.repeat(9_000_000) } })).writeErrors, [
    { code: 17419 }
  ])
  t.same(await c.find({}, { projection: doc({ a: 0 }) }), [{ _id: 1 }])
})

test('an upsert inserts what its filter and update say, once', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ k: 1 }, { unique: true })
  const first = await c.update(
    { k: 'x' },
    { $inc: { n: 1 }, $setOnInsert: { made: true } },
    { upsert: true }
  )
  t.match(first, { n: 1, nModified: 0, upserted: [{ index: 0 }] })
  t.match(await c.update({ k: 'x' }, { $inc: { n: 1 } }, { upsert: true }), {
    n: 1,
    nModified: 1,
    upserted: []
  })
  t.match(await c.find({}, { projection: doc({ _id: 0 }) }), [{ k: 'x', n: 2, made: true }])
  const own = await c.update({ _id: 7 }, { $set: { k: 'y' } }, { upsert: true })
  t.same(
    own.upserted.map(({ _id }) => plain(_id)),
    [7]
  )
  const replaced = await c.update({ _id: 8 }, { k: 'z' }, { upsert: true })
  t.same(
    replaced.upserted.map(({ _id }) => plain(_id)),
    [8]
  )
  await Promise.all(
    Array.from({ length: 50 }, () => c.update({ k: 'many' }, { $inc: { n: 1 } }, { upsert: true }))
  )
  t.match(await c.find({ k: 'many' }), [{ n: 50 }])
})

test('delete takes the first or all', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ a: 1 })
  await c.insert(Array.from({ length: 10 }, (_, i) => ({ _id: i, a: i % 2 })))
  t.equal((await c.delete({ a: 1 }, { single: true })).n, 1)
  t.equal((await c.delete({ a: 1 })).n, 4)
  t.equal((await c.delete({ a: 1 })).n, 0)
  t.equal((await c.delete({}, { hint: doc({ a: 1 }) })).n, 5)
  t.match(await c.engine.check(), { ok: true, documents: 0, indexEntries: 0 })
  t.equal((await openTestCollection(t).then((none) => none.delete({}))).n, 0)
  t.equal((await c.delete({ a: { $nope: 1 } })).writeErrors[0]?.code, 2)
})

test('findAndModify answers with the document before, after, removed or made', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([
    { _id: 1, a: 1, s: 2 },
    { _id: 2, a: 1, s: 1 }
  ])
  const sort = doc({ s: 1 })
  t.same(await c.modify({ a: 1 }, { update: doc({ $inc: { s: 10 } }), sort }), {
    value: { _id: 2, a: 1, s: 1 },
    lastErrorObject: { n: 1, updatedExisting: true },
    retried: false
  })
  t.match(
    await c.modify(
      { a: 1 },
      { update: doc({ $inc: { s: 10 } }), sort, returnNew: true, projection: doc({ s: 1 }) }
    ),
    { value: { _id: 1, s: 12 } }
  )
  t.same(await c.modify({ a: 1 }, { remove: true, sort }), {
    value: { _id: 2, a: 1, s: 11 },
    lastErrorObject: { n: 1 },
    retried: false
  })
  t.same(await c.modify({ a: 9 }, { remove: true }), {
    value: null,
    lastErrorObject: { n: 0 },
    retried: false
  })
  t.same(await c.modify({ a: 9 }, { update: doc({ $set: { b: 1 } }) }), {
    value: null,
    lastErrorObject: { n: 0, updatedExisting: false },
    retried: false
  })
  t.match(
    await c.modify({ _id: 5 }, { update: doc({ $set: { b: 1 } }), upsert: true, returnNew: true }),
    { value: { _id: 5, b: 1 }, lastErrorObject: { n: 1, updatedExisting: false } }
  )
  t.match(await c.modify({ _id: 6 }, { update: doc({ b: 2 }), upsert: true }), {
    value: null,
    lastErrorObject: { n: 1 }
  })
  t.equal(await codeOf(() => c.modify({ _id: 6 }, { update: doc({ $nope: 1 }) })), 9)
})

test('pipeline updates, let and array filters reach the document', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([
    {
      _id: 1,
      list: [
        { k: 1, v: 1 },
        { k: 2, v: 1 }
      ],
      n: 2
    }
  ])
  await c.update({ _id: 1 }, [{ $set: { n: { $add: ['$n', '$$more'] } } }], {
    let: doc({ more: 5 })
  })
  await c.update({ _id: 1 }, { $set: { 'list.$[x].v': 9 } }, { arrayFilters: [doc({ 'x.k': 2 })] })
  await c.update({ 'list.k': 1 }, { $set: { 'list.$.v': 7 } })
  t.same(await c.find(), [
    {
      _id: 1,
      list: [
        { k: 1, v: 7 },
        { k: 2, v: 9 }
      ],
      n: 7
    }
  ])
})

test('an update of a document with very many index entries writes those that differ', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ tags: 1 })
  const tags = Array.from({ length: 20_000 }, (_, n) => `tag ${n}`)
  await c.insert([{ _id: 1, tags }])
  t.match(await c.update({ _id: 1 }, { $push: { tags: 'more' } }), { nModified: 1 })
  t.match(await c.update({ _id: 1 }, { $pull: { tags: 'tag 5' } }), { nModified: 1 })
  t.same(await c.ids({ tags: 'more' }), [1])
  t.same(await c.ids({ tags: 'tag 5' }), [])
  t.match(await c.engine.check(), { ok: true, indexEntries: 20_000 })
})
