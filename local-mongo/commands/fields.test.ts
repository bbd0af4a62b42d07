// Fields and generic arguments of commands: what is taken, and MongoDB's codes for what is not.
import { Binary, Decimal128, Double, Int32, Long, Timestamp } from 'bson'
import { test } from 'tap'
import type { Doc, Value } from '../bson/value.ts'
import type { FieldType } from './fields.ts'
import * as f from './fields.ts'
import { readGenericArguments } from './generic-arguments.ts'

const doc = (fields: Readonly<Record<string, Value>>): Doc => new Map(Object.entries(fields))
const codeOf = (fn: () => unknown): number => {
  try {
    fn()
  } catch (error) {
    return (error as { code: number }).code
  }
  return 0
}
const uuid = new Binary(Buffer.alloc(16, 7), 4)

test('an unknown field is refused by its path, with 40415', async (t) => {
  t.throws(() => f.readFields('find', doc({ nope: true }), {}), {
    code: 40_415,
    message: "BSON field 'find.nope' is an unknown field."
  })
  t.throws(() => f.readFields('find', doc({ constructor: true }), { a: f.string }), {
    code: 40_415
  })
})

test('a missing required field is refused with 40414', async (t) => {
  t.throws(() => f.required(undefined, 'a.b'), { code: 40_414 })
  t.equal(f.required(1, 'a.b'), 1)
})

test('null and undefined count as not given', async (t) => {
  t.same(f.readFields('x', doc({ a: null, b: undefined }), { a: f.string, b: f.document }), {})
})

for (const [name, type, value, code] of [
  ['a number as document', f.document, new Int32(1), 14],
  ['a document as text', f.string, new Map(), 14],
  ['a text as flag', f.boolean, 'yes', 14],
  ['a text as whole number', f.integer, '1', 14],
  ['a fraction as whole number', f.integer, new Double(1.5), 2],
  ['a negative count', f.count, new Int32(-1), 51_024],
  ['a document as list', f.documents, new Map(), 14],
  ['a list with a number', f.documents, [new Int32(1)], 14],
  ['a text as array', f.array, 'a', 14],
  ['a number as hint', f.hint, new Int32(1), 14],
  ['a number as update', f.modification, new Int32(1), 9],
  ['a text that is none of the few', f.oneOf('a', 'b'), 'c', 2]
] as [string, FieldType<unknown>, Value, number][]) {
  test(`${name} is refused with ${code}`, async (t) => {
    t.equal(
      codeOf(() => type.read(value, 'command.field')),
      code
    )
  })
}

test('numbers of every type stand for flags and whole numbers', async (t) => {
  t.equal(f.boolean.read(new Double(0), 'x'), false)
  t.equal(f.boolean.read(Long.fromNumber(2), 'x'), true)
  t.equal(f.integer.read(Decimal128.fromString('7'), 'x'), 7)
  t.equal(f.count.read(Long.fromString('5000000000'), 'x'), 5_000_000_000)
  t.equal(f.oneOf('a', 'b').read('b', 'x'), 'b')
  t.same(f.modification.read([new Map()], 'x'), [new Map()])
})

test('fields that are undefined are left out of requests', async (t) => {
  t.same(Object.keys(f.present({ a: 1, b: undefined })), ['a'])
})

test('a session, a transaction number and statement ids are read', async (t) => {
  const generic = readGenericArguments(
    doc({
      lsid: doc({ id: uuid }),
      txnNumber: Long.fromNumber(4),
      autocommit: false,
      startTransaction: true,
      stmtIds: [new Int32(0), new Int32(2)]
    })
  )
  t.equal(generic.sessionId, '07'.repeat(16))
  t.equal(generic.txnNumber, 4n)
  t.equal(generic.autocommit, false)
  t.equal(generic.startTransaction, true)
  t.same(generic.statementIds, [0, 2])
  t.same(readGenericArguments(doc({ stmtId: new Int32(3) })).statementIds, [3])
})

test('a cluster time, a read concern and a time limit are read', async (t) => {
  const time = new Timestamp({ t: 5, i: 1 })
  const generic = readGenericArguments(
    doc({
      $clusterTime: doc({ clusterTime: time }),
      readConcern: doc({ level: 'snapshot', atClusterTime: time }),
      maxTimeMS: new Int32(50)
    })
  )
  t.equal(generic.clusterTime, time)
  t.same(generic.readConcern, { level: 'snapshot', atClusterTime: time })
  t.equal(generic.maxTimeMs, 50)
  t.equal(readGenericArguments(doc({ maxTimeMS: new Int32(0) })).maxTimeMs, undefined)
})

for (const [concern, durability, code] of [
  [{ w: 'majority' }, 'flushed', undefined],
  [{}, 'flushed', undefined],
  [{ w: new Int32(1) }, 'committed', undefined],
  [{ w: new Int32(1), j: true }, 'flushed', undefined],
  [{ w: new Int32(0) }, 'committed', undefined],
  [{ w: new Int32(9) }, 'flushed', 100],
  [{ w: 'elsewhere' }, 'flushed', 79]
] as [Record<string, Value>, string, number | undefined][]) {
  test(`write concern ${JSON.stringify(concern)} means ${durability}, error ${code}`, async (t) => {
    const { writeConcern } = readGenericArguments(doc({ writeConcern: doc(concern) }))
    t.equal(writeConcern?.durability, durability)
    t.equal(writeConcern?.unsatisfiable?.code, code)
  })
}

for (const [name, fields, code] of [
  ['a transaction number without a session', { txnNumber: Long.ONE }, 72],
  ['a negative transaction number', { lsid: doc({ id: uuid }), txnNumber: Long.NEG_ONE }, 72],
  ['a session without an id', { lsid: new Map() }, 40_414],
  ['a session whose id is text', { lsid: doc({ id: 'x' }) }, 14],
  ['a session whose id is short', { lsid: doc({ id: new Binary(Buffer.alloc(3), 4) }) }, 207],
  ['an unknown level', { readConcern: doc({ level: 'x' }) }, 2],
  [
    'a cluster time without snapshot',
    { readConcern: doc({ level: 'local', atClusterTime: new Timestamp({ t: 1, i: 1 }) }) },
    72
  ],
  ['a cluster time that is none', { readConcern: doc({ atClusterTime: 'x' }) }, 14],
  ['a gossiped time of text', { $clusterTime: doc({ clusterTime: 'x' }) }, 14],
  ['a gossiped time without a time', { $clusterTime: new Map() }, 40_414],
  ['a write concern that is a number', { writeConcern: new Int32(1) }, 14],
  ['a negative w', { writeConcern: doc({ w: new Int32(-1) }) }, 9],
  ['a w of 51', { writeConcern: doc({ w: new Int32(51) }) }, 9],
  ['an unknown field of a write concern', { writeConcern: doc({ x: true }) }, 40_415],
  ['a time limit of text', { maxTimeMS: 'x' }, 14],
  ['a time limit beyond an int', { maxTimeMS: Long.fromNumber(2 ** 31) }, 2],
  ['both stmtId and stmtIds', { stmtId: new Int32(1), stmtIds: [] }, 72],
  ['statement ids that are no list', { stmtIds: new Int32(1) }, 14],
  ['another API version', { apiVersion: '2' }, 322],
  ['apiStrict without a version', { apiStrict: true }, 322]
] as [string, Record<string, Value>, number][]) {
  test(`${name} is refused with ${code}`, async (t) => {
    t.equal(
      codeOf(() => readGenericArguments(doc(fields))),
      code
    )
  })
}
