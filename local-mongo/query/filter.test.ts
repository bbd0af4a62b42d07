import { Binary, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson'
import fc from 'fast-check'
import { test } from 'tap'
import {
  caught,
  doc,
  documents,
  numbers,
  scalars,
  values
} from '../bson/arbitrary-values.test.data.ts'
import { parseCollation } from '../bson/collation.ts'
import { encodeDoc } from '../bson/encode.ts'
import type { Doc } from '../bson/value.ts'
import { type Filter, parseFilter } from './filter.ts'

type Plain = Readonly<Record<string, unknown>>

const filterOf = (plain: Plain, options = {}): Filter => parseFilter(doc(plain), options)
/** Asks both matchers; they must agree. */
const asks = (filter: Filter, document: Doc): boolean => {
  const onDoc = filter.matchesDoc(document)
  if (filter.matches(encodeDoc(document)) !== onDoc) throw new Error('the two matchers disagree')
  return onDoc
}
const matches = (plain: Plain, document: Plain, options = {}) =>
  asks(filterOf(plain, options), doc(document))

const rows: readonly Plain[] = [
  { _id: 1, a: 1, t: ['x', 'y'], n: { k: 1 } },
  { _id: 2, a: null, t: [] },
  { _id: 3, t: 'x', n: [{ k: 1 }, { k: 5 }] },
  { _id: 4, a: '1' },
  { _id: 5, a: [1, 5] },
  { _id: 6, a: Long.fromNumber(1) },
  { _id: 7, a: new Date(1) },
  { _id: 8, a: 1.5, t: ['z'] },
  { _id: 9, a: { b: 1 } },
  { _id: 10, a: true }
]
const idsOf = (plain: Plain) => rows.filter((row) => matches(plain, row)).map(({ _id }) => _id)

const table: readonly (readonly [string, Plain, readonly number[]])[] = [
  ['equality takes any number type and array elements', { a: 1 }, [1, 5, 6]],
  ['null takes null and missing', { a: null }, [2, 3]],
  ['$exists false takes missing only', { a: { $exists: false } }, [3]],
  ['$gt compares within one type', { a: { $gt: 1 } }, [5, 8]],
  ['$gte on text compares text only', { a: { $gte: '' } }, [4]],
  ['$gte and $lte of null take null', { a: { $gte: null, $lte: null } }, [2, 3]],
  ['$gt null takes nothing', { a: { $gt: null } }, []],
  ['$ne is the complement of equality', { a: { $ne: 1 } }, [2, 3, 4, 7, 8, 9, 10]],
  ['$in with null', { a: { $in: [null, '1'] } }, [2, 3, 4]],
  ['$in with an expression', { t: { $in: [/^z/, 'y'] } }, [1, 8]],
  ['$nin', { a: { $nin: [1, null] } }, [4, 7, 8, 9, 10]],
  ['a whole array', { a: [1, 5] }, [5]],
  ['a whole document', { a: { b: 1 } }, [9]],
  ['$elemMatch on fields', { n: { $elemMatch: { k: { $gt: 3 } } } }, [3]],
  ['$elemMatch on values', { a: { $elemMatch: { $gt: 1, $lt: 9 } } }, [5]],
  ['$elemMatch with alternatives', { n: { $elemMatch: { $or: [{ k: 5 }, { k: 9 }] } } }, [3]],
  ['dotted paths go into arrays', { 'n.k': 1 }, [1, 3]],
  ['an array index in a path', { 't.1': 'y' }, [1]],
  ['an array index before a field', { 'n.1.k': 5 }, [3]],
  ['$size', { t: { $size: 0 } }, [2]],
  ['$all', { t: { $all: ['x', 'y'] } }, [1]],
  ['$all with a repeated value on a scalar', { t: { $all: ['x', 'x'] } }, [1, 3]],
  [
    '$all of $elemMatch',
    { n: { $all: [{ $elemMatch: { k: 1 } }, { $elemMatch: { k: 5 } }] } },
    [3]
  ],
  ['$all of nothing', { t: { $all: [] } }, []],
  ['$all with an expression', { t: { $all: [/x/] } }, [1, 3]],
  ['$type', { a: { $type: 'string' } }, [4]],
  ['$type number', { a: { $type: 'number' } }, [1, 5, 6, 8]],
  ['$type by number and list', { a: { $type: [8, 'date'] } }, [7, 10]],
  ['$type array', { t: { $type: 'array' } }, [1, 2, 8]],
  ['$mod', { a: { $mod: [5, 0] } }, [5]],
  ['$regex', { t: { $regex: '^X', $options: 'i' } }, [1, 3]],
  ['$not', { a: { $not: { $gt: 1 } } }, [1, 2, 3, 4, 6, 7, 9, 10]],
  ['$not of an expression', { t: { $not: /^x/ } }, [2, 4, 5, 6, 7, 8, 9, 10]],
  ['$nor', { $nor: [{ a: 1 }, { a: null }] }, [4, 7, 8, 9, 10]],
  [
    '$or and $and',
    { $or: [{ a: '1' }, { $and: [{ a: { $gte: 1 } }, { a: { $lt: 2 } }, { t: 'z' }] }] },
    [4, 8]
  ],
  [
    '$expr',
    {
      $expr: { $eq: [{ $size: { $ifNull: [{ $cond: [{ $isArray: '$t' }, '$t', []] }, []] } }, 2] }
    },
    [1]
  ],
  [
    '$comment, $alwaysTrue and $alwaysFalse',
    { $comment: 'x', $or: [{ $alwaysFalse: 1 }, { $alwaysTrue: 1 }], a: 1 },
    [1, 5, 6]
  ]
]

for (const [name, filter, expected] of table) {
  test(`a filter: ${name}`, async (t) => {
    t.same(idsOf(filter), expected)
  })
}

test('an empty filter takes everything', async (t) => {
  t.equal(idsOf({}).length, rows.length)
})

test('paths through arrays find what MongoDB finds', async (t) => {
  for (const [filter, document, expected] of [
    [{ 'a.b': null }, { a: [] }, false],
    [{ 'a.b': null }, { a: [1, 2] }, false],
    [{ 'a.b': null }, { a: [{ b: 1 }, { c: 1 }] }, true],
    [{ 'a.b': null }, { a: 5 }, true],
    [{ 'a.b': null }, {}, true],
    [{ 'a.b': { $exists: false } }, { a: [] }, true],
    [{ 'a.b.c': 1 }, { a: [{ b: [{ c: 1 }] }] }, true],
    [{ 'a.0.b': 1 }, { a: [[{ b: 1 }]] }, true],
    [{ 'a.1': 2 }, { a: [5, [2, 4]] }, false],
    [{ 'a.1': [2, 4] }, { a: [5, [2, 4]] }, true],
    [{ 'a.1': 4 }, { a: [5, { 1: 4 }] }, true],
    [{ 'a.0': 1 }, { a: [{ 0: 1 }] }, true],
    [{ 'a.0.b': 3 }, { a: [{ b: 3 }] }, true],
    [{ a: [1, 2] }, { a: [[1, 2]] }, true],
    [{ a: { $size: 2 } }, { a: [[1, 2]] }, false],
    [{ a: { $elemMatch: { $elemMatch: { $gt: 1 } } } }, { a: [[1, 2]] }, true],
    [{ a: { $elemMatch: { 0: 1 } } }, { a: [[1, 2]] }, true],
    [{ a: { $elemMatch: { $not: { $gt: 1 } } } }, { a: [1] }, true],
    [{ a: { $elemMatch: { $in: [2], $nin: [3] } } }, { a: [2] }, true],
    [{ 'a.b': { $elemMatch: { $gt: 1 } } }, { a: [{ b: [1, 2] }] }, true],
    [{ a: { $elemMatch: { b: 1 } } }, { a: { b: 1 } }, false],
    [{ a: { $elemMatch: { $not: { $gt: 1, $lt: 5 } } } }, { a: [3] }, false],
    [{ a: { $elemMatch: { $all: [] } } }, { a: [3] }, false]
  ] as const) {
    t.equal(matches(filter, document), expected, JSON.stringify([filter, document]))
  }
})

test('field names of JavaScript objects are ordinary', async (t) => {
  t.notOk(matches({ constructor: { $exists: true } }, { a: 1 }))
  t.notOk(asks(parseFilter(new Map([['__proto__', null]])), new Map([['__proto__', new Int32(1)]])))
  t.ok(
    asks(
      parseFilter(new Map([['__proto__', new Int32(1)]])),
      new Map([['__proto__', new Int32(1)]])
    )
  )
})

test('NaN, infinities and decimals compare by value', async (t) => {
  t.ok(matches({ a: Number.NaN }, { a: new Double(Number.NaN) }))
  t.ok(matches({ a: { $gte: Number.NaN } }, { a: Decimal128.fromString('NaN') }))
  t.notOk(matches({ a: { $lt: 5 } }, { a: new Double(Number.NaN) }))
  t.notOk(matches({ a: { $gt: Number.NaN } }, { a: 1 }))
  t.ok(matches({ a: Decimal128.fromString('0.5') }, { a: 0.5 }))
  t.ok(matches({ a: 0.5 }, { a: Decimal128.fromString('0.50') }))
  t.notOk(matches({ a: 2 ** 53 }, { a: Long.fromString('9007199254740993') }))
  t.ok(matches({ a: { $gt: 2 ** 53 } }, { a: Long.fromString('9007199254740993') }))
  t.ok(matches({ a: { $lt: Number.POSITIVE_INFINITY } }, { a: 5 }))
})

test('MinKey and MaxKey compare with every type', async (t) => {
  t.ok(matches({ a: { $gt: new MinKey() } }, { a: 'x' }))
  t.ok(matches({ a: { $lt: new MaxKey() } }, { a: 'x' }))
  t.notOk(matches({ a: { $lt: new MinKey() } }, { a: 'x' }))
  t.ok(matches({ a: new MinKey() }, { a: new MinKey() }))
  t.ok(matches({ a: { $gt: new MinKey() } }, {}))
})

test('the bit operators read numbers and binary data', async (t) => {
  for (const [operators, value, expected] of [
    [{ $bitsAllSet: 5 }, 7, true],
    [{ $bitsAllSet: [0, 3] }, 9, true],
    [{ $bitsAllSet: [0, 3] }, 8, false],
    [{ $bitsAllClear: 6 }, 9, true],
    [{ $bitsAnySet: 6 }, 8, false],
    [{ $bitsAnyClear: 6 }, 4, true],
    [{ $bitsAllSet: [200] }, -1, true],
    [{ $bitsAllSet: new Binary(Buffer.from([0, 1])) }, new Binary(Buffer.from([255, 1])), true],
    [{ $bitsAnySet: 1 }, 1.5, false],
    [{ $bitsAnySet: 1 }, 'x', false],
    [{ $bitsAnySet: 1 }, new Binary(Buffer.alloc(0)), false]
  ] as const) {
    t.equal(matches({ a: operators }, { a: value }), expected, JSON.stringify(operators))
  }
  t.notOk(matches({ a: { $bitsAllSet: 1 } }, {}))
})

test('$mod takes the whole part of every number type', async (t) => {
  t.ok(matches({ a: { $mod: [3, -2] } }, { a: -5 }))
  t.ok(matches({ a: { $mod: [2.9, 1] } }, { a: 3.7 }))
  t.ok(matches({ a: { $mod: [2, 1] } }, { a: Decimal128.fromString('7.5') }))
  t.notOk(matches({ a: { $mod: [2, 1] } }, { a: Number.POSITIVE_INFINITY }))
  t.notOk(matches({ a: { $mod: [2, 1] } }, { a: 'x' }))
})

test('a regular expression equals itself and matches texts and symbols', async (t) => {
  t.ok(matches({ a: /x/i }, { a: /x/i }))
  t.notOk(matches({ a: /x/i }, { a: /x/ }))
  t.ok(matches({ a: { $eq: /x/ } }, { a: /x/ }))
  t.notOk(matches({ a: { $eq: /x/ } }, { a: 'x' }))
  t.ok(matches({ a: { $regex: /X/, $options: 'i' } }, { a: 'x' }))
  t.notOk(matches({ a: /x/ }, { a: 5 }))
})

test('database references are values', async (t) => {
  const reference = { $ref: 'c', $id: new ObjectId('0123456789abcdef01234567') }
  t.ok(matches({ a: reference }, { a: reference }))
})

test('variables of the command stand in $expr, and the present too', async (t) => {
  const options = { let: doc({ least: 5, twice: { $multiply: ['$$least', 2] } }), now: new Date(7) }
  t.ok(matches({ $expr: { $gt: ['$a', '$$least'] } }, { a: 6 }, options))
  t.ok(matches({ $expr: { $eq: ['$$twice', 10] } }, {}, options))
  t.ok(matches({ $expr: { $eq: ['$$NOW', '$at'] } }, { at: new Date(7) }, options))
  t.equal(caught(() => filterOf({ $expr: '$$nope' })).code, 17276)
})

test('a collation holds for texts at every depth', async (t) => {
  const collation = parseCollation(doc({ locale: 'en', strength: 2 }))
  t.ok(matches({ a: 'PING' }, { a: ['ping'] }, { collation }))
  t.ok(matches({ a: { $in: ['PING'] } }, { a: 'ping' }, { collation }))
  t.ok(matches({ a: { b: ['X'] } }, { a: { b: ['x'] } }, { collation }))
  t.ok(matches({ $expr: { $eq: ['$a', 'PING'] } }, { a: 'ping' }, { collation }))
  t.notOk(matches({ a: 'PING' }, { a: 'ping' }))
})

test('the element that fitted is known by its place', async (t) => {
  const position = (plain: Plain, document: Plain) => filterOf(plain).arrayPosition(doc(document))
  t.equal(position({ 'a.k': 2 }, { a: [{ k: 1 }, { k: 2 }] }), 1)
  t.equal(position({ a: 3 }, { a: [1, 2, 3] }), 2)
  t.equal(position({ a: { $elemMatch: { k: 2 } } }, { a: [{ k: 1 }, { k: 2 }] }), 1)
  t.equal(position({ a: { $elemMatch: { $gt: 1 } } }, { a: [1, 2] }), 1)
  t.equal(position({ 'a.b': 5 }, { a: [{ b: 1 }, { b: [4, 5] }] }), 1)
  t.equal(position({ 'a.0.b': 5 }, { a: [{ b: [4, 5] }] }), 1)
  t.equal(position({ a: [1] }, { a: [1] }), undefined)
  t.equal(position({ a: 1 }, { a: 1 }), undefined)
  t.equal(position({ $and: [{ x: 1 }, { a: 2 }] }, { x: 1, a: [1, 2] }), 1)
  t.equal(position({ $or: [{ a: 9 }, { a: 2 }] }, { a: [1, 2] }), 1)
  t.equal(position({ a: { $not: { $gt: 5 } } }, { a: [1, 2] }), undefined)
})

test('what is not understood is refused', async (t) => {
  const refused: readonly (readonly [Plain, number])[] = [
    [{ $nope: [] }, 2],
    [{ a: { $nope: 1 } }, 2],
    [{ a: { $gt: 1, b: 2 } }, 2],
    [{ a: { $not: { b: 1 } } }, 2],
    [{ a: { $not: 1 } }, 2],
    [{ a: { $not: {} } }, 2],
    [{ $and: [] }, 2],
    [{ $or: {} }, 2],
    [{ $or: [1] }, 2],
    [{ a: undefined }, 2],
    [{ a: { $gt: undefined } }, 2],
    [{ a: { $gt: /x/ } }, 2],
    [{ a: { $ne: /x/ } }, 2],
    [{ a: { $in: 1 } }, 2],
    [{ a: { $in: [{ $gt: 1 }] } }, 2],
    [{ a: { $in: [undefined] } }, 2],
    [{ a: { $all: 1 } }, 2],
    [{ a: { $all: [{ $elemMatch: { b: 1 } }, 5] } }, 2],
    [{ a: { $all: [{ $gt: 1 }] } }, 2],
    [{ a: { $elemMatch: 1 } }, 2],
    [{ a: { $elemMatch: { $expr: true } } }, 2],
    [{ a: { $size: -1 } }, 2],
    [{ a: { $size: 1.5 } }, 2],
    [{ a: { $size: 'x' } }, 2],
    [{ a: { $type: 'nope' } }, 2],
    [{ a: { $type: 99 } }, 2],
    [{ a: { $type: null } }, 14],
    [{ a: { $type: [] } }, 9],
    [{ a: { $mod: 1 } }, 2],
    [{ a: { $mod: [1] } }, 2],
    [{ a: { $mod: [1, 2, 3] } }, 2],
    [{ a: { $mod: [0, 1] } }, 2],
    [{ a: { $mod: ['x', 1] } }, 2],
    [{ a: { $regex: 1 } }, 2],
    [{ a: { $regex: 'x', $options: 1 } }, 2],
    [{ a: { $regex: /x/i, $options: 's' } }, 51075],
    [{ a: { $options: 'i' } }, 2],
    [{ a: { $regex: '(' } }, 51091],
    [{ a: { $bitsAllSet: -1 } }, 9],
    [{ a: { $bitsAllSet: 'x' } }, 2],
    [{ a: { $bitsAllSet: [-1] } }, 2],
    [{ $where: 'true' }, 2],
    [{ $text: { $search: 'x' } }, 27],
    [{ a: { $near: [0, 0] } }, 291],
    [{ a: { $geoWithin: {} } }, 2],
    [{ $expr: { $nope: 1 } }, 168],
    [{ $jsonSchema: 1 }, 14]
  ]
  for (const [filter, code] of refused) {
    t.equal(caught(() => filterOf(filter)).code, code, JSON.stringify(filter))
  }
  let deep: Plain = { a: 1 }
  for (let i = 0; i < 160; i++) deep = { $and: [deep] }
  t.equal(caught(() => filterOf(deep)).code, 2)
})

test('bytes are matched as decoded documents are', async (t) => {
  const path = fc.constantFrom('a', 'b', 'a.b', 'a.0', 'c', '0', '')
  const value = fc.oneof(scalars, values, numbers).filter((given) => given !== undefined)
  const operator = fc.oneof(
    fc.tuple(fc.constantFrom('$eq', '$gt', '$gte', '$lt', '$lte', '$ne'), value),
    fc.tuple(fc.constant('$in'), fc.array(value, { maxLength: 3 })),
    fc.tuple(fc.constant('$exists'), fc.boolean()),
    fc.tuple(fc.constant('$type'), fc.constantFrom('number', 'string', 'array', 'object', 'null'))
  )
  fc.assert(
    fc.property(path, operator, documents, (field, [name, argument], document) => {
      let filter: Filter
      try {
        filter = parseFilter(new Map([[field, new Map([[name, argument]])]]))
      } catch {
        return true
      }
      return filter.matches(encodeDoc(document)) === filter.matchesDoc(document)
    }),
    { numRuns: 5000 }
  )
  t.pass()
})

test('common types are compared in their bytes', async (t) => {
  const id = new ObjectId()
  t.ok(matches({ a: id }, { a: new ObjectId(id.id) }))
  t.notOk(matches({ a: id }, { a: new ObjectId() }))
  t.ok(matches({ a: true, b: { $gt: new Date(1) } }, { a: true, b: new Date(2) }))
  t.ok(matches({ a: { $lt: new Timestamp({ t: 2, i: 0 }) } }, { a: new Timestamp({ t: 1, i: 9 }) }))
})
