// Updates by operators and by replacement, as MongoDB applies them.
import { Double, Int32, Long } from 'bson'
import { test } from 'tap'
import { numberValue } from '../bson/numbers.ts'
import { type Doc, isDoc, isNumeric, type Value } from '../bson/value.ts'
import { CommandError } from '../errors.ts'
import { parseFilter } from '../query/filter.ts'
import { parseUpdate, upsertSeed } from './update.ts'

const now = new Date('2026-02-03T04:05:06Z')
const options = { isMulti: false, now }

function bson(plain: unknown): Value {
  if (typeof plain === 'number') return numberValue(plain)
  if (Array.isArray(plain)) return plain.map(bson)
  if (isPlain(plain)) return doc(plain)
  return plain as Value
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

function doc(plain: object): Doc {
  return new Map(Object.entries(plain).map(([name, value]) => [name, bson(value)]))
}

function plain(value: Value): unknown {
  if (isNumeric(value)) return Number(value.toString())
  if (Array.isArray(value)) return value.map(plain)
  if (isDoc(value))
    return Object.fromEntries([...value].map(([name, inner]) => [name, plain(inner)]))
  return value
}

const apply = (before: object, update: object, more: object = {}) =>
  parseUpdate(doc(update), { ...options, ...more }).apply(doc(before))

const described = (before: object, update: object) => {
  const result = apply(before, update)
  return result.describe(doc(before), result.doc)
}

const codeOf = (act: () => unknown): number | undefined => {
  try {
    act()
    return undefined
  } catch (error) {
    return error instanceof CommandError ? error.code : -1
  }
}

const CASES: readonly (readonly [string, object, object, object])[] = [
  [
    '$set on a path makes the documents on the way',
    { a: 1 },
    { $set: { 'b.c.d': 1 } },
    { a: 1, b: { c: { d: 1 } } }
  ],
  [
    '$unset removes fields, also inside documents',
    { a: 1, b: { c: 1, d: 2 } },
    { $unset: { a: '', 'b.c': '' } },
    { b: { d: 2 } }
  ],
  [
    '$unset of an array element leaves null',
    { a: [1, 2, 3] },
    { $unset: { 'a.1': '' } },
    { a: [1, null, 3] }
  ],
  ['$rename moves a value', { a: 1 }, { $rename: { a: 'b.c' } }, { b: { c: 1 } }],
  ['$rename of a missing field does nothing', { a: 1 }, { $rename: { x: 'y' } }, { a: 1 }],
  [
    '$min and $max compare, and set what is missing',
    { a: 5, b: 5 },
    { $min: { a: 3, b: 9 }, $max: { c: 4 } },
    { a: 3, b: 5, c: 4 }
  ],
  [
    '$mul multiplies, and makes zero of what is missing',
    { a: 3 },
    { $mul: { a: 2, b: 5 } },
    { a: 6, b: 0 }
  ],
  [
    '$bit',
    { a: 12, b: 1, c: 6 },
    { $bit: { a: { and: 10 }, b: { or: 4 }, c: { xor: 3 } } },
    { a: 8, b: 5, c: 5 }
  ],
  [
    '$push with $each, $sort and $slice',
    { a: [{ k: 3 }, { k: 1 }] },
    { $push: { a: { $each: [{ k: 2 }, { k: 0 }], $sort: { k: 1 }, $slice: 3 } } },
    { a: [{ k: 0 }, { k: 1 }, { k: 2 }] }
  ],
  [
    '$push with $position',
    { a: [1, 4] },
    { $push: { a: { $each: [2, 3], $position: 1 } } },
    { a: [1, 2, 3, 4] }
  ],
  [
    '$push from the end, sorted values, the last of them',
    { a: [5, 1] },
    { $push: { a: { $each: [3, 9], $position: -1, $sort: -1, $slice: -2 } } },
    { a: [3, 1] }
  ],
  ['$push makes an array', {}, { $push: { 'a.b': 1 } }, { a: { b: [1] } }],
  [
    '$addToSet adds what is not there',
    { a: [1, 2] },
    { $addToSet: { a: { $each: [2, 3, 3] } } },
    { a: [1, 2, 3] }
  ],
  ['$addToSet of one value', { a: [1] }, { $addToSet: { a: { k: 1 } } }, { a: [1, { k: 1 }] }],
  ['$pull by condition', { a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
  [
    '$pull of documents by a query',
    { a: [{ k: 1, z: 1 }, { k: 2 }] },
    { $pull: { a: { k: 1 } } },
    { a: [{ k: 2 }] }
  ],
  [
    '$pull by $or over documents',
    { a: [{ k: 1 }, { k: 2 }, 5] },
    { $pull: { a: { $or: [{ k: 1 }] } } },
    { a: [{ k: 2 }, 5] }
  ],
  [
    '$pull of a database reference',
    {
      a: [
        { $ref: 'c', $id: 1 },
        { $ref: 'c', $id: 2 }
      ]
    },
    { $pull: { a: { $ref: 'c', $id: 1 } } },
    { a: [{ $ref: 'c', $id: 2 }] }
  ],
  ['names that begin with a dollar sign', { a: {} }, { $set: { 'a.$id': 1 } }, { a: { $id: 1 } }],
  ['$pull of a value', { a: [1, 'x', 1] }, { $pull: { a: 1 } }, { a: ['x'] }],
  [
    '$pullAll and $pop',
    { a: [1, 2, 3, 1], b: [1, 2] },
    { $pullAll: { a: [1] }, $pop: { b: -1 } },
    { a: [2, 3], b: [2] }
  ],
  ['$pop takes the last', { a: [1, 2] }, { $pop: { a: 1 } }, { a: [1] }],
  ['every element', { a: [1, 2] }, { $inc: { 'a.$[]': 10 } }, { a: [11, 12] }],
  [
    'an index beyond the end fills up with null',
    { a: [1] },
    { $set: { 'a.3': 4 } },
    { a: [1, null, null, 4] }
  ],
  [
    'new fields come in the order of their names',
    {},
    { $set: { z: 1, b: 1, 'n.10': 1, 'n.9': 1 } },
    { b: 1, n: { 9: 1, 10: 1 }, z: 1 }
  ],
  [
    'names of JavaScript objects are ordinary fields',
    {},
    { $set: { constructor: 1, 'a.toString': 2 } },
    { a: { toString: 2 }, constructor: 1 }
  ]
]

for (const [name, before, update, after] of CASES) {
  test(`update: ${name}`, async (t) => {
    t.same(plain(apply(before, update).doc), after)
  })
}

test('the order of fields is kept, new ones come last', async (t) => {
  const { doc: after } = apply({ z: 1, a: 2, m: 3 }, { $set: { a: 9, b: 1 } })
  t.same([...after.keys()], ['z', 'a', 'm', 'b'])
})

test('the given document is never changed', async (t) => {
  const before = doc({ a: { b: [1, { c: 1 }] } })
  parseUpdate(doc({ $set: { 'a.b.1.c': 2 }, $push: { 'a.d': 1 } }), options).apply(before)
  t.same(plain(before), { a: { b: [1, { c: 1 }] } })
})

test('what changes nothing is said to change nothing', async (t) => {
  const same = [
    { $set: { a: 1 } },
    { $unset: { x: '' } },
    { $min: { a: 5 } },
    { $addToSet: { l: 1 } },
    { $pull: { l: 9 } },
    { $inc: { a: 0 } },
    { $pop: { x: 1 } },
    { $setOnInsert: { y: 1 } },
    { $push: { l: { $each: [] } } }
  ]
  for (const update of same)
    t.equal(apply({ a: 1, l: [1] }, update).changed, false, JSON.stringify(update))
})

test('a value of another type is a change even when it is equal', async (t) => {
  const { changed, doc: after } = parseUpdate(doc({ $set: { a: new Double(1) } }), options).apply(
    new Map([['a', new Int32(1)]])
  )
  t.equal(changed, true)
  t.equal((after.get('a') as Double)._bsontype, 'Double')
})

test('numbers keep their types under $inc, and whole ones grow to 64 bits', async (t) => {
  const before: Doc = new Map<string, Value>([
    ['int', new Int32(1)],
    ['long', Long.fromString('9007199254740993')],
    ['double', new Double(1)],
    ['edge', new Int32(2147483647)]
  ])
  const amounts = doc({ $inc: { int: 1, long: Long.fromNumber(2), double: 1, edge: 1 } })
  const { doc: after } = parseUpdate(amounts, options).apply(before)
  const shape = [...after].map(([name, value]) => [name, (value as Int32)._bsontype, String(value)])
  t.same(shape, [
    ['int', 'Int32', '2'],
    ['long', 'Long', '9007199254740995'],
    ['double', 'Double', '2'],
    ['edge', 'Long', '2147483648']
  ])
})

test('a sum beyond 64 bits is refused', async (t) => {
  const update = parseUpdate(doc({ $inc: { a: 1 } }), options)
  t.equal(
    codeOf(() => update.apply(new Map([['a', Long.MAX_VALUE]]))),
    2
  )
})

test('the matched element and filtered elements', async (t) => {
  const before = {
    a: [
      { k: 1, v: 0 },
      { k: 2, v: 0 },
      { k: 3, v: 0 }
    ]
  }
  const positional = parseUpdate(doc({ $set: { 'a.$.v': 5 } }), options)
  t.equal(positional.needsArrayPosition, true)
  const first = positional.apply(doc(before), { arrayPosition: 1 }).doc
  const filtered = parseUpdate(doc({ $inc: { 'a.$[big].v': 1 } }), {
    ...options,
    arrayFilters: [doc({ 'big.k': { $gte: 2 } })]
  })
  t.same(plain(filtered.apply(first).doc), {
    a: [
      { k: 1, v: 0 },
      { k: 2, v: 6 },
      { k: 3, v: 1 }
    ]
  })
})

test('$currentDate writes the present as a date or a timestamp', async (t) => {
  const { doc: after } = apply(
    {},
    { $currentDate: { at: true, stamp: { $type: 'timestamp' }, d: { $type: 'date' } } }
  )
  t.same(after.get('at'), now)
  t.same(after.get('d'), now)
  t.match(after.get('stamp'), { _bsontype: 'Timestamp' })
})

test('$setOnInsert counts only for the document an upsert makes', async (t) => {
  const update = parseUpdate(doc({ $set: { a: 1 }, $setOnInsert: { b: 2 } }), options)
  t.same(plain(update.apply(doc({ k: 1 }), { isInsert: true }).doc), { k: 1, a: 1, b: 2 })
})

test('a replacement keeps the _id and puts it first', async (t) => {
  const { doc: after, changed } = apply({ _id: 1, a: 1 }, { z: 1, b: 2 })
  t.same([...after.keys()], ['_id', 'z', 'b'])
  t.equal(changed, true)
  t.equal(apply({ _id: 1, a: 1 }, { a: 1 }).changed, false)
})

test('an upsert starts from the equalities of its filter', async (t) => {
  const filter = parseFilter(
    doc({
      k: 'x',
      'n.m': 2,
      q: { $gt: 1 },
      $and: [{ r: { $eq: 1 } }],
      s: { $in: [7] },
      $or: [{ u: 1 }, { u: 2 }]
    })
  )
  const operators = parseUpdate(doc({ $set: { a: 1 } }), options)
  t.same(plain(upsertSeed(filter, operators)), { k: 'x', n: { m: 2 }, r: 1, s: 7 })
  const replacement = parseUpdate(doc({ a: 1 }), options)
  t.same(plain(upsertSeed(parseFilter(doc({ _id: 3, k: 1 })), replacement)), { _id: 3 })
  t.same(plain(upsertSeed(parseFilter(doc({ k: 1 })), replacement)), {})
})

test('an upsert whose filter gives a field two values is refused', async (t) => {
  const filter = parseFilter(doc({ $and: [{ a: 1 }, { a: 2 }] }))
  t.equal(
    codeOf(() => upsertSeed(filter, parseUpdate(doc({ $set: { b: 1 } }), options))),
    54
  )
})

test('the paths for indexes end at the first position', async (t) => {
  const update = parseUpdate(
    doc({ $set: { 'a.$[].b': 1, 'c.0.d': 1 }, $rename: { e: 'f.g' }, $unset: { h: '' } }),
    options
  )
  t.same([...update.paths].sort(), ['a', 'c', 'e', 'f.g', 'h'])
})

test('what is only set on an insert concerns no index of a stored document', async (t) => {
  const update = parseUpdate(doc({ $inc: { count: 1 }, $setOnInsert: { name: 'a' } }), options)
  t.same(update.paths, ['count'])
})

test('the description names what was set and what was removed', async (t) => {
  const description = described(
    { a: 1, x: { y: 1 }, b: 2 },
    { $set: { a: 2, 'n.o.p': 1, 'x.y': 3 }, $unset: { b: '' } }
  )
  t.same(plain(description.updatedFields), { a: 2, n: { o: { p: 1 } }, 'x.y': 3 })
  t.same(description.removedFields, ['b'])
})

test('the description of a replacement is the difference', async (t) => {
  const description = described({ _id: 1, a: 1, b: { c: 1, d: 1 } }, { b: { c: 2, d: 1 }, e: 1 })
  t.same(plain(description.updatedFields), { 'b.c': 2, e: 1 })
  t.same(description.removedFields, ['a'])
})

const REFUSED: readonly (readonly [string, number, object, object, object?])[] = [
  ['$inc of text', 14, { a: 'text' }, { $inc: { a: 1 } }],
  ['$inc by text', 14, {}, { $inc: { a: 'x' } }],
  ['two updates of one path', 40, {}, { $set: { b: 1, 'b.c': 2 } }],
  ['one field twice', 40, {}, { $set: { b: 1 }, $inc: { b: 2 } }],
  ['$push on text', 2, { a: 'text' }, { $push: { a: 1 } }],
  ['$addToSet on text', 2, { a: 'text' }, { $addToSet: { a: 1 } }],
  ['$pop on text', 14, { a: 'text' }, { $pop: { a: 1 } }],
  ['$pop by 2', 9, { a: [] }, { $pop: { a: 2 } }],
  ['$pull on text', 2, { a: 'text' }, { $pull: { a: 1 } }],
  ['$pullAll without an array', 2, {}, { $pullAll: { a: 1 } }],
  ['a field inside a number', 28, { a: 1 }, { $set: { 'a.b': 1 } }],
  ['a name inside an array', 28, { a: [] }, { $set: { 'a.b': 1 } }],
  ['an unknown operator', 9, {}, { $nope: { a: 1 } }],
  ['operators mixed with fields', 9, {}, { $set: { a: 1 }, b: 1 }],
  ['an operator without fields', 9, {}, { $set: 1 }],
  ['an empty path', 56, {}, { $set: { '': 1 } }],
  ['an empty name in a path', 56, {}, { $set: { 'a..b': 1 } }],
  ['a change of _id', 66, { _id: 1 }, { $set: { _id: 2 } }],
  ['the removal of _id', 66, { _id: 1 }, { $unset: { _id: '' } }],
  ['a replacement with another _id', 66, { _id: 1 }, { _id: 2 }],
  ['a replacement with an operator', 52, {}, { a: 1, $set: { b: 1 } }],
  ['$ without a matched element', 2, { a: [1] }, { $set: { 'a.$': 1 } }],
  ['$[] on text', 2, { a: 'x' }, { $set: { 'a.$[]': 1 } }],
  ['$[] on a missing field', 2, {}, { $set: { 'a.$[].b': 1 } }],
  ['an identifier without a filter', 2, { a: [] }, { $set: { 'a.$[x]': 1 } }],
  ['a positional sign at the start', 2, {}, { $set: { '$[].a': 1 } }],
  ['two positional signs', 2, {}, { $set: { 'a.$.b.$': 1 } }],
  ['$rename to itself', 2, { a: 1 }, { $rename: { a: 'a' } }],
  ['$rename to a number', 2, { a: 1 }, { $rename: { a: 1 } }],
  ['$rename within an array', 2, { a: [{ b: 1 }] }, { $rename: { 'a.b': 'c' } }],
  ['$rename with a positional sign', 2, {}, { $rename: { 'a.$': 'c' } }],
  ['an unknown clause of $push', 2, {}, { $push: { a: { $each: [], $nope: 1 } } }],
  ['$each that is no array', 2, {}, { $push: { a: { $each: 1 } } }],
  ['$slice by text', 2, {}, { $push: { a: { $each: [], $slice: 'x' } } }],
  ['$sort by 2', 2, {}, { $push: { a: { $each: [], $sort: 2 } } }],
  ['$each of $addToSet that is no array', 14, {}, { $addToSet: { a: { $each: 1 } } }],
  ['more beside $each of $addToSet', 2, {}, { $addToSet: { a: { $each: [], b: 1 } } }],
  ['$bit without operations', 2, {}, { $bit: { a: 1 } }],
  ['an unknown operation of $bit', 2, {}, { $bit: { a: { nand: 1 } } }],
  ['$bit by a fraction', 2, {}, { $bit: { a: { and: 1.5 } } }],
  ['$bit on text', 2, { a: 'x' }, { $bit: { a: { and: 1 } } }],
  ['$currentDate of an unknown type', 2, {}, { $currentDate: { a: { $type: 'day' } } }],
  ['$currentDate by text', 2, {}, { $currentDate: { a: 'now' } }],
  ['an unknown option of $currentDate', 2, {}, { $currentDate: { a: { $nope: 1 } } }],
  ['an array index far beyond the end', 2, { a: [] }, { $set: { 'a.9000000': 1 } }],
  [
    'an array filter that nothing uses',
    9,
    {},
    { $set: { a: 1 } },
    { arrayFilters: [doc({ 'x.y': 1 })] }
  ],
  [
    'two array filters of one name',
    9,
    {},
    { $set: { 'a.$[x]': 1 } },
    { arrayFilters: [doc({ x: 1 }), doc({ x: 2 })] }
  ],
  ['an array filter without a name', 9, {}, { $set: { a: 1 } }, { arrayFilters: [doc({})] }],
  [
    'an array filter of two names',
    9,
    {},
    { $set: { a: 1 } },
    { arrayFilters: [doc({ x: 1, y: 1 })] }
  ],
  [
    'an array filter with a bad name',
    2,
    {},
    { $set: { a: 1 } },
    { arrayFilters: [doc({ X1: 1 })] }
  ],
  ['array filters with a replacement', 9, {}, { a: 1 }, { arrayFilters: [doc({ x: 1 })] }],
  ['a multi update by replacement', 9, {}, { a: 1 }, { isMulti: true }]
]

for (const [name, code, before, update, more] of REFUSED) {
  test(`update refused with ${code}: ${name}`, async (t) => {
    t.equal(
      codeOf(() => apply(before, update, more)),
      code
    )
  })
}
