// `${NAME}` in the config, and the types it becomes.
import { type TSchema, Type } from '@keelson/sdk/typebox'
import { test } from 'tap'
import { fit } from '../manifest/fit.ts'
import { fillPlaceholders } from './placeholders.ts'

const env = { HOST: 'example.test', PORT: '8080', EMPTY: '' }

test('placeholders are filled from the environment, or with their default', async (t) => {
  const { value, missing, paths } = fillPlaceholders(
    { url: 'http://${HOST}:${PORT:80}/${PATH_PART:a:b}', list: ['${NONE:x}', 7, null], flag: true },
    env
  )
  t.same(value, { url: 'http://example.test:8080/a:b', list: ['x', 7, null], flag: true })
  t.same(missing, [])
  t.same([...paths.keys()], ['url', 'list[0]'])
})

test('what is set to nothing counts as not set', async (t) => {
  t.equal(fillPlaceholders('${EMPTY:else}', env).value, 'else')
  t.same(fillPlaceholders({ a: ['${EMPTY}'] }, env).missing, [{ path: 'a[0]', variable: 'EMPTY' }])
})

test('a default may hold placeholders', async (t) => {
  const text = '${PUBLIC_URL:http://${HOST:127.0.0.1}:${PORT_OF_WEB:3000}}/'
  t.equal(fillPlaceholders(text, env).value, 'http://example.test:3000/')
  t.equal(fillPlaceholders(text, { PUBLIC_URL: '${HOST}' }).value, '${HOST}/')
  t.same(fillPlaceholders('${A:${B}}', env).missing, [{ path: '', variable: 'B' }])
})

test('an escaped placeholder stays as text', async (t) => {
  const { value, paths } = fillPlaceholders('$${HOST} and ${', env)
  t.equal(value, '${HOST} and ${')
  t.equal(paths.size, 0)
})

const coerced = (schema: TSchema, text: string) =>
  fit(Type.Object({ a: schema }), { a: text }, { filled: new Map([['a', 'A']]) }).value

test('a filled string becomes what the schema wants', async (t) => {
  t.same(coerced(Type.Integer(), '7'), { a: 7 })
  t.same(coerced(Type.Number(), '0.5'), { a: 0.5 })
  t.same(coerced(Type.Boolean(), 'true'), { a: true })
  t.same(coerced(Type.Boolean(), 'false'), { a: false })
  t.same(coerced(Type.Union([Type.Number(), Type.Null()]), 'null'), { a: null })
  t.same(coerced(Type.Array(Type.String()), 'a, b'), { a: ['a', 'b'] })
  t.same(coerced(Type.String(), '7'), { a: '7' })
  t.same(coerced(Type.Union([Type.String(), Type.Number()]), '7'), { a: '7' })
})

test('what cannot become it stays, for the check to name', async (t) => {
  t.same(coerced(Type.Integer(), 'many'), { a: 'many' })
  t.same(coerced(Type.Boolean(), 'yes'), { a: 'yes' })
})

test('an empty one that the schema does not take is left out', async (t) => {
  t.same(coerced(Type.Integer(), ''), {})
  t.same(coerced(Type.String({ minLength: 1 }), ''), {})
  t.same(coerced(Type.String(), ''), { a: '' })
})

test('a string that held no placeholder keeps its type', async (t) => {
  const schema = Type.Object({ a: Type.Integer(), b: Type.Array(Type.Integer()) })
  const filled = new Map([
    ['b[0]', 'N'],
    ['c', 'N']
  ])
  t.same(fit(schema, { a: '7', b: ['8'], c: '9' }, { filled }).value, {
    a: '7',
    b: [8],
    c: '9'
  })
})

test('the object of a union is looked into', async (t) => {
  const schema = Type.Union([Type.Null(), Type.Object({ n: Type.Integer() })])
  const filled = new Map([['x.n', 'N']])
  t.same(fit(schema, { n: '1' }, { path: 'x', filled }), { value: { n: 1 }, faults: [] })
})

const isDefaulted = (text: string, given: Readonly<Record<string, string>>) =>
  fillPlaceholders(text, given).defaulted.map(({ variable }) => variable)

test('a placeholder whose value in use is its default is noted, set or not', async (t) => {
  t.same(isDefaulted('${A:x}', {}), ['A'])
  t.same(isDefaulted('${A:x}', { A: '' }), ['A'], 'empty is not set')
  t.same(isDefaulted('${A:x}', { A: 'x' }), ['A'], 'set to what anyone can read')
  t.same(isDefaulted('${A:x}', { A: 'own' }), [])
  t.same(isDefaulted('${A:}', {}), [], 'an empty default gives nothing')
  t.same(isDefaulted('${A}', {}), [])
  t.same(isDefaulted('${A:x}-${B:y}', { A: 'own' }), ['B'], 'a part of the text is enough')
  t.same(isDefaulted('$${A:x}', {}), [])
})

test('of placeholders within a default the outer one is noted, unless all of it is given', async (t) => {
  t.same(isDefaulted('${A:${B:x}}', {}), ['A'])
  t.same(isDefaulted('${A:${B:x}}', { B: 'own' }), [])
  t.same(isDefaulted('${A:${B:x}}', { B: 'x' }), ['A'])
  t.same(isDefaulted('${A:key-${B:x}}', { B: 'own' }), ['A'])
  t.same(isDefaulted('${A:${B}}', {}), [])
})
