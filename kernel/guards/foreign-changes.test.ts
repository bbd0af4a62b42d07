// What a page of another site can make a browser do: nothing that changes anything.
import { test } from 'tap'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'
import { guarded } from '../testing/guarded-plugin.ts'
import { sampleRoute } from '../testing/sample-manifest.ts'

const viewer = 'acme:viewer'

test('a change that carries a cookie needs an origin of this host', async (t) => {
  const { call } = await fakeHost(t, {
    plugins: [guarded],
    config: {
      auth: {
        publicUrl: 'https://shop.example',
        hosts: 'app.test',
        embedOrigins: ['https://admin.example']
      }
    }
  })
  const post = (headers: Record<string, string>) =>
    call({
      url: '/alpha/mine',
      method: 'POST',
      viewer,
      payload: {},
      headers: { host: 'app.test', ...headers }
    })
  t.equal((await post({})).status, 200)
  for (const origin of ['http://app.test', 'https://shop.example', 'https://admin.example']) {
    t.equal((await post({ cookie: 'sid=1', origin })).status, 200, origin)
  }
  for (const origin of ['null', 'http://evil.test', 'http://app.test.evil.test']) {
    t.match(await post({ cookie: 'sid=1', origin }), { status: 403, json: { error: 'bad_origin' } })
  }
  t.equal((await post({ cookie: 'sid=1' })).status, 403)
  t.equal((await call({ url: '/alpha/mine', viewer, headers: { cookie: 'sid=1' } })).status, 200)
})

test('a page of another site changes nothing, whatever the browser signs with', async (t) => {
  const { call } = await fakeHost(t, {
    plugins: [guarded],
    config: { auth: { embedOrigins: ['https://admin.example'] } }
  })
  const post = (headers: Record<string, string>) =>
    call({ url: '/alpha/mine', method: 'POST', viewer, payload: {}, headers })
  const foreign: readonly Record<string, string>[] = [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' }
  ]
  // The sample host signs in by its own header; certificates and the network work the same way.
  for (const signed of [{}, { authorization: 'Basic dXNlcjpwYXNz' }]) {
    for (const headers of foreign) {
      const { status, json } = await post({ ...signed, ...headers })
      t.match({ status, json }, { status: 403, json: { error: 'bad_origin' } })
    }
    t.equal((await post({ ...signed, origin: 'http://localhost' })).status, 200)
    t.equal((await post({ ...signed, origin: 'https://admin.example' })).status, 200)
    t.equal((await post(signed)).status, 200, 'a program')
  }
  t.equal((await post({ authorization: 'Bearer token', origin: 'https://spa.test' })).status, 200)
})

test('a change that a page of another site makes at a public route has no viewer', async (t) => {
  const plugin = samplePlugin(
    'alpha',
    { routes: [sampleRoute('POST', '/open')] },
    {
      register(host) {
        const handler = async (_request: unknown, _reply: unknown, context: { viewer: unknown }) =>
          context.viewer ?? {}
        host.route({ method: 'POST', path: '/open', viewer: 'optional', handler })
      }
    }
  )
  const { call } = await fakeHost(t, { plugins: [plugin] })
  const post = async (headers: Record<string, string>) =>
    (await call({ url: '/alpha/open', method: 'POST', viewer, payload: {}, headers })).json
  t.match(await post({ cookie: 'sid=1', origin: 'http://localhost' }), { role: 'viewer' })
  t.same(await post({ cookie: 'sid=1', origin: 'https://evil.test' }), {})
  t.same(await post({ origin: 'https://evil.test' }), {})
})

test('a machine route takes no Basic credentials from a page of another site', async (t) => {
  const plugin = samplePlugin(
    'alpha',
    { routes: [sampleRoute('POST', '/hook', { auth: 'machine' })] },
    {
      register(host) {
        host.route({ method: 'POST', path: '/hook', verify: () => true, handler: async () => ({}) })
      }
    }
  )
  const { call } = await fakeHost(t, { plugins: [plugin] })
  const post = async (authorization: string, headers: Record<string, string> = {}) =>
    (await call({ url: '/alpha/hook', method: 'POST', headers: { authorization, ...headers } }))
      .status
  const evil = { origin: 'https://evil.test' }
  t.equal(await post('Basic dTpw'), 200)
  t.equal(await post('Basic dTpw', evil), 403)
  t.equal(await post('Basic dTpw', { 'sec-fetch-site': 'cross-site' }), 403)
  t.equal(await post('Bearer key', evil), 200)
})
