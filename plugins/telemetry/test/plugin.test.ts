// Telemetry as a kernel plugin: declared as it is, registered as declared, spans of the host, commands.
import { randomUUID } from 'node:crypto'
import { definePlugin, type Host } from '@keelson/sdk'
import { type McpTool, mcpTools } from '@keelson/sdk/contracts/mcp-tools'
import { createTestHost } from '@keelson/sdk/testing'
import { test } from 'tap'
import commands from '../commands/commands.ts'
import type { EventSpec, RegistrySpec } from '../contracts/telemetry-registry.ts'
import { telemetryRegistry } from '../contracts/telemetry-registry.ts'
import { telemetryHandle } from '../handle.ts'
import manifest from '../plugin.json' with { type: 'json' }
import telemetryPlugin from '../plugin.ts'
import { COLLECTION_SUFFIXES } from '../storage/storage.ts'
import type { Telemetry } from '../telemetry.ts'
import { SAMPLE_SPEC } from './sample-registry.ts'

/** A plugin that contributes names and uses the store. */
function shop(spec: RegistrySpec, onStore: (telemetry: Telemetry) => void) {
  return definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'shop',
      name: 'Shop',
      version: '0.1.0',
      kernel: '^1.0.0',
      description: 'Contributes names.',
      license: 'MIT',
      requires: { telemetry: '^0.1.0' },
      uses: ['telemetry.registry/v1', 'telemetry.store/v1'],
      routes: [{ method: 'GET', path: '/hello/:id', auth: 'public', summary: 'Says hello' }]
    },
    register(host: Host) {
      host.extend(telemetryRegistry, spec)
      onStore(host.use(telemetryHandle))
      host.route({ method: 'GET', path: '/hello/:id', handler: async () => ({ hello: true }) })
    }
  })
}

test('plugin.json declares exactly the collections of the code', async (t) => {
  t.same(
    manifest.collections.map(({ name }) => name),
    Object.values(COLLECTION_SUFFIXES).map((suffix) => `telemetry${suffix}`)
  )
})

test('the plugin runs, takes contributions, makes their indexes and serves ingest', async (t) => {
  let store: Telemetry | undefined
  const host = await createTestHost({
    plugin: telemetryPlugin,
    plugins: [shop(SAMPLE_SPEC, (telemetry) => (store = telemetry))]
  })
  t.teardown(() => host.close())
  if (store === undefined) throw new Error('no store')
  const { key } = await store.createKey({
    kind: 'secret',
    tenantMode: 'fixed',
    tenantId: 'acme',
    service: 'web',
    env: 'dev'
  })
  const record = {
    _id: randomUUID(),
    name: 'page.viewed',
    subjects: [{ type: 'user', id: 'u' }],
    attrs: { source: 'ads' }
  }
  const reply = await host.app.inject({
    method: 'POST',
    url: '/ingest',
    headers: { authorization: `Bearer ${key}` },
    payload: { records: [record] }
  })
  t.same([reply.statusCode, reply.json()], [202, { accepted: 1, rejected: 0 }])
  t.equal((await host.app.inject({ method: 'OPTIONS', url: '/ingest' })).statusCode, 204)
  t.equal((await store.scoped('acme').find()).length, 1)
  const names = (await host.db.collection('telemetry').listIndexes().toArray()).map(
    (index) => index['name']
  )
  t.ok(
    names.includes('attr_page_viewed_source') && names.includes('metric_order_placed_amount_usd')
  )
  const metrics = await host.app.inject('/metrics')
  t.match(metrics.body, /keelson_telemetry_records_total\{[^}]*outcome="defaulted"/)
})

test('requests of the host are recorded as spans, those of ingest are not', async (t) => {
  let store: Telemetry | undefined
  const host = await createTestHost({
    plugin: telemetryPlugin,
    plugins: [
      shop(
        { 'http.request': { kind: 'span', attrs: ['route', 'method', 'status'] } },
        (telemetry) => (store = telemetry)
      )
    ],
    config: { requestSpans: { tenantId: 'acme' } }
  })
  t.teardown(() => host.close())
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  await host.app.inject({
    url: '/shop/hello/7',
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
  })
  await host.app.inject({ method: 'POST', url: '/ingest', payload: {} })
  await store?.flush()
  const rows = (await store?.scoped('acme').find({ name: 'http.request' })) ?? []
  t.equal(rows.length, 1)
  t.match(rows[0], {
    service: 'platform',
    traceId,
    parentId: 'b7ad6b7169203331',
    attrs: { route: '/shop/hello/:id', method: 'GET', status: '200' }
  })
})

test('requests of administration pages are not recorded', async (t) => {
  let store: Telemetry | undefined
  const paths = ['/admin/clients', '/me/grants', '/token']
  const oauth = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'oauth',
      name: 'OAuth',
      version: '0.1.0',
      kernel: '^1.0.0',
      description: 'Has routes of administration.',
      license: 'MIT',
      routes: paths.map((path) => ({ method: 'GET', path, auth: 'public', summary: 'Answers' }))
    },
    register: (host: Host) => {
      for (const path of paths) host.route({ method: 'GET', path, handler: async () => ({}) })
    }
  })
  const host = await createTestHost({
    plugin: telemetryPlugin,
    plugins: [oauth, shop({}, (telemetry) => (store = telemetry))],
    config: { requestSpans: { tenantId: 'acme' } }
  })
  t.teardown(() => host.close())
  for (const path of paths) t.equal((await host.app.inject(`/oauth${path}`)).statusCode, 200)
  await store?.flush()
  const rows = (await store?.scoped('acme').find({ name: 'http.request' })) ?? []
  t.same(
    rows.map(({ attrs }) => attrs?.['route']),
    ['/oauth/token']
  )
})

test('the platform does not record its own requests, unless the config says so', async (t) => {
  for (const exclude of [undefined, []]) {
    let store: Telemetry | undefined
    const host = await createTestHost({
      plugin: telemetryPlugin,
      plugins: [shop({}, (telemetry) => (store = telemetry))],
      config: { requestSpans: { tenantId: 'acme', ...(exclude !== undefined && { exclude }) } }
    })
    t.teardown(() => host.close())
    for (const url of ['/health/live', '/shell/nav', '/metrics', '/shop/hello/7']) {
      await host.app.inject({ url })
    }
    await store?.flush()
    const rows = (await store?.scoped('acme').find({ name: 'http.request' })) ?? []
    const routes = rows.map(({ attrs }) => attrs?.['route']).sort()
    if (exclude === undefined) t.same(routes, ['/shop/hello/:id'])
    else t.same(routes, ['/shell/nav', '/shop/hello/:id'])
  }
})

test('a platform below a prefix does not record its own requests either', async (t) => {
  let store: Telemetry | undefined
  const host = await createTestHost({
    plugin: telemetryPlugin,
    plugins: [shop({}, (telemetry) => (store = telemetry))],
    prefix: '/platform',
    config: { requestSpans: { tenantId: 'acme' } }
  })
  t.teardown(() => host.close())
  for (const path of ['', '/shell/nav', '/metrics', '/shop/hello/7']) {
    await host.app.inject({ url: `/platform${path}` })
  }
  await store?.flush()
  const rows = (await store?.scoped('acme').find({ name: 'http.request' })) ?? []
  t.same(
    rows.map(({ attrs }) => attrs?.['route']),
    ['/platform/shop/hello/:id']
  )
})

for (const [what, registry, attrs] of [
  ['is not in the registry', {}, { route: '/shop/hello/:id', method: 'GET', status: '200' }],
  ['has no attrs', { 'http.request': { kind: 'span' } }, {}]
] as const) {
  test(`requests are recorded when their event ${what}`, async (t) => {
    let store: Telemetry | undefined
    const host = await createTestHost({
      plugin: telemetryPlugin,
      plugins: [shop(registry, (telemetry) => (store = telemetry))],
      config: { requestSpans: { tenantId: 'acme' } }
    })
    t.teardown(() => host.close())
    await host.app.inject({ url: '/shop/hello/7' })
    await store?.flush()
    const rows = (await store?.scoped('acme').find({ name: 'http.request' })) ?? []
    t.equal(rows.length, 1)
    t.same(rows[0]?.attrs ?? {}, attrs)
  })
}

test('a declaration that no request fits stops the start', async (t) => {
  const start = (spec: EventSpec) =>
    createTestHost({
      plugin: telemetryPlugin,
      plugins: [shop({ 'http.request': spec }, () => undefined)],
      config: { requestSpans: { tenantId: 'acme' } }
    })
  await t.rejects(start({ kind: 'event' }), { message: /http\.request.*declares it as event/ })
  await t.rejects(start({ kind: 'span', attrs: { user: { required: true } } }), {
    message: /requires user/
  })
})

test('a name that two plugins declare stops the start', async (t) => {
  await t.rejects(
    createTestHost({
      plugin: telemetryPlugin,
      plugins: [shop({ 'a.b': { kind: 'event' } }, () => undefined)],
      config: { registry: { 'a.b': { kind: 'event' } } }
    }),
    { message: /a\.b.*declared twice/ }
  )
})

test('counters, tools for agents and the tick of alerts are there', async (t) => {
  let store: Telemetry | undefined
  let tools: readonly (readonly McpTool[])[] = []
  const agent = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'agent',
      name: 'Agent',
      version: '0.1.0',
      kernel: '^1.0.0',
      description: 'Serves tools.',
      license: 'MIT',
      uses: ['telemetry.store/v1'],
      extensionPoints: ['mcp.tools/v1']
    },
    register(host: Host) {
      host.onReady(() => {
        store = host.use(telemetryHandle)
        tools = host.contributions(mcpTools)
      })
    }
  })
  const host = await createTestHost({
    plugin: telemetryPlugin,
    plugins: [agent],
    config: {
      registry: { 'a.b': { kind: 'event' } },
      alerts: { webhookHosts: ['hooks.example', '10.0.0.1'] }
    }
  })
  t.teardown(() => host.close())
  if (store === undefined) throw new Error('no store')
  t.equal(tools.flat().length, 23)
  const metrics = (await host.app.inject('/metrics')).body
  for (const outcome of [
    'rejected',
    'sampled',
    'capped',
    'deduped',
    'truncated',
    'defaulted',
    'rollupSkipped'
  ]) {
    t.match(metrics, `records_total{outcome="${outcome}"} 0`)
  }
  const posted: unknown[] = []
  host.outbound
    .get('https://hooks.example')
    .intercept({ path: '/x', method: 'POST' })
    .reply(204, (call) => {
      posted.push(JSON.parse(String(call.body)))
      return ''
    })
  const admin = { tenantId: 'acme', role: 'admin' }
  const rule = (host: string) => ({
    name: `Something for ${host}`,
    signal: { source: 'series', filters: { name: 'a.b' } },
    condition: { type: 'threshold', op: 'above', value: 0 },
    windowMinutes: 60,
    deliver: { webhook: { url: `https://${host}/x` } }
  })
  await store.alerts.save(admin, rule('hooks.example'))
  await store.emit('a.b', { tenantId: 'acme' })
  await store.flush()
  await host.clock.advance(61_000)
  t.match(posted, [{ type: 'alert.firing', data: { value: 1 } }])
  t.match((await store.alerts.history(admin)).changes, [{ deliveries: [{ state: 'sent' }] }])
  await store.alerts.save(admin, rule('10.0.0.1'))
  await host.clock.advance(61_000)
  const [latest] = (await store.alerts.history(admin)).changes
  t.match(latest?.deliveries, [
    { state: 'due', problem: /calls 10\.0\.0\.1, which is not an address/ }
  ])
  for (let attempt = 2; attempt <= 8; attempt++) await host.clock.skip(3_600_000)
  const changes = host.db.collection('telemetry_alert_changes')
  t.match(await changes.findOne({ ruleName: 'Something for 10.0.0.1', to: 'firing' }), {
    state: 'parked',
    reason: /10\.0\.0\.1/,
    deliveries: [{ state: 'failed', attempts: 8 }]
  })
})

test('under the kernel ingest is a machine route that refuses in its own words', async (t) => {
  const host = await createTestHost({ plugin: telemetryPlugin })
  t.teardown(() => host.close())
  const post = async (url: string, type: string) => {
    const headers = { authorization: 'Bearer sk_live_tk_0123456789abcdef_x', 'content-type': type }
    const reply = await host.app.inject({ method: 'POST', url, headers, payload: '{' })
    return reply
  }
  const batch = await post('/ingest', 'application/json')
  t.match([batch.statusCode, batch.json()], [401, { error: 'invalid_key' }])
  t.equal(batch.headers['cache-control'], 'no-store')
  const exported = await post('/ingest/v1/traces', 'application/x-protobuf')
  t.equal(exported.statusCode, 401)
  t.match(exported.headers['content-type'], /^application\/x-protobuf/)
  t.match(exported.body, /a secret ingest key is needed/)
  const { paths } = (await host.app.inject('/openapi.json')).json()
  for (const path of ['/ingest', '/ingest/v1/logs']) {
    const found = paths[path] ?? paths[`${path}/`]
    t.same(found.post.security, [{ machine: [] }], path)
    t.ok(found.post.requestBody, path)
  }
})

test('keys are made, listed and revoked from the command line', async (t) => {
  const host = await createTestHost({ plugin: telemetryPlugin })
  t.teardown(() => host.close())
  const run = (
    name: string,
    args: string[] = [],
    options: Record<string, string | string[]> = {}
  ) => {
    const command = commands.find((one) => one.name === name)
    if (command === undefined) throw new Error(name)
    const commandHost = {
      id: 'telemetry',
      config: {},
      log: host.app.log,
      clock: host.clock,
      collection: (collection: string) => host.db.collection(collection),
      withTransaction: async () => {
        throw new Error('not needed')
      }
    }
    return command.run(commandHost as never, {
      args,
      options,
      signal: new AbortController().signal
    })
  }
  const created = (await run('keys create', [], { tenant: 'acme', service: 'web' })) as {
    json: { id: string; key: string }
    text: string
  }
  t.match(created.json.key, /^sk_live_tk_/)
  t.ok(created.text.startsWith(created.json.key))
  t.match(await run('keys create', [], { kind: 'master', tenant: 'acme' }), {
    wrongUse: /kind is one of/
  })
  const listed = (await run('keys list', [], { tenant: 'acme' })) as {
    json: { items: object[] }
    text: string
  }
  t.equal(listed.json.items.length, 1)
  t.match(listed.text, /secret {2}acme {2}web {2}prod {2}active/)
  t.match(await run('keys revoke', [created.json.id]), { json: { revoked: 1 } })
  t.match(await run('keys revoke', [created.json.id]), { json: { revoked: 0 }, failed: true })
  t.match(((await run('keys list')) as { text: string }).text, /revoked/)
})
