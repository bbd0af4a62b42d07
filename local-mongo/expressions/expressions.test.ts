// biome-ignore-all lint/suspicious/noThenProperty: $cond and $switch have a field of that name.
import { Binary, Decimal128, Double, Int32, Long, MaxKey, ObjectId, Timestamp } from 'bson'
import { test } from 'tap'
import { typeName, type Value } from '../bson/value.ts'
import { evaluate, evaluateRaw, NOW } from './evaluate.test.data.ts'

type Plain = Readonly<Record<string, unknown>>
type Case = readonly [expression: unknown, expected: unknown, document?: Plain]

const check = (name: string, cases: readonly Case[]) => {
  test(`expressions: ${name}`, async (t) => {
    for (const [expression, expected, document] of cases) {
      t.strictSame(evaluate(expression, document), expected, JSON.stringify(expression))
    }
  })
}
const decimal = (text: string) => Decimal128.fromString(text)
const shown = (expression: unknown, document?: Plain): string => {
  const value = evaluateRaw(expression, document) as Value
  const inner = (value as { value?: unknown })?.value ?? value
  return `${typeName(value)} ${String(inner)}`
}

check('literals, paths, objects and lists', [
  [5, 5],
  ['text', 'text'],
  ['$a.b', 1, { a: { b: 1 } }],
  ['$a.b', [1, 2], { a: [{ b: 1 }, 5, { c: 1 }, { b: 2 }] }],
  ['$a.b', 'missing', { a: 5 }],
  ['$a.0', [], { a: [1] }],
  ['$a.b.c', [[1]], { a: [{ b: [{ c: 1 }] }] }],
  [{ x: '$a', y: '$none' }, { x: 1 }, { a: 1 }],
  [['$a', '$none'], [1, null], { a: 1 }],
  [{ $literal: '$a' }, '$a', { a: 1 }],
  ['$$ROOT', { a: 1 }, { a: 1 }],
  ['$$ROOT.a', 1, { a: 1 }],
  ['$$CURRENT.a', 1, { a: 1 }],
  ['$$REMOVE', 'missing'],
  ['$$NOW', NOW],
  [{ $type: '$$CLUSTER_TIME' }, 'timestamp'],
  ['$constructor', 'missing', {}]
])

check('comparison and logic', [
  [{ $cmp: [1, 2] }, -1],
  [{ $eq: [1, new Double(1)] }, true],
  [{ $ne: ['$a', null] }, true, {}],
  [{ $lt: ['$a', null] }, true, {}],
  [{ $gt: [null, '$a'] }, true, {}],
  [{ $eq: ['$a', '$b'] }, true, {}],
  [{ $gte: ['a', 5] }, true],
  [{ $lte: [[1], [1, 2]] }, true],
  [{ $and: [] }, true],
  [{ $and: [1, 'x', '$none'] }, false],
  [{ $or: [0, null, 'x'] }, true],
  [{ $or: [] }, false],
  [{ $not: [0] }, true],
  [{ $not: [[false]] }, false],
  [{ $cond: [{ $gt: ['$a', 1] }, 'yes', 'no'] }, 'yes', { a: 2 }],
  [{ $cond: { if: '$a', then: 1, else: 2 } }, 2, { a: 0 }],
  [{ $ifNull: ['$a', '$b', 'z'] }, 'z', { b: null }],
  [{ $ifNull: ['$a', 'z'] }, false, { a: false }],
  [
    {
      $switch: {
        branches: [
          { case: false, then: 1 },
          { case: true, then: 2 }
        ],
        default: 3
      }
    },
    2
  ],
  [{ $switch: { branches: [{ case: '$a', then: 1 }], default: 3 } }, 3, {}],
  // A branch that is not taken does not fail.
  [{ $cond: ['$a', { $divide: [1, 0] }, 5] }, 5, {}]
])

check('arithmetic', [
  [{ $add: [1, 2.5] }, 3.5],
  [{ $add: ['$a', 1] }, null, {}],
  [{ $add: [0.1, 0.2, 0.3] }, 0.6],
  [{ $add: [new Date(5), 10] }, new Date(15)],
  [{ $subtract: [new Date(15), new Date(5)] }, 10],
  [{ $subtract: [new Date(15), 5] }, new Date(10)],
  [{ $multiply: [2, 3, 4] }, 24],
  [{ $divide: [1, 2] }, 0.5],
  [{ $mod: [-7, 3] }, -1],
  [{ $mod: [7.5, 2] }, 1.5],
  [{ $abs: -5 }, 5],
  [{ $abs: '$none' }, null],
  [{ $abs: new Double(-1.5) }, 1.5],
  [{ $ceil: 1.2 }, 2],
  [{ $floor: -1.2 }, -2],
  [{ $round: [2.5] }, 2],
  [{ $round: [3.5, 0] }, 4],
  [{ $round: [19.25, 1] }, 19.2],
  [{ $round: [1250, -2] }, 1200],
  [{ $trunc: [-7.89, 1] }, -7.8],
  [{ $trunc: [1999, -3] }, 1000],
  [{ $sqrt: 16 }, 4],
  [{ $pow: [2, 10] }, 1024],
  [{ $pow: [2, -1] }, 0.5],
  [{ $pow: [-1, 5] }, -1],
  [{ $pow: [1, -3] }, 1],
  [{ $pow: [0, 0] }, 1],
  [{ $pow: [2.5, 2] }, 6.25],
  [{ $exp: 0 }, 1],
  [{ $ln: 1 }, 0],
  [{ $log10: 1000 }, 3],
  [{ $log: [8, 2] }, 3],
  [{ $log: [null, 2] }, null],
  [{ $sin: 0 }, 0],
  [{ $atan2: [0, 1] }, 0],
  [{ $degreesToRadians: 180 }, Math.PI],
  [{ $radiansToDegrees: Math.PI }, 180],
  [{ $acos: 1 }, 0],
  [{ $cosh: 0 }, 1]
])

test('expressions: numbers keep the widest type', async (t) => {
  for (const [expression, expected] of [
    [{ $add: [1, 2] }, 'int 3'],
    [{ $add: [2147483647, 1] }, 'long 2147483648'],
    [{ $add: [Long.ONE, 1] }, 'long 2'],
    [{ $add: [Long.MAX_VALUE, 1] }, 'double 9223372036854776000'],
    [{ $add: [1, new Double(1)] }, 'double 2'],
    [{ $add: [decimal('0.1'), 1] }, 'decimal 1.1'],
    [{ $add: [decimal('0.1'), 0.5] }, 'decimal 0.600000000000000'],
    [{ $subtract: [Long.MIN_VALUE, 1] }, 'double -9223372036854776000'],
    [{ $multiply: [65536, 65536] }, 'long 4294967296'],
    [{ $multiply: [3037000500, 3037000500] }, 'double 9223372037000250000'],
    [{ $multiply: [decimal('0.1'), decimal('0.2')] }, 'decimal 0.02'],
    [{ $divide: [decimal('1'), 3] }, 'decimal 0.3333333333333333333333333333333333'],
    [{ $divide: [decimal('1'), 4] }, 'decimal 0.25'],
    [{ $divide: [6, 3] }, 'double 2'],
    [{ $mod: [decimal('7.5'), 2] }, 'decimal 1.5'],
    [{ $mod: [Long.fromNumber(7), 2] }, 'long 1'],
    [{ $abs: Long.fromNumber(-5) }, 'long 5'],
    [{ $abs: decimal('-1.5') }, 'decimal 1.5'],
    [{ $ceil: decimal('1.2') }, 'decimal 2'],
    [{ $floor: decimal('-1.2') }, 'decimal -2'],
    [{ $ceil: Long.ONE }, 'long 1'],
    [{ $round: [decimal('2.5')] }, 'decimal 2'],
    [{ $round: [Long.fromNumber(15), -1] }, 'long 20'],
    [{ $round: [2147483647, -1] }, 'long 2147483650'],
    [{ $round: [Number.NaN, 1] }, 'double NaN'],
    [{ $sqrt: decimal('2') }, 'decimal 1.414213562373095048801688724209698'],
    [{ $sqrt: decimal('6.25') }, 'decimal 2.5'],
    [{ $sqrt: decimal('0') }, 'decimal 0'],
    [{ $sqrt: decimal('Infinity') }, 'decimal Infinity'],
    [{ $pow: [2, 31] }, 'long 2147483648'],
    [{ $pow: [2, 64] }, 'double 18446744073709552000'],
    [{ $pow: [10, 40] }, 'double 1e+40'],
    [{ $pow: [decimal('1.1'), 2] }, 'decimal 1.21'],
    [{ $pow: [-1, Long.fromNumber(4)] }, 'long 1'],
    [{ $sum: [1, Long.ONE] }, 'long 2'],
    [{ $avg: [1, 2] }, 'double 1.5'],
    [{ $avg: [decimal('1'), 2] }, 'decimal 1.5'],
    [{ $sum: [decimal('1'), 2, 0.5] }, 'decimal 3.500000000000000']
  ] as const) {
    t.equal(shown(expression), expected, JSON.stringify(expression))
  }
})

check('lists', [
  [{ $arrayElemAt: ['$a', 1] }, 2, { a: [1, 2] }],
  [{ $arrayElemAt: ['$a', -1] }, 2, { a: [1, 2] }],
  [{ $arrayElemAt: ['$a', 9] }, 'missing', { a: [1, 2] }],
  [{ $arrayElemAt: [null, 1] }, null],
  [{ $first: '$a' }, 1, { a: [1, 2] }],
  [{ $last: '$a' }, 'missing', { a: [] }],
  [{ $slice: [[1, 2, 3], 2] }, [1, 2]],
  [{ $slice: [[1, 2, 3], -2] }, [2, 3]],
  [{ $slice: [[1, 2, 3], 1, 1] }, [2]],
  [{ $slice: [[1, 2, 3], -2, 1] }, [2]],
  [{ $slice: [null, 2] }, null],
  [{ $concatArrays: [[1], [2, 3]] }, [1, 2, 3]],
  [{ $concatArrays: [[1], '$none'] }, null],
  [{ $in: [2, [1, 2]] }, true],
  [{ $in: ['$none', [null]] }, false],
  [{ $indexOfArray: [['a', 'b', 'a'], 'a', 1] }, 2],
  [{ $indexOfArray: [['a', 'b'], 'x'] }, -1],
  [{ $indexOfArray: [['a', 'b'], 'b', 0, 1] }, -1],
  [{ $indexOfArray: [null, 'b'] }, null],
  [{ $isArray: [['x']] }, true],
  [{ $isArray: '$a' }, true, { a: [] }],
  [{ $range: [0, 10, 3] }, [0, 3, 6, 9]],
  [{ $range: [3, 0, -1] }, [3, 2, 1]],
  [{ $range: [0, -3] }, []],
  [{ $reverseArray: [[1, 2, 3]] }, [3, 2, 1]],
  [{ $size: [[1, 2]] }, 2],
  [
    {
      $arrayToObject: [
        [
          ['a', 1],
          ['b', 2]
        ]
      ]
    },
    { a: 1, b: 2 }
  ],
  [{ $arrayToObject: [[{ k: 'a', v: 1 }]] }, { a: 1 }],
  [
    { $objectToArray: { a: 1, b: 'x' } },
    [
      { k: 'a', v: 1 },
      { k: 'b', v: 'x' }
    ]
  ],
  [{ $objectToArray: null }, null],
  [{ $sortArray: { input: [3, 1, 2], sortBy: -1 } }, [3, 2, 1]],
  [{ $sortArray: { input: [{ a: 2 }, { a: 1 }, 5], sortBy: { a: 1 } } }, [5, { a: 1 }, { a: 2 }]],
  [{ $sortArray: { input: null, sortBy: 1 } }, null],
  [{ $zip: { inputs: [[1, 2], ['a']] } }, [[1, 'a']]],
  [
    { $zip: { inputs: [[1, 2], ['a']], useLongestLength: true, defaults: [0, 'z'] } },
    [
      [1, 'a'],
      [2, 'z']
    ]
  ],
  [{ $zip: { inputs: [[1], null] } }, null],
  [{ $firstN: { n: 2, input: [1, 2, 3] } }, [1, 2]],
  [{ $lastN: { n: 2, input: [1, 2, 3] } }, [2, 3]],
  [{ $maxN: { n: 2, input: [1, null, 3, 2] } }, [3, 2]],
  [{ $minN: { n: 2, input: [3, 1, 2] } }, [1, 2]],
  [{ $map: { input: [1, 2], as: 'x', in: { $add: ['$$x', '$a'] } } }, [11, 12], { a: 10 }],
  [{ $map: { input: [1], in: '$$this' } }, [1]],
  [{ $map: { input: '$none', in: 1 } }, null],
  [{ $map: { input: [1], in: '$none' } }, [null]],
  [{ $filter: { input: [1, 2, 3, 4], as: 'x', cond: { $gt: ['$$x', 1] }, limit: 2 } }, [2, 3]],
  [{ $filter: { input: [1, 2], cond: { $gt: ['$$this', 1] } } }, [2]],
  [{ $filter: { input: null, cond: true } }, null],
  [{ $reduce: { input: [1, 2, 3], initialValue: 0, in: { $add: ['$$value', '$$this'] } } }, 6],
  [{ $reduce: { input: null, initialValue: 0, in: 1 } }, null],
  [{ $let: { vars: { x: '$a', y: 2 }, in: { $multiply: ['$$x', '$$y'] } } }, 6, { a: 3 }],
  [{ $let: { vars: { x: { b: [1, 2] } }, in: '$$x.b' } }, [1, 2]],
  [
    {
      $map: {
        input: [1, 2],
        as: 'x',
        in: { $map: { input: [10], as: 'y', in: { $add: ['$$x', '$$y'] } } }
      }
    },
    [[11], [12]]
  ]
])

check('sets', [
  [
    {
      $setUnion: [
        [1, 2],
        [2, 3]
      ]
    },
    [1, 2, 3]
  ],
  [{ $setUnion: [[1], null] }, null],
  [
    {
      $setIntersection: [
        [1, 2, 2],
        [2, 3]
      ]
    },
    [2]
  ],
  [{ $setIntersection: [[1], '$none'] }, null],
  [{ $setDifference: [[1, 2, 2, 3], [2]] }, [1, 3]],
  [{ $setDifference: [null, [2]] }, null],
  [
    {
      $setEquals: [
        [1, 2],
        [2, 1, 1]
      ]
    },
    true
  ],
  [
    {
      $setEquals: [
        [1, 2],
        [2, 3]
      ]
    },
    false
  ],
  [{ $setIsSubset: [[1], [2, 1]] }, true],
  [{ $allElementsTrue: [[1, true]] }, true],
  [{ $anyElementTrue: [[0, null]] }, false]
])

check('texts', [
  [{ $concat: ['a', 'b'] }, 'ab'],
  [{ $concat: ['a', '$none'] }, null],
  [{ $substrBytes: ['héllo', 0, 3] }, 'hé'],
  [{ $substrBytes: ['abc', 1, -1] }, 'bc'],
  [{ $substr: ['abc', 9, 1] }, ''],
  [{ $substr: [123, 0, 2] }, '12'],
  [{ $substrCP: ['h😀llo', 1, 2] }, '😀l'],
  [{ $split: ['a-b-c', '-'] }, ['a', 'b', 'c']],
  [{ $split: [null, '-'] }, null],
  [{ $strLenBytes: 'é' }, 2],
  [{ $strLenCP: '😀' }, 1],
  [{ $strcasecmp: ['A', 'b'] }, -1],
  [{ $toLower: 'ÉA' }, 'Éa'],
  [{ $toUpper: 'éa' }, 'éA'],
  [{ $toUpper: null }, ''],
  [{ $toLower: new Date(0) }, '1970-01-01t00:00:00.000z'],
  [{ $trim: { input: ' \tx ' } }, 'x'],
  [{ $ltrim: { input: 'xxaxx', chars: 'x' } }, 'axx'],
  [{ $rtrim: { input: 'xxaxx', chars: 'x' } }, 'xxa'],
  [{ $trim: { input: null } }, null],
  [{ $indexOfBytes: ['cafétéria', 'é'] }, 3],
  [{ $indexOfBytes: ['abab', 'a', 1] }, 2],
  [{ $indexOfBytes: ['abab', 'a', 9] }, -1],
  [{ $indexOfBytes: [null, 'a'] }, null],
  [{ $indexOfCP: ['cafétéria', 't'] }, 4],
  [{ $indexOfCP: ['abab', 'b', 2, 3] }, -1],
  [{ $indexOfCP: [null, 'a'] }, null],
  [{ $replaceOne: { input: 'aXaX', find: 'X', replacement: 'y$&' } }, 'ay$&aX'],
  [{ $replaceAll: { input: 'aXaX', find: 'X', replacement: 'y' } }, 'ayay'],
  [{ $replaceAll: { input: 'ab', find: '', replacement: '-' } }, '-a-b-'],
  [{ $replaceAll: { input: null, find: 'X', replacement: 'y' } }, null],
  [{ $regexMatch: { input: 'abc', regex: 'B', options: 'i' } }, true],
  [{ $regexMatch: { input: null, regex: 'b' } }, false],
  [
    { $regexFind: { input: 'a1b22', regex: /([a-z])(\d\d)(x)?/ } },
    { match: 'b22', idx: 2, captures: ['b', '22', null] }
  ],
  [{ $regexFind: { input: '😀b', regex: 'b' } }, { match: 'b', idx: 1, captures: [] }],
  [{ $regexFind: { input: 'a', regex: 'x' } }, null],
  [
    { $regexFindAll: { input: 'a1b2', regex: '\\d' } },
    [
      { match: '1', idx: 1, captures: [] },
      { match: '2', idx: 3, captures: [] }
    ]
  ],
  [{ $regexFindAll: { input: '$none', regex: '\\d' } }, []]
])

check('types and conversions', [
  [{ $type: '$a' }, 'missing'],
  [{ $type: [[1]] }, 'array'],
  [{ $isNumber: 1 }, true],
  [{ $isNumber: 'x' }, false],
  [{ $toBool: 'false' }, true],
  [{ $toBool: 0 }, false],
  [{ $toBool: new ObjectId() }, true],
  [{ $toInt: '12' }, 12],
  [{ $toInt: 5.9 }, 5],
  [{ $toInt: true }, 1],
  [{ $toLong: new Date(5) }, 5],
  [{ $toDouble: '1.5e2' }, 150],
  [{ $toDouble: '-Infinity' }, Number.NEGATIVE_INFINITY],
  [{ $toDouble: false }, 0],
  [{ $toDouble: new Date(7) }, 7],
  [{ $toString: 1.5 }, '1.5'],
  [{ $toString: new Double(-0) }, '-0'],
  [{ $toString: true }, 'true'],
  [{ $toString: new Date(0) }, '1970-01-01T00:00:00.000Z'],
  [{ $toString: new ObjectId('0123456789abcdef01234567') }, '0123456789abcdef01234567'],
  [{ $toDate: '2026-01-02' }, new Date('2026-01-02')],
  [{ $toDate: new Double(5) }, new Date(5)],
  [{ $toDate: new Timestamp({ t: 5, i: 1 }) }, new Date(5000)],
  [{ $toObjectId: '0123456789abcdef01234567' }, new ObjectId('0123456789abcdef01234567')],
  [{ $toInt: null }, null],
  [{ $convert: { input: 'x', to: 'int', onError: 'bad' } }, 'bad'],
  [{ $convert: { input: '$none', to: 'int', onNull: 'none' } }, 'none'],
  [{ $convert: { input: '5', to: 16 } }, 5],
  [{ $convert: { input: '5', to: null } }, null],
  [{ $convert: { input: '5', to: { type: 'long' } } }, 5]
])

test('expressions: decimals are made from everything that is a number', async (t) => {
  for (const [expression, expected] of [
    [{ $toDecimal: '1.50' }, 'decimal 1.50'],
    [{ $toDecimal: 1.5 }, 'decimal 1.50000000000000'],
    [{ $toDecimal: 5 }, 'decimal 5'],
    [{ $toDecimal: true }, 'decimal 1'],
    [{ $toDecimal: new Date(9) }, 'decimal 9'],
    [{ $toDecimal: 'NaN' }, 'decimal NaN'],
    [{ $toDecimal: '-inf' }, 'decimal -Infinity'],
    [{ $toDecimal: '1e400' }, 'decimal 1E+400'],
    [{ $toLong: decimal('12.9') }, 'long 12'],
    [{ $toDouble: decimal('0.5') }, 'double 0.5']
  ] as const) {
    t.equal(shown(expression), expected, JSON.stringify(expression))
  }
})

check('documents and the rest', [
  [{ $mergeObjects: [{ a: 1 }, null, { b: 2, a: 3 }] }, { a: 3, b: 2 }],
  [{ $mergeObjects: '$a' }, { x: 1 }, { a: { x: 1 } }],
  [{ $getField: 'a' }, 1, { a: 1 }],
  [{ $getField: { field: { $literal: '$a.b' }, input: { $literal: { '$a.b': 5 } } } }, 5],
  [{ $getField: { field: 'x', input: 5 } }, 'missing'],
  [{ $getField: { field: 'x', input: null } }, null],
  [{ $getField: { $concat: ['a', 'b'] } }, 1, { ab: 1 }],
  [{ $setField: { field: 'a.b', input: '$$ROOT', value: 2 } }, { a: 1, 'a.b': 2 }, { a: 1 }],
  [{ $setField: { field: 'a', input: '$$ROOT', value: '$$REMOVE' } }, {}, { a: 1 }],
  [{ $setField: { field: 'a', input: null, value: 1 } }, null],
  [{ $unsetField: { field: 'a', input: '$$ROOT' } }, { b: 1 }, { a: 1, b: 1 }],
  [{ $binarySize: 'é' }, 2],
  [{ $binarySize: new Binary(Buffer.alloc(5)) }, 5],
  [{ $bsonSize: { a: 1 } }, 12],
  [{ $tsSecond: new Timestamp({ t: 5, i: 6 }) }, 5],
  [{ $tsIncrement: new Timestamp({ t: 5, i: 6 }) }, 6],
  [{ $bitAnd: [6, 3] }, 2],
  [{ $bitOr: [4, Long.ONE] }, 5],
  [{ $bitXor: [6, 3] }, 5],
  [{ $bitNot: 0 }, -1],
  [{ $bitNot: Long.ZERO }, -1],
  [{ $bitAnd: [1, null] }, null],
  [{ $sum: '$a' }, 6, { a: [1, 2, 'x', 3] }],
  [{ $sum: ['$a', '$b'] }, 2, { a: [1], b: 2 }],
  [{ $avg: [] }, null],
  [{ $max: ['$a', '$b', null] }, 5, { a: 1, b: 5 }],
  [{ $min: '$a' }, 1, { a: [3, 1] }],
  [{ $min: '$none' }, null],
  [{ $stdDevPop: [1, 3] }, 1],
  [{ $stdDevSamp: [1] }, null],
  [
    { $percentile: { input: '$a', p: [0, 0.5, 1], method: 'approximate' } },
    [1, 2, 3],
    { a: [3, 1, 2] }
  ],
  [{ $percentile: { input: [], p: [0.5], method: 'approximate' } }, [null]],
  [{ $median: { input: [1, 9, 3], method: 'approximate' } }, 3]
])

test('expressions: $rand is between 0 and 1 and not folded', async (t) => {
  const [a, b] = [evaluate({ $rand: {} }), evaluate({ $rand: {} })] as [number, number]
  t.ok(a >= 0 && a < 1 && a !== b)
})

test('expressions: compare under a collation', async (t) => {
  t.equal(evaluate({ $eq: ['$$a', 5] }, {}, { a: 5 }), true)
  t.equal(evaluate('$$a.b', {}, { a: { b: 1 } }), 1)
})

test('expressions: order of types in comparisons', async (t) => {
  t.equal(evaluate({ $lt: ['$a', new MaxKey()] }, { a: { b: 1 } }), true)
  t.equal(evaluate({ $cmp: [new Int32(1), 'a'] }), -1)
})
