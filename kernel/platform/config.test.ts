// The platform's config: filled and checked.
import { test } from 'tap'
import { checkConfig } from './config.ts'
import { listOf } from './config-values.ts'

const check = (content: unknown, env: Record<string, string> = {}) =>
  checkConfig({ source: 'test.json', baseDir: '/', content }, env)

test('a good config comes with its types', async (t) => {
  const checked = check(
    {
      storage: { uri: '${URI:}' },
      plugins: { a: { enabled: '${ON:true}', config: { n: '${N:1}' } } }
    },
    { ON: 'false' }
  )
  t.match(checked, { ok: true, read: { config: { plugins: { a: { enabled: false } } } } })
  t.ok(checked.ok && checked.read.filled.has('plugins.a.config.n'))
})

test('unknown keys, wrong types and bad ids are refused by path', async (t) => {
  t.match(check({ pluginz: {} }), {
    ok: false,
    problems: [{ code: 'KRN_CONFIG_UNKNOWN_KEY', remedy: 'Did you mean plugins?' }]
  })
  t.match(check({ plugins: { a: { enabled: 'yes' } } }), {
    problems: [{ code: 'KRN_CONFIG_INVALID', message: /plugins\.a\.enabled/ }]
  })
  t.match(check({ plugins: { 'Not An Id': {} } }), { problems: [{ code: 'KRN_CONFIG_INVALID' }] })
  t.match(check([]), { problems: [{ message: /the content must be an object/ }] })
})

test('a placeholder without value or default is refused by its name', async (t) => {
  t.match(check({ shell: { title: '${TITLE}' } }), {
    ok: false,
    problems: [
      { code: 'KRN_CONFIG_PLACEHOLDER', message: /shell\.title.*TITLE.*\$\{TITLE:default\}/ }
    ]
  })
})

test('missing placeholders of a disabled plugin are ignored', async (t) => {
  t.ok(check({ plugins: { a: { enabled: false, config: { key: '${KEY}' } } } }).ok)
  t.notOk(check({ plugins: { a: { config: { key: '${KEY}' } } } }).ok)
})

test('addresses must be addresses', async (t) => {
  t.ok(check({ auth: { publicUrl: '', embedOrigins: '' } }).ok)
  t.ok(check({ auth: { publicUrl: 'https://a.example', embedOrigins: 'http://b.example:1' } }).ok)
  t.match(check({ auth: { publicUrl: 'a.example' } }), {
    problems: [{ code: 'KRN_CONFIG_INVALID', message: /auth\.publicUrl/ }]
  })
  t.match(check({ auth: { embedOrigins: ['https://a.example', '*'] } }), {
    problems: [{ message: /auth\.embedOrigins/ }]
  })
})

test('origins come as a list or in one string', async (t) => {
  t.same(listOf(undefined), [])
  t.same(listOf(''), [])
  t.same(listOf(['a', 'b, c']), ['a', 'b', 'c'])
})
