import { BSONSymbol, Decimal128, Double, Int32, Long } from 'bson'
import fc from 'fast-check'
import { test } from 'tap'
import { numbers, values } from './arbitrary-values.test.data.ts'
import { compareValues } from './compare.ts'
import { ValueSet, valueKey } from './value-set.ts'

const isSameKey = (a: unknown, b: unknown) => new Set([a, b]).size === 1

test('values have one key exactly when they are equal', async (t) => {
  const pairs = fc.oneof(fc.tuple(values, values), fc.tuple(numbers, numbers))
  fc.assert(
    fc.property(
      pairs,
      ([a, b]) => isSameKey(valueKey(a), valueKey(b)) === (compareValues(a, b) === 0)
    ),
    { numRuns: 3000 }
  )
  t.pass()
})

test('numbers of all types share a key', async (t) => {
  const set = new ValueSet([new Int32(1), new Double(2 ** 60)])
  t.ok(set.has(new Double(1)) && set.has(Long.ONE) && set.has(Decimal128.fromString('1.0')))
  t.ok(set.has(Long.fromString('1152921504606846976')))
  t.notOk(set.has(Long.fromString('1152921504606846977')))
})

test('a symbol has the key of its text', async (t) => {
  t.ok(new ValueSet(['a']).has(new BSONSymbol('a')))
})

test('a set tells whether a value was new', async (t) => {
  const set = new ValueSet()
  t.same(
    [set.add('a'), set.add('a'), set.delete('a'), set.add('a'), set.size],
    [true, false, true, true, 1]
  )
})
