// Cross-origin rules of routes, alone and in a host that uses @fastify/cors too.
import { fastifyCors } from '@fastify/cors'
import Fastify, { type FastifyInstance } from 'fastify'
import { test } from 'tap'
import {
  acceptCrossOrigin,
  type CorsPolicy,
  corsConfig,
  corsHeaders,
  corsHook
} from './cross-origin.ts'

const SHOP = 'https://shop.example'
const OTHER = 'https://other.example'
const PREFLIGHT = { origin: SHOP, 'access-control-request-method': 'POST' }

const ofShop: CorsPolicy = {
  origin: (origin) => origin === SHOP,
  methods: ['GET', 'POST'],
  allowedHeaders: ['content-type'],
  exposedHeaders: ['retry-after']
}

async function routes(app: FastifyInstance): Promise<void> {
  acceptCrossOrigin(app)
  const config = corsConfig(ofShop)
  app.get('/', { config }, async () => ({}))
  app.post('/', { config }, async () => ({}))
  app.get('/private', async () => ({}))
  app.get('/broken', { config }, async () => {
    throw new Error('broken')
  })
}

async function open(
  t: { teardown(fn: () => unknown): void },
  prepare: (app: FastifyInstance) => unknown
) {
  const app = Fastify()
  t.teardown(() => app.close())
  await prepare(app)
  await app.ready()
  return app
}

const below = (app: FastifyInstance) => app.register(routes, { prefix: '/api' })
const corsOf = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^(access-control-|vary$)/.test(name))
  )

test('a preflight says what the policy of its address allows', async (t) => {
  const app = await open(t, below)
  for (const url of ['/api', '/api/']) {
    const { statusCode, headers } = await app.inject({ method: 'OPTIONS', url, headers: PREFLIGHT })
    t.equal(statusCode, 204, url)
    t.same(corsOf(headers), {
      'access-control-allow-origin': SHOP,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'content-type',
      'access-control-expose-headers': 'retry-after',
      'access-control-max-age': '600',
      vary: 'Origin'
    })
  }
})

test('a page of an allowed origin reads every answer, errors too; others read none', async (t) => {
  const app = await open(t, below)
  for (const url of ['/api', '/api/broken']) {
    const allowed = await app.inject({ url, headers: { origin: SHOP } })
    t.same(corsOf(allowed.headers), {
      'access-control-allow-origin': SHOP,
      'access-control-expose-headers': 'retry-after',
      vary: 'Origin'
    })
    for (const headers of [{}, { origin: OTHER }]) {
      t.same(corsOf((await app.inject({ url, headers })).headers), { vary: 'Origin' })
    }
  }
  const refused = await app.inject({
    method: 'OPTIONS',
    url: '/api',
    headers: { ...PREFLIGHT, origin: OTHER }
  })
  t.same([refused.statusCode, corsOf(refused.headers)], [204, { vary: 'Origin' }])
})

test('routes without a policy and unknown addresses have neither headers nor preflights', async (t) => {
  const app = await open(t, below)
  const plain = await app.inject({ url: '/api/private', headers: { origin: SHOP } })
  t.same([plain.statusCode, corsOf(plain.headers)], [200, {}])
  for (const url of ['/api/private', '/api/none', '/none']) {
    const { statusCode, headers } = await app.inject({ method: 'OPTIONS', url, headers: PREFLIGHT })
    t.same([statusCode, corsOf(headers)], [404, {}], url)
  }
})

test('a host may register @fastify/cors before or after us: our routes keep their own policy', async (t) => {
  const options = { origin: [OTHER], credentials: true, exposedHeaders: ['x-host'] }
  const before = await open(t, async (app) => {
    await app.register(fastifyCors, options)
    app.get('/host', async () => ({}))
    await below(app)
  })
  const after = await open(t, async (app) => {
    await below(app)
    await app.register(fastifyCors, options)
    app.get('/host', async () => ({}))
  })
  for (const app of [before, after]) {
    const ours = await app.inject({ url: '/api', headers: { origin: SHOP } })
    t.same(corsOf(ours.headers), {
      'access-control-allow-origin': SHOP,
      'access-control-expose-headers': 'retry-after',
      vary: 'Origin'
    })
    const preflight = await app.inject({ method: 'OPTIONS', url: '/api', headers: PREFLIGHT })
    t.match(preflight.headers, { 'access-control-allow-origin': SHOP })
    t.equal(preflight.headers['access-control-allow-credentials'], undefined)
    const theirs = await app.inject({ url: '/host', headers: { origin: OTHER } })
    t.match(theirs.headers, {
      'access-control-allow-origin': OTHER,
      'access-control-allow-credentials': 'true'
    })
  }
})

test('the hook of a scope answers preflights at all addresses, and yields to policies of routes', async (t) => {
  const app = await open(t, async (host) => {
    const policy = { ...ofShop, origin: () => true, credentials: true }
    host.addHook('onRequest', corsHook(policy))
    await below(host)
  })
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/api/private',
    headers: { ...PREFLIGHT, origin: OTHER }
  })
  t.equal(preflight.statusCode, 204)
  t.match(preflight.headers, {
    'access-control-allow-origin': OTHER,
    'access-control-allow-credentials': 'true'
  })
  const own = await app.inject({ url: '/api', headers: { origin: OTHER } })
  t.same(corsOf(own.headers), { vary: 'Origin' })
})

test('a policy that is known late adds its headers to one answer', async (t) => {
  const allow = corsHeaders({ ...ofShop, credentials: true })
  const app = await open(t, (host) =>
    host.route({
      method: ['GET', 'OPTIONS'],
      url: '/',
      handler: async (request, reply) => {
        reply.header('vary', 'accept')
        if (request.headers.authorization === 'key') allow(request, reply)
        return {}
      }
    })
  )
  const headers = { origin: SHOP, authorization: 'key' }
  const allowed = {
    'access-control-allow-origin': SHOP,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'retry-after',
    vary: 'accept, Origin'
  }
  t.same(corsOf((await app.inject({ url: '/', headers })).headers), allowed)
  const options = await app.inject({ method: 'OPTIONS', url: '/', headers })
  t.same([options.statusCode, corsOf(options.headers)], [200, allowed])
  const without = await app.inject({ url: '/', headers: { origin: SHOP } })
  t.same(corsOf(without.headers), { vary: 'accept' })
})
