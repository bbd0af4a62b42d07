// Preflights of embed origins at the addresses of plugins, alone and in a host that has its own CORS.
import { fastifyCors } from '@fastify/cors'
import { test } from 'tap'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'
import { sampleRoute } from '../testing/sample-manifest.ts'

const ADMIN = 'https://admin.example'
const OTHER = 'https://other.example'
const config = { auth: { embedOrigins: [ADMIN] } }
const routes = [
  sampleRoute('GET', '/items', { auth: 'viewer' }),
  sampleRoute('POST', '/items', { auth: 'admin' }),
  sampleRoute('DELETE', '/items/:id', { auth: 'admin' }),
  sampleRoute('GET', '/open'),
  sampleRoute('POST', '/open')
]
const ADDRESSES = ['/alpha/items', '/alpha/items/7', '/openapi.json']

const plugin = () =>
  samplePlugin(
    'alpha',
    { routes },
    {
      register(host) {
        const handler = async () => ({})
        for (const { method, path } of routes) {
          const isOwn = path === '/open' && method === 'POST'
          const cors = { origin: '*' as const, methods: ['POST'] }
          host.route({ method, path, handler, ...(isOwn && { cors }) })
        }
      }
    }
  )

const preflight = (url: string, origin: string) => ({
  method: 'OPTIONS' as const,
  url,
  headers: {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type, if-match, authorization'
  }
})

for (const host of ['without CORS', 'with CORS of its own'] as const) {
  test(`a host ${host}: each address answers the preflight of an embed origin`, async (t) => {
    const { call } = await fakeHost(t, {
      config,
      plugins: [plugin()],
      before(app) {
        if (host === 'with CORS of its own') app.register(fastifyCors, { origin: [OTHER] })
        app.get('/orders', () => 'of the host')
      }
    })
    for (const url of ADDRESSES) {
      const { status, headers } = await call(preflight(url, ADMIN))
      t.equal(status, 204, url)
      t.match(headers, {
        'access-control-allow-origin': ADMIN,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': /POST, PUT, PATCH, DELETE/,
        'access-control-allow-headers': /content-type.*authorization.*if-match/
      })
      const foreign = await call(preflight(url, 'https://evil.example'))
      t.notOk(foreign.headers['access-control-allow-origin'], url)
    }
    const orders = await call(preflight('/orders', ADMIN))
    t.notOk(orders.headers['access-control-allow-origin'], 'routes of the host stay the host’s')
    const refused = await call({ url: '/alpha/items', headers: { origin: ADMIN } })
    t.equal(refused.status, 401)
    t.equal(refused.headers['access-control-allow-origin'], ADMIN, 'a page reads the refusal')
    t.match(refused.headers['access-control-expose-headers'], 'etag')
  })
}

test('an address of which one route has its own policy answers by it', async (t) => {
  const { call } = await fakeHost(t, { config, plugins: [plugin()] })
  const { status, headers } = await call(preflight('/alpha/open', OTHER))
  t.equal(status, 204)
  t.match(headers, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST'
  })
  t.notOk(headers['access-control-allow-credentials'])
})

test('without embed origins no address answers a preflight', async (t) => {
  const { call } = await fakeHost(t, { plugins: [plugin()] })
  t.equal((await call(preflight('/alpha/items', ADMIN))).status, 404)
})
