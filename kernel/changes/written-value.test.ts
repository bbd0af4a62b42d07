// Settings as they are stored: a secret is the name of a variable, wherever it is in a value.
import { Type } from '@keelson/sdk/typebox'
import fc from 'fast-check'
import { test } from 'tap'
import { writtenValue } from './written-value.ts'

const secret = Type.String({ secret: true })
const schema = Type.Object({
  title: Type.String(),
  inbound: Type.Object({ secret }),
  tokens: Type.Array(Type.Object({ token: secret, actor: Type.String() })),
  keys: Type.Record(Type.String(), Type.Union([Type.Number(), secret])),
  either: Type.Union([secret, Type.Object({ key: secret })])
})
const write = (path: string, value: unknown) =>
  writtenValue({ plugin: 'agent', path }, schema, value)

test('a secret within a list is written as the variable that it names, the rest as it is', (t) => {
  const tokens = [{ token: 'KEELSON_SECRET_CI', actor: 'agent:${ci}' }]
  t.same(write('tokens', tokens), [
    { token: '$' + '{KEELSON_SECRET_CI}', actor: 'agent:$$' + '{ci}' }
  ])
  t.same(write('inbound.secret', 'KEELSON_SECRET_A'), '$' + '{KEELSON_SECRET_A}')
  t.same(write('either', { key: 'KEELSON_SECRET_A' }), { key: '$' + '{KEELSON_SECRET_A}' })
  t.same(write('title', 'Acme'), 'Acme')
  t.end()
})

test('a secret that is not the name of a variable is refused with its path', (t) => {
  const rows: [string, unknown, string][] = [
    ['tokens', [{ token: 'plain', actor: 'a' }], 'tokens[0].token'],
    ['tokens', [{ token: 'KEELSON_SECRET_A' }, { token: 5 }], 'tokens[1].token'],
    ['keys', { a: 'plain' }, 'keys.a'],
    ['either', 'plain', 'either'],
    ['either', ['plain'], 'either[0]'],
    ['inbound.secret', null, 'inbound.secret']
  ]
  for (const [path, value, at] of rows) {
    const details = { plugin: 'agent', path: at }
    t.throws(() => write(path, value), { code: 'KRN_CHANGE_SECRET', details }, at)
  }
  t.end()
})

test('whatever is sent, no text that a schema marks secret is stored', (t) => {
  const hidden = 'not-to-be-stored'
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      fc.constant(hidden),
      fc.array(tie('any'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('token', 'key', 'a'), tie('any'), { maxKeys: 2 })
    )
  })).any
  fc.assert(
    fc.property(fc.constantFrom('inbound.secret', 'keys', 'either'), value, (path, given) => {
      try {
        const sent = path === 'keys' ? { a: given } : given
        return !JSON.stringify(write(path, sent)).includes(hidden)
      } catch (error) {
        return (error as { code?: unknown }).code === 'KRN_CHANGE_SECRET'
      }
    })
  )
  t.end()
})
