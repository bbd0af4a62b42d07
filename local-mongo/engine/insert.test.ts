// insert: what a document becomes, and what a refused one leaves.

import { ObjectId } from 'bson'
import { test } from 'tap'
import { doc, plain } from '../bson/arbitrary-values.test.data.ts'
import { encodeDoc } from '../bson/encode.ts'
import { contextOf, openTestCollection } from './open-engine.test.data.ts'

test('a document without _id gets one, in front', async (t) => {
  const c = await openTestCollection(t)
  t.equal((await c.insert([{ a: 1 }])).n, 1)
  const [found] = await c.find()
  t.same(Object.keys(found ?? {}), ['_id', 'a'])
  t.ok(found?._id instanceof ObjectId)
})

test('an _id in another place is moved to the front', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ a: 1, _id: 'x', b: 2 }])
  t.same(Object.entries((await c.find())[0] ?? {}), [
    ['_id', 'x'],
    ['a', 1],
    ['b', 2]
  ])
})

test('what is not valid is refused with its place, and the rest goes in', async (t) => {
  const c = await openTestCollection(t)
  const bad = [
    [{ _id: [1] }, 53],
    [{ _id: /x/ }, 53],
    [{ _id: undefined }, 53],
    [{ _id: { $x: 1 } }, 52]
  ] as const
  const documents = [
    ...bad.map(([document]) => encodeDoc(doc(document))),
    encodeDoc(doc({ _id: 1 })),
    Buffer.from([5, 0, 0, 0, 1])
  ]
  const { n, writeErrors } = await c.engine.insert(c.ns, { documents, ordered: false }, contextOf())
  t.equal(n, 1)
  t.same(
    writeErrors.map(({ index, code }) => [index, code]),
    [...bad.map(([, code], i) => [i, code]), [5, 22]]
  )
  t.same(await c.ids(), [1])
})

test('a document over 16 MiB is refused with 10334', async (t) => {
  const c = await openTestCollection(t)
  const { writeErrors } = await c.insert([{ _id: 1, text: 'x'.repeat(16 * 1024 * 1024) }])
  t.match(writeErrors[0], { code: 10334, errmsg: /max size: 16777216/ })
  t.equal(await c.count(), 0)
})

test('an ordered insert ends at the first error, an unordered one goes on', async (t) => {
  const c = await openTestCollection(t)
  const documents = [{ _id: 1 }, { _id: 1 }, { _id: 2 }]
  t.match(await c.insert(documents), { n: 1, writeErrors: [{ index: 1, code: 11000 }] })
  t.match(await c.insert(documents, contextOf(), false), { n: 1, writeErrors: { length: 2 } })
  t.same(await c.ids(), [1, 2])
})

test('a duplicate names index, pattern and value, and leaves nothing of its document', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ a: 1 })
  await c.index({ u: 1, v: -1 }, { unique: true, name: 'uv' })
  await c.index({ z: 1 })
  await c.insert([{ _id: 1, a: 1, u: 'x', v: [1, 2], z: 1 }])
  const { writeErrors } = await c.insert([{ _id: 2, a: 2, u: 'x', v: [3, 2], z: 2 }])
  const [error] = writeErrors
  t.match(error, {
    index: 0,
    code: 11000,
    errmsg: 'E11000 duplicate key error collection: test.things index: uv dup key: { u: "x", v: 2 }'
  })
  t.same(plain(error?.keyPattern), { u: 1, v: -1 })
  t.same(plain(error?.keyValue), { u: 'x', v: 2 })
  t.match(await c.engine.check(), {
    ok: true,
    problems: [],
    collections: 1,
    documents: 1,
    indexEntries: 4
  })
})

test('the message of a duplicate _id shows the value as MongoDB does', async (t) => {
  const c = await openTestCollection(t)
  const ids: [unknown, string][] = [
    [1, '1'],
    ['x', '"x"'],
    [new ObjectId('65a1b2c3d4e5f60718293a4b'), "ObjectId('65a1b2c3d4e5f60718293a4b')"],
    [new Date(5), 'new Date(5)'],
    [
      { a: 1.5, b: null, c: [true], d: {}, e: [] },
      '{ a: 1.5, b: null, c: [ true ], d: {}, e: [] }'
    ],
    [null, 'null']
  ]
  for (const [_id, shown] of ids) {
    await c.insert([{ _id }])
    const { writeErrors } = await c.insert([{ _id }])
    t.equal(
      writeErrors[0]?.errmsg,
      `E11000 duplicate key error collection: test.things index: _id_ dup key: { _id: ${shown} }`
    )
  }
})

test('a thousand documents with several indexes are all there in all of them', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ a: 1 })
  await c.index({ t: 1 })
  await c.insert(Array.from({ length: 1_000 }, (_, i) => ({ _id: i, a: i % 7, t: [i, -i] })))
  t.equal(await c.count(), 1_000)
  t.equal(await c.count({ a: 3 }), 143)
  t.match(await c.engine.check(), { ok: true, documents: 1_000 })
})

test('very long ids and values are stored, found and kept apart', async (t) => {
  const c = await openTestCollection(t)
  await c.index({ v: 1 })
  await c.index({ u: 1 }, { unique: true })
  const long = 'x'.repeat(5_000)
  const documents = ['a', 'b', 'c'].map((end) => ({
    _id: long + end,
    v: long + end,
    u: long + end
  }))
  await c.insert(documents)
  t.equal((await c.insert([{ _id: 'other', u: `${long}b` }])).writeErrors[0]?.code, 11000)
  t.equal((await c.insert([{ _id: `${long}b` }])).writeErrors[0]?.code, 11000)
  t.same(await c.ids({ _id: `${long}b` }), [`${long}b`])
  t.same(await c.ids({ v: `${long}c` }), [`${long}c`])
  t.same(await c.ids({ v: { $gt: `${long}a` } }, { sort: doc({ v: -1 }) }), [
    `${long}c`,
    `${long}b`
  ])
  t.same(await c.ids({ _id: { $lt: `${long}c` } }, { sort: doc({ _id: 1 }) }), [
    `${long}a`,
    `${long}b`
  ])
  t.match(await c.engine.check(), { ok: true })
})

test('what a client names wrongly is refused with 73', async (t) => {
  const c = await openTestCollection(t)
  const documents = [encodeDoc(doc({ _id: 1 }))]
  for (const [db, collection] of [
    ['', 'c'],
    ['a.b', 'c'],
    ['a b', 'c'],
    ['d', ''],
    ['d', '.c'],
    ['d', 'c.'],
    ['d', 'a$b'],
    ['d', 'system.x'],
    ['d', 'c'.repeat(300)],
    ['d'.repeat(64), 'c']
  ] as const) {
    await t.rejects(
      c.engine.insert({ db, collection }, { documents, ordered: true }, contextOf()),
      { code: 73 },
      `${db}.${collection}`
    )
  }
})

test('bytes come back as they went in', async (t) => {
  const c = await openTestCollection(t)
  const stored = encodeDoc(doc({ _id: 'k', list: [1, [2.5]], nested: { b: 'x', a: null } }))
  await c.engine.insert(c.ns, { documents: [stored], ordered: true }, contextOf())
  const rows = await c.engine.find(c.ns, { filter: new Map() }, contextOf())
  const [back] = await rows.next(1, 1_000)
  t.ok(back !== undefined && Buffer.compare(back, stored) === 0)
})
