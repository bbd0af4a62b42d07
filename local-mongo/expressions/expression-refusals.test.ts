// biome-ignore-all lint/suspicious/noThenProperty: $cond and $switch have a field of that name.
import { Decimal128, Double, Long, ObjectId } from 'bson'
import { test } from 'tap'
import { caught } from '../bson/arbitrary-values.test.data.ts'
import { evaluate } from './evaluate.test.data.ts'

const decimal = (text: string) => Decimal128.fromString(text)

test('expressions: what is wrong is refused with its code', async (t) => {
  const cases: readonly (readonly [unknown, number])[] = [
    [{ $nope: 1 }, 168],
    [{ $where: 1 }, 168],
    [{ $function: { body: 'x', args: [], lang: 'js' } }, 168],
    [{ $add: 1, $subtract: [1, 2] }, 15983],
    [{ a: { 'b.c': 1 } }, 16412],
    [{ a: 1, $b: 1 }, 16410],
    ['$a..b', 15998],
    ['$', 15998],
    ['$a.$b', 16410],
    ['$a\0', 16411],
    ['$$nope', 17276],
    [{ $add: ['x'] }, 14],
    [{ $add: [new Date(), new Date()] }, 16612],
    [{ $add: [new Date(8.64e15), 1] }, 15],
    [{ $subtract: ['x', 1] }, 14],
    [{ $subtract: [1] }, 16020],
    [{ $multiply: ['x'] }, 14],
    [{ $divide: [1, 0] }, 2],
    [{ $divide: ['x', 1] }, 14],
    [{ $mod: [1, 0] }, 16610],
    [{ $mod: ['x', 1] }, 16611],
    [{ $abs: 'x' }, 28765],
    [{ $abs: Long.MIN_VALUE }, 28680],
    [{ $sqrt: -1 }, 28714],
    [{ $pow: [0, -1] }, 28764],
    [{ $pow: [decimal('1.5'), 0.5] }, 115],
    [{ $ln: 0 }, 28766],
    [{ $ln: decimal('2') }, 115],
    [{ $log10: -1 }, 28761],
    [{ $log: [0, 2] }, 28758],
    [{ $log: [2, 1] }, 28759],
    [{ $round: [1, 101] }, 51083],
    [{ $round: ['x'] }, 51081],
    [{ $round: [1, 1.5] }, 51082],
    [{ $round: [Long.MAX_VALUE, -1] }, 51080],
    [{ $asin: 2 }, 50989],
    [{ $sin: Number.POSITIVE_INFINITY }, 50989],
    [{ $cond: [1, 2] }, 16020],
    [{ $cond: { if: 1, then: 2 } }, 9],
    [{ $cond: { if: 1, then: 2, else: 3, nope: 4 } }, 9],
    [{ $ifNull: [1] }, 1257300],
    [{ $switch: { branches: [] } }, 40068],
    [{ $switch: { branches: 1 } }, 40061],
    [{ $switch: { branches: [{ case: false, then: 1 }] } }, 40066],
    [{ $arrayElemAt: [1, 1] }, 28689],
    [{ $arrayElemAt: [[1], 'x'] }, 28691],
    [{ $slice: [1, 1] }, 28724],
    [{ $slice: [[1], 'x'] }, 28726],
    [{ $slice: [[1], 1, 0] }, 28729],
    [{ $slice: [[1]] }, 28667],
    [{ $concatArrays: [1] }, 28664],
    [{ $in: [1, 2] }, 40081],
    [{ $indexOfArray: [1, 2] }, 40090],
    [{ $indexOfArray: [[1], 2, -1] }, 40097],
    [{ $range: [0, 5, 0] }, 34449],
    [{ $range: ['x', 5] }, 34444],
    [{ $range: [0, 2 ** 30] }, 146],
    [
      {
        $reduce: {
          input: { $range: [0, 40] },
          initialValue: 'x',
          in: { $concat: ['$$value', '$$value'] }
        }
      },
      146
    ],
    [
      {
        $reduce: {
          input: { $range: [0, 40] },
          initialValue: [1],
          in: { $concatArrays: ['$$value', '$$value'] }
        }
      },
      146
    ],
    [
      {
        $reduce: {
          input: { $range: [0, 40] },
          initialValue: 'x',
          in: { $replaceAll: { input: '$$value', find: 'x', replacement: 'xx' } }
        }
      },
      146
    ],
    [{ $size: 'x' }, 17124],
    [{ $arrayToObject: [[5]] }, 40392],
    [{ $arrayToObject: [[['a']]] }, 40397],
    [{ $arrayToObject: [[[1, 2]]] }, 40395],
    [{ $arrayToObject: [[{ k: 1, v: 2 }]] }, 40394],
    [{ $arrayToObject: [[['a\0', 1]]] }, 4940400],
    [{ $objectToArray: 5 }, 40390],
    [{ $sortArray: { input: [1], sortBy: 5 } }, 2942507],
    [{ $sortArray: { input: 1, sortBy: 1 } }, 2942504],
    [{ $zip: { inputs: [] } }, 34465],
    [{ $zip: { inputs: [[1]], defaults: [1] } }, 34466],
    [{ $zip: { inputs: [[1]], defaults: [1, 2], useLongestLength: true } }, 34467],
    [{ $firstN: { n: 0, input: [] } }, 5787908],
    [{ $firstN: { n: 1, input: 5 } }, 5788200],
    [{ $map: { input: 5, in: 1 } }, 16883],
    [{ $map: { input: [], as: 'X', in: 1 } }, 9],
    [{ $map: { input: [], as: 5, in: 1 } }, 9],
    [{ $map: { input: [], as: 'a-b', in: 1 } }, 9],
    [{ $map: { in: 1 } }, 9],
    [{ $map: 5 }, 9],
    [{ $filter: { input: 5, cond: 1 } }, 28651],
    [{ $filter: { input: [1], cond: 1, limit: 0 } }, 327392],
    [{ $reduce: { input: 5, initialValue: 0, in: 1 } }, 40080],
    [{ $let: { vars: 5, in: 1 } }, 10065],
    [{ $let: { vars: { CURRENT: 1 }, in: 1 } }, 115],
    [{ $setUnion: [1] }, 17043],
    [{ $setEquals: [[1]] }, 17045],
    [{ $setIsSubset: [1, [1]] }, 17046],
    [{ $concat: [1] }, 16702],
    [{ $substrBytes: ['é', 1, 1] }, 28656],
    [{ $substrBytes: ['x', -1, 1] }, 50752],
    [{ $substrBytes: ['x', 'y', 1] }, 16034],
    [{ $substrCP: ['x', -1, 1] }, 34455],
    [{ $substrCP: ['x', 1, -1] }, 34454],
    [{ $toLower: [[1]] }, 16007],
    [{ $split: ['a', ''] }, 40087],
    [{ $split: [1, ''] }, 40085],
    [{ $strLenCP: 5 }, 34471],
    [{ $trim: { input: 5 } }, 50699],
    [{ $indexOfBytes: [5, 'x'] }, 40091],
    [{ $replaceAll: { input: 5, find: 'x', replacement: 'y' } }, 51746],
    [{ $regexMatch: { input: 5, regex: 'x' } }, 51104],
    [{ $regexMatch: { input: 'x', regex: 5 } }, 51105],
    [{ $regexMatch: { input: 'x', regex: /x/i, options: 's' } }, 51107],
    [{ $regexMatch: { input: 'x', regex: '(' } }, 51091],
    [{ $toInt: 'x' }, 241],
    [{ $toInt: 2 ** 40 }, 241],
    [{ $toInt: Number.NaN }, 241],
    [{ $toInt: new Date() }, 241],
    [{ $toDouble: 'x' }, 241],
    [{ $toDouble: '1e999' }, 241],
    [{ $toDouble: decimal('1E+400') }, 241],
    [{ $toDouble: new ObjectId() }, 241],
    [{ $toDecimal: new ObjectId() }, 241],
    [{ $toDate: 5 }, 241],
    [{ $toDate: new Double(1e20) }, 241],
    [{ $toString: [[1]] }, 241],
    [{ $toObjectId: 'x' }, 241],
    [{ $toObjectId: 5 }, 241],
    [{ $convert: { input: 1, to: 'nope' } }, 2],
    [{ $convert: { input: 1, to: [] } }, 9],
    [{ $mergeObjects: [5] }, 40400],
    [{ $getField: { field: 5, input: {} } }, 3041704],
    [{ $setField: { field: '$a', input: {}, value: 1 } }, 4161106],
    [{ $setField: { field: 'a', input: 5, value: 1 } }, 4161105],
    [{ $binarySize: 5 }, 51276],
    [{ $bsonSize: 5 }, 31393],
    [{ $tsSecond: 5 }, 5687301],
    [{ $bitAnd: [1.5] }, 14],
    [{ $rand: 5 }, 3040501],
    [{ $meta: 'textScore' }, 40218],
    [{ $percentile: { input: [1], p: [2], method: 'approximate' } }, 7750303],
    [{ $percentile: { input: [1], p: [], method: 'approximate' } }, 7750300],
    [{ $median: { input: [1], method: 'exact' } }, 2]
  ]
  for (const [expression, code] of cases) {
    t.equal(caught(() => evaluate(expression)).code, code, JSON.stringify(expression))
  }
  t.equal(caught(() => evaluate('$$A', {}, { A: 1 })).code, 9)
})
