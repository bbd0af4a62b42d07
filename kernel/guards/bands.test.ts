// The bands of a running host: which requests are admitted, and in which order that is decided.
import { corsConfig, type Host, refuse } from '@keelson/sdk'
import { authViewer } from '@keelson/sdk/contracts/auth-viewer'
import { oauthProtect, type Protect } from '@keelson/sdk/contracts/oauth-protect'
import { test } from 'tap'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'
import { guarded } from '../testing/guarded-plugin.ts'
import { sampleRoute } from '../testing/sample-manifest.ts'

const viewer = 'acme:viewer'
const admin = 'acme:admin'

test('a route with a policy for other origins answers their preflights, and refusals can be read', async (t) => {
  const plugin = samplePlugin(
    'alpha',
    { routes: [sampleRoute('POST', '/mine', { auth: 'viewer' }), sampleRoute('GET', '/open')] },
    {
      register(host) {
        const cors = { origin: '*', methods: ['POST'], allowedHeaders: ['content-type'] } as const
        const handler = async () => ({})
        host.route({ method: 'POST', path: '/mine', cors, handler })
        host.fastify.get('/open', { config: corsConfig(cors) }, handler)
      }
    }
  )
  const { call } = await fakeHost(t, { plugins: [plugin] })
  const origin = 'https://shop.example'
  const readable = { 'access-control-allow-origin': '*' }
  t.match(await call({ method: 'POST', url: '/alpha/mine', headers: { origin } }), {
    status: 401,
    headers: readable
  })
  t.match(await call({ url: '/alpha/open', headers: { origin } }), { headers: readable })
  const headers = { origin, 'access-control-request-method': 'POST' }
  for (const url of ['/alpha/mine', '/alpha/open']) {
    t.match(await call({ method: 'OPTIONS', url, headers }), {
      status: 204,
      headers: { ...readable, 'access-control-allow-headers': 'content-type' }
    })
  }
  const { paths } = (await call({ url: '/openapi.json' })).json
  t.same(Object.keys(paths['/alpha/mine']), ['post'])
})

test('answers to a caller are of that caller alone, whatever they are; a handler may say otherwise', async (t) => {
  const plugin = samplePlugin(
    'alpha',
    {
      routes: [
        sampleRoute('GET', '/mine', { auth: 'viewer' }),
        sampleRoute('GET', '/cached', { auth: 'admin' }),
        sampleRoute('GET', '/fails', { auth: 'viewer' }),
        sampleRoute('GET', '/known'),
        sampleRoute('GET', '/open')
      ]
    },
    {
      register(host) {
        const handler = async () => ({})
        host.route({ method: 'GET', path: '/mine', handler })
        host.route({ method: 'GET', path: '/known', viewer: 'optional', handler })
        host.route({ method: 'GET', path: '/open', handler })
        host.route({
          method: 'GET',
          path: '/fails',
          handler() {
            throw new Error('broken')
          }
        })
        host.route({
          method: 'GET',
          path: '/cached',
          handler: async (_request, reply) => reply.header('cache-control', 'max-age=60').send({})
        })
      }
    }
  )
  const { call } = await fakeHost(t, {
    plugins: [plugin],
    before: (host) => void host.get('/of-the-host', async () => ({}))
  })
  const seen = async (url: string, as?: string) => {
    const { status, headers } = await call({ url, ...(as !== undefined && { viewer: as }) })
    return [status, headers['cache-control'], headers['x-content-type-options']]
  }
  t.same(await seen('/alpha/mine', viewer), [200, 'no-store', 'nosniff'])
  t.same(await seen('/alpha/mine'), [401, 'no-store', 'nosniff'])
  t.same(await seen('/alpha/fails', viewer), [500, 'no-store', 'nosniff'])
  t.same(await seen('/alpha/cached', admin), [200, 'max-age=60', 'nosniff'])
  t.same(await seen('/alpha/cached', viewer), [403, 'no-store', 'nosniff'])
  t.same(await seen('/alpha/known'), [200, 'no-store', 'nosniff'])
  t.same(await seen('/alpha/open'), [200, undefined, undefined])
  t.same(await seen('/of-the-host', viewer), [200, undefined, undefined])
})

test('public, viewer and admin are held', async (t) => {
  const { call } = await fakeHost(t, { plugins: [guarded] })
  t.match(await call({ url: '/alpha/mine' }), { status: 401, json: { error: 'unauthenticated' } })
  t.match(await call({ url: '/alpha/mine', viewer }), { status: 200, json: { role: 'viewer' } })
  t.match(await call({ url: '/alpha/admin' }), { status: 401 })
  t.match(await call({ url: '/alpha/admin', viewer }), {
    status: 403,
    json: { error: 'forbidden' }
  })
  t.match(await call({ url: '/alpha/admin', viewer: admin }), { status: 200 })
})

test('a public route with an optional viewer has the viewer', async (t) => {
  const { call } = await fakeHost(t, { plugins: [guarded] })
  t.same((await call({ url: '/alpha/open' })).json, {})
  t.match((await call({ url: '/alpha/open', viewer })).json, { role: 'viewer' })
})

test('other public routes have a context without a viewer', async (t) => {
  const { call } = await fakeHost(t, { plugins: [guarded] })
  const { status, json } = await call({ url: '/alpha/anonymous', viewer })
  t.same({ status, json }, { status: 200, json: {} })
})

test('the context does not depend on how many parameters a handler declares', async (t) => {
  const alpha = samplePlugin(
    'alpha',
    { routes: [sampleRoute('GET', '/mine', { auth: 'viewer' })] },
    {
      register(host) {
        const handler = async (...given: unknown[]) => given[2] ?? {}
        host.route({ method: 'GET', path: '/mine', handler })
      }
    }
  )
  const { call } = await fakeHost(t, { plugins: [alpha] })
  t.match(await call({ url: '/alpha/mine', viewer }), { json: { viewer: { role: 'viewer' } } })
})

test('a HEAD is guarded like its GET', async (t) => {
  const { call } = await fakeHost(t, { plugins: [guarded] })
  t.equal((await call({ url: '/alpha/admin', method: 'HEAD', viewer })).status, 403)
  t.equal((await call({ url: '/alpha/admin', method: 'HEAD', viewer: admin })).status, 200)
})

test('a refused caller is answered before the body is read', async (t) => {
  const { call } = await fakeHost(t, { plugins: [guarded] })
  const torn = {
    url: '/alpha/mine',
    method: 'POST' as const,
    headers: { 'content-type': 'application/json' },
    payload: '{'
  }
  t.equal((await call(torn)).status, 401)
  t.equal((await call({ ...torn, viewer })).status, 400)
})

test('a viewer without a tenant or a role is refused everywhere, and the log says which', async (t) => {
  for (const [viewer, field] of [
    [{ tenantId: '', role: 'admin' }, 'tenantId'],
    [{ tenantId: 'acme', role: '' }, 'role']
  ] as const) {
    const { call, logs } = await fakeHost(t, {
      plugins: [guarded],
      resolveViewer: async () => viewer
    })
    for (const url of ['/alpha/mine', '/alpha/admin']) {
      t.match(await call({ url }), { status: 500, json: { error: 'internal' } }, url)
    }
    const faults = logs.filter(({ err }) => (err as Error | undefined)?.message.includes(field))
    t.match(faults, [{ err: { code: 'KRN_VIEWER_INVALID' } }, { level: 50 }])
  }
})

test('a viewer whose look-up fails is refused everywhere and does not see why', async (t) => {
  const { call, logs } = await fakeHost(t, {
    plugins: [guarded],
    resolveViewer: async () => {
      throw new Error('the session store is away')
    }
  })
  const { status, json, text } = await call({ url: '/alpha/mine' })
  t.equal(status, 500)
  t.match(json, { error: 'internal', code: 'internal', message: String })
  t.notMatch(text, 'session store')
  t.match(JSON.stringify(logs), 'the session store is away')
})

test('a plugin may provide who is looking, and the option of the host wins', async (t) => {
  const auth = samplePlugin(
    'auth',
    { provides: ['auth.viewer/v1'] },
    {
      register: (host) =>
        host.provide(authViewer, {
          resolveViewer: async () => ({ tenantId: 'own', role: 'viewer' })
        })
    }
  )
  const provided = await fakeHost(t, {
    plugins: [guarded, auth],
    resolveViewer: undefined as never
  })
  t.match((await provided.call({ url: '/alpha/mine' })).json, { tenantId: 'own' })
  const both = await fakeHost(t, { plugins: [guarded, auth], resolveViewer: () => null })
  t.equal((await both.call({ url: '/alpha/mine' })).status, 401)
})

test('without a viewer resolver all viewer routes answer 401, and the log says so', async (t) => {
  const { call, logs } = await fakeHost(t, {
    plugins: [guarded],
    resolveViewer: undefined as never
  })
  t.equal((await call({ url: '/alpha/mine', viewer })).status, 401)
  t.ok(logs.some(({ level, msg }) => level === 40 && /no viewer resolver/.test(String(msg))))
})

test('a plugin can ask who is looking by itself', async (t) => {
  const asking = samplePlugin(
    'alpha',
    { routes: [sampleRoute('GET', '/who')] },
    {
      register(host) {
        host.fastify.get('/who', async (request) => (await host.resolveViewer(request)) ?? {})
      }
    }
  )
  const { call } = await fakeHost(t, { plugins: [asking] })
  t.match((await call({ url: '/alpha/who', viewer })).json, { role: 'viewer' })
})

// ——— machine

const machine = (
  verify: (request: { headers: Record<string, unknown> }) => unknown,
  viaConfig = false
) =>
  samplePlugin(
    'alpha',
    { routes: [sampleRoute('POST', '/hook', { auth: 'machine' })] },
    {
      register(host: Host) {
        if (viaConfig) {
          host.fastify.post('/hook', { config: { verify } as object }, async () => ({}))
          return
        }
        host.route({
          method: 'POST',
          path: '/hook',
          verify: verify as never,
          handler: async (_request, _reply, { machine: found }) => ({ found })
        })
      }
    }
  )

test('a machine route takes only its own credentials', async (t) => {
  const { call } = await fakeHost(t, {
    plugins: [machine(({ headers }) => (headers['x-key'] === 'right' ? { id: 'm' } : null))]
  })
  const post = (headers: Record<string, string>) =>
    call({ url: '/alpha/hook', method: 'POST', viewer: admin, headers })
  t.match(await post({}), { status: 401, json: { error: 'unauthenticated' } })
  t.match(await post({ 'x-key': 'right' }), { status: 200, json: { found: { id: 'm' } } })
})

test('a verifier may take its time, say no in many ways, and fail', async (t) => {
  for (const answer of [null, undefined, false]) {
    const { call } = await fakeHost(t, { plugins: [machine(async () => answer)] })
    t.equal((await call({ url: '/alpha/hook', method: 'POST' })).status, 401)
  }
  const taken = await fakeHost(t, { plugins: [machine(async () => 'token-1')] })
  t.match((await taken.call({ url: '/alpha/hook', method: 'POST' })).json, { found: 'token-1' })
  for (const failing of [
    async () => Promise.reject(new Error('no luck')),
    () => {
      throw new Error('no luck')
    }
  ]) {
    const { call } = await fakeHost(t, { plugins: [machine(failing)] })
    t.match(await call({ url: '/alpha/hook', method: 'POST' }), {
      status: 500,
      json: { error: 'internal' }
    })
  }
})

test('a verifier may refuse with its own answer, and sees the origin', async (t) => {
  const verify = ({ headers }: { headers: Record<string, unknown> }) =>
    headers['origin'] === 'https://shop.example'
      ? { id: 'm' }
      : refuse({
          status: 401,
          body: { error: 'unauthorized' },
          headers: { 'cache-control': 'no-store' }
        })
  for (const given of [verify, async (request: never) => verify(request)]) {
    const { call } = await fakeHost(t, { plugins: [machine(given as never)] })
    const post = (headers: Record<string, string>) =>
      call({ url: '/alpha/hook', method: 'POST', headers })
    const refused = await post({ origin: 'https://evil.example' })
    t.equal(refused.status, 401)
    t.same(refused.json, { error: 'unauthorized' })
    t.equal(refused.headers['cache-control'], 'no-store')
    t.equal((await post({ origin: 'https://shop.example' })).status, 200)
  }
})

test('a route made on host.fastify gives its verifier in its config', async (t) => {
  const { call } = await fakeHost(t, {
    plugins: [machine(({ headers }) => headers['x-key'] ?? null, true)]
  })
  t.equal((await call({ url: '/alpha/hook', method: 'POST' })).status, 401)
  t.equal(
    (await call({ url: '/alpha/hook', method: 'POST', headers: { 'x-key': 'any' } })).status,
    200
  )
})

// ——— bearer

const protectedBy = (protect: Protect) => [
  samplePlugin(
    'guard',
    { provides: ['oauth.protect/v1'] },
    {
      register: (host) => host.provide(oauthProtect, protect)
    }
  ),
  samplePlugin('alpha', {
    routes: [sampleRoute('GET', '/tools', { auth: 'bearer', scopes: ['t:read'] })]
  })
]

const authorized = { authorization: 'Bearer good' }

test('a bearer route is guarded with its declared scopes', async (t) => {
  const asked: unknown[] = []
  const protect: Protect = (scopes) => {
    asked.push(scopes)
    return async (request, reply) =>
      request.headers.authorization === 'Bearer good'
        ? undefined
        : reply.code(401).send({ error: 'invalid_token' })
  }
  const { call } = await fakeHost(t, { plugins: protectedBy(protect) })
  t.match(await call({ url: '/alpha/tools', viewer: admin }), {
    status: 401,
    json: { error: 'invalid_token' }
  })
  t.equal((await call({ url: '/alpha/tools', headers: authorized })).status, 200)
  t.same(asked, [['t:read']], 'made once, before the first request')
})

test('a protection without a promise lets no request in', async (t) => {
  const callback = () => (_request: unknown, _reply: unknown, done?: () => void) => done?.()
  const { call } = await fakeHost(t, { plugins: protectedBy(callback as never) })
  t.equal((await call({ url: '/alpha/tools', headers: authorized })).status, 401)
})

test('a protection that fails lets no request in', async (t) => {
  const failing: Protect = () => async () => Promise.reject(new Error('no luck'))
  const failed = await fakeHost(t, { plugins: protectedBy(failing) })
  t.equal((await failed.call({ url: '/alpha/tools' })).status, 500)
})

test('what does not make protections is refused when it is provided', async (t) => {
  await t.rejects(fakeHost(t, { plugins: protectedBy(7 as never) }), {
    code: 'KRN_PROVIDE_UNFIT',
    plugin: 'guard',
    message: /oauth\.protect\/v1.*must be a function/
  })
})

test('what is made instead of a protection lets no request in', async (t) => {
  const { call } = await fakeHost(t, { plugins: protectedBy((() => undefined) as never) })
  t.equal((await call({ url: '/alpha/tools', headers: authorized })).status, 401)
})

/** A bearer route whose scopes are the ones its body names. */
const scopedByBody = (viaConfig: boolean) =>
  samplePlugin(
    'alpha',
    { routes: [sampleRoute('POST', '/tools', { auth: 'bearer', scopes: ['t:read', 't:write'] })] },
    {
      register(host: Host) {
        const scopes = (request: { body: unknown }) =>
          (request.body as { needs: readonly string[] }).needs
        const handler = async () => ({ done: true })
        if (viaConfig) {
          host.fastify.post('/tools', { config: { scopes } as object }, handler)
        } else host.route({ method: 'POST', path: '/tools', scopes, handler })
      }
    }
  )

test('a bearer route may need other scopes for each request, each of them declared', async (t) => {
  for (const viaConfig of [false, true]) {
    const made: string[] = []
    const protect: Protect = (scopes = []) => {
      made.push(scopes.join(' '))
      return async (_request, reply) =>
        scopes.includes('t:write')
          ? reply.code(403).send({ error: 'insufficient_scope' })
          : undefined
    }
    const [guard] = protectedBy(protect)
    const { call, logs } = await fakeHost(t, {
      plugins: [guard as never, scopedByBody(viaConfig)]
    })
    const post = (needs: readonly string[]) =>
      call({ url: '/alpha/tools', method: 'POST', payload: { needs } })
    t.match(await post(['t:read']), { status: 200, json: { done: true } })
    t.match(await post(['t:read']), { status: 200 })
    t.match(await post(['t:write', 't:read']), {
      status: 403,
      json: { error: 'insufficient_scope' }
    })
    t.equal((await post(['other'])).status, 500)
    t.match(JSON.stringify(logs), 'KRN_SCOPE_UNDECLARED')
    t.same(made, ['t:read t:write', 't:read', 't:read t:write'], 'made once for each set of scopes')
  }
})

test('a protection that refuses the scopes ends the start', async (t) => {
  const protect = () => {
    throw new Error('unknown scope t:read')
  }
  await t.rejects(fakeHost(t, { plugins: protectedBy(protect) }), {
    code: 'KRN_READY_FAILED',
    plugin: 'alpha',
    message: /t:read/
  })
})

// ——— rate limits

test('each caller has its own share, by address or by person', async (t) => {
  const rateLimit = { max: 1, windowSeconds: 60 }
  const limited = samplePlugin('alpha', {
    routes: [
      sampleRoute('GET', '/few', { rateLimit }),
      sampleRoute('GET', '/mine', { rateLimit, auth: 'viewer' })
    ]
  })
  // The start of a window.
  let now = 1_800_000_000_000
  const { call } = await fakeHost(t, {
    plugins: [limited],
    seams: { clock: { now: () => new Date(now) } }
  })
  const few = (remoteAddress: string, headers = {}) =>
    call({ url: '/alpha/few', remoteAddress, headers })
  t.equal((await few('192.0.2.1')).status, 200)
  t.match(await few('192.0.2.1'), {
    status: 429,
    headers: { 'retry-after': '60' },
    json: { error: 'too_many_requests' }
  })
  t.equal(
    (await few('192.0.2.1', { 'x-forwarded-for': '192.0.2.9' })).status,
    429,
    'a header does not count as the address'
  )
  t.equal((await few('192.0.2.2')).status, 200)
  t.equal((await call({ url: '/alpha/mine', viewer })).status, 200)
  t.equal((await call({ url: '/alpha/mine', viewer, remoteAddress: '192.0.2.7' })).status, 429)
  t.equal((await call({ url: '/alpha/mine', viewer: admin })).status, 200)
  t.equal((await call({ url: '/alpha/mine' })).status, 401)
  t.equal((await call({ url: '/alpha/mine' })).status, 429, 'unproven callers count by address')
  now += 60_000
  t.equal((await few('192.0.2.1')).status, 200)
})

test('a GET and its HEAD share one limit', async (t) => {
  const routes = [sampleRoute('GET', '/few', { rateLimit: { max: 1, windowSeconds: 60 } })]
  const { call } = await fakeHost(t, { plugins: [samplePlugin('alpha', { routes })] })
  t.equal((await call({ url: '/alpha/few', method: 'HEAD' })).status, 200)
  t.equal((await call({ url: '/alpha/few' })).status, 429)
})

test('machine and bearer routes are limited before their credentials are looked at', async (t) => {
  const rateLimit = { max: 1, windowSeconds: 60 }
  let looked = 0
  const plugin = samplePlugin(
    'alpha',
    {
      provides: ['oauth.protect/v1'],
      routes: [
        sampleRoute('POST', '/hook', { auth: 'machine', rateLimit }),
        sampleRoute('GET', '/tools', { auth: 'bearer', scopes: ['a'], rateLimit })
      ]
    },
    {
      register(host) {
        host.provide(oauthProtect, () => async () => void looked++)
        host.route({
          method: 'POST',
          path: '/hook',
          verify: () => ++looked,
          handler: async () => ({})
        })
        host.route({ method: 'GET', path: '/tools', handler: async () => ({}) })
      }
    }
  )
  const { call } = await fakeHost(t, { plugins: [plugin] })
  for (const request of [
    { url: '/alpha/hook', method: 'POST' as const },
    { url: '/alpha/tools' }
  ]) {
    t.equal((await call(request)).status, 200)
    t.equal((await call(request)).status, 429)
  }
  t.equal(looked, 2)
})
