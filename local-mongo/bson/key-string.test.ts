import { Decimal128, Double, Int32, Long, MaxKey } from 'bson'
import fc from 'fast-check'
import { test } from 'tap'
import { numbers, texts, values } from './arbitrary-values.test.data.ts'
import { parseCollation } from './collation.ts'
import { canonicalType, compareValues } from './compare.ts'
import {
  afterPrefix,
  type Direction,
  encodeKey,
  equalRange,
  partLimit,
  prefixRange,
  typeBounds
} from './key-string.ts'
import { typeCode, type Value } from './value.ts'

const uncut = { partLimit: Number.POSITIVE_INFINITY }
const direction = fc.constantFrom<Direction>(1, -1)
const order = (a: Value, b: Value, way: Direction = 1) =>
  Math.sign(Buffer.compare(encodeKey([a], [way], uncut), encodeKey([b], [way], uncut)))
const isWithin = (key: Uint8Array, range: { low: Uint8Array; high: Uint8Array }) =>
  Buffer.compare(key, range.low) >= 0 && Buffer.compare(key, range.high) < 0

test('the order of keys is the order of values', async (t) => {
  fc.assert(
    fc.property(values, values, direction, (a, b, way) => {
      return order(a, b, way) === Math.sign(compareValues(a, b)) * way + 0
    }),
    { numRuns: 3000 }
  )
  t.pass()
})

test('numbers of all types interleave by value', async (t) => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => order(a, b) === Math.sign(compareValues(a, b))),
    { numRuns: 3000 }
  )
  t.equal(order(Long.fromString('9007199254740993'), new Double(2 ** 53)), 1)
  t.equal(order(Decimal128.fromString('0.1'), new Double(0.1)), -1)
  t.equal(order(Decimal128.fromString('0.50'), new Double(0.5)), 0)
  t.equal(order(new Int32(0), new Double(-0)), 0)
})

test('comparing is a total order', async (t) => {
  fc.assert(
    fc.property(values, values, values, (a, b, c) => {
      // Boxed, because Array.sort has its own opinion of undefined.
      const boxes = [{ of: a }, { of: b }, { of: c }].sort((x, y) => compareValues(x.of, y.of))
      const [first, second, third] = boxes.map(({ of }) => of)
      return compareValues(first, third) <= 0 && compareValues(second, first) >= 0
    }),
    { numRuns: 1000 }
  )
  t.pass()
})

test('compound keys compare part by part, each in its direction', async (t) => {
  const row = fc.tuple(values, values)
  fc.assert(
    fc.property(row, row, direction, direction, (a, b, first, second) => {
      const expected =
        Math.sign(compareValues(a[0], b[0])) * first ||
        Math.sign(compareValues(a[1], b[1])) * second
      const keys = [a, b].map((pair) => encodeKey(pair, [first, second], uncut))
      return Math.sign(Buffer.compare(keys[0]!, keys[1]!)) === expected + 0
    }),
    { numRuns: 2000 }
  )
  t.pass()
})

test('a key of fewer values is the beginning of the whole key', async (t) => {
  fc.assert(
    fc.property(values, values, (a, b) => {
      const whole = encodeKey([a, b], [1, -1])
      const start = encodeKey([a], [1, -1])
      return Buffer.compare(whole.subarray(0, start.length), start) === 0
    })
  )
  t.pass()
})

test('long values are cut within the limit and keep their order against others', async (t) => {
  const long = fc.string({ minLength: 30, maxLength: 200, unit: fc.constantFrom('a', 'b') })
  const options = { partLimit: 40 }
  fc.assert(
    fc.property(long, fc.oneof(long, texts), direction, (a, b, way) => {
      const key = encodeKey([a], [way], options)
      const range = equalRange(b, way, options)
      if (key.length > 40) return false
      if (a === b) return isWithin(key, range)
      if (isWithin(key, range)) return !range.exact
      const expected = Math.sign(compareValues(a, b)) * way
      return Math.sign(Buffer.compare(key, range.low)) === expected
    }),
    { numRuns: 2000 }
  )
  const distinct = ['x'.repeat(90), `${'x'.repeat(89)}y`].map((text) =>
    encodeKey([text], [1], options)
  )
  t.notSame(distinct[0], distinct[1])
})

test('a whole key of many long parts stays under the limit of the store', async (t) => {
  const parts = Array.from({ length: 32 }, () => 'x'.repeat(500))
  const directions = parts.map(() => 1 as const)
  t.ok(encodeKey(parts, directions).length <= 1_800)
  t.equal(partLimit(0), 1_800)
})

test('equal values are within their range, others outside', async (t) => {
  fc.assert(
    fc.property(values, values, direction, (a, b, way) => {
      const inside = isWithin(
        encodeKey([a, b], [way, 1]),
        equalRange(b, way, { partLimit: partLimit(2) })
      )
      return inside === (compareValues(a, b) === 0)
    }),
    { numRuns: 2000 }
  )
  t.pass()
})

test('a type bracket holds the values of its type and no others', async (t) => {
  fc.assert(
    fc.property(values, values, direction, (a, b, way) => {
      const isNotNumber = encodeKey([a], [1])[0] === 30
      const alike = canonicalType(typeCode(a)) === canonicalType(typeCode(b)) && !isNotNumber
      return isWithin(encodeKey([a], [way]), typeBounds(b, way)) === alike
    }),
    { numRuns: 2000 }
  )
  t.same(typeBounds(new MaxKey(), 1).low, Uint8Array.of(240))
})

test('texts with a prefix are within its range', async (t) => {
  fc.assert(
    fc.property(texts, texts, direction, (text, prefix, way) => {
      const inside = isWithin(encodeKey([text], [way]), prefixRange(prefix, way))
      return (
        inside ===
        Buffer.from(text).subarray(0, Buffer.from(prefix).length).equals(Buffer.from(prefix))
      )
    }),
    { numRuns: 2000 }
  )
  const cut = prefixRange('p'.repeat(100), -1, { partLimit: 40 })
  t.notOk(cut.exact)
  t.ok(isWithin(encodeKey(['p'.repeat(200)], [-1], { partLimit: 40 }), cut))
})

test('the prefix after another', async (t) => {
  t.same(afterPrefix(Uint8Array.of(1, 255)), Uint8Array.of(2))
  t.equal(afterPrefix(Uint8Array.of(255, 255)), undefined)
})

test('under a collation texts that are equal have one key', async (t) => {
  const collation = parseCollation(
    new Map<string, Value>([
      ['locale', 'en'],
      ['strength', new Int32(2)]
    ])
  )
  t.same(encodeKey(['PING'], [1], { collation }), encodeKey(['ping'], [1], { collation }))
})
