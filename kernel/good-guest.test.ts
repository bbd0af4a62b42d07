// The kernel in an app that has its own sign-in, error pages and addresses.
import { pathToFileURL } from 'node:url'
import swagger from '@fastify/swagger'
import { defineCapability } from '@keelson/sdk'
import Fastify, { type FastifyInstance } from 'fastify'
import { type Test, test } from 'tap'
import { createKernel, type Keelson, type KernelOptions, keelsonOf } from './index.ts'
import { registerShell } from './shell/shell.ts'
import { fakeSeams, samplePlugin, viewerOfHeader } from './testing/fake-host.ts'
import { sampleRoute } from './testing/sample-manifest.ts'

const ping = { routes: [sampleRoute('GET', '/ping')] }
const HTML = { accept: 'text/html' }

function kernel(options: KernelOptions = {}) {
  const seams = { ...fakeSeams(), registerShell, env: {} }
  const plugins = [samplePlugin('alpha', ping)]
  return createKernel({ config: {}, plugins, resolveViewer: viewerOfHeader, ...options }, seams)
}

function host(t: Test): FastifyInstance {
  const app = Fastify()
  t.teardown(() => app.close())
  return app
}

const textOf = async (app: FastifyInstance, url: string, headers = {}) =>
  (await app.inject({ url, headers })).body

const refusal = (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(
    () => undefined,
    (error: Error & { code?: string }) => ({ code: error.code, message: error.message })
  )

for (const order of ['before', 'after'] as const) {
  test(`a not-found handler that the host sets ${order} the kernel stays in force`, async (t) => {
    const app = host(t)
    const set = () => app.setNotFoundHandler((_request, reply) => reply.code(404).send('mine'))
    if (order === 'before') set()
    await app.register(kernel())
    if (order === 'after') set()
    await app.ready()
    t.equal(await textOf(app, '/some/page', HTML), 'mine')
    t.equal(await textOf(app, '/orders/api/none'), 'mine')
    t.match(JSON.parse(await textOf(app, '/alpha/none')), { error: 'not_found' })
    t.match(JSON.parse(await textOf(app, '/embed/none')), { error: 'not_found' })
  })
}

test('without one the kernel answers unknown addresses only where its shell is at the root', async (t) => {
  const atRoot = host(t)
  atRoot.register(kernel())
  t.match(JSON.parse(await textOf(atRoot, '/none')), { error: 'not_found' })
  const below = host(t)
  below.register(kernel({ prefix: '/platform' }))
  t.match(JSON.parse(await textOf(below, '/none')), { error: 'Not Found' })
  t.match(JSON.parse(await textOf(below, '/platform/none')), { error: 'not_found' })
})

for (const ignoreTrailingSlash of [false, true]) {
  test(`documents of the shell answer alike with and without a slash at their end${ignoreTrailingSlash ? ', also where the router ignores it' : ''}`, async (t) => {
    const app = Fastify({ routerOptions: { ignoreTrailingSlash } })
    t.teardown(() => app.close())
    app.register(kernel({ prefix: '/platform' }))
    await app.ready()
    const answerOf = async (url: string) => {
      const { statusCode, headers } = await app.inject({ url, headers: HTML })
      return [statusCode, headers['content-type']]
    }
    for (const url of ['/platform', '/platform/login'])
      t.same(await answerOf(`${url}/`), await answerOf(url), url)
    t.equal((await answerOf('/platform/'))[0], 200)
  })
}

test('an error handler of the host stays in force for its own routes', async (t) => {
  const app = host(t)
  app.setErrorHandler((_error, _request, reply) => reply.code(500).send('mine'))
  await app.register(kernel())
  app.get('/orders', () => {
    throw new Error('no orders')
  })
  t.equal(await textOf(app, '/orders'), 'mine')
})

test('a route that the host has already is named with the setting that moves the kernel’s', async (t) => {
  const app = host(t)
  app.get('/metrics', () => 'of the host')
  app.register(kernel())
  t.match(await refusal(app.ready()), {
    code: 'KRN_ADDRESS_TAKEN',
    message: /The kernel and the host both serve GET \/metrics\. Set addresses\.metrics /
  })
})

test('a route that the host adds later is named so too', async (t) => {
  const app = host(t)
  await app.register(kernel())
  for (const [url, setting] of [
    ['/docs', 'addresses.docs'],
    ['/openapi.json', 'addresses.openapi'],
    ['/health/live', 'addresses.health'],
    ['/', 'addresses.shell']
  ]) {
    const error = await refusal(
      (async () => {
        app.get(String(url), () => 'of the host')
      })()
    )
    t.match(error, { code: 'KRN_ADDRESS_TAKEN', message: `Set ${setting} ` }, String(url))
  }
})

test('a route of a plugin and of the host is named with both and the mount', async (t) => {
  const app = host(t)
  app.get('/alpha/ping', () => 'of the host')
  app.register(kernel())
  t.match(await refusal(app.ready()), {
    code: 'KRN_ROUTE_TAKEN',
    message: /Plugin alpha and the host both serve GET \/alpha\/ping\..*plugins\.alpha\.mount/
  })
})

test('the API document of the host can leave the platform out, by one tag', async (t) => {
  const app = host(t)
  await app.register(swagger, { openapi: { openapi: '3.0.3' }, hiddenTag: 'keelson' })
  await app.register(kernel())
  app.get('/orders', () => [])
  await app.ready()
  t.same(Object.keys(app.swagger().paths ?? {}), ['/orders'])
  const { paths } = JSON.parse(await textOf(app, '/openapi.json'))
  t.match(paths['/alpha/ping'].get.tags, ['alpha'])
})

test('every group of addresses can be moved, and switched off', async (t) => {
  const app = host(t)
  app.get('/metrics', () => 'of the host')
  app.get('/docs', () => 'of the host')
  const addresses = {
    metrics: '/internal/metrics',
    docs: false,
    health: '/up',
    shell: '/admin'
  } as const
  await app.register(kernel({ config: { addresses } }))
  app.get('/', () => 'of the host')
  t.match(await textOf(app, '/internal/metrics'), 'process_cpu_seconds')
  t.same(JSON.parse(await textOf(app, '/up/live')), { status: 'live' })
  for (const url of ['/metrics', '/docs', '/']) t.equal(await textOf(app, url), 'of the host', url)
  t.match(JSON.parse(await textOf(app, '/admin/shell/nav')), { sections: [] })
})

test('a prefix is before everything but well-known addresses', async (t) => {
  const wellKnown = { method: 'GET', at: '/.well-known/alpha', auth: 'public', summary: 'Known.' }
  const login = { method: 'POST', at: '/login', auth: 'public', summary: 'Signs in.' }
  const plugin = samplePlugin(
    'alpha',
    { routes: [sampleRoute('GET', '/ping'), wellKnown, login] },
    {
      register(given) {
        t.equal(given.mount, '/platform/alpha')
        const handler = async () => ({ plugin: 'alpha' })
        given.route({ method: 'GET', path: '/ping', handler })
        given.route({ method: 'GET', path: '/.well-known/alpha', handler })
        given.route({ method: 'POST', path: '/login', handler })
      }
    }
  )
  const app = host(t)
  app.register(kernel({ plugins: [plugin], prefix: '/platform' }))
  await app.ready()
  const status = async (url: string, method: 'GET' | 'POST' = 'GET') =>
    (await app.inject({ url, method })).statusCode
  for (const url of ['/alpha/ping', '/health/live', '/metrics', '/docs', '/shell/nav']) {
    t.equal(await status(`/platform${url}`), 200, `/platform${url}`)
    t.equal(await status(url), 404, url)
  }
  t.equal(await status('/.well-known/alpha'), 200)
  t.equal(await status('/platform/login', 'POST'), 200)
  const documented = JSON.parse(await textOf(app, '/platform/openapi.json'))
  t.ok('/platform/alpha/ping' in documented.paths)
})

test('a scope with a prefix is refused with the option that does it', async (t) => {
  const app = host(t)
  app.register(async (scope) => void scope.register(kernel()), { prefix: '/platform' })
  t.match(await refusal(app.ready()), {
    code: 'KRN_SCOPE_PREFIX',
    message: "app.register(keelson, { prefix: '/platform', config })"
  })
})

test('requests of routes that were there before the kernel are counted, in scopes too', async (t) => {
  const app = host(t)
  app.get('/orders/:id', () => 'an order')
  app.register(async (scope) => void scope.get('/inner', () => 'inside'), { prefix: '/scope' })
  await app.register(kernel())
  for (const url of ['/orders/7', '/orders/8', '/scope/inner', '/unknown/of/host']) {
    await app.inject({ url })
  }
  const metrics = await textOf(app, '/metrics')
  t.match(
    metrics,
    /requests_total\{plugin="host",method="GET",route="\/orders\/:id",status="2xx"\} 2/
  )
  t.match(
    metrics,
    /requests_total\{plugin="host",method="GET",route="\/scope\/inner",status="2xx"\} 1/
  )
})

test('people are led to the sign-in of the host', async (t) => {
  const folder = t.testdir({ 'list.js': '' })
  const page = { id: 'list', element: 'alpha-list', module: './list.js', title: 'List' }
  const pages = [{ ...page, role: 'viewer' }]
  const plugins = [samplePlugin('alpha', { pages }, { folder: pathToFileURL(`${folder}/`) })]
  const app = host(t)
  app.register(kernel({ plugins, config: { auth: { signIn: '/signin' } } }))
  const sent = await app.inject({ url: '/alpha/list', headers: HTML })
  t.equal(sent.headers.location, '/signin?next=%2Falpha%2Flist')
  const without = host(t)
  without.register(kernel({ plugins }))
  t.equal((await without.inject({ url: '/alpha/list', headers: HTML })).statusCode, 401)
})

test('routes of the host use capabilities of plugins, through app.keelson or the typed accessor', async (t) => {
  const words = defineCapability<{ hello(): string }>('words.hello/v1')
  const absent = defineCapability<object>('words.none/v1')
  const plugin = samplePlugin(
    'alpha',
    { provides: [words.id] },
    { register: (given) => given.provide(words, { hello: () => 'hello' }) }
  )
  const app = host(t)
  await app.register(kernel({ plugins: [plugin] }))
  const said = keelsonOf(app).use(words)
  app.get('/hello', () => said.hello())
  t.equal(await textOf(app, '/hello'), 'hello')
  t.equal(app.getDecorator<Keelson>('keelson').use(words).hello(), 'hello')
  t.equal(keelsonOf(app).use(absent, { optional: true }), undefined)
  t.throws(() => keelsonOf(app).use(absent), { code: 'KRN_HOST_USE_ABSENT' })
})

test('a decorator of the host named keelson stays the host’s', async (t) => {
  const app = host(t)
  app.decorate('keelson', 'mine')
  await app.register(kernel())
  t.equal(app.getDecorator<unknown>('keelson'), 'mine')
  t.equal(typeof keelsonOf(app).use, 'function')
})
