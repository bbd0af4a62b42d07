// A statement by `_id` alone, which is not planned, does what the same statement does when it is.
import { Binary, BSONRegExp, Double, Long, ObjectId } from 'bson'
import { test } from 'tap'
import { doc } from '../bson/arbitrary-values.test.data.ts'
import type { Engine } from '../engine.ts'
import {
  contextOf,
  openTestCollection,
  openTestEngine,
  type Plain,
  TestCollection
} from './open-engine.test.data.ts'

const AN_ID = new ObjectId('6650f0f0f0f0f0f0f0f0f0f0')
const LONG_TEXT = 'x'.repeat(2_000)

const IDS: readonly (readonly [string, unknown])[] = [
  ['an int', 7],
  ['the double that equals an int', new Double(7)],
  ['the long that equals an int', Long.fromNumber(7)],
  ['a fraction', 7.5],
  ['a text', 'seven'],
  ['a text whose key is cut', LONG_TEXT],
  ['an ObjectId', AN_ID],
  ['a date', new Date(7)],
  ['a boolean', true],
  ['bytes', new Binary(Buffer.from('seven'))],
  ['null', null],
  ['a document', { a: 1 }],
  ['an operator', { $gte: 7 }],
  ['a pattern', new BSONRegExp('^sev')],
  ['what is not there', 'nothing']
]

interface Options {
  readonly upsert?: boolean
  readonly arrayFilters?: readonly Plain[]
}

const CHANGES: readonly (readonly [string, Plain | readonly Plain[], Options])[] = [
  ['operators', { $inc: { n: 1, 'deep.n': 2 }, $max: { at: new Date(9) }, $set: { u: 'new' } }, {}],
  ['nothing', { $max: { n: 0 } }, {}],
  ['an unset', { $unset: { n: 1, missing: 1 } }, {}],
  ['a rename', { $rename: { n: 'm' } }, {}],
  ['an insert or not', { $inc: { n: 1 }, $setOnInsert: { u: 'made' } }, { upsert: true }],
  ['a replacement', { n: 5 }, {}],
  ['a pipeline', [{ $set: { n: { $add: ['$n', 1] } } }], {}],
  ['an array filter', { $set: { 'list.$[one]': 0 } }, { arrayFilters: [{ one: 2 }] }],
  ['a position that the filter does not tell', { $set: { 'list.$': 0 } }, {}],
  ['another _id', { $set: { _id: 'other' } }, {}],
  ['the value of another document', { $set: { u: 'taken' } }, {}],
  ['two changes of one path', { $inc: { n: 1 }, $set: { n: 2 } }, {}]
]

const STORED = [7, 7.5, 'seven', LONG_TEXT, AN_ID, new Date(7), true, { a: 1 }, null]

async function filled(engine: Engine, name: string, options: Plain): Promise<TestCollection> {
  const ns = { db: 'test', collection: name }
  await engine.createCollection(ns, doc(options), contextOf())
  const c = new TestCollection(engine, ns)
  await c.index({ u: 1 }, { unique: true, sparse: true })
  await c.index({ n: 1 }, { partialFilterExpression: { u: { $exists: true } } })
  const ids = [...STORED, new Binary(Buffer.from('seven'))]
  await c.insert(ids.map((_id) => ({ _id, n: 1, deep: { n: 1, m: 1 }, list: [1, 2] })))
  await c.insert([{ _id: 'taken', u: 'taken' }])
  return c
}

/** Has a statement planned, and says nothing else. */
const PLANNED = { collation: doc({ locale: 'simple' }) }

async function outcome(
  c: TestCollection,
  id: unknown,
  [, change, { arrayFilters, ...more }]: (typeof CHANGES)[number],
  options: object
): Promise<unknown> {
  const filters = arrayFilters === undefined ? {} : { arrayFilters: arrayFilters.map(doc) }
  const result = await c.update({ _id: id }, change, { ...more, ...filters, ...options })
  const writeErrors = result.writeErrors.map((error) => ({
    ...error,
    errmsg: error.errmsg.replace(c.ns.collection, 'things')
  }))
  return { ...result, writeErrors, documents: await c.find() }
}

for (const change of CHANGES) {
  test(`by its _id alone a document gets ${change[0]} as by a plan`, async (t) => {
    const engine = await openTestEngine(t)
    for (const [kind, options] of [
      ['plain', {}],
      ['folded', { collation: { locale: 'en', strength: 2 } }]
    ] as const) {
      const direct = await filled(engine, `${kind}-direct`, options)
      const planned = await filled(engine, `${kind}-planned`, options)
      const asked = kind === 'plain' ? PLANNED : { collation: doc({ locale: 'en', strength: 2 }) }
      for (const [what, id] of IDS) {
        const expected = await outcome(planned, id, change, asked)
        t.same(await outcome(direct, id, change, {}), expected, `${kind}: ${what}`)
      }
    }
    t.match(await engine.check(), { ok: true })
  })
}

test('a statement by _id waits for the transaction that holds its document', async (t) => {
  const c = await openTestCollection(t)
  await c.insert([{ _id: 1, n: 0 }])
  const id = { sessionId: 'holder', txnNumber: 1n }
  const transaction = c.engine.transactions.begin(id, { now: new Date() })
  await c.update({ _id: 1 }, { $inc: { n: 1 } }, {}, contextOf({ transaction }))
  const waiting = c.update({ _id: 1 }, { $inc: { n: 10 } })
  await c.engine.transactions.commit(id, {})
  t.match(await waiting, { n: 1, nModified: 1 })
  t.same(await c.find(), [{ _id: 1, n: 11 }])
})
