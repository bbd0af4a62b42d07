// Who is asking, on a running host: names of the platform, and secrets that anyone can read.
import { Type } from '@keelson/sdk/typebox'
import type { InjectOptions } from 'fastify'
import { test } from 'tap'
import { type FakeHostOptions, fakeHost, samplePlugin } from '../testing/fake-host.ts'
import { sampleRoute } from '../testing/sample-manifest.ts'

const alpha = samplePlugin('alpha', { routes: [sampleRoute('GET', '/open')] })
const PLACES = ['/alpha/open', '/alpha/none', '/', '/login', '/shell/nav', '/metrics', '/none']
const publicUrl = 'https://shop.example'

const asks = async (
  t: Parameters<typeof fakeHost>[0],
  options: FakeHostOptions,
  more: Pick<InjectOptions, 'headers'> = {}
) => {
  const { call } = await fakeHost(t, { plugins: [alpha], ...options })
  return (url: string, host: string) => call({ url, headers: { ...more.headers, host } })
}

test('a request for another name is refused at every address, and told the setting', async (t) => {
  const ask = await asks(t, { config: { auth: { publicUrl, hosts: 'app.test, b.test' } } })
  for (const url of PLACES) {
    const { status, json } = await ask(url, 'evil.test:3000')
    t.match({ status, json }, { status: 421, json: { error: 'unknown_host' } }, url)
    t.match(json.message, /`auth\.hosts`/)
  }
  for (const host of ['shop.example', 'app.test:8080', 'b.test', 'localhost:80', '[::1]:3000']) {
    t.equal((await ask('/alpha/open', host)).status, 200, host)
  }
})

test('health checks come by any name', async (t) => {
  const ask = await asks(t, { config: { auth: { publicUrl } } })
  for (const url of ['/health/live', '/health/ready', '/health/plugins?x=1']) {
    t.equal((await ask(url, '10.1.2.3:3000')).status, 200, url)
  }
  t.equal((await ask('/healthy', '10.1.2.3:3000')).status, 421)
})

test('the name that the host listens on is known, and holds without a public address', async (t) => {
  const ask = await asks(t, { listenHost: 'vm' })
  t.equal((await ask('/alpha/open', 'vm:3000')).status, 200)
  t.equal((await ask('/alpha/open', 'evil.test')).status, 421)
})

test('a host that gives neither takes every name', async (t) => {
  const ask = await asks(t, {})
  for (const url of ['/alpha/open', '/metrics']) {
    t.equal((await ask(url, 'evil.test')).status, 200, url)
  }
})

test('a name that a trusted proxy forwards must be known too', async (t) => {
  const options = { config: { auth: { publicUrl } }, fastify: { trustProxy: true } }
  const forwarded = async (name: string, host: string) =>
    (await asks(t, options, { headers: { 'x-forwarded-host': name } }))('/alpha/open', host)
  t.equal((await forwarded('shop.example', '127.0.0.1:3000')).status, 200)
  t.equal((await forwarded('evil.test', '127.0.0.1:3000')).status, 421)
  t.equal((await forwarded('shop.example', 'evil.test')).status, 421)
})

test('a name that no Host header has is refused in the config', async (t) => {
  const auth = { publicUrl, hosts: ['https://app.test/'] }
  await t.rejects(fakeHost(t, { config: { auth } }), { code: 'KRN_CONFIG_INVALID' })
})

const secretive = samplePlugin(
  'alpha',
  {},
  { config: Type.Object({ key: Type.String({ secret: true }), word: Type.String() }) }
)
const plugins = { alpha: { config: { key: '${KEY:demo}', word: '${WORD:plain}' } } }
const start = (
  t: Parameters<typeof fakeHost>[0],
  { env = {}, auth = {}, ...more }: FakeHostOptions & { env?: object; auth?: object }
) =>
  fakeHost(t, {
    plugins: [secretive],
    config: { auth, plugins },
    seams: { env: { ...env } },
    ...more
  })

test('where others can reach the host, secrets with their default end the start', async (t) => {
  const refused = { code: 'KRN_SECRETS_PUBLISHED', message: /KEY \(plugins\.alpha\.config\.key\)/ }
  for (const listenHost of ['0.0.0.0', '::', '10.0.0.7', 'vm']) {
    await t.rejects(start(t, { listenHost }), refused, listenHost)
  }
  await t.rejects(start(t, { auth: { publicUrl } }), refused)
  await t.rejects(start(t, { auth: { publicUrl }, env: { KEY: '' } }), refused, 'empty')
  await t.rejects(start(t, { auth: { publicUrl }, env: { KEY: 'demo' } }), refused, 'repeated')
  await start(t, { auth: { publicUrl }, listenHost: '0.0.0.0', env: { KEY: 'own' } })
})

test('on this machine the defaults stay', async (t) => {
  for (const listenHost of ['127.0.0.1', '::1', 'localhost']) await start(t, { listenHost })
  await start(t, { auth: { publicUrl: 'http://localhost:8080' } })
  await start(t, {})
})
