// The settings of a plugin as fields: their types, and that no secret is among their values.
import { Type } from '@keelson/sdk/typebox'
import fc from 'fast-check'
import { test } from 'tap'
import { fieldsOf } from './setting-fields.ts'

const schema = Type.Object({
  enabled: Type.Boolean({ default: true, description: 'Whether it works.' }),
  size: Type.Integer({ minimum: 1, maximum: 9, title: 'Size' }),
  mode: Type.Union([Type.Literal('a'), Type.Literal('b')]),
  inbound: Type.Object({
    secret: Type.Optional(Type.String({ secret: true })),
    path: Type.Optional(Type.String())
  }),
  hosts: Type.Array(Type.String()),
  tokens: Type.Array(Type.Object({ token: Type.String({ secret: true }), actor: Type.String() })),
  byName: Type.Record(Type.String(), Type.Object({ kind: Type.String() }))
})

test('each setting becomes the field of its type', async (t) => {
  const value = { enabled: false, size: 3, mode: 'b', inbound: { secret: 's3cret' }, hosts: ['x'] }
  const plain = { isSecret: false, isSet: true, isChanged: false }
  const unset = { ...plain, isSet: false }
  const rows = [
    { path: 'enabled', title: 'enabled', description: 'Whether it works.', type: 'boolean' },
    { path: 'size', title: 'Size', type: 'integer', minimum: 1, maximum: 9 },
    { path: 'mode', title: 'mode', type: 'choice', choices: ['a', 'b'] },
    { path: 'inbound.secret', title: 'inbound.secret', type: 'text' },
    { path: 'inbound.path', title: 'inbound.path', type: 'text' },
    { path: 'hosts', title: 'hosts', type: 'json' },
    { path: 'tokens', title: 'tokens', type: 'json' },
    { path: 'byName', title: 'byName', type: 'json' }
  ]
  const states = [
    { ...plain, value: false },
    { ...plain, isChanged: true, value: 3 },
    { ...plain, value: 'b' },
    { ...plain, isSecret: true },
    unset,
    { ...plain, value: ['x'] },
    { ...unset, isSecret: true },
    unset
  ]
  const fields = fieldsOf({ schema, value, changed: { size: 3 } })
  t.same(
    fields,
    rows.map((row, at) => ({ ...row, ...states[at] }))
  )
})

test('no value that any branch marks secret is in a field, wherever it is', async (t) => {
  const secret = Type.String({ secret: true })
  const shapes = [
    Type.Object({ a: secret }),
    Type.Object({ a: Type.Object({ b: Type.Optional(secret), c: Type.String() }) }),
    Type.Object({ a: Type.Array(secret) }),
    Type.Object({ a: Type.Union([secret, Type.Object({ b: secret })]) }),
    Type.Object({ a: Type.Record(Type.String(), Type.Union([Type.Number(), secret])) }),
    Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ a: secret })])
  ]
  const hidden = 'not-to-be-seen'
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      fc.constant(hidden),
      fc.array(tie('any'), { maxLength: 2 }),
      fc.record({ a: tie('any'), b: tie('any') }, { requiredKeys: [] })
    )
  })).any
  fc.assert(
    fc.property(fc.constantFrom(...shapes), value, (shape, a) => {
      const fields = fieldsOf({ schema: shape, value: { a }, changed: {} })
      const isMarked = (path: string) => path !== 'a.c'
      return fields.every(
        (field) => !isMarked(field.path) || !JSON.stringify(field).includes(hidden)
      )
    })
  )
  t.pass()
})
