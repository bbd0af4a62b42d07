// Examples made from JSON schemas.
import { type TSchema, Type, Value } from '@keelson/sdk/typebox'
import fc from 'fast-check'
import { test } from 'tap'
import { exampleOf, type ValueSchema } from './example-of-schema.ts'

const exampleOfType = (schema: TSchema): unknown =>
  exampleOf(JSON.parse(JSON.stringify(schema)) as ValueSchema)

const bounds = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.nat(50))
const bounded = bounds.map(([low, width]) => ({ minimum: low, maximum: low + width }))
const open = bounds.map(([low, width]) => ({
  exclusiveMinimum: low,
  exclusiveMaximum: low + width + 2
}))
const lengths = fc
  .tuple(fc.nat(20), fc.nat(20))
  .map(([low, more]) => ({ minLength: low, maxLength: low + more }))

const plain: fc.Arbitrary<TSchema> = fc.oneof(
  lengths.map((options) => Type.String(options)),
  fc
    .constantFrom('date-time', 'date', 'time', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid')
    .map((format) => Type.String({ format })),
  fc
    .constantFrom('^[A-Z]{3}$', '^u[0-9]{1,9}$', '^[A-Za-z0-9-]{1,64}$', '\\S', '@')
    .map((pattern) => Type.String({ pattern, maxLength: 254 })),
  fc.oneof(bounded, open).map((options) => Type.Integer(options)),
  fc.oneof(bounded, open).map((options) => Type.Number(options)),
  fc.constantFrom(2, 5).map((multipleOf) => Type.Integer({ minimum: 3, multipleOf })),
  fc.oneof(fc.string(), fc.integer(), fc.boolean()).map((value) => Type.Literal(value)),
  fc.array(fc.string(), { minLength: 1, maxLength: 4 }).map((values) => Type.Enum(values)),
  fc.constantFrom(Type.Boolean(), Type.Null(), Type.Unknown(), Type.String({ default: 'x' }))
)

/** TypeBox takes what every object inherits for a property of the value. */
const names = fc.string({ minLength: 1 }).filter((name) => !(name in Object.prototype))

const { schema: anySchema } = fc.letrec<{ schema: TSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    plain,
    fc
      .dictionary(names, fc.tuple(tie('schema'), fc.boolean()), {
        maxKeys: 4
      })
      .map((fields) =>
        Type.Object(
          Object.fromEntries(
            Object.entries(fields).map(([name, [one, isOptional]]) => [
              name,
              isOptional ? Type.Optional(one) : one
            ])
          ),
          { additionalProperties: false }
        )
      ),
    fc
      .tuple(tie('schema'), fc.nat(3), fc.nat(3))
      .map(([items, low, more]) => Type.Array(items, { minItems: low, maxItems: low + more })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((members) => Type.Union(members)),
    tie('schema').map((value) => Type.Record(Type.String(), value))
  )
}))

test('the example of a schema is valid by it', async (t) => {
  fc.assert(
    fc.property(anySchema, (schema) => {
      const example = exampleOfType(schema)
      if (!Value.Check(schema, example)) {
        throw new Error(`${JSON.stringify(schema)}: ${JSON.stringify(example)}`)
      }
    })
  )
  t.end()
})

test('an object shows what it requires, or its first properties', async (t) => {
  const some = Type.Object({ id: Type.String(), note: Type.Optional(Type.String()) })
  t.same(exampleOfType(some), { id: 'example' })
  const patch = Type.Partial(Type.Object({ a: Type.Boolean(), b: Type.Integer() }))
  t.same(exampleOfType(patch), { a: true, b: 1 })
  const both = Type.Intersect([Type.Object({ a: Type.Null() }), Type.Object({ b: Type.Null() })])
  t.same(exampleOfType(both), { a: null, b: null })
  t.same(exampleOf({ type: 'object', minProperties: 1 }), { name1: 'example' })
})

test('depth and size of an example are bounded', async (t) => {
  let deep: ValueSchema = {}
  for (let n = 0; n < 500; n++) deep = { type: 'array', items: deep }
  t.ok(JSON.stringify(exampleOf(deep)).length < 100)
  let wide: ValueSchema = { type: 'string', minLength: 1e9 }
  for (let n = 0; n < 8; n++) wide = { type: 'array', minItems: 1e9, items: wide }
  t.ok(JSON.stringify(exampleOf(wide)).length < 50_000)
})

test('a text that no sample can be is still shown', async (t) => {
  t.equal(exampleOf({ type: 'string', pattern: '^\\d{9}-\\d{9}$' }), 'example')
})
