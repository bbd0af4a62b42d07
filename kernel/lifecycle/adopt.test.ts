// Plugins registered by hand, and the marks of the kernel on its app.
import { pathToFileURL } from 'node:url'
import { definePlugin } from '@keelson/sdk'
import { Type } from '@keelson/sdk/typebox'
import Fastify from 'fastify'
import { test } from 'tap'
import keelson, { kernelOf } from '../index.ts'
import { registerShell } from '../shell/shell.ts'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'
import { sampleManifest, sampleRoute } from '../testing/sample-manifest.ts'

const ping = { routes: [sampleRoute('GET', '/ping')] }

test('a plugin that is registered by hand goes through all phases', async (t) => {
  const events: string[] = []
  const plugin = definePlugin({
    manifest: sampleManifest('alpha', { ...ping, requires: { base: '*' } }),
    config: Type.Object({ n: Type.Integer({ default: 1 }) }),
    prepare: () => void events.push('prepare'),
    register(host, config) {
      host.route({ method: 'GET', path: '/ping', handler: async () => config })
      host.onReady(() => void events.push('ready'))
      host.onClose(() => void events.push('close'))
    }
  })
  const { call, app, seen } = await fakeHost(t, {
    plugins: [samplePlugin('base')],
    before: (host) => void host.register(plugin, { config: { n: 7 }, mount: '/by-hand' } as object)
  })
  t.same((await call({ url: '/by-hand/ping' })).json, { n: 7 })
  t.match((await call({ url: '/health/plugins' })).json.plugins, [
    { id: 'base' },
    { id: 'alpha', state: 'ready' }
  ])
  t.ok(seen.events.includes('apply alpha'))
  await app.close()
  t.same(events, ['prepare', 'ready', 'close'])
})

test('its pages have their addresses, as those of other plugins have', async (t) => {
  const folder = t.testdir({ 'list.js': '' })
  const page = { id: 'list', element: 'alpha-list', module: './list.js', title: 'List' } as const
  const plugin = samplePlugin(
    'alpha',
    { ...ping, pages: [{ ...page, role: 'viewer' }] },
    { folder: pathToFileURL(`${folder}/`) }
  )
  const { call } = await fakeHost(t, {
    seams: { registerShell },
    config: { auth: { signIn: '/enter' } },
    before: (app) => void app.register(plugin)
  })
  const answer = await call({ url: '/alpha/list', headers: { accept: 'text/html' } })
  t.match(answer, { status: 302, headers: { location: '/enter?next=%2Falpha%2Flist' } })
  t.equal((await call({ url: '/alpha/ping' })).status, 200)
})

test('without options it takes what its manifest says', async (t) => {
  const { call } = await fakeHost(t, {
    before: (app) => void app.register(samplePlugin('alpha', ping))
  })
  t.same((await call({ url: '/alpha/ping' })).json, { plugin: 'alpha' })
})

test('inside a scope with a prefix it is mounted below', async (t) => {
  const { call } = await fakeHost(t, {
    before: (app) =>
      void app.register(
        async (scope) => {
          scope.register(samplePlugin('alpha', ping), { prefix: '/x' })
          scope.register(samplePlugin('beta', ping))
        },
        { prefix: '/scope' }
      )
  })
  t.equal((await call({ url: '/scope/x/ping' })).status, 200)
  t.equal((await call({ url: '/scope/beta/ping' })).status, 200)
})

test('what is wrong with it comes out of the start', async (t) => {
  const start = (plugin: ReturnType<typeof samplePlugin>, options = {}) =>
    fakeHost(t, {
      plugins: [samplePlugin('base')],
      before: (app) => void app.register(plugin, options)
    })
  await t.rejects(start(samplePlugin('base')), { code: 'KRN_PLUGIN_TWICE' })
  await t.rejects(start(samplePlugin('alpha', { version: 'x' })), { code: 'KRN_VERSION_INVALID' })
  await t.rejects(start(samplePlugin('alpha', ping, { register() {} })), {
    code: 'KRN_ROUTE_MISSING'
  })
  const failing = samplePlugin(
    'alpha',
    {},
    {
      prepare() {
        throw new Error('no luck')
      }
    }
  )
  await t.rejects(start(failing), { code: 'KRN_PREPARE_FAILED' })
})

test('one that may fail is left out', async (t) => {
  const failing = samplePlugin('alpha', ping, {
    prepare() {
      throw new Error('no luck')
    }
  })
  const { call } = await fakeHost(t, {
    before: (app) => void app.register(failing, { onFailure: 'disable' } as object)
  })
  t.equal((await call({ url: '/alpha/ping' })).status, 503)
})

test('without the kernel the registration says what is missing', async (t) => {
  const app = Fastify()
  app.register(samplePlugin('alpha'))
  await t.rejects(async () => void (await app.ready()), {
    code: 'KRN_KERNEL_MISSING',
    plugin: 'alpha'
  })
})

test('the kernel of an app can be asked for', async (t) => {
  const { app } = await fakeHost(t)
  t.equal(kernelOf(app).storage.description, 'a stand-in')
  t.type(kernelOf(app).schedule.runDue, 'function')
  t.throws(() => kernelOf(Fastify()), { code: 'KRN_NO_KERNEL' })
})

test('storage and schedule cannot be used before the database is open', async (t) => {
  const app = Fastify()
  app.register(keelson, { config: { pluginz: {} } as object })
  await t.rejects(async () => void (await app.ready()), { code: 'KRN_CONFIG_UNKNOWN_KEY' })
  t.throws(() => kernelOf(app).storage, { code: 'KRN_NOT_OPEN' })
})

test('one app has one kernel', async (t) => {
  const app = Fastify()
  app.register(keelson, { config: { pluginz: {} } as object }).register(keelson, {})
  await t.rejects(async () => void (await app.ready()), /pluginz|twice/)
  await t.rejects(fakeHost(t, { before: (host) => void host.register(keelson, {}) }), {
    code: 'KRN_KERNEL_TWICE'
  })
})
