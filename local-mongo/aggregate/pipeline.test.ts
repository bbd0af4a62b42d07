import { Double, Int32, Long, ObjectId } from 'bson'
import { test } from 'tap'
import { doc, plain } from '../bson/arbitrary-values.test.data.ts'
import type { Doc } from '../bson/value.ts'
import { CommandError } from '../errors.ts'
import { parsePipeline } from './pipeline.ts'
import { memoryEnv, type Plain, type RunOptions, run, runDocs } from './run-pipeline.test.data.ts'

const context = { db: 'test', collection: 'c', now: new Date(0) }
const parse = (stages: readonly Plain[], more = {}) =>
  parsePipeline(
    stages.map((stage) => doc(stage)),
    { ...context, ...more }
  )

const sales: readonly Plain[] = [
  { _id: 1, item: 'a', qty: 5, price: 2, at: new Date('2026-01-01'), tags: ['x', 'y'] },
  { _id: 2, item: 'b', qty: 10, price: 1, at: new Date('2026-01-02'), tags: [] },
  { _id: 3, item: 'a', qty: 20, price: 3, at: new Date('2026-02-01'), tags: ['y'] },
  { _id: 4, item: 'c', qty: 1, price: 9, at: new Date('2026-02-03') }
]
const items = [
  { _id: 'a', name: 'Apple', min: 6 },
  { _id: 'b', name: 'Bean', min: 1 }
]

const cases: readonly (readonly [string, readonly Plain[], readonly Plain[], RunOptions?])[] = [
  [
    '$match, $group with accumulators, $sort',
    [
      { $match: { qty: { $gt: 1 } } },
      {
        $group: {
          _id: '$item',
          n: { $sum: 1 },
          total: { $sum: { $multiply: ['$qty', '$price'] } },
          avg: { $avg: '$qty' },
          min: { $min: '$qty' },
          max: { $max: '$qty' },
          all: { $push: '$_id' }
        }
      },
      { $sort: { _id: 1 } }
    ],
    [
      { _id: 'a', n: 2, total: 70, avg: 12.5, min: 5, max: 20, all: [1, 3] },
      { _id: 'b', n: 1, total: 10, avg: 10, min: 10, max: 10, all: [2] }
    ]
  ],
  [
    '$first and $last after $sort',
    [
      { $sort: { qty: 1 } },
      {
        $group: {
          _id: null,
          first: { $first: '$_id' },
          last: { $last: '$_id' },
          set: { $addToSet: '$item' }
        }
      },
      { $project: { _id: 0, first: 1, last: 1, n: { $size: '$set' } } }
    ],
    [{ first: 4, last: 3, n: 3 }]
  ],
  [
    '$project with expressions and dates',
    [
      { $match: { _id: 3 } },
      {
        $project: {
          _id: 0,
          month: { $month: '$at' },
          day: { $dateToString: { date: '$at', format: '%Y-%m-%d' } },
          big: { $cond: [{ $gte: ['$qty', 10] }, 'yes', 'no'] }
        }
      }
    ],
    [{ month: 2, day: '2026-02-01', big: 'yes' }]
  ],
  [
    '$dateTrunc and $group',
    [
      { $group: { _id: { $dateTrunc: { date: '$at', unit: 'month' } }, n: { $sum: 1 } } },
      { $sort: { _id: 1 } }
    ],
    [
      { _id: new Date('2026-01-01'), n: 2 },
      { _id: new Date('2026-02-01'), n: 2 }
    ]
  ],
  [
    '$set and $unset',
    [
      { $match: { _id: 1 } },
      { $set: { sum: { $add: ['$qty', '$price'] } } },
      { $unset: ['tags', 'at', 'item'] }
    ],
    [{ _id: 1, qty: 5, price: 2, sum: 7 }]
  ],
  [
    '$sort, $skip, $limit',
    [{ $sort: { qty: -1 } }, { $skip: 1 }, { $limit: 2 }, { $project: { qty: 1 } }],
    [
      { _id: 2, qty: 10 },
      { _id: 1, qty: 5 }
    ]
  ],
  [
    'a second $sort with $limit keeps the first',
    [{ $limit: 9 }, { $sort: { price: -1 } }, { $limit: 2 }, { $project: { price: 1 } }],
    [
      { _id: 4, price: 9 },
      { _id: 3, price: 3 }
    ]
  ],
  ['a $skip behind other stages', [{ $project: { _id: 1 } }, { $skip: 3 }], [{ _id: 4 }]],
  [
    '$unwind',
    [{ $unwind: '$tags' }, { $project: { tags: 1 } }, { $sort: { _id: 1, tags: 1 } }],
    [
      { _id: 1, tags: 'x' },
      { _id: 1, tags: 'y' },
      { _id: 3, tags: 'y' }
    ]
  ],
  [
    '$unwind keeping empty ones, with the index',
    [
      { $unwind: { path: '$tags', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i' } },
      { $match: { _id: { $in: [2, 3] } } },
      { $project: { tags: 1, i: 1 } },
      { $sort: { _id: 1 } }
    ],
    [
      { _id: 2, i: null },
      { _id: 3, tags: 'y', i: 0 }
    ]
  ],
  [
    '$unwind of what is no array',
    [{ $unwind: '$item' }, { $project: { item: 1 } }, { $limit: 1 }],
    [{ _id: 1, item: 'a' }]
  ],
  [
    '$lookup by field',
    [
      { $match: { _id: { $in: [1, 4] } } },
      { $lookup: { from: 'items', localField: 'item', foreignField: '_id', as: 'of' } },
      { $project: { of: '$of.name' } },
      { $sort: { _id: 1 } }
    ],
    [
      { _id: 1, of: ['Apple'] },
      { _id: 4, of: [] }
    ],
    { others: { items } }
  ],
  [
    '$lookup with a pipeline',
    [
      {
        $lookup: {
          from: 'items',
          let: { q: '$qty', i: '$item' },
          pipeline: [
            { $match: { $expr: { $and: [{ $eq: ['$_id', '$$i'] }, { $lt: ['$min', '$$q'] }] } } },
            { $project: { _id: 0, name: 1 } }
          ],
          as: 'of'
        }
      },
      { $match: { 'of.0': { $exists: true } } },
      { $project: { of: 1 } },
      { $sort: { _id: 1 } }
    ],
    [
      { _id: 2, of: [{ name: 'Bean' }] },
      { _id: 3, of: [{ name: 'Apple' }] }
    ],
    { others: { items } }
  ],
  [
    '$facet',
    [
      {
        $facet: {
          count: [{ $count: 'n' }],
          top: [{ $sort: { qty: -1 } }, { $limit: 1 }, { $project: { _id: 1 } }]
        }
      }
    ],
    [{ count: [{ n: 4 }], top: [{ _id: 3 }] }]
  ],
  [
    '$bucket',
    [
      {
        $bucket: {
          groupBy: '$qty',
          boundaries: [0, 5, 15],
          default: 'more',
          output: { n: { $sum: 1 } }
        }
      }
    ],
    [
      { _id: 0, n: 1 },
      { _id: 5, n: 2 },
      { _id: 'more', n: 1 }
    ]
  ],
  [
    '$bucketAuto',
    [{ $bucketAuto: { groupBy: '$qty', buckets: 2 } }],
    [
      { _id: { min: 1, max: 10 }, count: 2 },
      { _id: { min: 10, max: 20 }, count: 2 }
    ]
  ],
  [
    '$bucketAuto keeps equal values together',
    [{ $bucketAuto: { groupBy: { $min: ['$qty', 5] }, buckets: 3 } }],
    [
      { _id: { min: 1, max: 5 }, count: 1 },
      { _id: { min: 5, max: 5 }, count: 3 }
    ]
  ],
  ['$count', [{ $match: { item: 'a' } }, { $count: 'n' }], [{ n: 2 }]],
  ['$count of nothing is no row', [{ $match: { item: 'none' } }, { $count: 'n' }], []],
  ['$sortByCount', [{ $sortByCount: '$item' }, { $limit: 1 }], [{ _id: 'a', count: 2 }]],
  [
    '$unionWith',
    [
      { $project: { _id: 1 } },
      { $unionWith: { coll: 'items', pipeline: [{ $project: { _id: 1 } }] } },
      { $count: 'n' }
    ],
    [{ n: 6 }],
    { others: { items } }
  ],
  [
    '$unionWith by name',
    [{ $match: { _id: 1 } }, { $unionWith: 'items' }, { $project: { _id: 1 } }],
    [{ _id: 1 }, { _id: 'a' }, { _id: 'b' }],
    { others: { items } }
  ],
  [
    '$unionWith of documents',
    [
      { $match: { _id: 1 } },
      { $project: { _id: 1 } },
      { $unionWith: { pipeline: [{ $documents: [{ _id: 9 }] }] } }
    ],
    [{ _id: 1 }, { _id: 9 }]
  ],
  [
    '$replaceRoot',
    [
      { $match: { _id: 1 } },
      { $replaceRoot: { newRoot: { $mergeObjects: [{ q: '$qty' }, { p: '$price' }] } } }
    ],
    [{ q: 5, p: 2 }]
  ],
  [
    '$sample of more than there is',
    [{ $sample: { size: 9 } }, { $sort: { _id: 1 } }, { $project: { _id: 1 } }],
    [{ _id: 1 }, { _id: 2 }, { _id: 3 }, { _id: 4 }]
  ],
  [
    '$group by several fields',
    [{ $group: { _id: { i: '$item', x: '$none' }, n: { $count: {} } } }, { $sort: { _id: 1 } }],
    [
      { _id: { i: 'a' }, n: 2 },
      { _id: { i: 'b' }, n: 1 },
      { _id: { i: 'c' }, n: 1 }
    ]
  ],
  [
    'variables of the command',
    [
      { $match: { $expr: { $eq: ['$item', '$$which'] } } },
      { $project: { x: '$$which' } },
      { $limit: 1 }
    ],
    [{ _id: 1, x: 'a' }],
    { let: { which: 'a' } }
  ],
  [
    'a collation in filters, groups and sorts',
    [
      { $group: { _id: { $cond: [{ $eq: ['$item', 'A'] }, 'A', '$item'] }, n: { $sum: 1 } } },
      { $sort: { n: -1 } },
      { $limit: 1 }
    ],
    [{ _id: 'A', n: 2 }],
    { collation: { locale: 'en', strength: 2 } }
  ]
]
for (const [name, stages, expected, options] of cases) {
  test(`a pipeline: ${name}`, async (t) => {
    t.same(await run(sales, stages, options), expected)
  })
}

test('numbers of all types and equal documents are one group', async (t) => {
  const input: Doc[] = [new Int32(1), new Double(1), Long.ONE].map(
    (value) => new Map<string, never>([['a', value as never]])
  )
  t.same(plain(await runDocs(input, [{ $group: { _id: '$a', n: { $sum: 1 } } }])), [
    { _id: 1, n: 3 }
  ])
  t.same(plain(await runDocs(input, [{ $group: { _id: { x: '$a' }, n: { $sum: 1 } } }])), [
    { _id: { x: 1 }, n: 3 }
  ])
  const id = new ObjectId('0123456789abcdef01234567')
  const same = [
    doc({ a: id }),
    doc({ a: new ObjectId(id.id) }),
    doc({ a: new Date(5) }),
    doc({ a: new Date(5) }),
    doc({ a: null }),
    doc({})
  ]
  t.same(
    (await runDocs(same, [{ $group: { _id: '$a', n: { $sum: 1 } } }])).map((one) =>
      plain(one.get('n'))
    ),
    [2, 2, 2]
  )
})

test('sums of whole numbers are exact to 64 bits and keep their types', async (t) => {
  const big = Long.fromString('9007199254740993')
  const [sum] = await runDocs(
    [doc({ a: big }), doc({ a: 2 })],
    [{ $group: { _id: null, s: { $sum: '$a' }, d: { $sum: { $toDouble: '$a' } } } }]
  )
  t.same(sum?.get('s'), Long.fromString('9007199254740995'))
  t.ok(sum?.get('d') instanceof Double)
  const [over] = await runDocs(
    [doc({ a: Long.MAX_VALUE }), doc({ a: 1 })],
    [{ $group: { _id: null, s: { $sum: '$a' } } }]
  )
  t.same(over?.get('s'), new Double(2 ** 63))
  const [int] = await runDocs(
    [doc({ a: 2 ** 31 - 1 }), doc({ a: 1 })],
    [{ $group: { _id: null, s: { $sum: '$a' } } }]
  )
  t.same(int?.get('s'), Long.fromNumber(2 ** 31))
})

test('fields that a stage does not touch keep their types', async (t) => {
  const input: Doc = new Map([
    ['_id', Long.ONE],
    ['d', new Double(5)]
  ] as never)
  for (const stages of [
    [{ $set: { x: 1 } }],
    [{ $project: { d: 1 } }],
    [{ $unwind: '$d' }],
    [{ $sort: { d: 1 } }, { $limit: 1 }]
  ]) {
    const [result] = await runDocs([input], stages)
    t.same([result?.get('_id'), result?.get('d')], [Long.ONE, new Double(5)])
  }
})

test('the beginning of a pipeline is offered to the executor', async (t) => {
  const prefix = (stages: readonly Plain[]) =>
    plain(
      new Map(
        Object.entries(parse(stages).prefix).map(([name, value]) => [
          name,
          value instanceof Set ? [...value].sort() : value
        ])
      ) as never
    )
  t.same(prefix([{ $match: { a: 1 } }, { $sort: { b: 1 } }, { $skip: 1 }, { $limit: 2 }]), {
    filter: { a: 1 },
    sort: { b: 1 },
    skip: 1,
    limit: 2
  })
  t.same(prefix([{ $match: { a: 1 } }, { $match: { b: 1 } }, { $limit: 5 }, { $skip: 1 }]), {
    filter: { $and: [{ a: 1 }, { b: 1 }] },
    limit: 5
  })
  t.same(prefix([{ $match: { a: 1 } }, { $group: { _id: '$b.c', n: { $sum: '$d' } } }]), {
    filter: { a: 1 },
    fields: ['b', 'd']
  })
  t.same(prefix([{ $project: { x: '$a.b', y: 1 } }, { $match: { z: 1 } }]), {
    fields: ['_id', 'a', 'y']
  })
  t.same(prefix([{ $set: { x: '$a' } }]), {})
  t.same(prefix([{ $match: { a: 1 } }, { $unwind: '$t' }, { $sort: { u: 1 } }, { $count: 'n' }]), {
    filter: { a: 1 },
    fields: ['t', 'u']
  })
  t.same(
    prefix([
      { $lookup: { from: 'x', localField: 'l', foreignField: 'f', as: 'm' } },
      { $group: { _id: '$m.q' } }
    ]),
    { fields: ['l', 'm'] }
  )
  t.same(prefix([{ $group: { _id: '$$ROOT' } }]), {})
})

test('other collections that are read are named, and the place of the results', async (t) => {
  const pipeline = parse([
    { $lookup: { from: 'x', as: 'y', pipeline: [{ $unionWith: 'z' }] } },
    {
      $graphLookup: {
        from: 'g',
        startWith: '$a',
        connectFromField: 'b',
        connectToField: 'c',
        as: 'd'
      }
    },
    { $out: 'o' }
  ])
  t.same(pipeline.foreign.map(({ collection }) => collection).sort(), ['g', 'x', 'z'])
  t.same(pipeline.sink, { kind: 'out', db: 'test', collection: 'o' })
  t.same(parse([{ $out: { db: 'd', coll: 'c' } }]).sink, { kind: 'out', db: 'd', collection: 'c' })
})

test('$merge has its defaults, and binds variables as constants', async (t) => {
  const { sink } = parse([{ $merge: 'm' }])
  t.match(sink, {
    kind: 'merge',
    db: 'test',
    collection: 'm',
    on: ['_id'],
    whenMatched: 'merge',
    whenNotMatched: 'insert'
  })
  const merge = parse([
    {
      $merge: {
        into: { db: 'd', coll: 'm' },
        on: ['k'],
        whenMatched: [{ $set: { n: '$$new.n' } }],
        whenNotMatched: 'discard'
      }
    }
  ]).sink
  if (merge?.kind !== 'merge') throw new Error('no merge')
  t.match(merge, { db: 'd', on: ['k'], whenMatched: 'pipeline', whenNotMatched: 'discard' })
  t.same(plain(merge.bindings(doc({ n: '$x' }))), { new: { $literal: { n: '$x' } } })
  const own = parse([{ $merge: { into: 'm', let: { v: '$n', w: '$none' }, whenMatched: [] } }]).sink
  t.same(own?.kind === 'merge' && plain(own.bindings(doc({ n: 5 }))), { v: { $literal: 5 } })
})

test('special sources are distinguished', async (t) => {
  const kind = (stages: readonly Plain[], more = {}) => parse(stages, more).source.kind
  t.equal(kind([{ $indexStats: {} }, { $match: {} }]), 'indexStats')
  t.equal(kind([{ $collStats: { count: {} } }]), 'collStats')
  t.equal(kind([{ $changeStream: {} }, { $match: {} }]), 'changeStream')
  t.equal(kind([{ $currentOp: {} }]), 'currentOp')
  t.equal(kind([{ $listLocalSessions: {} }]), 'listSessions')
  const documents = parse([{ $documents: [{ a: 1 }] }, { $set: { b: 2 } }], { collection: '' })
  t.equal(documents.source.kind, 'documents')
  const results: Doc[] = []
  for await (const one of documents.run([], memoryEnv({}))) results.push(one)
  t.same(results.map(plain), [{ a: 1, b: 2 }])
})

test('a long sort keeps its order where documents are kept encoded', async (t) => {
  const many = Array.from({ length: 3000 }, (_, i) => ({
    _id: i,
    r: (i * 7919) % 3000,
    pad: 'x'.repeat(3_500)
  }))
  const sorted = await run(many, [{ $limit: 9000 }, { $sort: { r: 1 } }, { $project: { r: 1 } }])
  t.same(
    sorted.map(({ r }) => r),
    Array.from({ length: 3000 }, (_, i) => i)
  )
})

test('a pipeline that was given up ends', async (t) => {
  const { signal } = new AbortController()
  const aborted = AbortSignal.abort()
  async function* endless() {
    for (let i = 0; ; i++) yield [doc({ _id: i })]
  }
  const pipeline = parse([{ $group: { _id: null, n: { $sum: 1 } } }])
  t.equal(signal.aborted, false)
  const running = pipeline
    .run(endless(), { ...memoryEnv({}), signal: aborted })
    [Symbol.asyncIterator]()
    .next()
  await t.rejects(running, { code: 11601 })
  const reason = new CommandError(50, 'MaxTimeMSExpired', 'too long')
  const timed = pipeline
    .run(endless(), { ...memoryEnv({}), signal: AbortSignal.abort(reason) })
    [Symbol.asyncIterator]()
    .next()
  await t.rejects(timed, { code: 50 })
})

test('documents may come one by one', async (t) => {
  async function* single() {
    for (let i = 0; i < 600; i++) yield doc({ _id: i })
  }
  const results: Doc[] = []
  for await (const one of parse([{ $project: { _id: 1 } }, { $count: 'n' }]).run(
    single(),
    memoryEnv({})
  ))
    results.push(one)
  t.same(results.map(plain), [{ n: 600 }])
})
