// Values fitted to schemas with unions, intersections, maps and references.
import { manifestSchema } from '@keelson/sdk'
import { type TSchema, Type, Value } from '@keelson/sdk/typebox'
import fc from 'fast-check'
import { test } from 'tap'
import { type FitOptions, fit } from './fit.ts'

const smtp = Type.Object({
  kind: Type.Literal('smtp'),
  host: Type.String({ minLength: 1 }),
  port: Type.Integer({ default: 587 }),
  password: Type.Optional(Type.String({ secret: true }))
})
const sendgrid = Type.Object({
  kind: Type.Literal('sendgrid'),
  apiKey: Type.String({ secret: true, minLength: 4 }),
  sandbox: Type.Boolean({ default: false })
})
const provider = Type.Union([smtp, sendgrid])

const settle = (schema: TSchema, value: unknown, more: FitOptions = {}) =>
  fit(schema, value, { defaults: true, closed: true, ...more })
const faults = (schema: TSchema, value: unknown) =>
  settle(schema, value).faults.map((fault) =>
    fault.kind === 'unknown' ? `${fault.path}: ${fault.hint}` : `${fault.path} ${fault.reason}`
  )

test('a value of the second branch gets the defaults of that branch only', async (t) => {
  t.same(settle(provider, { kind: 'sendgrid', apiKey: 'SG.1' }), {
    value: { kind: 'sendgrid', apiKey: 'SG.1', sandbox: false },
    faults: []
  })
  t.match(settle(provider, { kind: 'smtp', host: 'a' }).value, { port: 587 })
})

test('without a discriminator the branch is the one that the value fits', async (t) => {
  const either = Type.Union([
    Type.Object({ host: Type.Optional(Type.String()), port: Type.Integer({ default: 1 }) }),
    Type.Object({ url: Type.String() }),
    Type.Null()
  ])
  t.same(settle(either, { url: 'x' }), { value: { url: 'x' }, faults: [] })
  t.same(settle(either, {}), { value: { port: 1 }, faults: [] })
  t.same(settle(either, null), { value: null, faults: [] })
})

test('the faults of a union are those of the branch that the discriminator names', async (t) => {
  t.same(faults(provider, { kind: 'sendgrid', apikey: 'SG.1' }), [
    'apikey: Did you mean apiKey?',
    'apiKey is missing'
  ])
  t.same(faults(provider, { kind: 'smtp', host: '', port: 'many' }), [
    'host must not have fewer than 1 characters',
    'port must be a whole number'
  ])
  const listed = Type.Object({ providers: Type.Array(provider) })
  t.same(faults(listed, { providers: [{ kind: 'smtp', host: 'a' }, { kind: 'sendgrid' }] }), [
    'providers[1].apiKey is missing'
  ])
})

test('a discriminator that names no branch is refused with those that it may name', async (t) => {
  t.same(faults(provider, { kind: 'sendgird', apiKey: 'SG.1' }), [
    'kind must be one of "smtp", "sendgrid"'
  ])
  t.same(faults(provider, 7), [' must be an object'])
})

test('a discriminator may name several branches, and be an enum', async (t) => {
  const nested = Type.Union([
    Type.Object({ kind: Type.Literal('a'), x: Type.Integer() }),
    Type.Object({ kind: Type.Union([Type.Literal('a'), Type.Literal('b')]), y: Type.Integer() }),
    Type.Object({ kind: Type.Enum(['c']), z: Type.Integer() })
  ])
  t.same(faults(nested, { kind: 'a', y: 1 }), [])
  t.same(faults(nested, { kind: 'c', y: 1, z: 2 }), ['y: Remove it, or use one of: kind, z.'])
})

test('an intersection applies all of its parts', async (t) => {
  const both = Type.Intersect([
    Type.Object({ name: Type.String(), size: Type.Integer({ default: 3 }) }),
    provider
  ])
  t.same(settle(both, { name: 'a', kind: 'sendgrid', apiKey: 'SG.1' }), {
    value: { name: 'a', size: 3, kind: 'sendgrid', apiKey: 'SG.1', sandbox: false },
    faults: []
  })
  t.same(faults(both, { name: 'a', kind: 'smtp', hots: 'b' }), [
    'hots: Did you mean host?',
    'host is missing'
  ])
})

test('placeholders become what the branch in force wants', async (t) => {
  const filled = new Map([
    ['p.port', 'N'],
    ['p.sandbox', 'N'],
    ['p.apiKey', 'N']
  ])
  const schema = Type.Object({ p: provider })
  t.match(settle(schema, { p: { kind: 'smtp', host: 'a', port: '25' } }, { filled }), {
    value: { p: { port: 25 } },
    faults: []
  })
  const other = { p: { kind: 'sendgrid', apiKey: '12345', sandbox: 'true' } }
  t.same(settle(schema, other, { filled }), {
    value: { p: { kind: 'sendgrid', apiKey: '12345', sandbox: true } },
    faults: []
  })
})

test('a placeholder becomes a number where the union takes words and numbers', async (t) => {
  const schema = Type.Object({ n: Type.Union([Type.Literal('auto'), Type.Integer()]) })
  const filled = new Map([['n', 'N']])
  t.same(fit(schema, { n: '7' }, { filled }).value, { n: 7 })
  t.same(fit(schema, { n: 'auto' }, { filled }).value, { n: 'auto' })
  const list = Type.Object({ n: Type.Array(Type.Integer()) })
  t.same(fit(list, { n: '1, 2' }, { filled }).value, { n: [1, 2] })
})

test('an empty placeholder that the schema does not take leaves the default', async (t) => {
  const schema = Type.Object({ n: Type.Integer({ default: 3 }) })
  t.same(settle(schema, { n: '' }, { filled: new Map([['n', 'N']]) }).value, { n: 3 })
})

test('references are followed, also those that lead back', async (t) => {
  const tree = Type.Cyclic(
    {
      Node: Type.Object({ size: Type.Integer({ default: 1 }), kids: Type.Array(Type.Ref('Node')) })
    },
    'Node'
  )
  t.same(settle(tree, { kids: [{ kids: [] }] }), {
    value: { kids: [{ kids: [], size: 1 }], size: 1 },
    faults: []
  })
  t.same(faults(tree, { kids: [{ kids: [], sise: 1 }] }), ['kids[0].sise: Did you mean size?'])
})

test('maps, tuples and lists are fitted item by item', async (t) => {
  const schema = Type.Object({
    byName: Type.Record(Type.String(), provider),
    pair: Type.Tuple([Type.String(), Type.Integer()])
  })
  t.match(settle(schema, { byName: { main: { kind: 'smtp', host: 'a' } }, pair: ['x', 1] }), {
    value: { byName: { main: { port: 587 } } },
    faults: []
  })
  t.same(faults(schema, { byName: { main: { kind: 'smtp' } }, pair: ['x', 'y'] }), [
    'byName.main.host is missing',
    'pair[1] must be a whole number'
  ])
})

test('names of the prototype are ordinary names', async (t) => {
  const schema = Type.Object({ constructor: Type.Integer({ default: 1 }) })
  t.same(settle(schema, {}), { value: { constructor: 1 }, faults: [] })
  t.same(faults(Type.Object({}), { toString: 1 }), [
    'toString: Remove it: nothing is allowed here.'
  ])
})

test('the allowed values of a secret are not named', async (t) => {
  const schema = Type.Object({
    one: Type.Literal('S3CR3T', { secret: true }),
    many: Type.Union([Type.Literal('S3CR3T'), Type.Literal('S3CR3T-2')], { secret: true })
  })
  t.notMatch(faults(schema, { one: 'x', many: 'y' }).join(' '), 'S3CR3T')
})

const own = Type.Object({
  list: Type.Array(provider, { maxItems: 2 }),
  names: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.Integer())),
  both: Type.Optional(
    Type.Intersect([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.String() })])
  )
})
const word = fc.constantFrom('smtp', 'sendgrid', 'SG.1', '', 'a', 'B')
const part = fc.oneof(word, fc.integer({ min: 0, max: 3 }), fc.boolean(), fc.constant(null))
const someProvider = fc.record(
  { kind: part, host: part, port: part, apiKey: part, sandbox: part },
  { requiredKeys: [] }
)
const someOwn = fc.record(
  {
    list: fc.array(someProvider, { maxLength: 3 }),
    names: fc.dictionary(word, part),
    both: fc.record({ a: part, b: part }, { requiredKeys: [] })
  },
  { requiredKeys: ['list'] }
)
const someManifest = fc.record(
  {
    id: fc.constant('shop'),
    version: fc.constant('1.0.0'),
    kernel: fc.constant('^1.0.0'),
    routes: fc.array(
      fc.record(
        { method: fc.constantFrom('GET', 'PUSH'), path: part, auth: fc.constantFrom('admin', 'x') },
        { requiredKeys: ['method'] }
      ),
      { maxLength: 2 }
    ),
    odd: part
  },
  { requiredKeys: ['id', 'version'] }
)

test('the walk through a schema finds faults exactly where the schema library refuses', (t) => {
  const cases = [
    [own, someOwn],
    [manifestSchema, someManifest]
  ] as const
  for (const [schema, values] of cases) {
    fc.assert(
      fc.property(values, (value) => {
        return Value.Check(schema, value) === (fit(schema, value).faults.length === 0)
      }),
      { numRuns: 300 }
    )
  }
  t.end()
})

test('a fault of a filled placeholder names its variable', async (t) => {
  const schema = Type.Object({ n: Type.Integer() })
  const { faults } = fit(schema, { n: 'many' }, { filled: new Map([['n', 'KEEP_DAYS']]) })
  t.match(faults, [{ reason: /a whole number; it comes from the environment variable KEEP_DAYS$/ }])
})
