import { Decimal128, Double, Int32, Long } from 'bson'
import fc from 'fast-check'
import { test } from 'tap'
import { type Plain, run } from '../aggregate/run-pipeline.test.data.ts'
import { Summation } from '../bson/summation.ts'
import type { Numeric } from '../bson/value.ts'

const rows: readonly Plain[] = [
  { _id: 1, g: 'a', v: 3, o: { x: 1 } },
  { _id: 2, g: 'a', v: 1, o: { y: 2 } },
  { _id: 3, g: 'a', v: 2 },
  { _id: 4, g: 'b', v: null },
  { _id: 5, g: 'b' }
]
const grouped = async (f: Plain) =>
  (await run(rows, [{ $group: { _id: '$g', r: f } }, { $sort: { _id: 1 } }])).map(({ r }) => r)

for (const [name, f, expected] of [
  ['$sum of what is no number is 0', { $sum: '$v' }, [6, 0]],
  ['$avg of nothing is null', { $avg: '$v' }, [2, null]],
  ['$min and what is missing', { $min: '$v' }, [1, null]],
  ['$max', { $max: '$v' }, [3, null]],
  ['$count', { $count: {} }, [3, 2]],
  ['$first', { $first: '$v' }, [3, null]],
  ['$last', { $last: '$v' }, [2, null]],
  ['$push leaves out what is missing', { $push: '$v' }, [[3, 1, 2], [null]]],
  [
    '$push of a list',
    { $push: ['$v', 1] },
    [
      [
        [3, 1],
        [1, 1],
        [2, 1]
      ],
      [
        [null, 1],
        [null, 1]
      ]
    ]
  ],
  ['$addToSet', { $addToSet: { $gt: ['$v', 1] } }, [[true, false], [false]]],
  ['$mergeObjects', { $mergeObjects: '$o' }, [{ x: 1, y: 2 }, {}]],
  ['$stdDevPop', { $stdDevPop: '$v' }, [Math.sqrt(2 / 3), null]],
  ['$stdDevSamp', { $stdDevSamp: '$v' }, [1, null]],
  [
    '$firstN',
    { $firstN: { input: '$v', n: 2 } },
    [
      [3, 1],
      [null, null]
    ]
  ],
  [
    '$lastN',
    { $lastN: { input: '$v', n: 2 } },
    [
      [1, 2],
      [null, null]
    ]
  ],
  ['$minN', { $minN: { input: '$v', n: 2 } }, [[1, 2], []]],
  ['$maxN', { $maxN: { input: '$v', n: 2 } }, [[3, 2], []]],
  ['$top', { $top: { sortBy: { v: 1 }, output: '$_id' } }, [2, 4]],
  [
    '$bottom',
    { $bottom: { sortBy: { v: 1 }, output: ['$_id', '$v'] } },
    [
      [1, 3],
      [4, null]
    ]
  ],
  [
    '$topN',
    { $topN: { sortBy: { v: 1 }, output: '$_id', n: 2 } },
    [
      [2, 3],
      [4, 5]
    ]
  ],
  [
    '$bottomN',
    { $bottomN: { sortBy: { v: 1 }, output: '$_id', n: 2 } },
    [
      [3, 1],
      [5, 4]
    ]
  ],
  [
    '$percentile',
    { $percentile: { input: '$v', p: [0.5, 0.95], method: 'approximate' } },
    [
      [2, 3],
      [null, null]
    ]
  ],
  ['$median', { $median: { input: '$v', method: 'approximate' } }, [2, null]]
] as readonly (readonly [string, Plain, readonly unknown[]])[]) {
  test(`an accumulator: ${name}`, async (t) => {
    t.same(await grouped(f), expected)
  })
}

const sum = (values: readonly Numeric[]) => {
  const total = new Summation()
  for (const value of values) total.add(value)
  return total
}

test('sums of whole numbers are exact, whatever their order', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: -(2n ** 59n), max: 2n ** 59n }), { maxLength: 8 }),
      (numbers) => {
        const total = sum(numbers.map((number) => Long.fromBigInt(number))).total()
        const exact = numbers.reduce((a, b) => a + b, 0n)
        return numbers.length === 0 || (total as Long).toString() === exact.toString()
      }
    )
  )
  const many = Array.from({ length: 5000 }, () => new Int32(2 ** 31 - 1))
  t.equal(sum(many).total().toString(), String(5000n * (2n ** 31n - 1n)))
})

test('doubles are summed with what rounding loses', async (t) => {
  t.equal((sum([1e16, 1, -1e16].map((value) => new Double(value))).total() as Double).value, 1)
  t.equal((sum([new Double(0.1), new Double(0.2), new Double(0.3)]).total() as Double).value, 0.6)
  t.equal(
    (sum([new Double(Number.POSITIVE_INFINITY), new Double(1)]).total() as Double).value,
    Number.POSITIVE_INFINITY
  )
  t.equal(
    (sum([Long.fromString('9007199254740993'), new Double(-9007199254740992)]).total() as Double)
      .value,
    1
  )
  t.equal((sum([Long.MIN_VALUE, new Double(0.5)]).total() as Double).value, -(2 ** 63))
})

test('decimals take everything else with them', async (t) => {
  t.equal(
    sum([Decimal128.fromString('0.1'), new Int32(1), Long.ONE])
      .total()
      .toString(),
    '2.1'
  )
  t.equal(
    sum([Decimal128.fromString('1'), new Int32(2)])
      .average()
      ?.toString(),
    '1.5'
  )
  t.equal(sum([]).average(), undefined)
})
