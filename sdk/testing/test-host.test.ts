// A host for tests, on a real database.
import { defineCapability, definePlugin, Type } from '@keelson/sdk'
import { test } from 'tap'
import { createTestHost } from './index.ts'

const providerWord = defineCapability<string>('provider.word/v1')

const manifest = (id: string, more = {}) => ({
  manifestVersion: 1,
  id,
  name: id,
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'A sample.',
  license: 'MIT',
  ...more
})

const route = (method: string, path: string, auth = 'public') => ({
  method,
  path,
  auth,
  summary: path
})

interface Item {
  readonly _id: string
  readonly dueAt?: Date
}

const plugin = () => {
  const ran: string[] = []
  const made = definePlugin({
    manifest: manifest('alpha', {
      routes: [route('GET', '/me', 'viewer'), route('POST', '/items'), route('GET', '/out')],
      collections: [{ name: 'alpha_items', indexes: [{ name: 'by_at', keys: { at: 1 } }] }],
      jobs: [{ name: 'sweep', every: '1 hour' }],
      queues: [{ name: 'items', collection: 'alpha_items', backoff: 60 }],
      network: ['api.example.test']
    }),
    config: Type.Object({ greeting: Type.String({ default: 'hello' }) }),
    register(host, config) {
      const queue = host.queue<Item>('items', (item) => void ran.push(`item ${item._id}`))
      host.job('sweep', () => void ran.push('sweep'))
      host.route({
        method: 'GET',
        path: '/me',
        handler: async (_r, _p, { viewer }) => ({ viewer, ...config })
      })
      host.route({
        method: 'POST',
        path: '/items',
        handler: async () => {
          const later = new Date(host.clock.now().getTime() + 3_600_000)
          return queue.add([{ _id: 'now' }, { _id: 'later', dueAt: later }])
        }
      })
      host.route({
        method: 'GET',
        path: '/out',
        handler: async () => (await host.fetch('https://api.example.test/x')).json()
      })
    }
  })
  return { made, ran }
}

test('a plugin is tested with its config, mount and viewer', async (t) => {
  const { made } = plugin()
  const host = await createTestHost({ plugin: made, config: { greeting: 'hi' }, mount: '/a' })
  t.teardown(() => host.close())
  t.equal((await host.app.inject('/a/me')).statusCode, 401)
  host.signIn({ tenantId: 'acme', role: 'admin', viewerRef: 'user:u-1' })
  t.match((await host.app.inject('/a/me')).json(), { viewer: { role: 'admin' }, greeting: 'hi' })
  const headers = { 'x-viewer': 'globex:viewer:user:u-7' }
  t.match((await host.app.inject({ url: '/a/me', headers })).json(), {
    viewer: { tenantId: 'globex', role: 'viewer', viewerRef: 'user:u-7' }
  })
  host.signIn(null)
  t.equal((await host.app.inject('/a/me')).statusCode, 401)
  t.equal(
    (await host.app.inject({ url: '/a/me', headers: { 'x-viewer': 'acme:admin' } })).statusCode,
    200
  )
})

test('jobs and items run when the clock is advanced, and only then', async (t) => {
  const { made, ran } = plugin()
  const now = new Date('2030-05-01T12:00:00Z')
  const host = await createTestHost({ plugin: made, now })
  t.teardown(() => host.close())
  t.equal((await host.app.inject({ method: 'POST', url: '/alpha/items' })).statusCode, 200)
  t.same(ran, [])
  await host.clock.advance(1_000)
  t.same([...ran].sort(), ['item now', 'sweep'])
  await host.clock.advance(3_700_000)
  t.same([...ran].sort(), ['item later', 'item now', 'sweep', 'sweep'])
})

test('each test has its own database, which is gone afterwards', async (t) => {
  const first = await createTestHost({ plugin: plugin().made })
  await first.db.collection<Item>('alpha_items').insertOne({ _id: 'mine' })
  const second = await createTestHost({ plugin: plugin().made })
  t.teardown(() => second.close())
  t.not(first.db.databaseName, second.db.databaseName)
  t.equal(await second.db.collection('alpha_items').countDocuments({}), 0)
  const indexes = await second.db.collection('alpha_items').indexes()
  t.ok(indexes.some(({ name }) => name === 'by_at'))
  const name = first.db.databaseName
  await first.close()
  const { databases } = await second.db.admin().listDatabases()
  t.notOk(databases.some((database) => database.name === name))
})

test("the database keeps what is new by the test's clock and over by today's date", async (t) => {
  const host = await createTestHost({ plugin: plugin().made })
  t.teardown(() => host.close())
  const asked = { getParameter: 1, ttlMonitorEnabled: 1 }
  t.match(await host.db.admin().command(asked), { ttlMonitorEnabled: false })
})

test('the outside is what the test says, and nothing else', async (t) => {
  const host = await createTestHost({ plugin: plugin().made })
  t.teardown(() => host.close())
  host.outbound
    .get('https://api.example.test')
    .intercept({ path: '/x' })
    .reply(200, { from: 'outside' })
  t.same((await host.app.inject('/alpha/out')).json(), { from: 'outside' })
  t.equal((await host.app.inject('/alpha/out')).statusCode, 500)
})

test('other plugins and the rest of the config may be given', async (t) => {
  const provider = definePlugin({
    manifest: manifest('provider', { provides: ['provider.word/v1'] }),
    config: Type.Object({ word: Type.String() }),
    register: (host, { word }) => host.provide(providerWord, word)
  })
  let word: unknown
  const user = definePlugin({
    manifest: manifest('user', { uses: ['provider.word/v1'] }),
    register(host) {
      word = host.use(providerWord)
    }
  })
  const platform = { plugins: { provider: { config: { word: 'there' } } } }
  const host = await createTestHost({ plugin: user, plugins: [provider], platform, role: 'web' })
  t.teardown(() => host.close())
  t.equal(word, 'there')
})

test('log lines are kept', async (t) => {
  const talking = definePlugin({
    manifest: manifest('alpha'),
    register: (host) => host.log.info({ n: 1 }, 'here I am')
  })
  const host = await createTestHost({ plugin: talking })
  t.teardown(() => host.close())
  t.match(
    host.logs.find(({ msg }) => msg === 'here I am'),
    { plugin: 'alpha', n: 1 }
  )
})

test('a plugin that is refused comes out as its error', async (t) => {
  const refused = definePlugin({ manifest: manifest('alpha', { version: 'x' }), register() {} })
  await t.rejects(createTestHost({ plugin: refused }), { code: 'KRN_VERSION_INVALID' })
  const failing = definePlugin({
    manifest: manifest('alpha'),
    register() {
      throw new Error('no luck')
    }
  })
  await t.rejects(createTestHost({ plugin: failing }), { code: 'KRN_REGISTER_FAILED' })
})

test('a plugin has a limit that is shared through the database, and a fetch for public addresses', async (t) => {
  const guarded = definePlugin({
    manifest: manifest('alpha', {
      routes: [route('GET', '/tries'), route('GET', '/hook')],
      network: ['${hook}']
    }),
    config: Type.Object({ hook: Type.String() }),
    register(host) {
      const tries = host.limit('tries', { max: 2, windowSeconds: 60 })
      host.route({ method: 'GET', path: '/tries', handler: () => tries.take('key') })
      host.route({
        method: 'GET',
        path: '/hook',
        async handler(request) {
          const { url } = request.query as { url: string }
          const error = await host.fetchPublic(url).then(
            () => undefined,
            (thrown: { code?: string }) => thrown.code
          )
          return { error: error ?? null }
        }
      })
    }
  })
  const { app, db, outbound, clock, close } = await createTestHost({
    plugin: guarded,
    config: { hook: '127.0.0.1:8443' },
    now: new Date('2030-01-01T00:00:00Z')
  })
  t.teardown(close)
  const granted = async () => (await app.inject('/alpha/tries')).json().granted
  t.same([await granted(), await granted(), await granted()], [1, 1, 0])
  t.match(await db.collection('keelson_limits').findOne(), { used: Number })
  await clock.advance(60_000)
  t.equal(await granted(), 1)
  for (const origin of ['https://hooks.example.test', 'https://127.0.0.1:8443']) {
    outbound.get(origin).intercept({ path: '/' }).reply(200, 'taken')
  }
  const refusal = async (url: string) =>
    (await app.inject({ url: '/alpha/hook', query: { url } })).json().error
  t.equal(await refusal('https://hooks.example.test/'), null)
  t.equal(await refusal('https://127.0.0.1:8443/'), null)
  t.equal(await refusal('https://127.0.0.1:8444/'), 'KRN_FETCH_ADDRESS')
  t.equal(await refusal('https://192.168.0.1/'), 'KRN_FETCH_ADDRESS')
})

test('the health of a plugin holds its checks and its failing job, and is ready again after both succeed', async (t) => {
  let isBroken = true
  const made = definePlugin({
    manifest: manifest('alpha', { jobs: [{ name: 'sweep', every: '1 hour' }] }),
    register(host) {
      host.health('provider', () =>
        isBroken ? { state: 'degraded', reason: 'It is slow.' } : { state: 'ok' }
      )
      host.job('sweep', () => {
        if (isBroken) throw new Error('no luck')
      })
    }
  })
  const host = await createTestHost({ plugin: made })
  t.teardown(() => host.close())
  await host.clock.advance(3_600_000)
  t.match(await host.health(), [
    {
      id: 'alpha',
      state: 'degraded',
      checks: [{ name: 'provider', state: 'degraded', reason: 'It is slow.' }],
      jobs: [{ name: 'sweep', failures: Number, reason: 'no luck' }]
    }
  ])
  isBroken = false
  await host.clock.advance(3_600_000)
  const [alpha] = await host.health()
  t.match(alpha, { state: 'ready', checks: [{ state: 'ok' }] })
  t.notOk(alpha && 'jobs' in alpha)
})
