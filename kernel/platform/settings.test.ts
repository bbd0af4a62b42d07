// A plugin's config: defaults, refusals, secrets and the public part.
import { type TSchema, Type } from '@keelson/sdk/typebox'
import { test } from 'tap'
import { checkSettings } from './settings.ts'

const check = (schema: TSchema, value: unknown, filled: readonly string[] = []) =>
  checkSettings({
    plugin: 'alpha',
    schema,
    value,
    path: 'plugins.alpha.config',
    filled: new Map(filled.map((at) => [at, 'VALUE']))
  })

const settings = (schema: TSchema, value: unknown, filled?: readonly string[]) => {
  const checked = check(schema, value, filled)
  if (!checked.ok) throw checked.problems[0]
  return checked.settings
}

const schema = Type.Object({
  limit: Type.Integer({ default: 3 }),
  apiKey: Type.Optional(Type.String({ secret: true, minLength: 4 })),
  look: Type.Optional(
    Type.Object({
      title: Type.String({ default: 'Hello', public: true }),
      token: Type.Optional(Type.String({ secret: true, public: true }))
    })
  ),
  hosts: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), key: Type.String({ secret: true }) }), {
      public: true
    })
  )
})

test('defaults are applied at any depth', async (t) => {
  t.same(settings(schema, {}).all, { limit: 3 })
  t.same(settings(schema, { look: {} }).all, { limit: 3, look: { title: 'Hello' } })
})

test('defaults work on plain JSON Schema too', async (t) => {
  const plain = {
    type: 'object',
    properties: {
      list: { type: 'array', default: [1] },
      deep: { default: {}, type: 'object', properties: { a: { default: 1 } } }
    }
  }
  t.same(settings(plain as TSchema, {}).all, { list: [1], deep: { a: 1 } })
})

test('the config is frozen to its depth', async (t) => {
  const all = settings(schema, { look: {} }).all as { look: { title: string } }
  t.throws(() => {
    all.look.title = 'changed'
  })
})

test('an unknown key is refused also where the schema does not say so', async (t) => {
  const checked = check(schema, { limt: 3, look: { titel: 'x' } })
  t.notOk(checked.ok)
  t.match(checked, {
    problems: [
      { code: 'KRN_PLUGIN_CONFIG_UNKNOWN_KEY', plugin: 'alpha', remedy: 'Did you mean limit?' },
      { message: /plugins\.alpha\.config\.look\.titel/ }
    ]
  })
})

test('an open object may stay open', async (t) => {
  const open = Type.Object({ a: Type.Number() }, { additionalProperties: true })
  t.same(settings(open, { a: 1, b: 2 }).all, { a: 1, b: 2 })
})

test('a wrong value is refused by its path and never told', async (t) => {
  const checked = check(schema, { limit: 'many', apiKey: 'abc' })
  t.match(checked, {
    ok: false,
    problems: [
      {
        code: 'KRN_PLUGIN_CONFIG_INVALID',
        message: /config\.limit in its config must be a whole number/
      },
      { message: /plugins\.alpha\.config\.apiKey/ }
    ]
  })
  t.notMatch(JSON.stringify(checked), 'abc')
})

test('filled placeholders take the type of the schema', async (t) => {
  t.match(settings(schema, { limit: '7' }, ['plugins.alpha.config.limit']).all, { limit: 7 })
})

test('secrets are found wherever they are', async (t) => {
  const { secrets } = settings(schema, {
    apiKey: 'key-1',
    look: { token: 'key-2' },
    hosts: [{ name: 'a', key: 'key-3' }]
  })
  t.same([...secrets.values].sort(), ['key-1', 'key-2', 'key-3'])
  t.same([...secrets.fields].sort(), ['apiKey', 'key', 'token'])
})

test('everything below a secret field is secret', async (t) => {
  const nested = Type.Object({ keys: Type.Record(Type.String(), Type.String(), { secret: true }) })
  t.same(settings(nested, { keys: { a: 'one', b: '' } }).secrets, {
    values: ['one'],
    fields: ['keys'],
    places: [['plugins.alpha.config.keys.a', 'one']]
  })
})

test('only public fields are public, and never a secret one', async (t) => {
  const given = { apiKey: 'key-1', look: { token: 'key-2' }, hosts: [{ name: 'a', key: 'key-3' }] }
  t.same(settings(schema, given).public, { look: { title: 'Hello' }, hosts: [{ name: 'a' }] })
  t.same(settings(schema, {}).public, {})
})

test('secrets of an optional object in a union are found', async (t) => {
  const union = Type.Object({
    oauth: Type.Union([Type.Null(), Type.Object({ secret: Type.String({ secret: true }) })])
  })
  t.same(settings(union, { oauth: { secret: 'shh!' } }).secrets.values, ['shh!'])
})

test('a valid value of the second branch of a union is taken, and its key is secret', async (t) => {
  const provider = Type.Union([
    Type.Object({ kind: Type.Literal('smtp'), port: Type.Integer({ default: 587 }) }),
    Type.Object({ kind: Type.Literal('sendgrid'), apiKey: Type.String({ secret: true }) })
  ])
  const { all, secrets } = settings(provider, { kind: 'sendgrid', apiKey: 'SG.key' })
  t.same(all, { kind: 'sendgrid', apiKey: 'SG.key' })
  t.match(secrets, { values: ['SG.key'], fields: ['apiKey'] })
})

test('secrets of an intersection, of lists and of numbers are found', async (t) => {
  const schema = Type.Intersect([
    Type.Object({ pin: Type.Integer({ secret: true }) }),
    Type.Object({ keys: Type.Array(Type.String({ secret: true })) })
  ])
  t.same(settings(schema, { pin: 123456, keys: ['one', 'two'] }).secrets, {
    values: ['123456', 'one', 'two'],
    fields: ['pin', 'keys'],
    places: [
      ['plugins.alpha.config.pin', '123456'],
      ['plugins.alpha.config.keys[0]', 'one'],
      ['plugins.alpha.config.keys[1]', 'two']
    ]
  })
})

test('a field is public only in the branch that says so', async (t) => {
  const schema = Type.Union([
    Type.Object({ kind: Type.Literal('open'), name: Type.String({ public: true }) }),
    Type.Object({ kind: Type.Literal('shut'), name: Type.String() })
  ])
  t.same(settings(schema, { kind: 'open', name: 'a' }).public, { name: 'a' })
  t.same(settings(schema, { kind: 'shut', name: 'a' }).public, {})
})
