// The compiled check of a schema answers as the interpreted one.
import fc from 'fast-check'
import { test } from 'tap'
import { fitsSchema } from './fits-schema.ts'
import { manifestSchema } from './manifest/schema.ts'
import { Type, Value } from './typebox.ts'

const order = Type.Object(
  {
    id: Type.String({ minLength: 1, pattern: '^[a-z]+$' }),
    count: Type.Integer({ minimum: 1 }),
    to: Type.Optional(Type.Union([Type.Literal('home'), Type.Array(Type.String())]))
  },
  { additionalProperties: false }
)

test('any value fits a schema exactly when the interpreter says so', async (t) => {
  const close = fc.record(
    {
      id: fc.oneof(fc.constantFrom('a', 'ab', 'A', ''), fc.string()),
      count: fc.oneof(fc.integer({ min: -2, max: 3 }), fc.double()),
      to: fc.oneof(fc.constantFrom('home', 'away'), fc.array(fc.anything(), { maxLength: 2 })),
      more: fc.anything()
    },
    { requiredKeys: [] }
  )
  fc.assert(
    fc.property(fc.oneof(close, fc.anything()), (value) => {
      return fitsSchema(order, value) === Value.Check(order, value)
    })
  )
  t.equal(fitsSchema(order, { id: 'a', count: 1 }), true)
})

test('each schema has its own check', async (t) => {
  t.equal(fitsSchema(Type.String(), 'a'), true)
  t.equal(fitsSchema(Type.Number(), 'a'), false)
  t.equal(fitsSchema(manifestSchema, {}), false)
})
