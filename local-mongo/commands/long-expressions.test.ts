// Expressions that take long: what they answer, what ends them, and who waits meanwhile.
// Runs in its own process: it looks at the order of turns, which other files disturb.
import type { ClientSession, Collection, Document } from 'mongodb'
import { test } from 'tap'
import { startTestServer } from '../server/test-server.fixture.ts'

interface Row {
  _id: number
  n: number
  [name: string]: unknown
}

/** `200 * rounds` steps; its value is `rounds` more than that of `from`. */
function long(from: unknown, rounds = 500): Document {
  const zeros = { $map: { input: { $range: [0, 200] }, in: { $multiply: ['$$this', 0] } } }
  const ones = { $map: { input: { $range: [0, rounds] }, in: { $add: [1, { $min: zeros }] } } }
  return { $add: [from, { $sum: ones }] }
}

type Operation = (c: Collection<Row>, options: { session?: ClientSession }) => Promise<unknown>

const byId = { sort: { _id: 1 } } as const

/** What each operation must answer with rows `{_id: 1, n: 1}` and `{_id: 2, n: 2}`. */
const OPERATIONS: Readonly<Record<string, readonly [Operation, unknown]>> = {
  'a filter': [(c, o) => c.distinct('_id', { $expr: { $eq: [long('$n'), 502] } }, o), [2]],
  'a projection': [
    (c, o) => c.find({}, { ...o, ...byId, projection: { _id: 0, v: long('$n') } }).toArray(),
    [{ v: 501 }, { v: 502 }]
  ],
  'a count': [(c, o) => c.countDocuments({ $expr: { $gt: [long('$n'), 501] } }, o), 1],
  'a filter with variables': [
    (c, o) =>
      c
        .find({ $expr: { $eq: [{ $add: ['$n', 500] }, '$$sum'] } }, { ...o, let: { sum: long(2) } })
        .toArray(),
    [{ _id: 2, n: 2 }]
  ],
  'stages that make one document of one': [
    (c, o) =>
      c
        .aggregate(
          [
            { $sort: { _id: 1 } },
            { $set: { a: long('$n'), b: long('$_id') } },
            { $match: { $expr: { $eq: [long('$a'), 1002] } } },
            { $replaceWith: { sum: long({ $add: ['$a', '$b'] }) } }
          ],
          o
        )
        .toArray(),
    [{ sum: 1504 }]
  ],
  'a group': [
    (c, o) =>
      c
        .aggregate(
          [
            {
              $group: {
                _id: { k: long('$n') },
                count: { $sum: 1 },
                list: { $push: long('$n') },
                top: { $top: { sortBy: { _id: 1 }, output: long('$_id') } }
              }
            },
            { $sort: { _id: 1 } }
          ],
          o
        )
        .toArray(),
    [
      { _id: { k: 501 }, count: 1, list: [501], top: 501 },
      { _id: { k: 502 }, count: 1, list: [502], top: 502 }
    ]
  ],
  buckets: [
    (c, o) =>
      c
        .aggregate(
          [
            {
              $facet: {
                plain: [{ $bucket: { groupBy: long('$n'), boundaries: [0, 502, 1000] } }],
                auto: [
                  {
                    $bucketAuto: {
                      groupBy: long('$n'),
                      buckets: 1,
                      output: { s: { $sum: long('$n') } }
                    }
                  }
                ]
              }
            }
          ],
          o
        )
        .toArray(),
    [
      {
        plain: [
          { _id: 0, count: 1 },
          { _id: 502, count: 1 }
        ],
        auto: [{ _id: { min: 501, max: 502 }, s: 1003 }]
      }
    ]
  ],
  windows: [
    (c, o) =>
      c
        .aggregate(
          [
            {
              $setWindowFields: {
                partitionBy: long(0),
                sortBy: { _id: 1 },
                output: {
                  all: { $push: long('$n'), window: { documents: ['unbounded', 'current'] } },
                  next: { $shift: { output: long('$n'), by: 1 } }
                }
              }
            },
            { $unset: 'n' }
          ],
          o
        )
        .toArray(),
    [
      { _id: 1, all: [501], next: 502 },
      { _id: 2, all: [501, 502], next: null }
    ]
  ],
  joins: [
    (c, o) =>
      c
        .aggregate(
          [
            { $match: { _id: 1 } },
            {
              $lookup: {
                from: 'rows',
                as: 'found',
                let: { wanted: long('$n') },
                pipeline: [{ $match: { $expr: { $eq: [{ $add: ['$n', 499] }, '$$wanted'] } } }]
              }
            },
            { $unwind: '$found' },
            { $replaceWith: '$found' }
          ],
          o
        )
        .toArray(),
    [{ _id: 2, n: 2 }]
  ],
  'an update by a pipeline': [
    async (c, o) => {
      const stages = [
        { $set: { r: { $rand: {} } } },
        { $set: { s: { $subtract: [long('$r'), '$r'] } } }
      ]
      await c.updateMany({ $expr: { $eq: [long('$n'), 501] } }, stages, o)
      const [row] = await c.find({ _id: 1 }, o).toArray()
      return Math.round(row?.['s'] as number)
    },
    500
  ],
  'an upsert': [
    async (c, o) => {
      await c.updateOne({ _id: 3 }, [{ $set: { n: long(3) } }], { ...o, upsert: true })
      return c.find({ _id: 3 }, o).toArray()
    },
    [{ _id: 3, n: 503 }]
  ],
  'a change that answers with the document': [
    (c, o) =>
      c.findOneAndUpdate(
        { _id: 2, $expr: { $eq: [long('$n'), 502] } },
        [{ $set: { n: long('$n') } }],
        {
          ...o,
          returnDocument: 'after',
          projection: { v: long('$n') }
        }
      ),
    { _id: 2, v: 1002 }
  ],
  'an upsert that answers with the document': [
    (c, o) =>
      c.findOneAndUpdate({ n: 9 }, [{ $set: { w: long(9) } }], {
        ...o,
        upsert: true,
        returnDocument: 'after',
        projection: { _id: 0, v: long('$w') }
      }),
    { v: 1009 }
  ],
  'a removal': [
    async (c, o) => (await c.deleteMany({ $expr: { $eq: [long('$n'), 502] } }, o)).deletedCount,
    1
  ]
}

for (const [name, [operation, expected]] of Object.entries(OPERATIONS)) {
  test(`a long expression gives the right answer: ${name}`, async (t) => {
    const { client, db } = await startTestServer(t)
    const rows = db.collection<Row>('rows')
    const fill = async () => {
      await rows.deleteMany({})
      await rows.insertMany([
        { _id: 1, n: 1 },
        { _id: 2, n: 2 }
      ])
    }
    await fill()
    t.same(await operation(rows, {}), expected)
    await fill()
    await client.withSession(async (session) => {
      session.startTransaction()
      t.same(await operation(rows, { session }), expected, 'in a transaction')
      await session.commitTransaction()
    })
  })
}

test('results of a long expression are merged into another collection', async (t) => {
  const { db } = await startTestServer(t)
  const rows = db.collection<Row>('rows')
  await rows.insertMany([{ _id: 1, n: 1 }])
  await db.collection<Row>('sums').insertOne({ _id: 1, n: 5 })
  const merge = {
    into: 'sums',
    let: { more: long('$n') },
    whenMatched: [{ $set: { n: long({ $add: ['$n', '$$more'] }) } }]
  }
  await rows.aggregate([{ $merge: merge }]).toArray()
  t.same(await db.collection('sums').find().toArray(), [{ _id: 1, n: 1006 }])
})

test('other clients are answered while an expression takes long', async (t) => {
  const { db } = await startTestServer(t)
  const rows = db.collection<Row>('rows')
  await rows.insertOne({ _id: 1, n: 1 })
  const order: string[] = []
  const running = rows
    .aggregate([{ $project: { v: long('$n', 20_000) } }])
    .toArray()
    .then(() => order.push('expression'))
  for (let i = 0; i < 3; i++) {
    await db.command({ ping: 1 })
    order.push('ping')
  }
  await running
  t.same(order, ['ping', 'ping', 'ping', 'expression'])
})

test('maxTimeMS ends an expression on a single document', async (t) => {
  const { db } = await startTestServer(t)
  const rows = db.collection<Row>('rows')
  await rows.insertOne({ _id: 1, n: 1 })
  const endless = long('$n', 900_000)
  const options = { maxTimeMS: 50 }
  await t.rejects(rows.aggregate([{ $project: { v: endless } }], options).toArray(), { code: 50 })
  await t.rejects(rows.find({ $expr: endless }, options).toArray(), { code: 50 })
  await t.rejects(rows.updateOne({}, [{ $set: { v: endless } }], options), { code: 50 })
  t.same(await rows.find().toArray(), [{ _id: 1, n: 1 }])
})

test('a window that keeps growing gives way and honours maxTimeMS', async (t) => {
  const { db } = await startTestServer(t)
  const rows = db.collection<Row>('rows')
  await rows.insertMany(Array.from({ length: 5_000 }, (_, i) => ({ _id: i, n: i })))
  const window = { documents: ['unbounded', 'current'] }
  const output = { list: { $push: '$n', window } }
  const stages = [{ $setWindowFields: { sortBy: { _id: 1 }, output } }, { $count: 'n' }]
  const running = rows.aggregate(stages, { maxTimeMS: 60_000 }).toArray()
  const order: string[] = []
  const ended = running.then(() => order.push('windows'))
  for (let i = 0; i < 3; i++) {
    await db.command({ ping: 1 })
    order.push('ping')
  }
  await ended
  t.same(order, ['ping', 'ping', 'ping', 'windows'])
  t.same(await running, [{ n: 5_000 }])
  await t.rejects(rows.aggregate(stages, { maxTimeMS: 5 }).toArray(), { code: 50 })
})

test('killOp ends a long expression', async (t) => {
  const { client, db } = await startTestServer(t)
  const rows = db.collection<Row>('rows')
  await rows.insertOne({ _id: 1, n: 1 })
  const killed = t.rejects(rows.aggregate([{ $project: { v: long('$n', 900_000) } }]).toArray(), {
    code: 11601
  })
  const admin = client.db('admin')
  let found: Document[] = []
  while (found.length === 0) {
    const { inprog } = await admin.command({ currentOp: 1, ns: `${db.databaseName}.rows` })
    found = inprog
  }
  await admin.command({ killOp: 1, op: found[0]?.['opid'] })
  await killed
})

test('an expression that takes too much memory fails alone', async (t) => {
  const { db } = await startTestServer(t)
  const rows = db.collection<Row>('rows')
  await rows.insertOne({ _id: 1, n: 1, text: 'x'.repeat(1e6) })
  const v = { $size: { $map: { input: { $range: [0, 900_000] }, in: { $toUpper: '$text' } } } }
  const message = /more than \d+ MiB of memory/
  await t.rejects(rows.aggregate([{ $project: { v } }]).toArray(), { code: 146, message })
  t.equal(await rows.countDocuments(), 1)
})

test('an error of a long expression is the error of the command', async (t) => {
  const { db } = await startTestServer(t)
  const rows = db.collection<Row>('rows')
  await rows.insertOne({ _id: 1, n: 1 })
  const divided = { $divide: [long('$n'), 0] }
  await t.rejects(rows.aggregate([{ $project: { v: divided } }]).toArray(), { code: 2 })
  const caught = { $convert: { input: { $toString: long('$n') }, to: 'objectId', onError: 'no' } }
  t.same(await rows.aggregate([{ $project: { _id: 0, v: caught } }]).toArray(), [{ v: 'no' }])
})
