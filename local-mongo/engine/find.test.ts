// find, count and distinct: order, paging, bounds of memory and time.
import { test } from 'tap'
import { doc, plain } from '../bson/arbitrary-values.test.data.ts'
import { decodeDoc } from '../bson/decode.ts'
import { parseSort } from '../bson/sort.ts'
import {
  codeOf,
  contextOf,
  openTestCollection,
  type Plain,
  type TestCollection
} from './open-engine.test.data.ts'
import { Sorter } from './sorter.ts'

const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ _id: i, a: i % 10, b: -i }))

async function openNumbered(
  t: Parameters<typeof openTestCollection>[0],
  count = 100
): Promise<TestCollection> {
  const c = await openTestCollection(t)
  await c.index({ a: 1 })
  await c.insert(numbered(count))
  return c
}

test('rows come in batches of what is asked, and end', async (t) => {
  const c = await openNumbered(t)
  const rows = await c.engine.find(c.ns, { filter: doc({ a: 3 }) }, contextOf())
  t.equal((await rows.next(4, 1e6)).length, 4)
  t.equal(rows.exhausted, false)
  t.equal((await rows.next(100, 1e6)).length, 6)
  t.equal(rows.exhausted, true)
  t.same(await rows.next(5, 1e6), [])
  t.same(await rows.next(0, 1e6), [])
})

test('a batch keeps to its bytes, but has one row at least', async (t) => {
  const c = await openNumbered(t, 5)
  const rows = await c.engine.find(c.ns, { filter: doc({}) }, contextOf())
  const sizes: number[] = []
  while (!rows.exhausted) sizes.push((await rows.next(10, 70)).length)
  t.same(
    sizes.filter((size) => size > 0),
    [2, 2, 1]
  )
  const single = await c.engine.find(c.ns, { filter: doc({}) }, contextOf())
  t.equal((await single.next(10, 1)).length, 1)
})

test('skip, limit, sort and projection work together', async (t) => {
  const c = await openNumbered(t)
  const found = await c.find(
    { a: { $lt: 5 } },
    { sort: doc({ b: 1 }), skip: 2, limit: 3, projection: doc({ _id: 0, b: 1 }) }
  )
  t.same(found, [{ b: -92 }, { b: -91 }, { b: -90 }])
  t.same(await c.ids({}, { limit: 2, sort: doc({ _id: -1 }) }), [99, 98])
  t.same(await c.ids({ a: 3 }, { skip: 8 }), [83, 93])
  t.same(await c.ids({}, { sort: doc({ $natural: -1 }), limit: 2 }), [99, 98])
})

test('a cursor goes on over changes between its batches', async (t) => {
  const c = await openNumbered(t, 20)
  const rows = await c.engine.find(c.ns, { filter: doc({ _id: { $gte: 0 } }) }, contextOf())
  await rows.next(5, 1e6)
  await c.delete({ _id: { $in: [4, 5, 6] } })
  await c.insert([{ _id: 100, a: 1 }])
  const rest = (await rows.next(100, 1e6)).map((bytes) => plain(decodeDoc(bytes).get('_id')))
  t.same(rest, [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 100])
})

test('a cursor whose collection or index is dropped ends with 175', async (t) => {
  const c = await openNumbered(t)
  const byIndex = await c.engine.find(c.ns, { filter: doc({ a: { $gte: 1 } }) }, contextOf())
  const scan = await c.engine.find(c.ns, { filter: doc({}) }, contextOf())
  await byIndex.next(2, 1e6)
  await scan.next(2, 1e6)
  await c.engine.dropIndexes(c.ns, 'a_1', contextOf())
  t.equal(await codeOf(() => byIndex.next(2, 1e6)), 175)
  t.equal((await scan.next(2, 1e6)).length, 2)
  await c.engine.dropCollection(c.ns, contextOf())
  t.equal(await codeOf(() => scan.next(2, 1e6)), 175)
})

test('a closed cursor gives nothing more', async (t) => {
  const c = await openNumbered(t)
  const rows = await c.engine.find(c.ns, { filter: doc({}) }, contextOf())
  await rows.next(2, 1e6)
  rows.close()
  t.equal(rows.exhausted, true)
  t.same(await rows.next(2, 1e6), [])
})

test('a collection that is not there is empty, but its query is read', async (t) => {
  const c = await openTestCollection(t)
  t.same(await c.find({ a: 1 }), [])
  t.equal(await c.count({ a: 1 }), 0)
  t.same(await c.engine.distinct(c.ns, { key: 'a', filter: doc({}) }, contextOf()), [])
  t.equal(await codeOf(() => c.find({ a: { $nope: 1 } })), 2)
})

test('a deadline or a kill ends an operation', async (t) => {
  const c = await openNumbered(t)
  t.equal(await codeOf(() => c.find({}, {}, contextOf({ deadlineMs: Date.now() - 1 }))), 50)
  t.equal(await codeOf(() => c.find({}, {}, contextOf({ signal: AbortSignal.abort() }))), 11601)
  t.equal(
    await codeOf(() => c.insert([{ _id: 'x' }], contextOf({ deadlineMs: Date.now() - 1 }))),
    50
  )
})

test('what would show how documents are stored is refused', async (t) => {
  const c = await openNumbered(t)
  t.equal(await codeOf(() => c.find({}, { returnKey: true })), 238)
  t.equal(await codeOf(() => c.find({}, { showRecordId: true })), 238)
})

test('min and max are ends of the hinted index', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ a: 1, b: -1 })
  await c.insert(Array.from({ length: 20 }, (_, i) => ({ _id: i, a: i % 4, b: i })))
  const find = (min?: Plain, max?: Plain, filter: Plain = {}) =>
    c.ids(filter, {
      hint: 'a_1_b_-1',
      ...(min === undefined ? {} : { min: doc(min) }),
      ...(max === undefined ? {} : { max: doc(max) })
    })
  t.same(await find({ a: 3, b: 11 }), [11, 7, 3])
  t.same(await find(undefined, { a: 0, b: 4 }), [16, 12, 8])
  t.same(await find({ a: 1, b: 9 }, { a: 2, b: 14 }), [9, 5, 1, 18])
  t.same(await find({ a: 1, b: 9 }, { a: 2, b: 14 }, { a: 1 }), [9, 5, 1])
  t.same(await find({ a: 2, b: 14 }, { a: 1, b: 9 }), [])
  t.equal(await codeOf(() => c.find({}, { min: doc({ a: 1, b: 1 }) })), 51173)
  t.equal(await codeOf(() => c.find({}, { min: doc({ a: 1 }), hint: doc({ $natural: 1 }) })), 51173)
  t.equal(await codeOf(() => find({ a: 1 })), 51174)
})

test('count uses the count, the keys or the documents, and all agree', async (t) => {
  const c = await openNumbered(t)
  const count = (filter: Record<string, unknown>, more = {}) =>
    c.engine.count(c.ns, { filter: doc(filter), ...more }, contextOf())
  t.equal(await count({}), 100)
  t.equal(await count({ a: { $gte: 3, $lt: 5 } }), 20)
  t.equal(await count({ b: { $lt: -49 } }), 50)
  t.equal(await count({ $or: [{ a: 1 }, { a: 2 }, { _id: 1 }] }), 20)
  t.equal(await count({ a: 3 }, { skip: 4 }), 6)
  t.equal(await count({ a: 3 }, { skip: 4, limit: 3 }), 3)
  t.equal(await count({ b: { $lt: 0 } }, { limit: 5 }), 5)
  t.equal(await count({}, { skip: 1_000 }), 0)
  await c.index({ t: 1 })
  await c.index({ u: 1 }, { unique: true, sparse: true })
  await c.insert([
    { _id: 'x', t: [1, 2, 3], u: [7, 8] },
    { _id: 'y', t: 2, u: 9 }
  ])
  t.equal(await count({ t: { $gte: 1 } }), 2)
  t.equal(await count({ u: { $gte: 1 } }), 2)
})

test('distinct gives each value once, elements of arrays one by one', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([
    { _id: 1, a: [1, 2, [3]] },
    { _id: 2, a: 1.0 },
    { _id: 3, a: null },
    { _id: 4, l: [{ x: 1 }, { x: [2, 1] }, 5] },
    { _id: 5, a: [{ b: 7 }] }
  ])
  const distinct = async (key: string, filter = {}) =>
    (await c.engine.distinct(c.ns, { key, filter: doc(filter) }, contextOf())).map(plain)
  t.same(await distinct('a'), [1, 2, [3], null, { b: 7 }])
  t.same(await distinct('l.x'), [1, 2])
  t.same(await distinct('l.0.x'), [1])
  t.same(await distinct('a', { _id: 2 }), [1])
  t.same(await distinct('nothing'), [])
})

test('distinct values that would not fit an answer are refused', async (t) => {
  const c = await openTestCollection(t)
  for (let i = 0; i < 3; i++) await c.insert([{ _id: i, text: String(i) + 'x'.repeat(7_000_000) }])
  t.equal(
    await codeOf(() => c.engine.distinct(c.ns, { key: 'text', filter: doc({}) }, contextOf())),
    17217
  )
})

test('a sort keeps few documents when few are wanted', (t) => {
  const sorter = new Sorter({
    sort: parseSort(doc({ a: 1 })),
    limit: 3,
    mayUseDisk: false,
    limitBytes: 2_000_000
  })
  for (let i = 0; i < 20_000; i++)
    sorter.add({ id: Buffer.from(String(i)), bytes: Buffer.from(encodeOf(20_000 - i)) })
  t.same(
    [...sorter.sorted()].map(({ id }) => Buffer.from(id).toString()),
    ['19999', '19998', '19997']
  )
  t.ok(sorter.peakBytes < 2_000_000)
  t.end()
})

test('a sort of many runs gives everything in order, equal ones as they came', (t) => {
  const sorter = new Sorter({ sort: parseSort(doc({ a: 1 })), limit: 0, mayUseDisk: false })
  const count = 10_000
  for (let i = 0; i < count; i++) {
    sorter.add({ id: Buffer.from(String(i)), bytes: encodeOf((i * 7_919) % 100) })
  }
  const sorted = [...sorter.sorted()].map(({ id }) => Number(Buffer.from(id).toString()))
  const expected = Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => ((a * 7_919) % 100) - ((b * 7_919) % 100) || a - b
  )
  t.same(sorted, expected)
  t.same(
    [...new Sorter({ sort: parseSort(doc({ a: 1 })), limit: 0, mayUseDisk: true }).sorted()],
    []
  )
  t.end()
})

test('a large sort fails with 292, or reads documents again where it may use the disk', async (t) => {
  const sort = parseSort(doc({ a: 1 }))
  const small = new Sorter({ sort, limit: 0, mayUseDisk: false, limitBytes: 10_000 })
  t.throws(
    () => {
      for (let i = 0; i < 1_000; i++) small.add({ id: Buffer.from('x'), bytes: encodeOf(i) })
    },
    { code: 292 }
  )
  const c = await openTestCollection(t)
  const pad = 'p'.repeat(1_000_000)
  for (let i = 0; i < 50; i += 10)
    await c.insert(
      Array.from({ length: 10 }, (_, k) => ({ _id: i + k, r: (7 * (i + k)) % 50, pad }))
    )
  const found = await c.find({}, { sort: doc({ r: 1 }), projection: doc({ r: 1 }) })
  t.same(
    found.map(({ r }) => r),
    Array.from({ length: 50 }, (_, i) => i)
  )
})

function encodeOf(a: number): Uint8Array {
  return Buffer.from(
    [16, 0, 0, 0, 16, 97, 0, a & 255, (a >> 8) & 255, (a >> 16) & 255, 0, 0]
      .slice(0, 12)
      .map((byte, i) => (i === 0 ? 12 : byte))
  )
}

test('a document with several keys that comes while a cursor is open is given once', async (t) => {
  const c = await openNumbered(t)
  const rows = await c.engine.find(c.ns, { filter: doc({ a: { $gte: 3, $lt: 9 } }) }, contextOf())
  const found = (await rows.next(2, 1e6)).length
  await c.insert([{ _id: 'late', a: [5, 6, 7] }])
  const rest = (await rows.next(1_000, 1e6)).map((bytes) => decodeDoc(bytes).get('_id'))
  t.equal(found + rest.length, 61)
  t.equal(rest.filter((id) => id === 'late').length, 1)
})
