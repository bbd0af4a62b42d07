// The agent API on the kernel: its bands, its refusals, and the operations of other plugins.
import mailerPlugin, { createMemoryAdapter } from '@keelson/mailer'
import {
  type MailerCore,
  mailerAdminApi,
  mailerContacts,
  mailerCore
} from '@keelson/mailer/contracts'
import {
  bindOperations,
  type Call,
  definePlugin,
  operation,
  Type,
  withOperations
} from '@keelson/sdk'
import { oauthProtect } from '@keelson/sdk/contracts/oauth-protect'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import agentPlugin from '../plugin.ts'
import { TOKEN } from './agent-app.ts'

const base = '/admin/mailer/api'
const facts = { method: 'POST', base, access: { auth: 'admin' } } as const
const answer = Type.Object({ by: Type.String() })
const run = (_input: unknown, { actor }: Call<unknown>) => ({ by: actor.name })

const closed = operation({
  ...facts,
  id: 'shop.orders.count',
  path: '/orders/count',
  summary: 'Counts orders',
  effect: 'read',
  answer,
  run
})
const open = operation({
  ...facts,
  id: 'shop.orders.check',
  path: '/orders/check',
  summary: 'Checks orders',
  effect: 'read',
  agent: true,
  answer,
  run
})
const release = operation({
  ...facts,
  id: 'shop.orders.resume',
  path: '/orders/resume',
  summary: 'Resumes the mail of orders',
  effect: 'release',
  agent: true,
  answer,
  run
})
const operations = [closed, open, release]

const manifest = {
  manifestVersion: 1,
  version: '1.0.0',
  kernel: '*',
  description: 'Beside the agent API.',
  license: 'MIT'
} as const

const people = definePlugin({
  manifest: { ...manifest, id: 'people', name: 'People', provides: ['mailer.contacts/v1'] },
  register: (host) => host.provide(mailerContacts, createMemoryAdapter([]))
})

const shop = definePlugin({
  manifest: {
    ...manifest,
    id: 'shop',
    name: 'Shop',
    uses: ['mailer.admin-api/v1'],
    routes: [...withOperations([], operations)]
  },
  operations,
  register(host) {
    host.serve(operations, {})
    host.extend(mailerAdminApi, { name: 'shop', operations: bindOperations(operations, {}) })
  }
})

const BRIEF = 'a-token-that-expires-0001'

const isJson = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) =>
  /json/.test(String(headers['content-type']))

/** Stands in for an OAuth host whose resource /mcp lacks a scope. */
const narrow = definePlugin({
  manifest: { ...manifest, id: 'narrow', name: 'Narrow', provides: ['oauth.protect/v1'] },
  register: (host) =>
    host.provide(oauthProtect, () =>
      Object.assign(async () => undefined, { missingScopes: ['telemetry:read'] })
    )
})

/** Stands in for an OAuth host: every token is a person's, whose client lives at one site. */
const connected = definePlugin({
  manifest: { ...manifest, id: 'connected', name: 'Connected', provides: ['oauth.protect/v1'] },
  register: (host) =>
    host.provide(oauthProtect, () =>
      Object.assign(
        async (request: object) => {
          Object.assign(request, { oauth: { userId: 'u1', clientId: 'c1', scopes: [] } })
        },
        { isSiteOfClient: async (_request: object, origin: string) => origin === CLIENT_SITE }
      )
    )
})

const CLIENT_SITE = 'https://app.example'
const HOUR = 3_600_000

async function platform(
  t: Test,
  more: readonly (typeof narrow)[] = [],
  config: Readonly<Record<string, unknown>> = {}
) {
  const host = await createTestHost({
    plugin: agentPlugin,
    plugins: [mailerPlugin, people, shop, ...more],
    config: {
      tokens: [
        { token: TOKEN, actor: 'agent:test' },
        { token: BRIEF, actor: 'agent:brief', expiresAt: new Date(Date.now() + HOUR).toISOString() }
      ],
      testContacts: null,
      origins: ['https://tools.example'],
      ...config
    },
    platform: {
      auth: { publicUrl: 'https://shop.example' },
      plugins: {
        mailer: {
          config: {
            publicUrl: 'https://mail.example.test',
            unsubscribeSecret: 'the secret of a test',
            fromDefaults: { name: 'Acme', email: 'hello@acme.test' },
            providers: { null: {} }
          }
        }
      }
    }
  })
  t.teardown(() => host.close())
  const call = async (
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    token?: string,
    more: Readonly<Record<string, string>> = {}
  ) => {
    const headers = { ...more, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
    const payload = method === 'GET' ? {} : { payload: {} }
    const reply = await host.app.inject({ method, url, headers, ...payload })
    return {
      status: reply.statusCode,
      body: isJson(reply) ? reply.json() : reply.payload,
      headers: reply.headers
    }
  }
  return { call, host }
}

test('a scope that the resource lacks is named by the health of the plugin', async (t) => {
  const { call, host } = await platform(t, [narrow])
  host.signIn({ tenantId: '*', role: 'admin', viewerRef: 'user:root' })
  const { body } = await call('GET', '/health/plugins')
  t.match(JSON.stringify(body), /oauth\.resources\[.mcp\]\.scopes lacks telemetry:read/)
  t.match(JSON.stringify(body), /degraded/)
})

test('a page of another site may not use an agent token at /mcp', async (t) => {
  const { call } = await platform(t)
  const from = (origin: string, token: string | undefined = TOKEN) =>
    call('POST', '/mcp', token, { origin, accept: 'application/json, text/event-stream' })
  for (const origin of ['https://evil.test', 'null', 'http://localhost.evil.test']) {
    t.match(await from(origin), {
      status: 403,
      body: { error: 'foreign_origin', fix: /`origins`/ },
      headers: { 'access-control-allow-origin': '*' }
    })
    t.equal((await from(origin, '')).status, 401, 'without a token it is asked for one')
  }
  // Past the check the empty body is what is wrong.
  for (const origin of ['http://localhost', 'https://shop.example', 'https://tools.example']) {
    t.equal((await from(origin)).status, 400, origin)
  }
  t.equal(
    (await call('POST', '/mcp', TOKEN, { accept: 'application/json, text/event-stream' })).status,
    400
  )
})

test('a page may use an access token at /mcp where the client of the token has a callback', async (t) => {
  const accept = 'application/json, text/event-stream'
  const own = ['https://shop.example', 'https://tools.example', 'http://localhost', CLIENT_SITE]
  const evil = ['https://evil.test', 'null', 'https://app.example.evil.test']
  const { call } = await platform(t, [connected])
  for (const origin of own)
    t.equal((await call('POST', '/mcp', 'a', { origin, accept })).status, 400, origin)
  for (const origin of evil) {
    t.match(await call('POST', '/mcp', 'a', { origin, accept }), {
      status: 403,
      body: { error: 'foreign_origin', fix: /`peopleOrigins`/ },
      headers: { 'access-control-allow-origin': '*' }
    })
  }
  t.equal((await call('POST', '/mcp', 'a', { accept })).status, 400, 'a program sends no origin')
})

test('peopleOrigins opens /mcp to pages of all sites, or of those that it lists', async (t) => {
  const accept = 'application/json, text/event-stream'
  const statuses = async (peopleOrigins: unknown) => {
    const { call } = await platform(t, [connected], { peopleOrigins })
    const sites = [
      'https://evil.test',
      'https://listed.example',
      CLIENT_SITE,
      'https://shop.example'
    ]
    const answers = sites.map((origin) => call('POST', '/mcp', 'a', { origin, accept }))
    return (await Promise.all(answers)).map(({ status }) => status)
  }
  t.same(await statuses('all'), [400, 400, 400, 400])
  t.same(await statuses(['https://listed.example']), [403, 400, 403, 400])
  t.same(await statuses([]), [403, 403, 403, 400])
})

test('a page of another site may send the headers of both revisions to /mcp', async (t) => {
  const { host } = await platform(t)
  const wanted = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'authorization', 'dpop']
  const { headers } = await host.app.inject({
    method: 'OPTIONS',
    url: '/mcp',
    headers: {
      origin: 'https://inspector.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': wanted.join(',')
    }
  })
  const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(/, */)
  for (const name of wanted) t.ok(allowed.includes(name), name)
})

test('a body at /mcp that is not JSON gets an error of JSON-RPC', async (t) => {
  const { host } = await platform(t)
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const reply = await host.app.inject({ method: 'POST', url: '/mcp', headers, payload: '{' })
  t.match([reply.statusCode, reply.json()], [400, { id: null, error: { code: -32700 } }])
})

test('every address asks for a token and answers without one in the words of the agent API', async (t) => {
  const { call } = await platform(t)
  const unauthorized = {
    status: 401,
    body: { error: 'unauthorized', fix: String, docs: '/agent/errors/unauthorized' },
    headers: { 'www-authenticate': 'Bearer' }
  }
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/status'],
    ['POST', '/tick'],
    ['GET', '/openapi.json'],
    ['GET', '/api/me'],
    ['POST', '/api/templates'],
    ['GET', '/api/suppressions/export'],
    ['GET', '/api/nothing'],
    ['PUT', '/nothing']
  ] as const) {
    t.match(await call(method, `/agent${path}`), unauthorized, path)
    t.match(await call(method, `/agent${path}`, 'wrong-token-wrong-token'), unauthorized, path)
  }
  t.equal((await call('GET', '/agent/errors')).status, 200)
  t.equal((await call('GET', '/agent/errors/unauthorized')).status, 200)
})

test('with a token the operations, the mirror and addresses that nothing is at answer', async (t) => {
  const { call } = await platform(t)
  t.match(await call('GET', '/agent', TOKEN), { status: 200, body: { actor: 'agent:test' } })
  t.match(await call('GET', '/agent/api/me', TOKEN), { status: 200, body: { actor: 'agent:test' } })
  t.equal((await call('GET', '/agent/api/suppressions/export', TOKEN)).status, 200)
  for (const path of ['/api/nothing', '/nothing']) {
    t.match(await call('POST', `/agent${path}`, TOKEN), {
      status: 404,
      body: { error: 'not_found', docs: '/agent/errors/not_found' }
    })
  }
})

test('operations of another plugin are open to tokens when it says so, and never lift a stop', async (t) => {
  const { call } = await platform(t)
  const post = (path: string) => call('POST', `/agent/api/orders/${path}`, TOKEN)
  t.match(await post('count'), {
    status: 403,
    body: { error: 'not_open_to_agents', docs: '/agent/errors/not_open_to_agents' }
  })
  t.match(await post('check'), { status: 200, body: { by: 'agent:test' } })
  t.match(await post('resume'), { status: 403, body: { error: 'use_the_agent_route' } })
})

test('a view reads operations of another plugin for a token when they are open to tokens', async (t) => {
  const { host } = await platform(t)
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    accept: 'application/json, text/event-stream'
  }
  for (const [path, status] of [
    ['count', 403],
    ['check', 200],
    ['resume', 403]
  ] as const) {
    const view = { view: 'mailer-template', method: 'POST', path: `${base}/orders/${path}` }
    const params = { name: 'read_view', arguments: view }
    const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const reply = await host.app.inject({ method: 'POST', url: '/mcp', headers, payload })
    t.match(reply.json(), { result: { structuredContent: { status } } }, path)
  }
})

test('the document of the platform names each operation once, and what asks for a token', async (t) => {
  const { call } = await platform(t)
  const { paths } = (await call('GET', '/openapi.json')).body
  const own = Object.entries(paths as Record<string, Record<string, { operationId: string }>>)
    .filter(([path]) => path.startsWith('/agent'))
    .flatMap(([path, methods]) => Object.values(methods).map((one) => ({ path, ...one })))
  const put = own.find(({ operationId }) => operationId === 'agent.templates.put')
  t.match(put, { path: '/agent/templates/{slug}', security: [{ machine: [] }] })
  const without = own.filter((one) => !('security' in one)).map(({ path }) => path)
  t.same(without.sort(), ['/agent/errors', '/agent/errors/{code}'])
  t.notOk(own.some(({ operationId }) => operationId.startsWith('mailer.')))
})

test('what a token let send is refused from its expiry on', async (t) => {
  const asked: { mailer?: MailerCore } = {}
  const peek = definePlugin({
    manifest: { ...manifest, id: 'peek', name: 'Peek', uses: ['mailer.core/v1'] },
    register(host) {
      asked.mailer = host.use(mailerCore)
    }
  })
  const { host } = await platform(t, [peek])
  const may = (token: string) =>
    asked.mailer?.as({ tenantId: '*', token, name: token, via: 'broadcast:spring' }).allowed()
  t.equal(await may('agent:brief'), true)
  await host.clock.advance(HOUR + 1000)
  t.equal(await may('agent:brief'), false)
  t.equal(await may('agent:test'), true)
  t.equal(await may('agent:gone'), false)
})
