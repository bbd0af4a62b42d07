import { test } from 'tap'
import { caught, doc } from '../bson/arbitrary-values.test.data.ts'
import { parsePipeline } from './pipeline.ts'
import { type Plain, run } from './run-pipeline.test.data.ts'

const context = { db: 'test', collection: 'c', now: new Date(0) }
const parse = (stages: readonly Plain[]) =>
  parsePipeline(
    stages.map((stage) => doc(stage)),
    context
  )
const sales: readonly Plain[] = [
  { _id: 1, qty: 5 },
  { _id: 2, qty: 10 }
]

test('what is not understood is refused with its code', async (t) => {
  const refused: readonly (readonly [readonly Plain[], number])[] = [
    [[{ $nope: {} }], 40324],
    [[{}], 40323],
    [[{ $match: 1 }], 15959],
    [[{ $match: { a: { $nope: 1 } } }], 2],
    [[{ $project: { a: { $nope: 1 } } }], 31325],
    [[{ $group: { _id: null, a: { $nope: 1 } } }], 15952],
    [[{ $group: { _id: null, a: 1 } }], 40234],
    [[{ $group: { _id: null, a: { $sum: 1, $avg: 1 } } }], 40238],
    [[{ $group: { _id: null, 'a.b': { $sum: 1 } } }], 40235],
    [[{ $group: { _id: null, $a: { $sum: 1 } } }], 40236],
    [[{ $group: { a: { $sum: 1 } } }], 15955],
    [[{ $group: 1 }], 15947],
    [[{ $group: { _id: null, a: { $sum: [1, 2] } } }], 40237],
    [[{ $group: { _id: null, a: { $count: 1 } } }], 14],
    [[{ $group: { _id: null, a: { $firstN: { input: '$a', n: 0 } } } }], 5787908],
    [[{ $group: { _id: null, a: { $top: { output: 1, sortBy: 1 } } } }], 5788604],
    [[{ $lookup: { from: 'x', localField: 'a', foreignField: 'b', as: 'c', nope: 1 } }], 40415],
    [[{ $lookup: { from: 'x', localField: 'a', as: 'c' } }], 9],
    [[{ $lookup: { from: 'x', as: 'c' } }], 9],
    [[{ $lookup: { as: 'c', pipeline: [] } }], 9],
    [[{ $lookup: { from: 'x', as: 'c', let: 1, pipeline: [] } }], 9],
    [[{ $lookup: { from: 'x', as: 'c', pipeline: [{ $out: 'y' }] } }], 51047],
    [[{ $lookup: { from: 'x', as: 'c', pipeline: 1 } }], 14],
    [[{ $unionWith: { pipeline: [] } }], 9],
    [[{ $facet: {} }], 40169],
    [[{ $facet: { a: 1 } }], 40170],
    [[{ $facet: { a: [{ $facet: { b: [] } }] } }], 40600],
    [[{ $facet: { a: [{ $indexStats: {} }] } }], 40602],
    [[{ $match: {} }, { $indexStats: {} }], 40602],
    [[{ $out: 'a' }, { $match: {} }], 40601],
    [[{ $limit: 0 }], 15958],
    [[{ $limit: 'x' }], 2107201],
    [[{ $skip: -1 }], 5107200],
    [[{ $sort: {} }], 15976],
    [[{ $sort: 1 }], 15973],
    [[{ $unwind: 'a' }], 28818],
    [[{ $unwind: 5 }], 15981],
    [[{ $unwind: { path: 5 } }], 28808],
    [[{ $unwind: { path: '$a', preserveNullAndEmptyArrays: 1 } }], 28809],
    [[{ $unwind: { path: '$a', includeArrayIndex: '$x' } }], 28822],
    [[{ $unwind: { path: '$a', includeArrayIndex: 5 } }], 28810],
    [[{ $sample: { size: 0 } }], 28747],
    [[{ $sample: 1 }], 28745],
    [[{ $count: '' }], 40156],
    [[{ $count: '$a' }], 40158],
    [[{ $count: 'a.b' }], 40160],
    [[{ $count: 'a\0' }], 40159],
    [[{ $sortByCount: 'x' }], 40149],
    [[{ $bucket: { groupBy: 'x', boundaries: [0, 1] } }], 40202],
    [[{ $bucket: { groupBy: '$x', boundaries: [0] } }], 40192],
    [[{ $bucket: { groupBy: '$x', boundaries: 0 } }], 40200],
    [[{ $bucket: { groupBy: '$x', boundaries: [0, 'a'] } }], 40193],
    [[{ $bucket: { groupBy: '$x', boundaries: [1, 0] } }], 40194],
    [[{ $bucket: { groupBy: '$x', boundaries: ['$a', 0] } }], 40191],
    [[{ $bucket: { groupBy: '$x', boundaries: [0, 5], default: 3 } }], 40199],
    [[{ $bucket: { groupBy: '$x', boundaries: [0, 5], output: 3 } }], 40196],
    [[{ $bucketAuto: { groupBy: '$x', buckets: 0 } }], 40243],
    [[{ $bucketAuto: { groupBy: '$x', buckets: 1, granularity: 'R5' } }], 115],
    [[{ $merge: { into: 'x', whenMatched: 'nope' } }], 2],
    [[{ $merge: { into: 'x', on: [] } }], 51187],
    [[{ $merge: { into: 'x', let: {}, whenMatched: 'fail' } }], 51199],
    [[{ $merge: { into: 'x', nope: 1 } }], 40415],
    [[{ $out: 5 }], 16990],
    [[{ $documents: [] }], 73],
    [[{ $indexStats: { a: 1 } }], 28803],
    [[{ $collStats: 1 }], 9],
    [Array.from({ length: 1001 }, () => ({ $match: {} })), 7749501]
  ]
  for (const [stages, code] of refused) {
    t.equal(caught(() => parse(stages)).code, code, JSON.stringify(stages).slice(0, 100))
  }
  let nested: Plain = { $match: {} }
  for (let i = 0; i < 25; i++) nested = { $unionWith: { coll: 'x', pipeline: [nested] } }
  t.equal(caught(() => parse([nested])).code, 232)
})

test('a bucket that nothing takes fails only when a document comes', async (t) => {
  const stage = { $bucket: { groupBy: '$qty', boundaries: [100, 200] } }
  t.same(await run([], [stage]), [])
  await t.rejects(run(sales, [stage]), { code: 40066 })
})

test('stages that hold documents keep to the memory limit', async (t) => {
  const many = Array.from({ length: 200 }, (_, i) => ({ _id: i, pad: 'x'.repeat(100) }))
  const limited = { memoryLimitBytes: 5_000 }
  for (const stages of [
    [{ $limit: 500 }, { $sort: { _id: -1 } }],
    [{ $limit: 500 }, { $sort: { _id: -1 } }, { $limit: 100 }],
    [{ $group: { _id: '$_id', all: { $push: '$pad' } } }],
    [{ $group: { _id: null, all: { $push: '$pad' } } }],
    [{ $group: { _id: null, all: { $addToSet: '$_id' } } }],
    [{ $facet: { a: [] } }],
    [{ $sample: { size: 150 } }],
    [{ $bucketAuto: { groupBy: '$_id', buckets: 2 } }],
    [{ $setWindowFields: { output: { n: { $sum: 1 } } } }]
  ]) {
    await t.rejects(run(many, stages, limited), { code: 292 }, JSON.stringify(stages))
  }
  t.equal(
    (await run(many, [{ $limit: 500 }, { $sort: { _id: -1 } }, { $limit: 10 }], limited)).length,
    10
  )
  t.equal(
    (await run(many, [{ $group: { _id: null, n: { $sum: 1 }, m: { $max: '$pad' } } }], limited))
      .length,
    1
  )
})
