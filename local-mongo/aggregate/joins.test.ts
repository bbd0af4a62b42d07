import { test } from 'tap'
import { caught, doc, plain } from '../bson/arbitrary-values.test.data.ts'
import type { Doc } from '../bson/value.ts'
import { parsePipeline } from './pipeline.ts'
import { type Plain, run } from './run-pipeline.test.data.ts'

const people: readonly Plain[] = [
  { _id: 1, name: 'Dev', boss: null },
  { _id: 2, name: 'Eliot', boss: 'Dev' },
  { _id: 3, name: 'Ron', boss: 'Eliot' },
  { _id: 4, name: 'Andrew', boss: 'Eliot' },
  { _id: 5, name: 'Asya', boss: 'Ron' },
  { _id: 6, name: 'Dan', boss: 'Andrew' }
]

test('$lookup joins arrays by element, and what is missing with null', async (t) => {
  const others = {
    o: [
      { _id: 1, f: 1 },
      { _id: 2, f: [1, 2] },
      { _id: 3, f: null },
      { _id: 4 },
      { _id: 5, f: [] },
      { _id: 6, f: /x/ }
    ]
  }
  const joined = async (l: unknown) => {
    const [result] = await run(
      [l === undefined ? {} : { l }],
      [
        { $lookup: { from: 'o', localField: 'l', foreignField: 'f', as: 'r' } },
        { $project: { r: '$r._id' } }
      ],
      { others }
    )
    return result?.r
  }
  t.same(await joined(1), [1, 2])
  t.same(await joined([2, 7]), [2])
  t.same(await joined(undefined), [3, 4])
  t.same(await joined(null), [3, 4])
  t.same(await joined([]), [])
  t.same(await joined('x'), [])
  t.same(await joined(/x/), [6])
})

test('$lookup goes through documents in arrays on both sides', async (t) => {
  const others = {
    o: [
      { _id: 1, a: [{ k: 1 }, { k: 2 }] },
      { _id: 2, a: { k: 3 } }
    ]
  }
  const result = await run(
    [{ l: [{ x: 2 }, { x: 3 }] }, { l: { x: 9 } }],
    [
      { $lookup: { from: 'o', localField: 'l.x', foreignField: 'a.k', as: 'm.r' } },
      { $project: { r: '$m.r._id' } }
    ],
    { others }
  )
  t.same(
    result.map(({ r }) => r),
    [[1, 2], []]
  )
})

test('$lookup by field asks once for a batch', async (t) => {
  const asked: (Doc | undefined)[] = []
  await run(
    [{ l: 1 }, { l: 2 }, { l: 1 }],
    [{ $lookup: { from: 'o', localField: 'l', foreignField: 'f', as: 'r' } }],
    { others: { o: [] }, asked }
  )
  t.same(
    asked.map((filter) => plain(filter)),
    [{ f: { $in: [1, 2] } }]
  )
})

test('$lookup by field may have a pipeline too', async (t) => {
  const others = {
    o: [
      { _id: 1, f: 1, n: 5 },
      { _id: 2, f: 1, n: 1 }
    ]
  }
  const stage = {
    $lookup: {
      from: 'o',
      localField: 'l',
      foreignField: 'f',
      let: { least: '$least' },
      pipeline: [{ $match: { $expr: { $gte: ['$n', '$$least'] } } }, { $project: { n: 1 } }],
      as: 'r'
    }
  }
  t.same(await run([{ _id: 1, l: 1, least: 3 }], [stage], { others }), [
    { _id: 1, l: 1, least: 3, r: [{ _id: 1, n: 5 }] }
  ])
})

test('$lookup asks an index for what variables say, and once for what they do not', async (t) => {
  const others = {
    o: [
      { _id: 1, k: 1, s: 'x' },
      { _id: 2, k: 2, s: 'x' },
      { _id: 3, k: [1], s: 'x' }
    ]
  }
  const asked: (Doc | undefined)[] = []
  const stage = (condition: Plain) => ({
    $lookup: {
      from: 'o',
      let: { k: '$k' },
      pipeline: [{ $match: { s: 'x', $expr: condition } }, { $project: { _id: 1 } }],
      as: 'r'
    }
  })
  const input = [{ k: 1 }, { k: 2 }, { k: [1] }, {}]
  const ids = async (condition: Plain, options = {}) =>
    (await run(input, [stage(condition)], { others, asked, ...options })).map(({ r }) =>
      (r as Plain[]).map(({ _id }) => _id)
    )
  t.same(await ids({ $eq: ['$k', '$$k'] }), [[1], [2], [3], []])
  t.same(
    asked.map((filter) => plain(filter)),
    [
      { $and: [{ s: 'x' }, { k: { $eq: 1 } }] },
      { $and: [{ s: 'x' }, { k: { $eq: 2 } }] },
      { s: 'x' },
      { s: 'x' }
    ]
  )
  asked.length = 0
  t.same(await ids({ $and: [{ $eq: ['$$k', '$k'] }, { $gt: ['$_id', 1] }] }), [[], [2], [3], []])
  asked.length = 0
  t.same(await ids({ $gte: ['$k', '$$k'] }), [[1, 2, 3], [2, 3], [3], [1, 2, 3]])
  t.same(asked.length, 1)
  asked.length = 0
  t.same(await ids({ $eq: ['$k', '$$k'] }, { collation: { locale: 'en', strength: 1 } }), [
    [1],
    [2],
    [3],
    []
  ])
  t.same(
    asked.map((filter) => plain(filter)),
    [{ s: 'x' }]
  )
})

test('$lookup without variables runs its pipeline once', async (t) => {
  const asked: (Doc | undefined)[] = []
  const stage = {
    $lookup: { from: 'o', pipeline: [{ $match: { n: { $gt: 1 } } }, { $count: 'n' }], as: 'r' }
  }
  const result = await run([{ _id: 1 }, { _id: 2 }], [stage], {
    others: { o: [{ n: 1 }, { n: 2 }, { n: 3 }] },
    asked
  })
  t.same(
    result.map(({ r }) => r),
    [[{ n: 2 }], [{ n: 2 }]]
  )
  t.same(
    asked.map((filter) => plain(filter)),
    [{ n: { $gt: 1 } }]
  )
})

test('$lookup may bring documents along, and see the variables around it', async (t) => {
  const stages = [
    {
      $lookup: {
        let: { x: '$x' },
        pipeline: [
          { $documents: [{ a: 1 }, { a: 2 }] },
          { $match: { $expr: { $eq: ['$a', '$$x'] } } }
        ],
        as: 'r'
      }
    }
  ]
  t.same(
    (await run([{ x: 2 }], stages)).map(({ r }) => r),
    [[{ a: 2 }]]
  )
  const nested = [
    {
      $lookup: {
        from: 'o',
        let: { x: '$x' },
        pipeline: [
          {
            $lookup: {
              from: 'p',
              let: { y: '$y' },
              pipeline: [{ $match: { $expr: { $eq: ['$z', { $add: ['$$x', '$$y'] }] } } }],
              as: 's'
            }
          }
        ],
        as: 'r'
      }
    },
    { $project: { r: '$r.s.z' } }
  ]
  t.same(
    (await run([{ x: 2 }], nested, { others: { o: [{ y: 3 }], p: [{ z: 5 }, { z: 6 }] } })).map(
      ({ r }) => r
    ),
    [[[5]]]
  )
})

test('$lookup keeps to the memory limit', async (t) => {
  const others = {
    o: Array.from({ length: 50 }, (_, i) => ({ _id: i, f: 1, pad: 'x'.repeat(100) }))
  }
  for (const join of [{ localField: 'l', foreignField: 'f' }, { pipeline: [] }]) {
    await t.rejects(
      run([{ l: 1 }], [{ $lookup: { from: 'o', as: 'r', ...join } }], {
        others,
        memoryLimitBytes: 1_000
      }),
      { code: 292 }
    )
  }
})

test('$graphLookup follows references, with their depth, up to a limit and within a filter', async (t) => {
  const graph = (more: Plain) => ({
    $graphLookup: {
      from: 'people',
      startWith: '$boss',
      connectFromField: 'boss',
      connectToField: 'name',
      as: 'up',
      ...more
    }
  })
  const up = async (more: Plain) => {
    const [result] = await run([people[5] as Plain], [graph(more)], { others: { people } })
    return ((result as Plain)['up'] as Plain[]).map(({ name, depth }) =>
      depth === undefined ? name : [name, depth]
    )
  }
  t.same(await up({}), ['Andrew', 'Eliot', 'Dev'])
  t.same(await up({ depthField: 'depth' }), [
    ['Andrew', 0],
    ['Eliot', 1],
    ['Dev', 2]
  ])
  t.same(await up({ maxDepth: 1 }), ['Andrew', 'Eliot'])
  t.same(await up({ restrictSearchWithMatch: { name: { $ne: 'Eliot' } } }), ['Andrew'])
  const cyclic = [{ _id: 1, to: [2] }, { _id: 2, to: [1, 3] }, { _id: 3 }]
  const [all] = await run(
    [{ _id: 0, start: [1] }],
    [
      {
        $graphLookup: {
          from: 'c',
          startWith: '$start',
          connectFromField: 'to',
          connectToField: '_id',
          as: 'r'
        }
      },
      { $project: { r: '$r._id' } }
    ],
    { others: { c: cyclic } }
  )
  t.same(all?.r, [1, 2, 3])
  t.same((await run([{}], [graph({})], { others: { people } }))[0]?.up, [])
})

test('$graphLookup and its options that are wrong are refused', async (t) => {
  const parse = (more: Plain) =>
    parsePipeline(
      [
        doc({
          $graphLookup: {
            from: 'p',
            startWith: '$a',
            connectFromField: 'b',
            connectToField: 'c',
            as: 'd',
            ...more
          }
        })
      ],
      { db: 'd', collection: 'c', now: new Date(0) }
    )
  t.equal(caught(() => parse({ maxDepth: -1 })).code, 40101)
  t.equal(caught(() => parse({ maxDepth: 'x' })).code, 40100)
  t.equal(caught(() => parse({ restrictSearchWithMatch: 5 })).code, 40185)
  t.equal(caught(() => parse({ restrictSearchWithMatch: { $nope: 1 } })).code, 2)
  t.equal(caught(() => parse({ nope: 1 })).code, 40415)
  t.equal(caught(() => parse({ as: '$x' })).code, 16410)
})
