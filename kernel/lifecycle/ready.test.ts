// The ready phase and readiness.
import { defineCapability, defineExtensionPoint } from '@keelson/sdk'
import { test } from 'tap'
import { fakeHost, samplePlugin } from '../testing/fake-host.ts'
import { sampleRoute } from '../testing/sample-manifest.ts'

const ownerPoints = defineExtensionPoint<string>('owner.points/v1')
const providerStore = defineCapability<string>('provider.store/v1')
const absentStore = defineCapability<string>('absent.store/v1')
const earlyThing = defineCapability<number>('early.x/v1')
const lateThing = defineCapability<number>('late.x/v1')

test('onReady runs after every plugin is registered and before jobs start', async (t) => {
  const order: string[] = []
  const telling = (id: string) =>
    samplePlugin(
      id,
      {},
      {
        register(host) {
          order.push(`register ${id}`)
          host.onReady(async () => void order.push(`ready ${id}`))
        }
      }
    )
  const { seen } = await fakeHost(t, { plugins: [telling('a'), telling('b')] })
  t.same(order, ['register a', 'register b', 'ready a', 'ready b'])
  t.ok(seen.events.includes('schedule started'))
})

test('contributions are complete in onReady', async (t) => {
  let found: readonly unknown[] = []
  const owner = samplePlugin(
    'owner',
    { extensionPoints: ['owner.points/v1'] },
    {
      register(host) {
        host.onReady(() => {
          found = [...host.contributions(ownerPoints)]
        })
      }
    }
  )
  const giver = samplePlugin(
    'giver',
    { uses: ['owner.points/v1'] },
    {
      register: (host) => host.extend(ownerPoints, 'a gift')
    }
  )
  await fakeHost(t, { plugins: [owner, giver] })
  t.same(found, ['a gift'])
})

test('capabilities reach their users; an optional one may be absent; a late one is refused', async (t) => {
  const got: unknown[] = []
  const provider = samplePlugin(
    'provider',
    { provides: ['provider.store/v1'] },
    {
      register: (host) => host.provide(providerStore, 'the store')
    }
  )
  const uses = ['provider.store/v1', { capability: 'absent.store/v1', optional: true }]
  const user = samplePlugin(
    'user',
    { uses },
    {
      register(host) {
        got.push(host.use(providerStore), host.use(absentStore, { optional: true }))
      }
    }
  )
  await fakeHost(t, { plugins: [user, provider] })
  t.same(got, ['the store', undefined])
  const early = samplePlugin(
    'early',
    { uses: ['late.x/v1'], provides: ['early.x/v1'] },
    {
      register(host) {
        host.provide(earlyThing, 1)
        host.use(lateThing)
      }
    }
  )
  const late = samplePlugin(
    'late',
    { requires: { early: '*' }, provides: ['late.x/v1'] },
    {
      register: (host) => host.provide(lateThing, 1)
    }
  )
  await t.rejects(fakeHost(t, { plugins: [early, late] }), { code: 'KRN_USE_TOO_EARLY' })
})

const failing = samplePlugin(
  'alpha',
  { routes: [sampleRoute('GET', '/ping')] },
  {
    register(host) {
      host.route({ method: 'GET', path: '/ping', handler: async () => ({}) })
      host.onReady(() => {
        throw new Error('not today')
      })
    }
  }
)

test('a required plugin that fails in onReady ends the start', async (t) => {
  await t.rejects(fakeHost(t, { plugins: [failing] }), {
    code: 'KRN_READY_FAILED',
    plugin: 'alpha',
    message: /not today/
  })
})

test('one that may fail answers 503 from then on, and so do the plugins that need it', async (t) => {
  const { call } = await fakeHost(t, {
    config: { plugins: { alpha: { onFailure: 'disable' } } },
    plugins: [
      failing,
      samplePlugin('beta', { requires: { alpha: '*' }, routes: [sampleRoute('POST', '/x')] })
    ]
  })
  t.match(await call({ url: '/alpha/ping' }), { status: 503, json: { reason: /phase ready/ } })
  t.match(await call({ url: '/beta/x', method: 'POST' }), { status: 503, json: { plugin: 'beta' } })
  t.match(await call({ url: '/health/ready' }), { status: 200 })
})

test('an onReady that never returns ends before the deadline of Fastify', async (t) => {
  const hanging = samplePlugin(
    'alpha',
    {},
    { register: (host) => host.onReady(() => new Promise(() => {})) }
  )
  await t.rejects(fakeHost(t, { plugins: [hanging], fastify: { pluginTimeout: 400 } }), {
    code: 'KRN_READY_FAILED',
    message: /did not end in time/
  })
})

test('readiness follows the database', async (t) => {
  const { call, seen } = await fakeHost(t)
  t.match(await call({ url: '/health/ready' }), { status: 200, json: { status: 'ready' } })
  seen.events.push('unreachable')
  t.match(await call({ url: '/health/ready' }), {
    status: 503,
    headers: { 'retry-after': '1' },
    json: { status: 'database_unreachable' }
  })
  t.match(await call({ url: '/health/live' }), { status: 200 })
})
