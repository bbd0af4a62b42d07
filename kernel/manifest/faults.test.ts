// Faults of a value: where they are and what is said.
import { Type } from '@keelson/sdk/typebox'
import { test } from 'tap'
import { findFaults } from './fit.ts'

const closed = { additionalProperties: false } as const
const schema = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z]+$' }),
    size: Type.Optional(Type.Integer({ minimum: 1 })),
    kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
    use: Type.Optional(Type.Union([Type.String(), Type.Object({ id: Type.String() }, closed)])),
    list: Type.Optional(Type.Array(Type.Object({ x: Type.Number() }, closed), { maxItems: 2 })),
    byName: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.Number(), closed)),
    free: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { minProperties: 1 })),
    version: Type.Optional(Type.Literal(1))
  },
  closed
)

const faults = (value: unknown) =>
  findFaults(schema, value).map((fault) =>
    fault.kind === 'unknown'
      ? `${fault.path} unknown: ${fault.hint}`
      : `${fault.path} ${fault.reason}`
  )

test('a value that fits has none', async (t) => {
  t.same(faults({ name: 'a', use: { id: 'x' }, list: [{ x: 1 }], byName: { a: 1 } }), [])
})

test('an unknown key is named with its hint, before what is missing', async (t) => {
  t.same(faults({ nmae: 'a' }), ['nmae unknown: Did you mean name?', 'name is missing'])
})

test('deep values are found by their path', async (t) => {
  t.same(faults({ name: 'a', list: [{ x: 1 }, { x: 'no', y: 1 }] }), [
    'list[1].y unknown: Remove it, or use one of: x.',
    'list[1].x must be a number'
  ])
})

test('a union of words lists them; another is judged by the branch that was meant', async (t) => {
  t.same(faults({ name: 'a', kind: 'c' }), ['kind must be one of "a", "b"'])
  t.same(faults({ name: 'a', use: { di: 'x' } }), [
    'use.di unknown: Did you mean id?',
    'use.id is missing'
  ])
  t.same(faults({ name: 'a', use: 7 }), ['use must be a text or an object'])
  t.same(faults({ name: 'a', use: null }), ['use must be a text or an object'])
})

test('patterns, constants, limits and names of a map are explained', async (t) => {
  t.same(faults({ name: 'A' }), ['name must match ^[a-z]+$'])
  t.same(faults({ name: 'a', version: 2 }), ['version must be 1'])
  t.same(faults({ name: 'a', byName: { B: 1 } }), ['byName.B is not a name that matches ^[a-z]+$'])
  t.match(faults({ name: 'a', list: [{ x: 1 }, { x: 2 }, { x: 3 }] }), [/^list must not have more/])
  t.match(faults({ name: 'a', free: {} }), [/^free must not have fewer/])
  t.match(faults([]), [/^ must be an object/])
})

test('a schema says in words what its pattern asks for', async (t) => {
  const path = Type.String({ pattern: '^/', form: 'an address that begins with /' })
  const said = Type.Object({
    path,
    secret: Type.Optional(Type.String({ pattern: '^k', form: 'a key', secret: true })),
    byId: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z]+$' }), path, { ...closed, nameForm: 'lower case' })
    )
  })
  t.match(findFaults(said, { path: 'a', secret: 'S3CR3T', byId: { A: '/' } }), [
    { path: 'path', reason: 'must be an address that begins with /' },
    { path: 'secret', reason: 'must be a key' },
    { path: 'byId.A', reason: 'has an invalid name: it must be lower case' }
  ])
})

test('a missing value that may be one of a few is named with them', async (t) => {
  const kind = Type.Union([Type.Literal('a'), Type.Literal('b')])
  t.match(findFaults(Type.Object({ kind }), {}), [
    { path: 'kind', reason: 'is missing; it must be one of "a", "b"' }
  ])
})

test('no fault tells the value', async (t) => {
  const secret = 'S3CR3T'
  t.notMatch(
    JSON.stringify(findFaults(schema, { name: secret, kind: secret, size: secret })),
    secret
  )
})

test('a fault in the value itself keeps the path it is given', async (t) => {
  t.match(findFaults(Type.Integer(), 'x', 'plugins.a.config.size'), [
    { path: 'plugins.a.config.size', reason: 'must be a whole number' }
  ])
})

test('what only the schema library understands is still found', async (t) => {
  const both = Type.Intersect([
    Type.Object({ a: Type.Number() }),
    Type.Object({ b: Type.Number() })
  ])
  t.match(findFaults(both, { a: 1, b: 'x' }), [{ kind: 'invalid', path: 'b' }])
})
