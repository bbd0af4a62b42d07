// A group that counts by the leading fields of an index answers as one over all documents.
import { Long } from 'bson'
import fc from 'fast-check'
import { test } from 'tap'
import { doc } from '../bson/arbitrary-values.test.data.ts'
import { allOf, contextOf, openTestCollection, type Plain } from './open-engine.test.data.ts'

const COUNTED = { n: { $sum: 1 }, m: { $count: {} } }

/** Values that an index tells, and such as it does not. */
const told = fc.constantFrom<unknown>(1, 2, 2.5, -3, 'a', 'ab', '', true, new Date(5))
const untold = fc.constantFrom<unknown>(null, undefined, [1, 2], Long.fromNumber(2), { x: 1 })
const documents = (value: fc.Arbitrary<unknown>) =>
  fc.array(fc.record({ a: fc.constantFrom(1, 2), b: value, c: value, d: fc.integer() }), {
    minLength: 20,
    maxLength: 300
  })

/** Fields that are undefined are left out. */
const present = (fields: Plain): Plain =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const pipelines: readonly (readonly Plain[])[] = [
  [{ $group: { _id: '$a', ...COUNTED } }],
  [{ $match: { a: 1 } }, { $group: { _id: '$b', ...COUNTED } }],
  [{ $match: { a: { $in: [1, 2] } } }, { $group: { _id: { c: '$c', b: '$b' }, ...COUNTED } }],
  [{ $match: { a: 2 } }, { $group: { _id: { b: '$b' }, n: { $sum: 1 } } }, { $sort: { n: -1 } }],
  [{ $match: { a: 1, d: { $gt: 0 } } }, { $group: { _id: '$b', ...COUNTED } }],
  [{ $match: { a: 1, b: { $gte: 2 } } }, { $group: { _id: '$c', ...COUNTED } }],
  [{ $match: { a: 1 } }, { $limit: 7 }, { $group: { _id: '$a', n: { $sum: 1 } } }],
  [{ $group: { _id: '$b', n: { $sum: 2 }, last: { $max: '$c' } } }]
]

type Collection = Awaited<ReturnType<typeof openTestCollection>>

/** Rows in no order, as texts that show types. */
async function rowsOf(
  c: Collection,
  pipeline: readonly Plain[],
  hint: Plain,
  context = contextOf()
) {
  const request = { pipeline: pipeline.map(doc), hint: doc(hint) }
  const rows = await allOf(await c.engine.aggregate(c.ns, request, context))
  return rows.map((row) => JSON.stringify(row)).sort()
}

for (const [name, value] of [
  ['told by keys', told],
  ['of any kind', fc.oneof(told, untold)]
] as const) {
  test(`counts by fields whose values are ${name} are those of a scan`, async (t) => {
    const c = await openTestCollection(t)
    await c.insert([{ _id: 'first', a: 1, b: 1, c: 1, d: 1 }])
    const key = { a: 1, b: 1, c: -1, d: 1 }
    await c.index(key)
    await fc.assert(
      fc.asyncProperty(documents(value), async (rows) => {
        await c.delete({})
        await c.insert(rows.map((row, _id) => present({ _id, ...row })))
        await c.delete({ _id: { $lt: 5 } })
        await c.update({ _id: { $lt: 9 } }, { $set: { b: 'a' } }, { multi: true })
        for (const pipeline of pipelines) {
          const isLimited = pipeline.some((stage) => '$limit' in stage)
          const byKeys = await rowsOf(c, pipeline, key)
          const scanned = isLimited ? byKeys : await rowsOf(c, pipeline, { $natural: 1 })
          t.same(byKeys, scanned, { pipeline, rows } as never)
        }
      }),
      { numRuns: 12 }
    )
  })
}
