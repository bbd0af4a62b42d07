import { Decimal128, Long } from 'bson'
import { test } from 'tap'
import { caught, doc } from '../bson/arbitrary-values.test.data.ts'
import { encodeDoc } from '../bson/encode.ts'
import { parseFilter } from './filter.ts'

type Plain = Readonly<Record<string, unknown>>

const takes = (schema: Plain, document: Plain): boolean => {
  const filter = parseFilter(doc({ $jsonSchema: schema }))
  const onDoc = filter.matchesDoc(doc(document))
  if (filter.matches(encodeDoc(doc(document))) !== onDoc)
    throw new Error('the two matchers disagree')
  return onDoc
}
/** A schema of the field `a`. */
const a = (schema: Plain): Plain => ({ properties: { a: schema } })

const cases: readonly (readonly [string, Plain, readonly Plain[], readonly Plain[]])[] = [
  ['nothing takes everything', {}, [{}, { a: 1 }], []],
  ['required', { required: ['a', 'b'] }, [{ a: 1, b: null }], [{ a: 1 }]],
  [
    'bsonType',
    a({ bsonType: ['int', 'string'] }),
    [{ a: 1 }, { a: 'x' }, {}],
    [{ a: 1.5 }, { a: null }]
  ],
  [
    'bsonType number',
    a({ bsonType: 'number' }),
    [{ a: Long.ONE }, { a: Decimal128.fromString('1') }],
    [{ a: '1' }]
  ],
  ['type', a({ type: ['boolean', 'null'] }), [{ a: true }, { a: null }], [{ a: 0 }]],
  ['type object', { type: 'object' }, [{}], []],
  [
    'minimum and maximum',
    a({ minimum: 2, maximum: 4 }),
    [{ a: 2 }, { a: 4 }, { a: 'x' }],
    [{ a: 1.9 }, { a: 5 }]
  ],
  [
    'exclusive bounds',
    a({ minimum: 2, exclusiveMinimum: true, maximum: 4, exclusiveMaximum: true }),
    [{ a: 3 }],
    [{ a: 2 }, { a: 4 }]
  ],
  ['bounds that are not exclusive', a({ minimum: 2, exclusiveMinimum: false }), [{ a: 2 }], []],
  ['multipleOf', a({ multipleOf: 2.5 }), [{ a: 5 }, { a: 0 }], [{ a: 4 }]],
  [
    'lengths count characters',
    a({ minLength: 2, maxLength: 2 }),
    [{ a: '😀x' }, { a: 5 }],
    [{ a: 'x' }, { a: 'xyz' }]
  ],
  ['pattern', a({ pattern: '^x+$' }), [{ a: 'xx' }, { a: 1 }], [{ a: 'y' }]],
  ['enum', { properties: { a: { enum: [1, 'x', null] } } }, [{ a: 1 }, { a: null }], [{ a: 2 }]],
  [
    'items of one schema',
    a({ items: { type: 'number' } }),
    [{ a: [1, 2] }, { a: 'x' }],
    [{ a: [1, 'x'] }]
  ],
  [
    'items by place',
    a({ items: [{ type: 'number' }], additionalItems: false }),
    [{ a: [1] }],
    [{ a: [1, 2] }, { a: ['x'] }]
  ],
  [
    'additional items by schema',
    a({ items: [{ type: 'number' }], additionalItems: { type: 'string' } }),
    [{ a: [1, 'x'] }],
    [{ a: [1, 2] }]
  ],
  [
    'additional items without a list',
    a({ items: {}, additionalItems: false }),
    [{ a: [1, 2] }],
    []
  ],
  [
    'sizes of arrays',
    a({ minItems: 1, maxItems: 2, uniqueItems: true }),
    [{ a: [1] }],
    [{ a: [] }, { a: [1, 2, 3] }, { a: [1, 1] }]
  ],
  ['repeated items', a({ uniqueItems: false }), [{ a: [1, 1] }], []],
  [
    'sizes of documents',
    { minProperties: 1, maxProperties: 2 },
    [{ a: 1 }],
    [{}, { a: 1, b: 2, c: 3 }]
  ],
  [
    'patternProperties',
    { patternProperties: { '^n': { type: 'number' } } },
    [{ n1: 1, x: 'x' }],
    [{ n1: 'x' }]
  ],
  [
    'additionalProperties',
    { properties: { a: {} }, patternProperties: { '^n': {} }, additionalProperties: false },
    [{ a: 1, n: 1 }],
    [{ b: 1 }]
  ],
  [
    'additionalProperties by schema',
    { additionalProperties: { type: 'number' } },
    [{ a: 1 }],
    [{ a: 'x' }]
  ],
  [
    'dependencies',
    { dependencies: { a: ['b'], c: { required: ['d'] } } },
    [{ a: 1, b: 1 }, {}],
    [{ a: 1 }, { c: 1 }]
  ],
  [
    'allOf, anyOf, oneOf, not',
    {
      allOf: [{ required: ['a'] }],
      anyOf: [{ required: ['b'] }, { required: ['c'] }],
      oneOf: [{ required: ['b'] }, { required: ['c'] }],
      not: { required: ['d'] }
    },
    [{ a: 1, b: 1 }],
    [{ b: 1 }, { a: 1 }, { a: 1, b: 1, c: 1 }, { a: 1, b: 1, d: 1 }]
  ],
  ['remarks', { title: 'a', description: 'b' }, [{}], []],
  [
    'nesting',
    a({ properties: { b: { required: ['c'] } } }),
    [{ a: { b: { c: 1 } } }, { a: { b: 1 } }],
    [{ a: { b: {} } }]
  ]
]
for (const [name, schema, taken, refused] of cases) {
  test(`a schema: ${name}`, async (t) => {
    for (const document of taken) t.ok(takes(schema, document), JSON.stringify(document))
    for (const document of refused) t.notOk(takes(schema, document), JSON.stringify(document))
  })
}

test('schemas that are wrong or not supported are refused', async (t) => {
  for (const [schema, code] of [
    [{ nope: 1 }, 9],
    [{ $ref: '#' }, 9],
    [{ type: 'integer' }, 9],
    [{ type: 'nope' }, 9],
    [{ bsonType: 'nope' }, 2],
    [{ type: 'object', bsonType: 'object' }, 9],
    [{ type: [] }, 9],
    [{ required: 'a' }, 14],
    [{ required: [] }, 9],
    [{ required: ['a', 'a'] }, 9],
    [{ required: [1] }, 14],
    [{ properties: 1 }, 14],
    [{ properties: { a: 1 } }, 14],
    [{ minimum: 'x' }, 14],
    [{ exclusiveMinimum: true }, 9],
    [{ exclusiveMinimum: 1, minimum: 1 }, 14],
    [{ minLength: -1 }, 9],
    [{ multipleOf: 0 }, 9],
    [{ pattern: 1 }, 14],
    [{ pattern: '(' }, 51091],
    [{ additionalProperties: 1 }, 14],
    [{ uniqueItems: 1 }, 14],
    [{ enum: [] }, 9],
    [{ title: 1 }, 14]
  ] as const) {
    t.equal(caught(() => takes(schema, {})).code, code, JSON.stringify(schema))
  }
  let deep: Plain = {}
  for (let i = 0; i < 110; i++) deep = { not: deep }
  t.equal(caught(() => takes(deep, {})).code, 15)
})
