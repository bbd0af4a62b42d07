import { Double, Int32, Long } from 'bson'
import { test } from 'tap'
import { caught, doc, plain } from '../bson/arbitrary-values.test.data.ts'
import type { Doc, Value } from '../bson/value.ts'
import { parseFilter } from '../query/filter.ts'
import { idFirst, parseUpdate, upsertSeed } from './update.ts'

type Plain = Readonly<Record<string, unknown>>

const options = { isMulti: false, now: new Date(0) }
const run = (before: Plain, stages: readonly Plain[], more = {}, apply = {}) =>
  parseUpdate(
    stages.map((stage) => doc(stage)),
    { ...options, ...more }
  ).apply(doc(before), apply)

for (const [name, before, stages, after] of [
  [
    'computed fields',
    { a: 2, b: 3 },
    [
      { $set: { c: { $multiply: ['$a', '$b'] } } },
      { $unset: 'a' },
      { $set: { c2: { $add: ['$c', 1] } } }
    ],
    { b: 3, c: 6, c2: 7 }
  ],
  ['$replaceWith', { a: 2 }, [{ $replaceWith: { was: '$a' } }], { was: 2 }],
  ['$replaceRoot', { a: { b: 2 } }, [{ $replaceRoot: { newRoot: '$a' } }], { b: 2 }],
  [
    '$project and $addFields',
    { a: 1, b: 2 },
    [{ $project: { a: 1 } }, { $addFields: { 'x.y': '$a' } }],
    { a: 1, x: { y: 1 } }
  ],
  [
    '$project by exclusion',
    { a: 1, b: { c: 1, d: 2 } },
    [{ $project: { a: 0, 'b.c': 0 } }],
    { b: { d: 2 } }
  ],
  [
    '$set of a nested document adds to it',
    { a: { x: 1 } },
    [{ $set: { a: { y: 2 } } }],
    { a: { x: 1, y: 2 } }
  ],
  [
    '$set in every element',
    { a: [{ x: 1 }, 5] },
    [{ $set: { 'a.y': 2 } }],
    { a: [{ x: 1, y: 2 }, { y: 2 }] }
  ],
  ['$set of what is missing removes', { a: 1, b: 2 }, [{ $set: { a: '$$REMOVE' } }], { b: 2 }],
  ['several paths unset', { a: 1, b: { c: 1, d: 1 } }, [{ $unset: ['a', 'b.c'] }], { b: { d: 1 } }],
  [
    'names with dollars and dots',
    { foo: {} },
    [{ $replaceWith: { $setField: { field: { $literal: '$a.b' }, value: 1, input: '$$ROOT' } } }],
    { foo: {}, '$a.b': 1 }
  ]
] as readonly (readonly [string, Plain, readonly Plain[], Plain])[]) {
  test(`a pipeline update: ${name}`, async (t) => {
    const result = run({ _id: 1, ...before }, stages)
    t.ok(result.changed)
    t.strictSame(JSON.stringify(plain(result.doc)), JSON.stringify({ _id: 1, ...after }))
  })
}

test('fields that a pipeline does not touch keep their types', async (t) => {
  const before: Doc = new Map<string, Value>([
    ['_id', Long.ONE],
    ['d', new Double(5)],
    ['l', Long.fromNumber(7)]
  ])
  const update = parseUpdate([doc({ $set: { n: { $add: ['$l', 1] } } })], options)
  const { doc: after } = update.apply(before)
  t.same([...after], [...before, ['n', Long.fromNumber(8)]])
  t.notOk(before.has('n'))
})

test('a pipeline that changes nothing is said to change nothing', async (t) => {
  t.notOk(run({ _id: 1, a: 1 }, [{ $set: { a: '$a' } }]).changed)
})

test('constants of the command stand in the stages', async (t) => {
  t.same(plain(run({ _id: 1 }, [{ $set: { a: '$$c' } }], { let: doc({ c: 5 }) }).doc), {
    _id: 1,
    a: 5
  })
})

test('the description of a pipeline is the difference, into arrays', async (t) => {
  const before = { _id: 1, a: [1, { x: 1, y: 1 }, 3, 4], b: [1], c: 1, d: { e: 1 } }
  const result = run(before, [
    { $set: { a: [1, { x: 2, y: 1 }, 3], b: [1, 2], c: '$$REMOVE', 'd.f': 2 } }
  ])
  const description = result.describe(doc(before), result.doc)
  t.same(plain(description.updatedFields), { 'a.1.x': 2, 'b.1': 2, 'd.f': 2 })
  t.same(description.removedFields, ['c'])
  t.same(description.truncatedArrays, [{ field: 'a', newSize: 3 }])
})

test('the _id stays, and comes first', async (t) => {
  t.same([...run({ _id: 1, a: 1 }, [{ $replaceWith: { a: 2 } }]).doc.keys()], ['_id', 'a'])
  t.same([...run({ _id: 1, a: 1 }, [{ $replaceWith: { a: 2, _id: 1 } }]).doc.keys()], ['_id', 'a'])
  t.equal(caught(() => run({ _id: 1 }, [{ $set: { _id: 2 } }])).code, 66)
  t.equal(caught(() => run({ a: 1 }, [{ $set: { _id: 2 } }])).code, 66)
  t.same(plain(run({ a: 1 }, [{ $set: { _id: 2 } }], {}, { isInsert: true }).doc), { a: 1, _id: 2 })
  t.same([...idFirst(doc({ a: 1, _id: 2 })).keys()], ['_id', 'a'])
  t.same([...idFirst(doc({ a: 1 })).keys()], ['a'])
})

test('an upsert by pipeline starts from the filter', async (t) => {
  const update = parseUpdate([doc({ $set: { b: '$a' } })], options)
  const seed = upsertSeed(parseFilter(doc({ a: 3, 'n.m': { $in: [4] }, $or: [{ q: 5 }] })), update)
  t.same(plain(update.apply(seed, { isInsert: true }).doc), { a: 3, n: { m: 4 }, q: 5, b: 3 })
})

test('stages without a place in updates are refused', async (t) => {
  for (const [stages, code] of [
    [[{ $group: { _id: 1 } }], 72],
    [[{ $set: { a: { $nope: 1 } } }], 168],
    [[{ $project: { a: { $nope: 1 } } }], 31325],
    [[{}], 40323],
    [[{ $set: { a: 1 }, $unset: 'b' }], 40323],
    [[{ $set: 1 }], 40272],
    [[{ $project: 1 }], 15969],
    [[{ $project: {} }], 51272],
    [[{ $unset: [] }], 31119],
    [[{ $unset: 5 }], 31120],
    [[{ $replaceWith: 5 }], 40228]
  ] as const) {
    t.equal(caught(() => run({ _id: 1 }, stages)).code, code, JSON.stringify(stages))
  }
  t.equal(caught(() => run({}, [], { arrayFilters: [doc({ x: 1 })] })).code, 9)
})

test('a pushed element is described as one, other changes of arrays as a whole', async (t) => {
  const describe = (before: Plain, update: Plain) => {
    const result = parseUpdate(doc(update), options).apply(doc(before))
    return plain(result.describe(doc(before), result.doc).updatedFields)
  }
  t.same(describe({ a: [1, 2] }, { $push: { a: 3 } }), { 'a.2': 3 })
  t.same(describe({ a: [1, 2] }, { $push: { a: { $each: [0], $position: 0 } } }), { a: [0, 1, 2] })
  t.same(describe({ a: [1, 2] }, { $pull: { a: 1 } }), { a: [2] })
  t.same(describe({ a: [1, 2] }, { $unset: { 'a.0': '' } }), { 'a.0': null })
  t.same(describe({}, { $push: { a: 3 } }), { a: [3] })
})

test('positions that meet at one element are a conflict', async (t) => {
  const update = parseUpdate(doc({ $set: { 'a.$[].x': 1, 'a.$[e].x': 2 } }), {
    ...options,
    arrayFilters: [doc({ e: { $exists: true } })]
  })
  t.equal(caught(() => update.apply(doc({ a: [{ x: 0 }] }))).code, 40)
  t.notOk(update.apply(doc({ a: [] })).changed)
})

test('undefined elements stand where BSON orders them', async (t) => {
  const before: Doc = new Map([['a', [new Int32(1), undefined]]])
  const update = parseUpdate(doc({ $push: { a: { $each: [], $sort: 1 } } }), options)
  t.same(update.apply(before).doc.get('a'), [undefined, new Int32(1)])
})

test('an element that is null already is not unset again', async (t) => {
  const update = parseUpdate(doc({ $unset: { 'a.0': '', 'a.9': '' } }), options)
  t.notOk(update.apply(doc({ a: [null] })).changed)
})

test('an array is filled with null up to a far element, within reason', async (t) => {
  const set = (path: string) =>
    parseUpdate(doc({ $set: { [path]: 1 } }), options).apply(doc({ a: [] }))
  t.same(plain(set('a.2').doc), { a: [null, null, 1] })
  t.equal(caught(() => set('a.99999999')).code, 2)
})
