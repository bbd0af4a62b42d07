// Which secrets of a config anyone can read in it: judged by the values in use, found by the marks of the schemas.
import type { KeelsonConfig } from '@keelson/sdk'
import { Type } from '@keelson/sdk/typebox'
import fc from 'fast-check'
import { test } from 'tap'
import { fillPlaceholders } from './placeholders.ts'
import { publishedSecrets } from './published-secrets.ts'
import { checkSettings } from './settings.ts'

const schema = Type.Object({
  key: Type.Optional(Type.String({ secret: true })),
  url: Type.Optional(Type.String({ secret: true })),
  pin: Type.Optional(Type.Integer({ secret: true })),
  name: Type.Optional(Type.String()),
  tokens: Type.Optional(Type.Array(Type.Object({ token: Type.String({ secret: true }) }))),
  list: Type.Optional(Type.Array(Type.String(), { secret: true }))
})

/** The variables of published secrets, of a plugin with this config and of a platform with this storage. */
function variablesOf(
  config: object,
  env: Readonly<Record<string, string>> = {},
  storage: object = {}
): string[] {
  const platform = { storage, plugins: { alpha: { config } } }
  const { value, paths, defaulted } = fillPlaceholders(platform, env)
  const filled = value as KeelsonConfig
  const checked = checkSettings({
    plugin: 'alpha',
    schema,
    value: filled.plugins?.['alpha']?.config,
    path: 'plugins.alpha.config',
    filled: paths
  })
  const secrets = checked.ok ? checked.settings.secrets.places : []
  return publishedSecrets({ config: filled, defaulted, secrets }).map(({ variable }) => variable)
}

test('a secret with the default of its placeholder is published, wherever it is', (t) => {
  t.same(variablesOf({ key: '${KEY:demo}', name: '${NAME:demo}' }), ['KEY'])
  t.same(variablesOf({ tokens: [{ token: '${A:one}' }, { token: '${B:two}' }] }), ['A', 'B'])
  t.same(variablesOf({ list: '${LIST:one,two}' }), ['LIST'], 'a string that becomes a list')
  t.same(variablesOf({ pin: '${PIN:1234}' }), ['PIN'])
  t.same(variablesOf({}, {}, { uri: '${URI:mongodb://a:b@one,two/x}' }), ['URI'])
  t.end()
})

test('an empty variable is not set, and one that repeats the default changes nothing', (t) => {
  t.same(variablesOf({ key: '${KEY:demo}' }, { KEY: '' }), ['KEY'])
  t.same(variablesOf({ key: '${KEY:demo}' }, { KEY: 'demo' }), ['KEY'])
  t.same(variablesOf({ key: '${KEY:demo}' }, { KEY: 'own' }), [])
  t.end()
})

test('a secret without a default, or with an empty one, is not published', (t) => {
  t.same(variablesOf({ key: '${KEY:}' }), [])
  t.same(variablesOf({ key: '${KEY}' }, { KEY: 'own' }), [])
  t.same(variablesOf({ key: 'literal' }), [])
  t.end()
})

test('an address is a secret only with credentials, and a web address with a path', (t) => {
  t.same(variablesOf({ url: '${URL:smtp://127.0.0.1:${PORT:2525}}' }), [])
  t.same(variablesOf({ url: '${URL:smtp://me:word@127.0.0.1}' }), ['URL'])
  t.same(variablesOf({}, {}, { uri: '${URI:mongodb://one:1,two:2/shop?replicaSet=a}' }), [])
  t.same(variablesOf({ url: '${URL:https://hooks.example/T0/B0}' }), ['URL'])
  t.end()
})

test('a variable is named once', (t) => {
  t.same(variablesOf({ key: '${KEY:demo}', list: ['${KEY:demo}'] }), ['KEY'])
  t.end()
})

test('of any secrets exactly those are published whose value is the default', (t) => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/)
  const secret = fc.record({ standard: word, given: fc.option(fc.oneof(word, fc.constant(''))) })
  fc.assert(
    fc.property(fc.array(secret, { maxLength: 6 }), (all) => {
      const tokens = all.map(({ standard }, at) => ({ token: `\${V${at}:${standard}}` }))
      const env = Object.fromEntries(all.map(({ given }, at) => [`V${at}`, given ?? '']))
      const expected = all.flatMap(({ standard, given }, at) =>
        (given || standard) === standard ? [`V${at}`] : []
      )
      return variablesOf({ tokens }, env).join() === expected.join()
    })
  )
  t.end()
})
