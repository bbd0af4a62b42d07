// What createIndexes may ask for, and how it goes with the indexes that are there.
import { Long } from 'bson'
import { test } from 'tap'
import { caught, doc, plain } from '../bson/arbitrary-values.test.data.ts'
import { parseCollation } from '../bson/collation.ts'
import { prepareIndex } from './index-definition.ts'
import { PLAIN_LAYOUT } from './index-layout.ts'
import { isIdKey, isPresent, readIndexSpec } from './index-spec.ts'

type Plain = Record<string, unknown>
const read = (spec: Plain) => plain(readIndexSpec(doc(spec), undefined))
const codeOf = (spec: Plain) => caught(() => readIndexSpec(doc(spec), undefined)).code

test('an index keeps what it says in the order of listIndexes', (t) => {
  t.same(
    read({ key: { a: 1, b: -1 }, name: 'ab', unique: true, sparse: false, background: true }),
    {
      v: 2,
      key: { a: 1, b: -1 },
      name: 'ab',
      unique: true,
      background: true
    }
  )
  t.same(read({ name: 'x', key: { 'a.b': 2.5 }, expireAfterSeconds: 60, ns: 'd.c', hidden: 1 }), {
    v: 2,
    key: { 'a.b': 2.5 },
    name: 'x',
    expireAfterSeconds: 60,
    hidden: true
  })
  t.equal(readIndexSpec(doc({ key: { _id: 1 } }), undefined).get('name'), '_id_')
  t.end()
})

test('a collation is taken from the collection unless the index names its own', (t) => {
  const inherited = parseCollation(doc({ locale: 'en', strength: 2 }))
  const spec = readIndexSpec(doc({ key: { a: 1 }, name: 'a' }), inherited)
  t.equal((spec.get('collation') as Map<string, unknown>).get('locale'), 'en')
  const simple = doc({ key: { a: 1 }, name: 'a', collation: { locale: 'simple' } })
  t.notOk(readIndexSpec(simple, inherited).has('collation'))
  t.end()
})

const partial = { key: { a: 1 }, name: 'a' }
const refused: readonly (readonly [string, Plain, number])[] = [
  ['no key', { name: 'a' }, 9],
  ['no name', { key: { a: 1 } }, 9],
  ['a name that is no text', { key: { a: 1 }, name: 1 }, 14],
  ['an empty name', { key: { a: 1 }, name: '' }, 67],
  ['a star as name', { key: { a: 1 }, name: '*' }, 67],
  ['a key that is no document', { key: 1, name: 'a' }, 14],
  ['an empty key', { key: {}, name: 'a' }, 67],
  ['a direction of 0', { key: { a: 0 }, name: 'a' }, 67],
  ['a direction that is a flag', { key: { a: true }, name: 'a' }, 67],
  ['a text index', { key: { a: 'text' }, name: 'a' }, 67],
  ['a geo index', { key: { a: '2dsphere' }, name: 'a' }, 67],
  ['an unknown type', { key: { a: 'nope' }, name: 'a' }, 67],
  ['a wildcard', { key: { '$**': 1 }, name: 'a' }, 67],
  ['a wildcard below a field', { key: { 'a.$**': 1 }, name: 'a' }, 67],
  ['an empty piece of a path', { key: { 'a..b': 1 }, name: 'a' }, 67],
  ['a path with a dollar', { key: { 'a.$b': 1 }, name: 'a' }, 67],
  [
    'too many parts',
    { key: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`f${i}`, 1])), name: 'a' },
    67
  ],
  ['an unknown field', { ...partial, nope: 1 }, 197],
  ['an option of text indexes', { ...partial, weights: {} }, 67],
  ['a storage engine', { ...partial, storageEngine: {} }, 67],
  ['a flag that is a text', { ...partial, unique: 'yes' }, 14],
  ['an old version', { ...partial, v: 0 }, 67],
  ['a time to live that is no number', { ...partial, expireAfterSeconds: 'x' }, 67],
  ['a negative time to live', { ...partial, expireAfterSeconds: -1 }, 67],
  ['a time to live on two fields', { key: { a: 1, b: 1 }, name: 'a', expireAfterSeconds: 1 }, 67],
  ['an option of the _id index', { key: { _id: 1 }, name: '_id_', unique: true }, 197],
  ['a partial filter that is no document', { ...partial, partialFilterExpression: 1 }, 14],
  ['a partial filter with $ne', { ...partial, partialFilterExpression: { a: { $ne: 1 } } }, 67],
  ['a partial filter with a regex', { ...partial, partialFilterExpression: { a: /x/ } }, 67],
  [
    'a partial and sparse index',
    { ...partial, sparse: true, partialFilterExpression: { a: 1 } },
    67
  ],
  ['an unknown collation', { ...partial, collation: { locale: 'de' } }, 2]
]

for (const [what, spec, code] of refused) {
  test(`createIndexes refuses ${what} with ${code}`, (t) => {
    t.equal(codeOf(spec), code)
    t.end()
  })
}

test('a partial filter may use equality, ranges, $in, $exists, $type, $and and $or', (t) => {
  for (const filter of [
    { a: 1 },
    { a: { $gt: 1, $lte: 5 } },
    { a: { $in: [1, 2] } },
    { a: { $exists: true } },
    { a: { $type: 'string' } },
    { $or: [{ a: 1 }, { $and: [{ b: 2 }, { c: { $lt: 3 } }] }] }
  ]) {
    t.same(read({ ...partial, partialFilterExpression: filter }), {
      v: 2,
      ...partial,
      partialFilterExpression: filter
    })
  }
  t.end()
})

const existing = [
  { key: { a: 1 }, name: 'a_1' },
  { key: { b: 1 }, name: 'b_1', unique: true },
  { key: { c: 1 }, name: 'c_1', partialFilterExpression: { c: { $gt: 1 } } }
].map((spec, id) =>
  prepareIndex({
    id,
    spec: readIndexSpec(doc(spec), undefined),
    flags: { arrays: [false], isExact: true, isPlain: true },
    layout: PLAIN_LAYOUT,
    isReady: true
  })
)
const present = (spec: Plain) => isPresent(readIndexSpec(doc(spec), undefined), existing)

test('the same index again is there already, also with another number type', (t) => {
  t.equal(present({ key: { a: 1 }, name: 'a_1' }), true)
  t.equal(present({ key: { a: Long.fromNumber(1) }, name: 'a_1' }), true)
  t.equal(present({ key: { b: 1 }, name: 'b_1', unique: true, hidden: true }), true)
  t.equal(present({ key: { d: 1 }, name: 'd_1' }), false)
  t.equal(present({ key: { c: 1 }, name: 'c_all' }), false, 'another filter makes another index')
  t.equal(present({ key: { a: 1 }, name: 'a_unique', unique: true }), false)
  t.equal(present({ key: { a: 1 }, name: 'a_sparse', sparse: true }), false)
  t.equal(present({ key: { a: 1 }, name: 'a_en', collation: { locale: 'en', strength: 2 } }), false)
  t.end()
})

test('a conflicting index is reported as 85 or 86', (t) => {
  const code = (spec: Plain) => caught(() => present(spec)).code
  t.equal(code({ key: { z: 1 }, name: 'a_1' }), 86, 'the name of another key')
  t.equal(code({ key: { a: 1 }, name: 'other' }), 85, 'another name for the same key')
  t.equal(code({ key: { a: 1 }, name: 'a_1', unique: true }), 86, 'a unique one of this name')
  t.equal(code({ key: { a: 1 }, name: 'a_1', expireAfterSeconds: 1 }), 85, 'other options')
  t.equal(code({ key: { c: 1 }, name: 'c_1' }), 86, 'another filter under the same name')
  t.end()
})

test('only an ascending key on _id alone is that of every collection', (t) => {
  t.equal(isIdKey(doc({ _id: 1 })), true)
  t.equal(isIdKey(doc({ _id: -1 })), false)
  t.equal(isIdKey(doc({ _id: 1, a: 1 })), false)
  t.equal(isIdKey(doc({ a: 1 })), false)
  t.end()
})
