import { test } from 'tap'
import { caught, doc } from '../bson/arbitrary-values.test.data.ts'
import { parsePipeline } from './pipeline.ts'
import { type Plain, run } from './run-pipeline.test.data.ts'

const rows: readonly Plain[] = [
  { _id: 1, p: 'a', x: 1, v: 10 },
  { _id: 2, p: 'a', x: 2, v: 20 },
  { _id: 3, p: 'b', x: 1, v: 5 },
  { _id: 4, p: 'a', x: 4, v: 30 },
  { _id: 5, p: 'b', x: 3 }
]

const windowed = async (
  f: Plain,
  more: Plain = { partitionBy: '$p', sortBy: { x: 1 } },
  input = rows
) => {
  const result = await run(input, [
    { $setWindowFields: { ...more, output: { r: f } } },
    { $sort: { _id: 1 } }
  ])
  return result.map(({ r }) => r)
}

const functions: readonly (readonly [string, Plain, readonly unknown[], Plain?])[] = [
  ['a sum over the whole partition', { $sum: '$v' }, [60, 60, 5, 60, 5]],
  [
    'a running sum',
    { $sum: '$v', window: { documents: ['unbounded', 'current'] } },
    [10, 30, 5, 60, 5]
  ],
  ['a sum of neighbours', { $sum: '$v', window: { documents: [-1, 1] } }, [30, 60, 5, 50, 5]],
  [
    'a sum of what follows',
    { $sum: '$v', window: { documents: ['current', 'unbounded'] } },
    [60, 50, 5, 30, 0]
  ],
  ['an empty window', { $push: '$v', window: { documents: [-9, -8] } }, [[], [], [], [], []]],
  [
    'a running list is not shared',
    { $push: '$v', window: { documents: ['unbounded', 'current'] } },
    [[10], [10, 20], [5], [10, 20, 30], [5]]
  ],
  [
    'a running merge is not shared',
    { $mergeObjects: { k: '$v' }, window: { documents: ['unbounded', 'current'] } },
    [{ k: 10 }, { k: 20 }, { k: 5 }, { k: 30 }, { k: 5 }]
  ],
  ['a range of values', { $sum: '$v', window: { range: [-1, 0] } }, [10, 30, 5, 30, 0]],
  [
    'an open range',
    { $sum: '$v', window: { range: ['unbounded', 'current'] } },
    [10, 30, 5, 60, 5]
  ],
  ['a range forwards', { $count: {}, window: { range: ['current', 2] } }, [2, 2, 2, 1, 1]],
  ['ranks', { $rank: {} }, [1, 2, 1, 3, 2]],
  ['document numbers', { $documentNumber: {} }, [1, 2, 1, 3, 2]],
  [
    'a shift backwards',
    { $shift: { output: '$v', by: -1, default: 'none' } },
    ['none', 10, 'none', 20, 5]
  ],
  ['a shift forwards', { $shift: { output: '$v', by: 1 } }, [20, 30, null, null, null]],
  ['the last observed value', { $locf: '$v' }, [10, 20, 5, 30, 5]],
  [
    'a slope',
    { $derivative: { input: '$v' }, window: { documents: [-1, 0] } },
    [null, 10, null, 5, null]
  ],
  [
    'an area',
    { $integral: { input: '$v' }, window: { documents: ['unbounded', 'current'] } },
    [0, 15, 0, 65, 0]
  ],
  ['a moving average', { $expMovingAvg: { input: '$v', alpha: 0.5 } }, [10, 15, 5, 22.5, 5]],
  ['a moving average of N', { $expMovingAvg: { input: '$v', N: 3 } }, [10, 15, 5, 22.5, 5]],
  [
    'a covariance',
    { $covariancePop: ['$x', '$v'], window: { documents: ['unbounded', 'current'] } },
    [0, 2.5, 0, 10, 0]
  ],
  [
    'a covariance of a sample',
    { $covarianceSamp: ['$x', '$v'], window: { documents: ['unbounded', 'current'] } },
    [null, 5, null, 15, null]
  ],
  ['the first of the order', { $first: '$v' }, [10, 10, 5, 10, 5]],
  ['the largest', { $maxN: { input: '$v', n: 2 } }, [[30, 20], [30, 20], [5], [30, 20], [5]]],
  ['without partition or order', { $sum: '$v' }, [65, 65, 65, 65, 65], {}]
]
for (const [name, spec, expected, more] of functions) {
  test(`a window: ${name}`, async (t) => {
    t.same(await windowed(spec, more), expected)
  })
}

test('equal values have one rank, and a dense one no gaps', async (t) => {
  const ties = [
    { _id: 1, x: 1 },
    { _id: 2, x: 1 },
    { _id: 3, x: 2 }
  ]
  t.same(await windowed({ $rank: {} }, { sortBy: { x: 1 } }, ties), [1, 1, 3])
  t.same(await windowed({ $denseRank: {} }, { sortBy: { x: -1 } }, ties), [2, 2, 1])
})

test('ranges and slopes over dates take a unit', async (t) => {
  const days = [
    { _id: 1, at: new Date('2026-01-01'), v: 1 },
    { _id: 2, at: new Date('2026-01-02'), v: 3 },
    { _id: 3, at: new Date('2026-01-05'), v: 9 }
  ]
  const sortBy = { sortBy: { at: 1 } }
  t.same(
    await windowed({ $sum: '$v', window: { range: [-1, 0], unit: 'day' } }, sortBy, days),
    [1, 4, 9]
  )
  t.same(
    await windowed(
      { $derivative: { input: '$v', unit: 'day' }, window: { documents: [-1, 0] } },
      sortBy,
      days
    ),
    [null, 2, 2]
  )
  t.same(
    await windowed({ $integral: { input: '$v', unit: 'hour' } }, sortBy, days),
    [480, 480, 480]
  )
})

test('a slope over dates has the digits of the manual', async (t) => {
  const at = (time: string) => new Date(`2020-05-18T14:${time}.000Z`)
  const deliveries = [
    { _id: 1, at: at('10:30'), miles: 1295.1 },
    { _id: 2, at: at('11:00'), miles: 1295.63 },
    { _id: 3, at: at('11:30'), miles: 1296.25 }
  ]
  const speed = {
    $derivative: { input: '$miles', unit: 'hour' },
    window: { range: [-30, 0], unit: 'second' }
  }
  t.same(await windowed(speed, { sortBy: { at: 1 } }, deliveries), [
    null,
    63.60000000002401,
    74.3999999999869
  ])
})

test('linear filling goes between known values and nowhere else', async (t) => {
  const gaps = [
    { _id: 1, x: 0 },
    { _id: 2, x: 1, v: 1 },
    { _id: 3, x: 2, v: null },
    { _id: 4, x: 4 },
    { _id: 5, x: 5, v: 9 },
    { _id: 6, x: 6 }
  ]
  t.same(await windowed({ $linearFill: '$v' }, { sortBy: { x: 1 } }, gaps), [
    null,
    1,
    3,
    7,
    9,
    null
  ])
  await t.rejects(
    windowed({ $linearFill: '$v' }, { sortBy: { x: 1 } }, [
      { x: 1, v: 1 },
      { x: 1, v: 2 }
    ]),
    { code: 6050106 }
  )
  await t.rejects(windowed({ $linearFill: '$v' }, { sortBy: { x: 1 } }, [{ x: 1, v: 'x' }]), {
    code: 605001
  })
  await t.rejects(windowed({ $linearFill: '$v' }, { sortBy: { x: 1 } }, [{ x: 'x', v: 1 }]), {
    code: 14
  })
})

test('$fill by value, by the last value and linearly', async (t) => {
  const input = [
    { _id: 1, p: 'a', v: 1, w: null },
    { _id: 2, p: 'a', v: null, w: 'x' },
    { _id: 3, p: 'a', v: 3 },
    { _id: 4, p: 'b' }
  ]
  const fill = async (spec: Plain) =>
    (await run(input, [{ $fill: spec }, { $sort: { _id: 1 } }])).map(({ v, w }) => [v, w])
  t.same(await fill({ output: { w: { value: '$p' } } }), [
    [1, 'a'],
    [null, 'x'],
    [3, 'a'],
    [undefined, 'b']
  ])
  t.same(
    await fill({ sortBy: { _id: 1 }, output: { v: { method: 'linear' }, w: { method: 'locf' } } }),
    [
      [1, null],
      [2, 'x'],
      [3, 'x'],
      [null, 'x']
    ]
  )
  t.same(
    await fill({ partitionByFields: ['p'], sortBy: { _id: 1 }, output: { w: { method: 'locf' } } }),
    [
      [1, null],
      [null, 'x'],
      [3, 'x'],
      [undefined, null]
    ]
  )
  t.same(
    await fill({
      partitionBy: '$p',
      sortBy: { _id: 1 },
      output: { v: { method: 'locf' }, w: { value: 0 } }
    }),
    [
      [1, 0],
      [1, 'x'],
      [3, 0],
      [null, 0]
    ]
  )
})

test('$densify makes the documents in between', async (t) => {
  const densify = async (input: readonly Plain[], spec: Plain) =>
    (await run(input, [{ $densify: spec }])).map(({ _id, ...rest }) => rest)
  const numbers = [{ x: 1 }, { x: 3.5 }, { x: 5 }]
  t.same(await densify(numbers, { field: 'x', range: { step: 1, bounds: 'full' } }), [
    { x: 1 },
    { x: 2 },
    { x: 3 },
    { x: 3.5 },
    { x: 4 },
    { x: 5 }
  ])
  t.same(await densify(numbers, { field: 'x', range: { step: 2, bounds: [0, 8] } }), [
    { x: 0 },
    { x: 1 },
    { x: 2 },
    { x: 3.5 },
    { x: 4 },
    { x: 5 },
    { x: 6 }
  ])
  const parts = [
    { p: 'a', x: 1 },
    { p: 'a', x: 3 },
    { p: 'b', x: 2 }
  ]
  t.same(
    await densify(parts, {
      field: 'x',
      partitionByFields: ['p'],
      range: { step: 1, bounds: 'partition' }
    }),
    [
      { p: 'a', x: 1 },
      { p: 'a', x: 2 },
      { p: 'a', x: 3 },
      { p: 'b', x: 2 }
    ]
  )
  t.same(
    await densify(parts, {
      field: 'x',
      partitionByFields: ['p'],
      range: { step: 1, bounds: 'full' }
    }),
    [
      { p: 'a', x: 1 },
      { p: 'a', x: 2 },
      { p: 'a', x: 3 },
      { p: 'b', x: 1 },
      { p: 'b', x: 2 },
      { p: 'b', x: 3 }
    ]
  )
  const days = [{ at: new Date('2026-01-31') }, { at: new Date('2026-04-30') }]
  t.same(
    await densify(days, { field: 'at', range: { step: 1, unit: 'month', bounds: 'full' } }),
    ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'].map((day) => ({ at: new Date(day) }))
  )
  t.same(await densify([{ y: 1 }], { field: 'x', range: { step: 1, bounds: 'full' } }), [{ y: 1 }])
  await t.rejects(densify([{ x: 'x' }], { field: 'x', range: { step: 1, bounds: 'full' } }), {
    code: 5733201
  })
  await t.rejects(
    densify([{ x: 0 }, { x: 1e9 }], { field: 'x', range: { step: 1, bounds: 'full' } }),
    { code: 5897900 }
  )
})

test('a range needs values of its kind', async (t) => {
  await t.rejects(windowed({ $sum: '$v', window: { range: [-1, 0] } }, { sortBy: { p: 1 } }), {
    code: 5429414
  })
  await t.rejects(
    windowed({ $derivative: { input: '$v', unit: 'day' }, window: { documents: [-1, 0] } }),
    { code: 5624900 }
  )
  await t.rejects(windowed({ $derivative: { input: '$p' }, window: { documents: [-1, 0] } }), {
    code: 5624903
  })
  await t.rejects(windowed({ $sum: 1 }, { partitionBy: ['$p'] }), { code: 14 })
})

test('windows that are wrong are refused', async (t) => {
  const parse = (stage: Plain) =>
    caught(() => parsePipeline([doc(stage)], { db: 'd', collection: 'c', now: new Date(0) })).code
  const code = (f: Plain, more: Plain = { sortBy: { x: 1 } }) =>
    parse({ $setWindowFields: { ...more, output: { r: f } } })
  for (const [actual, expected] of [
    [code({ $nope: 1 }), 9],
    [code({ $sum: 1, $avg: 1 }), 9],
    [code({ window: {} }), 9],
    [parse({ $setWindowFields: { output: { r: 1 } } }), 9],
    [parse({ $setWindowFields: { output: 1 } }), 9],
    [parse({ $setWindowFields: { output: {}, sortBy: 1 } }), 14],
    [code({ $sum: 1, window: 5 }), 9],
    [code({ $sum: 1, window: { nope: 1 } }), 9],
    [code({ $sum: 1, window: { documents: [0, 1], range: [0, 1] } }), 9],
    [code({ $sum: 1, window: { documents: [1] } }), 9],
    [code({ $sum: 1, window: { documents: [1, 0] } }), 5339900],
    [code({ $sum: 1, window: { documents: [0, 1], unit: 'day' } }), 9],
    [code({ $sum: 1, window: { documents: [0, 1] } }, {}), 5339901],
    [code({ $sum: 1, window: { range: [0, 1] } }, { sortBy: { x: -1 } }), 5339902],
    [code({ $sum: 1, window: { range: [0, 'x'] } }), 9],
    [code({ $sum: 1, window: { range: [0, 1], unit: 'x' } }), 9],
    [code({ $rank: 1 }), 5371603],
    [code({ $rank: {}, window: {} }), 5371601],
    [code({ $rank: {} }, {}), 5371602],
    [code({ $shift: { output: 1, by: 1 } }, {}), 9],
    [code({ $shift: { output: 1, by: 1, default: '$x' } }), 9],
    [code({ $locf: 1 }, {}), 9],
    [code({ $linearFill: 1 }, {}), 605001],
    [code({ $linearFill: 1, window: {} }), 9],
    [code({ $derivative: { input: 1 } }), 9],
    [code({ $derivative: { input: 1, unit: 'year' }, window: {} }), 5490704],
    [code({ $integral: { input: 1 } }, {}), 9],
    [code({ $expMovingAvg: { input: 1 } }), 9],
    [code({ $expMovingAvg: { input: 1, alpha: 2 } }), 9],
    [code({ $expMovingAvg: { input: 1, N: 0 } }), 9],
    [code({ $expMovingAvg: { input: 1, N: 1 } }, {}), 9],
    [code({ $covariancePop: 1 }), 9],
    [parse({ $fill: { output: {} } }), 40201],
    [parse({ $fill: { output: { a: 1 } } }), 40415],
    [parse({ $fill: { output: { a: { method: 'x' } } } }), 6050202],
    [parse({ $fill: { output: { a: { method: 'locf' } } } }), 9],
    [
      parse({ $fill: { output: { a: { value: 1 } }, partitionBy: 1, partitionByFields: [] } }),
      6050204
    ],
    [parse({ $fill: { output: { a: { value: 1 } }, partitionByFields: 1 } }), 14],
    [parse({ $densify: { field: 'x', range: { step: 0, bounds: 'full' } } }), 5733401],
    [
      parse({ $densify: { field: 'x', range: { step: 1.5, unit: 'day', bounds: 'full' } } }),
      6586400
    ],
    [parse({ $densify: { field: 'x', range: { step: 1, unit: 'x', bounds: 'full' } } }), 9],
    [parse({ $densify: { field: 'x', range: { step: 1, bounds: 'x' } } }), 5733402],
    [parse({ $densify: { field: 'x', range: { step: 1, bounds: [2, 1] } } }), 5733402],
    [parse({ $densify: { field: 'x', range: { step: 1, bounds: 'partition' } } }), 5733408],
    [parse({ $densify: { field: '$x', range: { step: 1, bounds: 'full' } } }), 16410]
  ] as const) {
    t.equal(actual, expected)
  }
})
