import fc from 'fast-check'
import { test } from 'tap'
import { caught, doc, documents } from './arbitrary-values.test.data.ts'
import { parseCollation } from './collation.ts'
import { compareValues } from './compare.ts'
import { encodeDoc } from './encode.ts'
import { parseSort } from './sort.ts'
import type { Doc } from './value.ts'

const sorted = (
  spec: Record<string, unknown>,
  rows: readonly Record<string, unknown>[],
  options = {}
) => {
  const sort = parseSort(doc(spec), options)
  return rows
    .map((row) => doc(row))
    .sort(sort.compare)
    .map((row) => (row.get('_id') as { value: number }).value)
}

test('arrays sort by their smallest or largest element, empty ones before null', async (t) => {
  const rows = [
    { _id: 1, a: [3, 7] },
    { _id: 2, a: 5 },
    { _id: 3, a: [] },
    { _id: 4, a: null },
    { _id: 5 },
    { _id: 6, a: [9, 1] }
  ]
  t.same(sorted({ a: 1, _id: 1 }, rows), [3, 4, 5, 6, 1, 2])
  t.same(sorted({ a: -1, _id: 1 }, rows), [6, 1, 2, 4, 5, 3])
})

test('mixed types sort in BSON order', async (t) => {
  const rows = [
    { _id: 1, a: true },
    { _id: 2, a: 'x' },
    { _id: 3, a: 1 },
    { _id: 4, a: { b: 1 } },
    { _id: 5, a: new Date(1) },
    { _id: 6 }
  ]
  t.same(sorted({ a: 1 }, rows), [6, 3, 2, 4, 1, 5])
})

test('keys sort as values compare', async (t) => {
  const sort = parseSort(doc({ a: 1, b: -1 }))
  const order = (x: Doc, y: Doc) =>
    compareValues(x.get('a') ?? null, y.get('a') ?? null) ||
    -compareValues(x.get('b') ?? null, y.get('b') ?? null)
  const flat = documents.filter((given) =>
    ['a', 'b'].every(
      (name) =>
        !Array.isArray(given.get(name)) && !(given.has(name) && given.get(name) === undefined)
    )
  )
  fc.assert(
    fc.property(flat, flat, (x, y) => {
      const byBytes = Buffer.compare(sort.sortKey(encodeDoc(x)), sort.sortKey(y))
      return (
        Math.sign(byBytes) === Math.sign(order(x, y)) + 0 &&
        Math.sign(sort.compare(x, y)) === byBytes
      )
    }),
    { numRuns: 1000 }
  )
  t.pass()
})

test('a collation orders texts', async (t) => {
  const collation = parseCollation(doc({ locale: 'en', strength: 1 }))
  t.same(
    sorted(
      { a: 1, _id: 1 },
      [
        { _id: 1, a: 'b' },
        { _id: 2, a: 'A' },
        { _id: 3, a: 'B' }
      ],
      { collation }
    ),
    [2, 1, 3]
  )
})

test('an invalid sort order is refused', async (t) => {
  for (const [spec, code] of [
    [{ a: 3 }, 15975],
    [{ a: 'x' }, 15974],
    [{ a: { $meta: 'textScore' } }, 17313],
    [{ '': 1 }, 15998],
    [{ $a: 1 }, 16410],
    [Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`f${i}`, 1])), 2]
  ] as const) {
    t.equal(caught(() => parseSort(doc(spec))).code, code)
  }
  t.equal(caught(() => parseSort(doc({ a: 1, b: 1 })).sortKey(doc({ a: [1], b: [2] }))).code, 2)
})
