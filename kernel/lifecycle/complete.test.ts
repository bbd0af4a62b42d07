// What plugins do once all of them are registered: routes of contributions, below a declared wildcard.
import { defineExtensionPoint, type Host } from '@keelson/sdk'
import { oauthProtect } from '@keelson/sdk/contracts/oauth-protect'
import type { FastifyRequest } from 'fastify'
import { test } from 'tap'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'
import { sampleRoute } from '../testing/sample-manifest.ts'

const words = defineExtensionPoint<{ readonly word: string }>('alpha.words/v1')
const answer = async () => ({})

const alphaRoutes = {
  extensionPoints: [words.id],
  routes: [
    {
      method: 'GET',
      at: '/admin/words/*',
      auth: 'admin',
      summary: 'Words of plugins',
      wildcard: 'Of plugins.'
    },
    {
      method: 'POST',
      at: '/admin/words/*',
      auth: 'admin',
      summary: 'Changes',
      wildcard: 'Of plugins.',
      bodyLimit: 100,
      rateLimit: { max: 1, windowSeconds: 60 }
    }
  ]
}

/** alpha makes a route of each contributed word; it is registered before what uses it. */
const alpha = samplePlugin('alpha', alphaRoutes, {
  register(host) {
    host.onRegistered((app) => {
      for (const [at, { word }] of host.contributions(words).entries()) {
        const plugin = host.contributors(words)[at]
        const schema = { summary: `The word ${word}` }
        app.get(`/admin/words/${word}`, { schema }, async () => ({ plugin }))
        app.post(`/admin/words/${word}`, answer)
      }
    })
  }
})

const speaker = (id: string, word: string) =>
  samplePlugin(id, { uses: [words.id] }, { register: (host) => host.extend(words, { word }) })

test('routes of contributions are made when every plugin is registered', async (t) => {
  const { call } = await fakeHost(t, {
    plugins: [alpha, speaker('beta', 'hello'), speaker('gamma', 'bye')]
  })
  const viewer = 'acme:admin'
  t.same((await call({ url: '/admin/words/hello', viewer })).json, { plugin: 'beta' })
  t.same((await call({ url: '/admin/words/bye', viewer })).json, { plugin: 'gamma' })
  t.equal((await call({ url: '/admin/words/hello' })).status, 401)
  t.equal((await call({ url: '/admin/words/hello', viewer: 'acme:viewer' })).status, 403)
  t.equal((await call({ url: '/admin/words/other', viewer })).status, 404)
})

test('what the wildcard declares is the limit of the routes below it, together', async (t) => {
  const { call } = await fakeHost(t, { plugins: [alpha, speaker('beta', 'hello')] })
  const post = (bytes: number) =>
    call({
      method: 'POST',
      url: '/admin/words/hello',
      viewer: 'acme:admin',
      payload: { text: 'x'.repeat(bytes) }
    })
  t.equal((await post(200)).status, 413)
  t.equal((await post(10)).status, 429)
})

test('a route below a wildcard is documented with its own summary', async (t) => {
  const { call } = await fakeHost(t, { plugins: [alpha, speaker('beta', 'hello')] })
  const { paths } = (await call({ url: '/openapi.json' })).json
  t.match(paths['/admin/words/hello'], {
    get: { summary: 'The word hello', tags: ['alpha'], security: [{ viewer: [] }] },
    post: { summary: 'Changes' }
  })
})

test('a wildcard without any route below it is missing', async (t) => {
  await t.rejects(fakeHost(t, { plugins: [alpha] }), { code: 'KRN_ROUTE_MISSING' })
})

test('a bearer wildcard does not stand for routes below it', async (t) => {
  const more = { auth: 'bearer', wildcard: 'Of senders.', scopes: ['a'] }
  const routes = [sampleRoute('GET', '/hooks/*', more)]
  const plugin = samplePlugin(
    'alpha',
    { routes, provides: ['oauth.protect/v1'] },
    {
      register(host) {
        host.provide(oauthProtect, () => async () => {})
        host.fastify.get('/hooks/one', answer)
      }
    }
  )
  await t.rejects(fakeHost(t, { plugins: [plugin] }), { code: 'KRN_ROUTE_UNDECLARED' })
})

test('each route below a machine wildcard has its own verifier', async (t) => {
  const more = { auth: 'machine', wildcard: 'Of senders.' }
  const routes = [sampleRoute('GET', '/hooks/*', more)]
  const knows = (name: string) => ({
    config: { verify: ({ headers }: FastifyRequest) => headers['x-sender'] === name }
  })
  const plugin = samplePlugin(
    'alpha',
    { routes },
    {
      register(host) {
        host.fastify.get('/hooks/one', knows('one'), answer)
        host.fastify.get('/hooks/two', knows('two'), answer)
      }
    }
  )
  const { call } = await fakeHost(t, { plugins: [plugin] })
  const headers = { 'x-sender': 'two' }
  t.match(await call({ url: '/alpha/hooks/two', headers }), { status: 200 })
  t.match(await call({ url: '/alpha/hooks/one', headers }), { status: 401 })
})

test('a plugin that fails then and may fail answers 503, and others go on', async (t) => {
  const failing = samplePlugin('alpha', alphaRoutes, {
    register(host) {
      host.onRegistered((app) => {
        app.get('/admin/words/first', answer)
        throw new Error('no luck')
      })
    }
  })
  const { call } = await fakeHost(t, {
    config: { plugins: { alpha: { onFailure: 'disable' } } },
    plugins: [failing, samplePlugin('beta', { routes: [sampleRoute('GET', '/ping')] })]
  })
  const viewer = 'acme:admin'
  t.match(await call({ url: '/admin/words/first', viewer }), { status: 503 })
  t.match(await call({ url: '/beta/ping' }), { status: 200 })
})

test('a plugin that fails then and must not fail ends the start', async (t) => {
  const failing = samplePlugin(
    'alpha',
    {},
    {
      register(host) {
        host.onRegistered(() => {
          throw new Error('no luck')
        })
      }
    }
  )
  await t.rejects(fakeHost(t, { plugins: [failing] }), {
    code: 'KRN_REGISTER_FAILED',
    message: /no luck/
  })
})

test('jobs and nested plugins may come then, and nothing after it', async (t) => {
  let kept: Host | undefined
  const plugin = samplePlugin(
    'alpha',
    {
      jobs: [{ name: 'sweep', every: '1 minute' }],
      routes: [sampleRoute('GET', '/a/*', { wildcard: 'Files.' })]
    },
    {
      register(host) {
        kept = host
        host.onRegistered(async (app) => {
          await app.register(async (nested) => void nested.get('/b', answer), {
            prefix: '/alpha/a'
          })
          host.job('sweep', () => {}, { every: '5 seconds' })
        })
      }
    }
  )
  const { call, seen } = await fakeHost(t, { plugins: [plugin] })
  t.equal((await call({ url: '/alpha/a/b' })).status, 200)
  t.match(seen.jobs, [{ spec: { name: 'sweep', every: '5 seconds' } }])
  t.throws(() => kept?.onRegistered(() => {}), { code: 'KRN_TOO_LATE' })
})

test('the public address of the platform is known without its slash', async (t) => {
  const seen: (string | undefined)[] = []
  const plugin = samplePlugin('alpha', {}, { register: (host) => void seen.push(host.publicUrl) })
  await fakeHost(t, { plugins: [plugin], config: { auth: { publicUrl: 'https://a.test/' } } })
  await fakeHost(t, { plugins: [plugin], config: { auth: { publicUrl: '' } } })
  t.same(seen, ['https://a.test', undefined])
})

test('the language of the platform is known, and English where none is set', async (t) => {
  const seen: string[] = []
  const plugin = samplePlugin('alpha', {}, { register: (host) => void seen.push(host.locale) })
  await fakeHost(t, { plugins: [plugin], config: { shell: { locale: 'de-AT' } } })
  await fakeHost(t, { plugins: [plugin] })
  t.same(seen, ['de-AT', 'en'])
})
