// Databases and collections: made, listed, renamed, dropped; what happens to their data.
import { test } from 'tap'
import { doc, plain } from '../bson/arbitrary-values.test.data.ts'
import { openEngine } from './open.ts'
import {
  codeOf,
  contextOf,
  openTestCollection,
  openTestEngine,
  TestCollection,
  temporaryFolder
} from './open-engine.test.data.ts'

const ns = (collection: string, db = 'test') => ({ db, collection })

test('collections are made with their options, and twice only when these are the same', async (t) => {
  const { engine } = await openTestCollection(t)
  const create = (name: string, options = {}) =>
    engine.createCollection(ns(name), doc(options), contextOf())
  await create('a')
  await create('a')
  await create('b', { collation: { locale: 'en', strength: 2 }, capped: false })
  t.equal(await codeOf(() => create('a', { collation: { locale: 'en', strength: 1 } })), 48)
  for (const options of [
    { capped: true, size: 5 },
    { viewOn: 'a' },
    { timeseries: {} },
    { validator: {} },
    { nope: 1 }
  ]) {
    t.equal(await codeOf(() => create('c', options)), 72, JSON.stringify(options))
  }
  t.equal(await codeOf(() => create('c', { collation: 1 })), 14)
  t.equal(await codeOf(() => create('c', { collation: { locale: 'xx' } })), 2)
  t.equal(await codeOf(() => create('c.')), 73)
  const listed = engine.listCollections('test')
  t.same(
    listed.map(({ name, type }) => [name, type]),
    [
      ['a', 'collection'],
      ['b', 'collection']
    ]
  )
  t.equal(listed[0]?.uuid.length, 16)
  t.match(plain(listed[1]?.options), { collation: { locale: 'en' } })
})

test('a collection’s collation holds for its queries, indexes and ids', async (t) => {
  const c = await openTestCollection(t)
  await c.engine.createCollection(
    c.ns,
    doc({ collation: { locale: 'en', strength: 2 } }),
    contextOf()
  )
  await c.index({ a: 1 })
  await c.insert([
    { _id: 'x', a: 'One' },
    { _id: 'y', a: 'one' },
    { _id: 'z', a: 'two' }
  ])
  t.same(await c.ids({ a: 'ONE' }), ['x', 'y'])
  t.same(await c.ids({ _id: 'X' }), ['x'])
  t.equal((await c.insert([{ _id: 'X' }])).writeErrors[0]?.code, 11000)
  t.same(await c.ids({ a: 'one' }, { collation: doc({ locale: 'simple' }) }), ['y'])
  t.match(c.engine.listIndexes(c.ns).map(plain), [
    { collation: { locale: 'en' } },
    { collation: { locale: 'en' } }
  ])
})

test('databases are listed with the size of their documents', async (t) => {
  const c = await openTestCollection(t)
  t.same(c.engine.listDatabases(), [])
  await c.insert([{ _id: 1 }])
  await new TestCollection(c.engine, ns('x', 'another')).insert([{ _id: 1 }])
  t.same(c.engine.listDatabases(), [
    { name: 'another', sizeOnDisk: 14, empty: false },
    { name: 'test', sizeOnDisk: 14, empty: false }
  ])
})

test('a dropped collection is gone at once, its entries follow, and a new one begins empty', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ a: 1 })
  for (let i = 0; i < 10; i++)
    await c.insert(Array.from({ length: 1_000 }, (_, k) => ({ _id: 1_000 * i + k, a: k })))
  t.same(await c.engine.dropCollection(c.ns, contextOf()), { nIndexesWas: 2 })
  t.equal(await c.engine.dropCollection(c.ns, contextOf()), undefined)
  t.equal(await c.count(), 0)
  await c.insert([{ _id: 1, a: 1 }])
  t.equal(await c.count(), 1)
  t.match(await c.engine.check(), { ok: true, documents: 1, indexEntries: 0 })
})

test('what was dropped is removed after a restart too', async (t) => {
  const folder = await temporaryFolder(t)
  const first = await openEngine(folder)
  const c = new TestCollection(first, ns('c'))
  for (let i = 0; i < 10; i++)
    await c.insert(Array.from({ length: 1_000 }, (_, k) => ({ _id: 1_000 * i + k })))
  await first.dropCollection(c.ns, contextOf())
  await first.close()
  const again = await openTestEngine(t, {}, folder)
  t.same(again.listCollections('test'), [])
  t.match(await again.check(), { ok: true, documents: 0 })
})

test('a database is dropped with all its collections, and no other', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1 }])
  const other = new TestCollection(c.engine, ns('x', 'another'))
  await other.insert([{ _id: 1 }])
  await c.engine.dropDatabase('test', contextOf())
  await c.engine.dropDatabase('nothing', contextOf())
  t.same(
    c.engine.listDatabases().map(({ name }) => name),
    ['another']
  )
})

test('a renamed collection keeps its documents and indexes', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ a: 1 })
  await c.insert([{ _id: 1, a: 1 }])
  const to = new TestCollection(c.engine, ns('renamed', 'another'))
  await c.engine.renameCollection(c.ns, to.ns, { dropTarget: false }, contextOf())
  t.same(await to.ids({ a: 1 }), [1])
  t.equal(await c.count(), 0)
  await c.insert([{ _id: 2 }])
  const rename = (dropTarget: boolean, from = c.ns, target = to.ns) =>
    c.engine.renameCollection(from, target, { dropTarget }, contextOf())
  t.equal(await codeOf(() => rename(false)), 48)
  await rename(true)
  t.same(await to.ids(), [2])
  t.equal(await codeOf(() => rename(true)), 26)
  t.equal(await codeOf(() => rename(true, to.ns, to.ns)), 20)
  t.equal(await codeOf(() => rename(true, to.ns, ns('a$b'))), 73)
  t.match(await c.engine.check(), { ok: true, documents: 1 })
})

test('everything is there after opening again', async (t) => {
  const folder = await temporaryFolder(t)
  const first = await openEngine(folder)
  const c = new TestCollection(first, ns('c'))
  await c.index({ t: 1 })
  await c.index({ u: 1 }, { unique: true, partialFilterExpression: { u: { $gt: 0 } } })
  await c.insert([
    { _id: 1, t: [1, 2], u: 5 },
    { _id: 2, t: 1 }
  ])
  await first.close()
  const again = new TestCollection(await openTestEngine(t, {}, folder), ns('c'))
  t.same(await again.ids({ t: 1 }), [1, 2])
  t.equal((await again.insert([{ _id: 3, u: 5 }])).writeErrors[0]?.code, 11000)
  t.equal(await again.count(), 2)
  t.same(await again.ids({}, { sort: doc({ t: 1 }) }), [1, 2], 'it still knows of the arrays')
  t.match(await again.engine.check(), { ok: true, documents: 2, indexEntries: 4 })
})

test('statistics tell counts and sizes', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ a: 1 })
  await c.insert(Array.from({ length: 100 }, (_, i) => ({ _id: i, a: i })))
  t.match(plain(c.engine.collStats(c.ns)), {
    ns: 'test.things',
    count: 100,
    size: 2_100,
    avgObjSize: 21,
    nindexes: 2
  })
  t.match(plain(c.engine.collStats(ns('none'))), { count: 0, size: 0 })
  t.match(plain(c.engine.dbStats('test')), {
    db: 'test',
    collections: 1,
    objects: 100,
    dataSize: 2_100,
    indexes: 2
  })
  t.match(plain(c.engine.dbStats('none')), { collections: 0, objects: 0, avgObjSize: 0 })
})
