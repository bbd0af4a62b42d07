// /openapi.json and /docs of a running host.
import { oauthProtect } from '@keelson/sdk/contracts/oauth-protect'
import { Type } from '@keelson/sdk/typebox'
import { test } from 'tap'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'
import { sampleRoute } from '../testing/sample-manifest.ts'

const plugin = samplePlugin(
  'alpha',
  {
    provides: ['oauth.protect/v1'],
    routes: [
      sampleRoute('GET', '/open'),
      sampleRoute('GET', '/items/:id', { auth: 'viewer', summary: 'One item' }),
      sampleRoute('POST', '/items', { auth: 'admin', rateLimit: { max: 9, windowSeconds: 1 } }),
      sampleRoute('POST', '/hook', { auth: 'machine' }),
      sampleRoute('GET', '/tools', { auth: 'bearer', scopes: ['t:read', 't:write'] }),
      sampleRoute('GET', '/files/*', { wildcard: 'Files.' })
    ]
  },
  {
    register(host) {
      host.provide(oauthProtect, () => async () => {})
      const handler = async () => ({})
      host.route({ method: 'GET', path: '/open', handler })
      host.route({
        method: 'GET',
        path: '/items/:id',
        schema: {
          params: Type.Object({ id: Type.String() }),
          response: { 200: Type.Object({ id: Type.String() }), 404: Type.Object({}) }
        },
        handler
      })
      host.route({
        method: 'POST',
        path: '/items',
        schema: { body: Type.Object({ name: Type.String() }) },
        handler
      })
      host.route({ method: 'POST', path: '/hook', verify: () => 1, handler })
      host.route({ method: 'GET', path: '/tools', handler })
      host.route({ method: 'GET', path: '/files/*', handler })
    }
  }
)

test('the document holds every declared route with its band', async (t) => {
  const { call } = await fakeHost(t, { plugins: [plugin], config: { shell: { title: 'Mine' } } })
  const { status, json } = await call({ url: '/openapi.json' })
  t.equal(status, 200)
  t.match(json, { openapi: /^3\./, info: { title: 'Mine', version: /.+/ } })
  t.same(Object.keys(json.paths).sort(), [
    '/alpha/files/{*}',
    '/alpha/hook',
    '/alpha/items',
    '/alpha/items/{id}',
    '/alpha/open',
    '/alpha/tools'
  ])
  t.match(json.paths['/alpha/items/{id}'].get, {
    summary: 'One item',
    tags: ['alpha'],
    security: [{ viewer: [] }],
    parameters: [{ name: 'id', in: 'path', required: true }],
    responses: {
      200: { description: 'Success.' },
      401: { description: /credentials/ },
      404: { description: 'Error.' }
    }
  })
  t.match(json.paths['/alpha/items'].post, {
    security: [{ viewer: [] }],
    requestBody: {},
    responses: { 401: {}, 403: {}, 429: {} }
  })
  t.match(json.paths['/alpha/hook'].post.security, [{ machine: [] }])
  t.match(json.paths['/alpha/tools'].get, {
    security: [{ bearer: [] }],
    description: /t:read, t:write/
  })
  t.equal(json.paths['/alpha/open'].get.security, undefined)
  t.same(json.paths['/alpha/files/{*}'].get.parameters[0].name, '*')
})

test('the page is of this host alone', async (t) => {
  const { call } = await fakeHost(t, { plugins: [plugin] })
  const { status, headers, text } = await call({ url: '/docs' })
  t.equal(status, 200)
  t.match(headers['content-type'], /^text\/html/)
  t.match(headers['content-security-policy'], "default-src 'self'")
  t.match(text, 'One item')
  t.notMatch(text, /(src|href)="?(https?:)?\/\//)
  const css = await call({ url: '/docs/docs.css' })
  t.match(css.headers['content-type'], /^text\/css/)
})

test('preflights of routes for other origins are not operations', async (t) => {
  const shared = samplePlugin(
    'alpha',
    { routes: [sampleRoute('GET', '/shared')] },
    {
      register(host) {
        const cors = { origin: '*', methods: ['GET'] } as const
        host.route({ method: 'GET', path: '/shared', cors, handler: async () => ({}) })
      }
    }
  )
  const { call } = await fakeHost(t, { plugins: [shared] })
  const headers = { origin: 'https://a.example', 'access-control-request-method': 'GET' }
  t.equal((await call({ method: 'OPTIONS', url: '/alpha/shared', headers })).status, 204)
  const { json } = await call({ url: '/openapi.json' })
  t.same(Object.keys(json.paths['/alpha/shared']), ['get'])
  t.match((await call({ url: '/docs' })).text, '1 operations')
})
