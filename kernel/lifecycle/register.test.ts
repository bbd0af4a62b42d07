// The register phase: declared equals registered, and what becomes of a plugin that fails.
import {
  corsConfig,
  defineCapability,
  defineExtensionPoint,
  type Host,
  type PluginOptions,
  requiredFunctions,
  Type
} from '@keelson/sdk'
import { authViewer } from '@keelson/sdk/contracts/auth-viewer'
import { requestSpans } from '@keelson/sdk/contracts/request-spans'
import { test } from 'tap'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'
import { sampleRoute } from '../testing/sample-manifest.ts'

const answer = async () => ({})
const alphaStore = defineCapability<unknown>('alpha.store/v1')
const otherStore = defineCapability<unknown>('other.store/v1')
const otherPoints = defineExtensionPoint<object>('other.points/v1')
const ping = { routes: [sampleRoute('GET', '/ping')] }

/** alpha with one declared route, which it registers, and `act` beside it. */
const alphaThat = (act: (host: Host) => unknown, more = {}, rest: Partial<PluginOptions> = {}) =>
  samplePlugin(
    'alpha',
    { ...ping, ...more },
    {
      async register(host) {
        host.route({ method: 'GET', path: '/ping', handler: answer })
        await act(host)
      },
      ...rest
    }
  )

const refusals: readonly [string, string, (host: Host) => unknown, object?][] = [
  [
    'an undeclared route',
    'KRN_ROUTE_UNDECLARED',
    (host) => host.route({ method: 'GET', path: '/sneaky', handler: answer })
  ],
  [
    'an undeclared route made on host.fastify',
    'KRN_ROUTE_UNDECLARED',
    (host) => host.fastify.get('/sneaky', answer)
  ],
  [
    'an undeclared route of a nested plugin',
    'KRN_ROUTE_UNDECLARED',
    (host) => {
      host.fastify.register(async (nested) => {
        nested.get('/sneaky', answer)
      })
    }
  ],
  [
    'another method on a declared path',
    'KRN_ROUTE_UNDECLARED',
    (host) => host.route({ method: 'POST', path: '/ping', handler: answer })
  ],
  [
    'an undeclared OPTIONS route without a policy for other origins',
    'KRN_ROUTE_UNDECLARED',
    (host) => host.fastify.options('/ping', answer)
  ],
  [
    'a preflight at an address that has no declared route',
    'KRN_ROUTE_UNDECLARED',
    (host) => {
      const config = corsConfig({ origin: '*', methods: ['POST'] })
      host.fastify.options('/sneaky', { config }, answer)
    }
  ],
  [
    'a declared route that is not registered',
    'KRN_ROUTE_MISSING',
    () => {},
    { routes: [...ping.routes, sampleRoute('GET', '/missing')] }
  ],
  [
    'a machine route without a verifier',
    'KRN_ROUTE_VERIFY',
    (host) => host.route({ method: 'POST', path: '/hook', handler: answer }),
    { routes: [...ping.routes, sampleRoute('POST', '/hook', { auth: 'machine' })] }
  ],
  [
    'an undeclared collection',
    'KRN_COLLECTION_UNDECLARED',
    (host) => host.collection('alpha_secret')
  ],
  ['an undeclared job', 'KRN_JOB_UNDECLARED', (host) => host.job('sneaky', answer as never)],
  [
    'a declared job without a handler',
    'KRN_JOB_MISSING',
    () => {},
    { jobs: [{ name: 'sweep', every: '1 hour' }] }
  ],
  ['an undeclared queue', 'KRN_QUEUE_UNDECLARED', (host) => host.queue('sneaky', answer as never)],
  [
    'a declared queue without a handler',
    'KRN_QUEUE_MISSING',
    () => {},
    {
      collections: [{ name: 'alpha_q', indexes: [] }],
      queues: [{ name: 'items', collection: 'alpha_q' }]
    }
  ],
  ['an undeclared capability', 'KRN_PROVIDE_UNDECLARED', (host) => host.provide(alphaStore, {})],
  [
    'a declared capability that is not provided',
    'KRN_PROVIDE_MISSING',
    () => {},
    { provides: ['alpha.store/v1'] }
  ],
  ['the use of an undeclared capability', 'KRN_USE_UNDECLARED', (host) => host.use(otherStore)],
  [
    'a contribution to an undeclared point',
    'KRN_POINT_UNDECLARED',
    (host) => host.extend(otherPoints, {})
  ],
  [
    'reading the contributions of another',
    'KRN_POINT_FOREIGN',
    (host) => host.contributions(otherPoints)
  ],
  [
    'a contribution that does not fit',
    'KRN_CONTRIBUTION_UNFIT',
    (host) => host.extend(requestSpans, { end: 'never' } as never),
    { uses: [requestSpans.id] }
  ],
  [
    'a capability that does not fit',
    'KRN_PROVIDE_UNFIT',
    (host) => host.provide(authViewer, {} as never),
    { provides: [authViewer.id] }
  ],
  [
    'the use of an absent optional capability as if it were there',
    'KRN_USE_ABSENT',
    (host) => host.use(otherStore),
    { uses: [{ capability: otherStore.id, optional: true }] }
  ],
  [
    'a job given twice',
    'KRN_HANDLER_TWICE',
    (host) => {
      host.job('sweep', answer as never)
      host.job('sweep', answer as never)
    },
    { jobs: [{ name: 'sweep', every: '1 hour' }] }
  ],
  [
    'a capability provided twice',
    'KRN_HANDLER_TWICE',
    (host) => {
      host.provide(alphaStore, 1)
      host.provide(alphaStore, 2)
    },
    { provides: ['alpha.store/v1'] }
  ]
]

for (const [what, code, act, more] of refusals) {
  test(`${what} is refused`, async (t) => {
    await t.rejects(fakeHost(t, { plugins: [alphaThat(act, more)] }), { code, plugin: 'alpha' })
  })
}

const wordSource = defineExtensionPoint<{ readonly sources: readonly { words(): unknown }[] }>(
  'words.source/v1',
  Type.Object({ sources: Type.Array(Type.Object(requiredFunctions('words'))) })
)

test('a contribution that does not fit is refused by plugin, point and path', async (t) => {
  const act = (host: Host) => host.extend(wordSource, { sources: [{}] } as never)
  const uses = [{ capability: wordSource.id, optional: true }]
  await t.rejects(fakeHost(t, { plugins: [alphaThat(act, { uses })] }), {
    code: 'KRN_CONTRIBUTION_UNFIT',
    message:
      /Plugin alpha extends words\.source\/v1, but its contribution does not fit: sources\[0\]\.words is missing/
  })
})

test('an optional point takes contributions when its owner is not there', async (t) => {
  const act = (host: Host) => host.extend(wordSource, { sources: [{ words: () => [] }] })
  const uses = [{ capability: wordSource.id, optional: true }]
  await t.resolves(fakeHost(t, { plugins: [alphaThat(act, { uses })] }))
})

test('one plugin serves two versions of a capability', async (t) => {
  const first = defineCapability<string>('alpha.words/v1')
  const second = defineCapability<readonly string[]>('alpha.words/v2')
  const got: unknown[] = []
  const alpha = samplePlugin(
    'alpha',
    { provides: [first.id, second.id] },
    {
      register(host) {
        host.provide(first, 'one')
        host.provide(second, ['one', 'two'])
      }
    }
  )
  const beta = samplePlugin(
    'beta',
    { uses: [first.id, second.id] },
    { register: (host) => void got.push(host.use(first), host.use(second)) }
  )
  await fakeHost(t, { plugins: [alpha, beta] })
  t.same(got, ['one', ['one', 'two']])
})

test('an undeclared route is refused even when the plugin swallows the error', async (t) => {
  const swallowing = alphaThat((host) => {
    try {
      host.fastify.get('/sneaky', answer)
    } catch {}
  })
  const { call } = await fakeHost(t, { plugins: [swallowing] })
  t.equal((await call({ url: '/alpha/sneaky' })).status, 404)
})

test("an error of the plugin's own becomes the cause of one that names the plugin", async (t) => {
  const broken = alphaThat(() => {
    throw new Error('no luck')
  })
  await t.rejects(fakeHost(t, { plugins: [broken] }), {
    code: 'KRN_REGISTER_FAILED',
    plugin: 'alpha',
    message: /no luck/,
    cause: { message: 'no luck' }
  })
})

test('a register that never returns ends before the deadline of Fastify', async (t) => {
  const hanging = alphaThat(() => new Promise(() => {}))
  await t.rejects(fakeHost(t, { plugins: [hanging], fastify: { pluginTimeout: 300 } }), {
    code: 'KRN_REGISTER_TIMEOUT',
    plugin: 'alpha'
  })
})

test('routes are below the mount, at absolute addresses, and on host.fastify', async (t) => {
  const plugin = samplePlugin(
    'alpha',
    {
      mount: '/a',
      routes: [
        sampleRoute('GET', '/'),
        sampleRoute('GET', '/x/:id'),
        sampleRoute('GET', '/own'),
        { method: 'GET', at: '/.well-known/alpha', auth: 'public', summary: 'A' },
        { method: 'GET', at: '/bare', auth: 'public', summary: 'B' }
      ]
    },
    {
      register(host) {
        host.route({ method: 'GET', path: '/', handler: async () => host.mount })
        host.route({ method: 'GET', path: '/x/:id', handler: async (request) => request.params })
        host.route({ method: 'GET', path: '/.well-known/alpha', handler: async () => 'known' })
        host.route({ method: 'GET', path: '/bare', handler: async () => 'bare' })
        host.fastify.register(async (nested) => {
          nested.get('/own', async () => 'own')
        })
      }
    }
  )
  const { call } = await fakeHost(t, { plugins: [plugin] })
  t.equal((await call({ url: '/a' })).text, '/a')
  t.equal((await call({ url: '/a/' })).text, '/a')
  t.same((await call({ url: '/a/x/7' })).json, { id: '7' })
  t.equal((await call({ url: '/.well-known/alpha' })).text, 'known')
  t.equal((await call({ url: '/bare' })).text, 'bare')
  t.equal((await call({ url: '/a/own' })).text, 'own')
})

test('a plugin may be mounted at the root', async (t) => {
  const { call } = await fakeHost(t, { plugins: [samplePlugin('alpha', { ...ping, mount: '/' })] })
  t.same((await call({ url: '/ping' })).json, { plugin: 'alpha' })
})

test('a plugin that may fail in register answers 503 on all its routes', async (t) => {
  const failing = (id: string, more = {}) =>
    samplePlugin(
      id,
      { routes: [sampleRoute('GET', '/one'), sampleRoute('POST', '/two')], ...more },
      {
        register(host) {
          host.route({ method: 'GET', path: '/one', handler: answer })
          if (id === 'alpha') host.extend(requestSpans, { end() {} })
          throw new Error('no luck')
        }
      }
    )
  const { call, seen } = await fakeHost(t, {
    config: { plugins: { alpha: { onFailure: 'disable' } } },
    plugins: [
      failing('alpha', { uses: ['kernel.request-spans/v1'] }),
      samplePlugin('beta', { requires: { alpha: '*' }, ...ping }),
      samplePlugin('gamma', ping)
    ]
  })
  const body = {
    error: 'plugin_unavailable',
    plugin: 'alpha',
    reason: 'failed in the phase register (KRN_REGISTER_FAILED)'
  }
  for (const request of [{ url: '/alpha/one' }, { url: '/alpha/two', method: 'POST' as const }]) {
    const { status, json } = await call(request)
    t.equal(status, 503)
    t.match(json, body)
  }
  t.match(await call({ url: '/beta/ping' }), {
    status: 503,
    json: { plugin: 'beta', reason: /alpha/ }
  })
  t.same((await call({ url: '/gamma/ping' })).json, { plugin: 'gamma' })
  t.ok(seen.events.includes('withdraw alpha'))
})

test('a plugin that fails in a nested plugin is left out too', async (t) => {
  const failing = alphaThat((host) => {
    host.fastify.register(async () => {
      throw new Error('deep trouble')
    })
  })
  const { call } = await fakeHost(t, {
    config: { plugins: { alpha: { onFailure: 'disable' } } },
    plugins: [failing, samplePlugin('beta', ping)]
  })
  t.match(await call({ url: '/alpha/ping' }), { status: 503 })
  t.match(await call({ url: '/beta/ping' }), { status: 200 })
})

const nestedFailures: readonly [string, (host: Host) => void][] = [
  [
    'an async function',
    (host) => {
      host.fastify.register(async (nested) => {
        nested.get('/ping', answer)
        throw new Error('deep trouble')
      })
    }
  ],
  [
    'a callback that gets the error',
    (host) => {
      host.fastify.register((nested, _options, done) => {
        nested.get('/ping', answer)
        done(new Error('deep trouble'))
      })
    }
  ],
  [
    'a callback function that throws',
    (host) => {
      host.fastify.register((nested, _options, _done) => {
        nested.get('/ping', answer)
        throw new Error('deep trouble')
      })
    }
  ],
  [
    'a promise of a function',
    (host) => {
      host.fastify.register(
        Promise.resolve({
          default: async (nested: Host['fastify']) => {
            nested.get('/ping', answer)
            throw new Error('deep trouble')
          }
        })
      )
    }
  ],
  [
    'a promise that is rejected',
    (host) => {
      host.fastify.register(Promise.reject(new Error('deep trouble')))
      host.fastify.get('/ping', answer)
    }
  ]
]

for (const [what, act] of nestedFailures) {
  test(`a nested failure leaves no route half made: ${what}`, async (t) => {
    const plugin = samplePlugin('alpha', ping, { register: act })
    const { call } = await fakeHost(t, {
      config: { plugins: { alpha: { onFailure: 'disable' } } },
      plugins: [plugin]
    })
    t.match(await call({ url: '/alpha/ping' }), { status: 503, json: { plugin: 'alpha' } })
    const health = await call({ url: '/health/plugins', viewer: 'acme:admin' })
    t.match(health.json.plugins[0].reason, 'deep trouble')
  })
}

test('nested plugins of a plugin that may fail work as ever', async (t) => {
  const routes = ['/a', '/b', '/c', '/d'].map((path) => sampleRoute('GET', path))
  const plugin = samplePlugin(
    'alpha',
    { routes },
    {
      register(host) {
        host.fastify.register(async (nested) => {
          nested.get('/a', answer)
          nested.register((deeper, _options, done) => {
            deeper.get('/b', answer)
            done()
          })
        })
        host.fastify.register(
          Promise.resolve({
            default: async (nested: Host['fastify']) => void nested.get('/c', answer)
          })
        )
        host.fastify.register({
          default: async (nested: Host['fastify']) => void nested.get('/d', answer)
        } as never)
      }
    }
  )
  const { call } = await fakeHost(t, {
    config: { plugins: { alpha: { onFailure: 'disable' } } },
    plugins: [plugin]
  })
  for (const { path } of routes) t.equal((await call({ url: `/alpha${path}` })).status, 200, path)
})

test('what is not a Fastify plugin is refused by Fastify, and the plugin is left out', async (t) => {
  const plugin = samplePlugin(
    'alpha',
    {},
    { register: (host) => void host.fastify.register(7 as never) }
  )
  const { call } = await fakeHost(t, {
    config: { plugins: { alpha: { onFailure: 'disable' } } },
    plugins: [plugin]
  })
  t.match((await call({ url: '/health/plugins' })).json.plugins[0], { state: 'failed' })
})

test('host.route may be called inside a nested plugin', async (t) => {
  const plugin = samplePlugin('alpha', ping, {
    register(host) {
      host.fastify.register(async () => {
        host.route({ method: 'GET', path: '/ping', handler: answer })
      })
    }
  })
  const { call } = await fakeHost(t, { plugins: [plugin] })
  t.equal((await call({ url: '/alpha/ping' })).status, 200)
})

test('the first plugin that fails ends the start, the next are not registered', async (t) => {
  let isRegistered = false
  const later = samplePlugin(
    'later',
    {},
    {
      register() {
        isRegistered = true
      }
    }
  )
  const failing = alphaThat(() => {
    throw new Error('no luck')
  })
  await t.rejects(fakeHost(t, { plugins: [failing, later] }), { code: 'KRN_REGISTER_FAILED' })
  t.equal(isRegistered, false)
})

test('a switched-off plugin answers 503 on its declared routes', async (t) => {
  const { call } = await fakeHost(t, {
    config: { plugins: { alpha: { enabled: false } } },
    plugins: [samplePlugin('alpha', { routes: [...ping.routes, sampleRoute('GET', '/')] })]
  })
  t.match(await call({ url: '/alpha/ping' }), {
    status: 503,
    json: { error: 'plugin_unavailable', plugin: 'alpha', reason: /switched off/ }
  })
  t.match(await call({ url: '/alpha' }), { status: 503 })
})

test('a switched-off plugin may be replaced by another at the same addresses', async (t) => {
  const { call } = await fakeHost(t, {
    config: { plugins: { alpha: { enabled: false } } },
    plugins: [
      samplePlugin('alpha', { routes: [...ping.routes, sampleRoute('GET', '/old')] }),
      samplePlugin('beta', { ...ping, mount: '/alpha' })
    ]
  })
  t.same((await call({ url: '/alpha/ping' })).json, { plugin: 'beta' })
  t.match(await call({ url: '/alpha/old' }), { status: 503, json: { plugin: 'alpha' } })
})

test('a worker serves health and metrics, and nothing else', async (t) => {
  const { call, seen } = await fakeHost(t, {
    role: 'worker',
    config: { plugins: { off: { enabled: false } } },
    plugins: [
      samplePlugin(
        'alpha',
        { ...ping, jobs: [{ name: 'sweep', every: '1 hour' }] },
        {
          register(host) {
            host.fastify.addHook('onRequest', async (_request, reply) => reply.code(401).send())
            host.route({ method: 'GET', path: '/ping', handler: answer })
            host.job('sweep', () => {})
          }
        }
      ),
      samplePlugin('off', ping)
    ]
  })
  for (const url of ['/health/live', '/health/ready', '/health/plugins', '/metrics']) {
    t.equal((await call({ url })).status, 200, url)
  }
  for (const url of ['/alpha/ping', '/off/ping', '/openapi.json', '/docs', '/shell/nav', '/']) {
    const { status, json } = await call({ url })
    t.equal(status, 404, url)
    t.match(json, { error: 'not_found', code: 'not_found', message: String })
  }
  t.equal(seen.jobs.length, 1)
})

test('an undeclared route is refused in a worker too', async (t) => {
  const sneaky = alphaThat((host) => host.fastify.get('/sneaky', answer))
  await t.rejects(fakeHost(t, { role: 'worker', plugins: [sneaky] }), {
    code: 'KRN_ROUTE_UNDECLARED'
  })
})

test('routes, jobs and queues cannot be given after register', async (t) => {
  let late: Host | undefined
  const more = { jobs: [{ name: 'sweep', every: '1 hour' }] }
  await fakeHost(t, {
    plugins: [
      alphaThat((host) => {
        late = host
        host.job('sweep', () => {})
      }, more)
    ]
  })
  for (const act of [
    () => late?.route({ method: 'GET', path: '/ping', handler: answer }),
    () => late?.job('sweep', () => {}),
    () => late?.queue('items', () => {})
  ]) {
    t.throws(act, { code: 'KRN_TOO_LATE' })
  }
})

test('the routes of the host itself are left alone', async (t) => {
  const { call } = await fakeHost(t, {
    plugins: [samplePlugin('alpha', ping)],
    before: (app) => {
      app.register(async (own) => {
        own.get('/own', async () => 'mine')
      })
    }
  })
  t.equal((await call({ url: '/own' })).text, 'mine')
  t.match((await call({ url: '/metrics' })).text, 'plugin="host",method="GET",route="/own"')
})

test('lines of a request carry the id of the plugin and of the request', async (t) => {
  const plugin = samplePlugin('alpha', ping, {
    register(host) {
      host.route({
        method: 'GET',
        path: '/ping',
        handler: async (request) => {
          request.log.info('said in a request')
          return {}
        }
      })
    }
  })
  const { call, logs } = await fakeHost(t, { plugins: [plugin] })
  await call({ url: '/alpha/ping' })
  t.match(
    logs.find(({ msg }) => msg === 'said in a request'),
    { plugin: 'alpha', reqId: /.+/ }
  )
})

test('a host without a logger works as well', async (t) => {
  const { call } = await fakeHost(t, {
    fastify: { logger: false },
    plugins: [samplePlugin('alpha', ping)]
  })
  t.equal((await call({ url: '/alpha/ping' })).status, 200)
})
