import { Int32 } from 'bson'
import fc from 'fast-check'
import { test } from 'tap'
import { caught, doc, documents, plain } from '../bson/arbitrary-values.test.data.ts'
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import type { Value } from '../bson/value.ts'
import { parseFilter } from './filter.ts'
import { parseProjection } from './projection.ts'

type Plain = Readonly<Record<string, unknown>>

const project = (spec: Plain, document: Plain, query?: Plain): unknown => {
  const filter = query ? parseFilter(doc(query)) : undefined
  const projection = parseProjection(doc(spec), { filter })
  const onBytes = decodeDoc(projection.applyBytes(encodeDoc(doc(document))))
  const onDoc = projection.apply(doc(document))
  if (JSON.stringify(plain(onBytes)) !== JSON.stringify(plain(onDoc)))
    throw new Error('they differ')
  return plain(onDoc)
}
const first = { _id: 1, a: 1, t: ['x', 'y'], n: { k: 1 } }

for (const [name, spec, document, expected] of [
  ['nothing given keeps all', {}, first, first],
  [
    'inclusion keeps the document’s order and _id',
    { t: 1, a: true },
    first,
    { _id: 1, a: 1, t: ['x', 'y'] }
  ],
  ['_id may be left out', { _id: 0, 'n.k': 1 }, first, { n: { k: 1 } }],
  ['only _id', { _id: 1 }, first, { _id: 1 }],
  ['all but _id', { _id: 0 }, { _id: 1, a: 1 }, { a: 1 }],
  ['exclusion', { t: 0, n: 0 }, first, { _id: 1, a: 1 }],
  [
    'exclusion within arrays',
    { 'a.b': 0 },
    { a: [{ b: 1, c: 2 }, 5, [{ b: 1 }]] },
    { a: [{ c: 2 }, 5, [{}]] }
  ],
  [
    'inclusion within arrays drops scalars',
    { 'a.b': 1 },
    { a: [{ b: 1, c: 2 }, 5, [{ b: 1 }]] },
    { a: [{ b: 1 }, [{ b: 1 }]] }
  ],
  ['inclusion below a scalar drops it', { 'a.b': 1 }, { a: 1 }, {}],
  ['a nested specification', { n: { k: 1 } }, first, { _id: 1, n: { k: 1 } }],
  ['$slice alone keeps the rest', { t: { $slice: 1 } }, first, { ...first, t: ['x'] }],
  [
    '$slice from the end, with inclusion',
    { t: { $slice: -1 }, a: 1 },
    first,
    { _id: 1, a: 1, t: ['y'] }
  ],
  ['$slice with skip and limit', { t: { $slice: [-1, 5] } }, { t: [1, 2, 3] }, { t: [3] }],
  ['$slice with skip from the start', { t: { $slice: [1, 1] } }, { t: [1, 2, 3] }, { t: [2] }],
  [
    '$slice within arrays',
    { 'a.b': { $slice: 1 } },
    { a: [{ b: [1, 2] }, 3] },
    { a: [{ b: [1] }, 3] }
  ],
  ['$slice of what is no array', { a: { $slice: 1 } }, { a: 5 }, { a: 5 }],
  ['$slice as an expression', { s: { $slice: ['$t', 1] } }, first, { _id: 1, s: ['x'] }],
  [
    '$elemMatch',
    { n: { $elemMatch: { k: 5 } } },
    { _id: 3, n: [{ k: 1 }, { k: 5 }] },
    { _id: 3, n: [{ k: 5 }] }
  ],
  [
    '$elemMatch on values',
    { n: { $elemMatch: { $gt: 1 } } },
    { _id: 3, n: [1, 2, 3] },
    { _id: 3, n: [2] }
  ],
  [
    '$elemMatch that nothing fits',
    { n: { $elemMatch: { k: 9 } }, a: 1 },
    { _id: 3, a: 1, n: [{ k: 1 }] },
    { _id: 3, a: 1 }
  ],
  [
    '$elemMatch with exclusion',
    { a: 0, n: { $elemMatch: { k: 9 } } },
    { _id: 3, a: 1, n: [{ k: 1 }] },
    { _id: 3 }
  ],
  ['an expression', { a: 1, sum: { $add: ['$a', 1] } }, first, { _id: 1, a: 1, sum: 2 }],
  ['a literal text and a path', { b: 'x', c: '$n.k' }, first, { _id: 1, b: 'x', c: 1 }],
  [
    'a computed field below documents and arrays',
    { 'a.c': { $literal: 7 } },
    { _id: 1, a: [{ b: 1 }, 5] },
    { _id: 1, a: [{ c: 7 }, { c: 7 }] }
  ],
  ['a computed field that is missing', { b: '$none', a: 1 }, first, { _id: 1, a: 1 }],
  ['an inherited name is a name', { constructor: 1 }, { _id: 1, a: 1 }, { _id: 1 }]
] as readonly (readonly [string, Plain, Plain, Plain])[]) {
  test(`a projection: ${name}`, async (t) => {
    t.strictSame(JSON.stringify(project(spec, document)), JSON.stringify(expected))
  })
}

test('the positional operator keeps the element that fitted', async (t) => {
  t.same(project({ 'a.$': 1 }, { _id: 1, a: [{ k: 1 }, { k: 2 }] }, { 'a.k': 2 }), {
    _id: 1,
    a: [{ k: 2 }]
  })
  t.same(project({ 'n.a.$': 1 }, { _id: 1, n: { a: [1, 2], b: 1 } }, { 'n.a': 2 }), {
    _id: 1,
    n: { a: [2] }
  })
  t.equal(caught(() => project({ 'a.$': 1 }, { a: [1] }, {})).code, 51246)
  t.equal(caught(() => project({ 'b.$': 1 }, { a: [1, 2], b: [1] }, { a: 2 })).code, 51247)
  t.equal(caught(() => project({ 'a.$': 1, 'b.$': 1 }, {}, {})).code, 31276)
  t.equal(caught(() => project({ 'a.$': 1, b: 0 }, {}, {})).code, 31395)
  t.ok(parseProjection(doc({ 'a.$': 1 })).isPositional)
})

test('a projection that contradicts itself is refused', async (t) => {
  for (const [spec, code] of [
    [{ a: 1, t: 0 }, 31254],
    [{ a: 0, t: 1 }, 31253],
    [{ a: 0, t: '$a' }, 31252],
    [{ a: 1, 'a.b': 1 }, 31249],
    [{ 'a.b': 1, a: 1 }, 31250],
    [{ 'a..b': 1 }, 15998],
    [{ 'a.$b': 1 }, 16410],
    [{ a: {} }, 51270],
    [{ 'a.b': { $elemMatch: { c: 1 } } }, 31255],
    [{ a: { $elemMatch: 1 } }, 31274],
    [{ a: 1, t: { $slice: [1, 0] } }, 28729],
    [{ a: { $meta: 'textScore' } }, 40218],
    [{ a: { $nope: 1 } }, 168]
  ] as const) {
    t.equal(caught(() => project(spec, {})).code, code, JSON.stringify(spec))
  }
})

test('a projection tells which fields it needs', async (t) => {
  const fields = (spec: Plain) => {
    const needed = parseProjection(doc(spec)).fields
    return needed === 'all' ? 'all' : [...needed].sort()
  }
  t.same(fields({ a: 1, 'b.c': 1 }), ['_id', 'a', 'b.c'])
  t.same(fields({ _id: 0, x: { $add: ['$p', '$q.r'] } }), ['p', 'q'])
  t.same(fields({ a: 0 }), 'all')
  t.same(fields({ x: '$$ROOT' }), 'all')
  t.same(fields({ a: 1, t: { $slice: 1 } }), ['_id', 'a', 't'])
})

test('variables of the command stand in projections', async (t) => {
  const projection = parseProjection(doc({ x: '$$v' }), { let: doc({ v: 5 }) })
  t.same(projection.apply(new Map()).get('x'), new Int32(5))
})

test('copying bytes gives what decoding gives', async (t) => {
  const spec = fc.dictionary(fc.constantFrom('a', 'b', 'c', '_id', '0'), fc.constant(1), {
    minKeys: 1
  })
  fc.assert(
    fc.property(spec, fc.boolean(), documents, (names, isExclusion, document) => {
      const entries = Object.keys(names).map((name): [string, Value] => [name, !isExclusion])
      const projection = parseProjection(new Map(entries))
      const copied = projection.applyBytes(encodeDoc(document))
      return Buffer.compare(copied, encodeDoc(projection.apply(document))) === 0
    })
  )
  t.pass()
})
