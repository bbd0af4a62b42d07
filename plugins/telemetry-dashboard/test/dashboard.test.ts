// Making a dashboard: what is refused, and what the options are worth.
import { testDatabase } from '@keelson/sdk/testing'
import { createTelemetry } from '@keelson/telemetry'
import Fastify from 'fastify'
import { test } from 'tap'
import { createDashboard, type DashboardOptions } from '../dashboard.ts'
import { ADMIN, ask, dashboardApp, fakeStore } from './fake-store.ts'

const options = (more: object = {}): DashboardOptions => {
  const { telemetry, queries } = fakeStore()
  return { telemetry, queries, viewerAdapter: { resolveViewer: () => ADMIN }, ...more }
}

test('without a viewer adapter nothing is made: it would be a data leak', async (t) => {
  for (const viewerAdapter of [undefined, null, {}, { resolveViewer: 'x' }]) {
    t.throws(() => createDashboard(options({ viewerAdapter })), {
      code: 'TDB_VIEWER_ADAPTER_MISSING',
      message: /data leak/
    })
  }
  t.throws(() => createDashboard(undefined as unknown as DashboardOptions), {
    code: 'TDB_VIEWER_ADAPTER_MISSING'
  })
})

test('without telemetry nothing is made', async (t) => {
  t.throws(() => createDashboard(options({ telemetry: undefined })), {
    code: 'TDB_TELEMETRY_MISSING'
  })
})

test('a cap that is none is refused by name', async (t) => {
  for (const queryLimits of [{ records: 0 }, { series: 1.5 }, { rows: 10 }, { trace: '5' }]) {
    t.throws(() => createDashboard(options({ queryLimits })), {
      code: 'TDB_LIMIT_INVALID',
      message: new RegExp(Object.keys(queryLimits)[0]!)
    })
  }
})

test('a mount path that is none is refused', async (t) => {
  for (const mountPath of ['telemetry', '/a b', '/a?b', '//']) {
    t.throws(() => createDashboard(options({ mountPath })), { code: 'TDB_MOUNT_PATH_INVALID' })
  }
})

test('an option of the wrong kind is refused by name', async (t) => {
  for (const more of [
    { mountPath: 5 },
    { views: {} },
    { subjectAdapter: {} },
    { queryLimits: 5 },
    { onSlowQuery: 'log' },
    { timeZone: 1 },
    { title: {} },
    { apiBase: [] },
    { assets: 'dist' },
    { queries: null }
  ]) {
    const [[option, value] = ['', '']] = Object.entries(more)
    t.throws(() => createDashboard(options(more)), {
      code: 'TDB_OPTION_INVALID',
      message: `createDashboard was called with ${option} as ${JSON.stringify(value)}, which must be`
    })
  }
})

test('a configured view that is wrong is refused by name', async (t) => {
  const views = [{ name: 'mine', page: 'settings', query: {} }]
  t.throws(() => createDashboard(options({ views })), {
    code: 'TDB_VIEW_INVALID',
    message: /mine.*page/
  })
  t.throws(() => createDashboard(options({ views: [null] })), {
    code: 'TDB_VIEW_INVALID',
    message: 'The configured view 0 is wrong'
  })
})

test('configured views are served, and cover derived ones', async (t) => {
  const view = { name: 'page.viewed', page: 'overview', query: { range: '24h' } } as const
  const app = await dashboardApp(fakeStore(), { views: [view] })
  const { body } = await ask(app, ADMIN, 'GET', '/views')
  const named = (body['views'] as { name: string }[]).filter(({ name }) => name === view.name)
  t.same(named, [{ ...view, origin: 'configured' }])
})

test('two dashboards of one store share its saved views, which get their indexes', async (t) => {
  const { db } = await testDatabase(t)
  const telemetry = createTelemetry({ registry: {}, connection: db, collection: 'shop' })
  t.teardown(() => telemetry.close())
  const app = Fastify()
  const viewerAdapter = { resolveViewer: () => ADMIN }
  await app.register(createDashboard({ telemetry, viewerAdapter }), { prefix: '/one' })
  await app.register(createDashboard({ telemetry, viewerAdapter }), { prefix: '/two' })
  const spec = { name: 'mine', page: 'events', query: {} }
  const payload = { spec, shared: true }
  const saved = await app.inject({ method: 'POST', url: '/one/api/views', payload })
  t.equal(saved.statusCode, 200)
  const { views } = (await app.inject('/two/api/views')).json()
  t.match(views, [{ name: 'mine', origin: 'saved' }])
  t.ok(await db.collection('shop_views').indexExists(['tenant_shared', 'tenant_owner']))
})

test('a store under the kernel is refused: its dashboard is a plugin there', (t) => {
  const { host: _host, ...telemetry } = fakeStore().telemetry
  t.throws(() => createDashboard(options({ telemetry })), { code: 'TDB_VIEWS_MISSING' })
  t.end()
})

test("the host's own error handler and parsers stay as they were", async (t) => {
  const app = Fastify()
  app.post('/own', async (request) => ({ got: request.body ?? null }))
  await app.register(createDashboard(options()), { prefix: '/telemetry' })
  const headers = { 'content-type': 'application/json' }
  const empty = await app.inject({ method: 'POST', url: '/own', headers })
  t.equal(empty.statusCode, 400)
  t.match(empty.json(), { error: 'Bad Request' })
})
