// createIndexes on collections with documents: building, failing, waiting, and what is left after a crash.
// Runs beside the others: it waits for much of its time.
import { test } from 'tap'
import { doc, plain } from '../bson/arbitrary-values.test.data.ts'
import type { EngineOptions } from '../engine.ts'
import {
  type Cleaner,
  codeOf,
  contextOf,
  openTestCollection,
  openTestEngine,
  stagesOf,
  TestCollection,
  temporaryFolder
} from './open-engine.test.data.ts'
import { giveTurn } from './time-slices.ts'

const many = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    _id: i,
    a: i % 100,
    t: [i % 3, i % 5],
    text: 'x'.repeat(50)
  }))

async function openMany(
  t: Cleaner,
  count: number,
  options: EngineOptions = {}
): Promise<TestCollection> {
  const engine = await openTestEngine(t, options)
  const c = new TestCollection(engine, { db: 'test', collection: 'things' })
  for (let i = 0; i < count; i += 5_000) await c.insert(many(count).slice(i, i + 5_000))
  return c
}

test('an index over documents that are there has all of them', async (t) => {
  const c = await openMany(t, 500)
  t.same(await c.index({ a: 1 }), {
    numIndexesBefore: 1,
    numIndexesAfter: 2,
    createdCollectionAutomatically: false
  })
  t.same(await c.index({ t: 1, a: -1 }), {
    numIndexesBefore: 2,
    numIndexesAfter: 3,
    createdCollectionAutomatically: false
  })
  t.equal(await c.count({ a: 7 }), 5)
  t.same(stagesOf((await c.explain({ t: 2 }))['queryPlanner']), ['FETCH', 'IXSCAN'])
  t.match(await c.engine.check(), { ok: true })
})

test('the same index again does nothing, and a collection is made when there is none', async (t) => {
  const c = await openTestCollection(t)
  t.match(await c.index({ a: 1 }), { numIndexesAfter: 2, createdCollectionAutomatically: true })
  t.match(await c.index({ a: 1 }), {
    numIndexesBefore: 2,
    numIndexesAfter: 2,
    note: 'all indexes already exist'
  })
  t.match(await c.index({ _id: 1 }), { note: 'all indexes already exist' })
  t.same(
    c.engine.listIndexes(c.ns).map((spec) => plain(spec)),
    [
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { a: 1 }, name: 'a_1' }
    ]
  )
  t.equal(await codeOf(() => c.index({ a: 1 }, { name: 'other' })), 85)
  t.equal(await codeOf(() => c.index({ b: 1 }, { name: 'a_1' })), 86)
})

test('a unique and a plain index may have the same key, and then need their names', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ a: 1 })
  t.equal(await codeOf(() => c.index({ a: 1 }, { unique: true })), 86)
  await c.index({ a: 1 }, { name: 'a_unique', unique: true })
  await c.insert([{ _id: 1, a: 1 }])
  t.match(await c.insert([{ _id: 2, a: 1 }]), { writeErrors: [{ code: 11000 }] })
  t.equal(await codeOf(() => c.find({}, { hint: doc({ a: 1 }) })), 27)
  t.same(await c.ids({ a: 1 }, { hint: 'a_unique' }), [1])
  t.equal(await codeOf(() => c.engine.dropIndexes(c.ns, doc({ a: 1 }), contextOf())), 181)
  await c.engine.dropIndexes(c.ns, 'a_1', contextOf())
  t.same(await c.ids({ a: 1 }, { hint: doc({ a: 1 }) }), [1])
})

test('a unique index over duplicates fails with 11000 and leaves nothing, in one turn or in many', async (t) => {
  for (const count of [200, 30_000]) {
    const c = await openMany(t, count)
    await t.rejects(c.index({ a: 1 }, { unique: true }), {
      code: 11000,
      message: /E11000.*index: a_1 dup key: \{ a: \d+ \}/
    })
    t.same(
      c.engine.listIndexes(c.ns).map((spec) => spec.get('name')),
      ['_id_']
    )
    await c.insert([{ _id: 'more', a: 1 }])
    t.match(await c.engine.check(), { ok: true, indexEntries: 0 })
    await c.index({ a: 1 })
    t.equal(await c.count({ a: 1 }), count / 100 + 1)
  }
})

test('a build over many documents lets readers go on, and writers wait for it', async (t) => {
  const c = await openMany(t, 30_000)
  const order: string[] = []
  const build = c.index({ a: 1 }).then(() => order.push('built'))
  const other = new TestCollection(c.engine, { db: 'test', collection: 'other' })
  await other.insert([{ _id: 1 }])
  order.push('another collection is written')
  t.same(await c.ids({ _id: 5 }), [5])
  order.push('read')
  const written = Promise.all([
    c.insert([{ _id: 'w', a: 1 }]),
    c.update({ _id: 1 }, { $set: { a: 55 } })
  ]).then(() => order.push('written'))
  await Promise.all([build, written])
  t.same(order.slice(0, 2), ['another collection is written', 'read'])
  t.equal(await c.count({ a: 55 }), 301)
  t.match(await c.engine.check(), { ok: true })
})

test('two builds on one collection follow each other', async (t) => {
  const c = await openMany(t, 20_000)
  await Promise.all([c.index({ a: 1 }), c.index({ t: 1 }), c.index({ a: 1 })])
  t.equal(c.engine.listIndexes(c.ns).length, 3)
  t.match(await c.engine.check(), { ok: true })
})

test('a build whose collection is dropped or whose client is gone ends and leaves nothing', async (t) => {
  const c = await openMany(t, 30_000)
  const stop = new AbortController()
  const killed = c.index({ a: 1 }, {}, contextOf({ signal: stop.signal }))
  setImmediate(() => stop.abort())
  t.equal(await codeOf(() => killed), 11601)
  t.equal(c.engine.listIndexes(c.ns).length, 1)
  const dropped = codeOf(() => c.index({ a: 1 }))
  await c.engine.dropCollection(c.ns, contextOf())
  t.ok([undefined, 175].includes(await dropped))
  t.match(await c.engine.check(), { ok: true })
})

test('renaming, dropping indexes and collMod wait for a build', async (t) => {
  const c = await openMany(t, 30_000)
  await c.index({ z: 1 })
  const build = c.index({ a: 1 })
  await giveTurn()
  const to = { db: 'test', collection: 'renamed' }
  await Promise.all([
    c.engine.dropIndexes(c.ns, 'z_1', contextOf()),
    c.engine.collMod(c.ns, doc({}), contextOf()),
    build
  ])
  const second = c.index({ t: 1 })
  await giveTurn()
  await c.engine.renameCollection(c.ns, to, { dropTarget: false }, contextOf())
  await second
  const names = c.engine.listIndexes(to).map((spec) => spec.get('name'))
  t.same(names, ['_id_', 'a_1', 't_1'])
  t.match(await c.engine.check(), { ok: true })
})

test('what a build left behind when the process ended is taken away at the next start', async (t) => {
  // With slow flushes the build is sure to take longer than a copy takes to begin.
  const c = await openMany(t, 30_000, { slowerFlushMs: 120 })
  const copy = await temporaryFolder(t)
  const build = c.index({ a: 1 })
  while (c.engine.listIndexes(c.ns).length === 1 && !(await isBuilding(c))) await giveTurn()
  await c.engine.backup(copy)
  await build
  const again = new TestCollection(await openTestEngine(t, {}, copy), c.ns)
  t.equal(again.engine.listIndexes(c.ns).length, 1)
  t.match(await again.engine.check(), { ok: true, documents: 30_000 })
  await again.insert([{ _id: 'new', a: 1 }])
  await again.index({ a: 1 })
  t.equal(await again.count({ a: 1 }), 301)
})

/** A build is under way when a write waits. */
async function isBuilding(c: TestCollection): Promise<boolean> {
  const deadlineMs = Date.now() + 1
  return (await codeOf(() => c.insert([{ _id: 0 }], contextOf({ deadlineMs })))) === 50
}

test('indexes are dropped by name, by names, by key, and all at once', async (t) => {
  const c = await openMany(t, 50)
  for (const key of [{ a: 1 }, { b: 1 }, { c: 1 }, { d: 1 }, { e: -1 }]) await c.index(key)
  const drop = (wanted: Parameters<typeof c.engine.dropIndexes>[1]) =>
    c.engine.dropIndexes(c.ns, wanted, contextOf())
  t.same(await drop('a_1'), { nIndexesWas: 6 })
  t.same(await drop(['b_1', 'c_1']), { nIndexesWas: 5 })
  t.same(await drop(doc({ e: -1 })), { nIndexesWas: 3 })
  t.equal(await codeOf(() => drop('a_1')), 27)
  t.equal(await codeOf(() => drop(doc({ a: 1 }))), 27)
  t.equal(await codeOf(() => drop('_id_')), 72)
  t.equal(await codeOf(() => drop(doc({ _id: 1 }))), 72)
  t.match(await drop('*'), { nIndexesWas: 2, msg: /non-_id indexes dropped/ })
  t.equal(
    await codeOf(() => c.engine.dropIndexes({ db: 'no', collection: 'no' }, '*', contextOf())),
    26
  )
  t.equal(await codeOf(async () => c.engine.listIndexes({ db: 'no', collection: 'no' })), 26)
})

test('a collection has at most 64 indexes', async (t) => {
  const c = await openTestCollection(t)
  const specs = Array.from({ length: 64 }, (_, i) => doc({ key: { [`f${i}`]: 1 }, name: `f${i}` }))
  t.equal(await codeOf(() => c.engine.createIndexes(c.ns, specs, contextOf())), 67)
  await c.engine.createIndexes(c.ns, specs.slice(1), contextOf())
  t.equal(await codeOf(() => c.index({ z: 1 })), 67)
})

test('collMod hides and shows an index and changes a time to live', async (t) => {
  const c = await openMany(t, 50)
  await c.index({ a: 1 })
  await c.index({ at: 1 }, { expireAfterSeconds: 10 })
  const change = async (request: Record<string, unknown>) =>
    plain(await c.engine.collMod(c.ns, doc(request), contextOf()))
  t.same(await change({ index: { name: 'a_1', hidden: true } }), {
    hidden_old: false,
    hidden_new: true
  })
  t.same(await change({ index: { name: 'a_1', hidden: true } }), {})
  t.same(stagesOf((await c.explain({ a: 1 }))['queryPlanner']), ['COLLSCAN'])
  t.same(await change({ index: { keyPattern: { a: 1 }, hidden: false } }), {
    hidden_old: true,
    hidden_new: false
  })
  t.same(stagesOf((await c.explain({ a: 1 }))['queryPlanner']), ['FETCH', 'IXSCAN'])
  t.same(await change({ index: { name: 'at_1', expireAfterSeconds: 20 } }), {
    expireAfterSeconds_old: 10,
    expireAfterSeconds_new: 20
  })
  t.same(await change({ index: { name: 'a_1', expireAfterSeconds: 5 } }), {
    expireAfterSeconds_new: 5
  })
  t.same(await change({ changeStreamPreAndPostImages: { enabled: true } }), {})
  t.same(plain(c.engine.listCollections('test')[0]?.options), {
    changeStreamPreAndPostImages: { enabled: true }
  })
})

test('collMod refuses what it cannot do', async (t) => {
  const c = await openMany(t, 10)
  await c.index({ a: 1, b: 1 })
  const cases: [Record<string, unknown>, number][] = [
    [{ validator: {} }, 72],
    [{ index: 1 }, 14],
    [{ index: { name: 'a_1_b_1', unique: true } }, 72],
    [{ index: { hidden: true } }, 72],
    [{ index: { name: 'nope', hidden: true } }, 27],
    [{ index: { name: '_id_', hidden: true } }, 2],
    [{ index: { keyPattern: { _id: 1 }, hidden: true } }, 2],
    [{ index: { name: 'a_1_b_1', hidden: 'x' } }, 14],
    [{ index: { name: 'a_1_b_1', expireAfterSeconds: 5 } }, 72],
    [{ index: { name: 'a_1_b_1', expireAfterSeconds: -5 } }, 72]
  ]
  for (const [request, code] of cases) {
    t.equal(
      await codeOf(() => c.engine.collMod(c.ns, doc(request), contextOf())),
      code,
      JSON.stringify(request)
    )
  }
  t.equal(
    await codeOf(() => c.engine.collMod({ db: 'no', collection: 'no' }, doc({}), contextOf())),
    26
  )
})
