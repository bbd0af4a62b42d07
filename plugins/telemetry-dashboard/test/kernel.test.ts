// The dashboard as a kernel plugin, with the real store on the built-in engine.
import { execFileSync } from 'node:child_process'
import { definePlugin, type Viewer } from '@keelson/sdk'
import { type OAuthPeople, oauthPeople } from '@keelson/sdk/contracts/oauth-people'
import { oauthProtect } from '@keelson/sdk/contracts/oauth-protect'
import { createTestHost, type TestHost } from '@keelson/sdk/testing'
import telemetryPlugin, { type EventSpec } from '@keelson/telemetry'
import { test } from 'tap'
import { telemetrySubjectLabels } from '../contracts.ts'
import dashboardPlugin from '../index.ts'
import { BODY_LIMIT } from '../operations/dashboard-operation.ts'
import { dashboardOperations } from '../operations/dashboard-operations.ts'
import { firstUse } from '../pages/system/key-request.ts'

const DAY = 86_400_000

const REGISTRY: Readonly<Record<string, EventSpec>> = {
  'page.viewed': {
    kind: 'event',
    origin: 'any',
    subjects: ['user'],
    attrs: ['path', 'source'],
    metrics: ['load_ms'],
    rollups: [
      { as: 'daily_active', by: ['subject'], bucket: 'day' },
      { as: 'pages_by_source', by: ['attr:source'], bucket: 'day', dimDefault: 'none' }
    ]
  },
  'account.signed_up': {
    kind: 'event',
    origin: 'any',
    subjects: ['user'],
    rollups: [{ as: 'signed_up', by: ['subject'] }]
  },
  'http.request': { kind: 'span', origin: 'server', attrs: ['route'] }
}

const ADMIN: Viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ann' }
const BOB: Viewer = { tenantId: 'acme', role: 'viewer', viewerRef: 'user:bob' }
const GLOBEX: Viewer = { tenantId: 'globex', role: 'admin', viewerRef: 'user:gil' }
const PLATFORM: Viewer = { tenantId: '*', role: 'admin', viewerRef: 'user:root' }

interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its answer
  readonly body: any
}

class Host {
  readonly kernel: TestHost
  constructor(kernel: TestHost) {
    this.kernel = kernel
  }

  async ask(
    viewer: Viewer | null,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: unknown
  ): Promise<Reply> {
    this.kernel.signIn(viewer)
    const response = await this.kernel.app.inject({
      method,
      url: `/telemetry/api${path}`,
      headers: {
        host: 'localhost',
        origin: 'http://localhost',
        ...(body !== undefined && { 'content-type': 'application/json' })
      },
      ...(body !== undefined && { payload: JSON.stringify(body) })
    })
    return { status: response.statusCode, body: response.json() }
  }

  async read(viewer: Viewer, path: string): Promise<Reply['body']> {
    const { status, body } = await this.ask(viewer, 'GET', path)
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }

  /** Mints a key as an admin and sends records with it. */
  async send(viewer: Viewer, records: readonly object[]): Promise<void> {
    const minted = await this.ask(viewer, 'POST', '/system/keys', {
      kind: 'secret',
      tenantMode: 'fixed',
      tenantId: viewer.tenantId,
      service: 'web',
      env: 'staging'
    })
    const response = await this.kernel.app.inject({
      method: 'POST',
      url: '/ingest',
      headers: { authorization: `Bearer ${minted.body.key}` },
      payload: { records, release: 'web@1' }
    })
    const { accepted } = response.json()
    if (accepted !== records.length) throw new Error(response.body)
  }
}

async function start(t: { teardown(fn: () => Promise<void>): unknown }, config: object = {}) {
  const kernel = await createTestHost({
    plugin: dashboardPlugin,
    plugins: [telemetryPlugin],
    config: { ...config },
    platform: { plugins: { telemetry: { config: { registry: REGISTRY } } } }
  })
  t.teardown(() => kernel.close())
  return new Host(kernel)
}

const viewed = (at: number, user: string, more: object = {}) => ({
  _id: `viewed-${user}-${at}`.padEnd(16, '0'),
  name: 'page.viewed',
  occurredAt: new Date(at).toISOString(),
  subjects: [{ type: 'user', id: user }],
  attrs: { path: '/', source: 'ads' },
  metrics: { load_ms: 100 },
  ...more
})

test('only changes have a limit of bytes, and it is the one of the document', async (t) => {
  for (const { id, method, bodyLimit } of dashboardOperations) {
    t.equal(bodyLimit, method === 'GET' ? undefined : BODY_LIMIT, id)
  }
})

test('the API document shows what every route takes and answers', async (t) => {
  const host = await start(t)
  const document = (await host.kernel.app.inject('/openapi.json')).json()
  const operation = (method: string, path: string) => document.paths[`/telemetry${path}`][method]
  const records = operation('get', '/api/records')
  const names = records.parameters.map(({ name }: { name: string }) => name)
  for (const name of ['from', 'to', 'kind', 'attrs', 'limit', 'cursor']) t.ok(names.includes(name))
  const { schemas } = document.components
  t.match(records.responses['200'].content['application/json'].schema, {
    $ref: '#/components/schemas/TelemetryRecords'
  })
  t.match(schemas.TelemetryRecords.properties, { items: { type: 'array' }, nextCursor: {} })
  t.match(schemas.NewAlertRule.required, ['name', 'signal', 'condition', 'windowMinutes'])
  for (const { id, method, path } of dashboardOperations) {
    const { responses, operationId } = operation(
      method.toLowerCase(),
      path.replace(/:(\w+)/, '{$1}')
    )
    t.equal(operationId, id)
    const { schema } = (responses['200'] ?? responses['201']).content['application/json']
    t.ok(schema.$ref ?? schema.properties, id)
  }
})

test('only an admin may change what all viewers see, and hears so before the body is read', async (t) => {
  const host = await start(t)
  const admins = dashboardOperations.filter(({ access }) => access.auth === 'admin')
  t.equal(admins.length, 6)
  for (const { method, path } of admins) {
    const address = path.replace('/api', '').replace(':id', 'x')
    const answer = await host.ask(BOB, method as 'POST', address, 'no object')
    t.match(answer, { status: 403, body: { error: 'forbidden' } }, `${method} ${path}`)
  }
})

test('a record that was sent is read by every primitive, in its own tenant alone', async (t) => {
  const host = await start(t)
  const at = Date.now() - 3_600_000
  const traceId = 'ab'.repeat(16)
  await host.send(ADMIN, [
    viewed(at, 'u1', { actor: 'admin:ann' }),
    viewed(at + 1, 'u2', { metrics: { load_ms: 300 } }),
    {
      _id: 'signed-up-u1-0001',
      name: 'account.signed_up',
      occurredAt: new Date(at + 2).toISOString(),
      subjects: [{ type: 'user', id: 'u1' }]
    },
    {
      _id: 'span-0000-0000-01',
      name: 'http.request',
      occurredAt: new Date(at + 3).toISOString(),
      traceId,
      spanId: 'cd'.repeat(8),
      durationMs: 12,
      attrs: { route: '/x' }
    }
  ])
  const records = await host.read(ADMIN, '/records?name=page.viewed')
  t.match(records, {
    items: [
      { name: 'page.viewed', subject: 'user:u2', tenantId: 'acme', service: 'web', env: 'staging' },
      { subject: 'user:u1', attrs: { source: 'ads' }, metrics: { load_ms: 100 } }
    ],
    nextCursor: null,
    dataSource: 'raw'
  })
  t.match(await host.read(ADMIN, '/records?excludeActors=admin&name=page.viewed'), {
    items: [{ subject: 'user:u2' }]
  })
  t.match(await host.read(ADMIN, '/records?metrics=load_ms%3E200'), { items: { length: 1 } })
  t.match(await host.read(ADMIN, '/series?interval=hour&name=page.viewed'), {
    buckets: [{ value: 2 }],
    dataSource: 'raw'
  })
  t.match(await host.read(ADMIN, '/distribution?measure=load_ms'), {
    n: 2,
    min: 100,
    max: 300,
    truncated: false
  })
  t.match(await host.read(ADMIN, '/activity?name=page.viewed'), { groups: [{ count: 2 }] })
  t.match(await host.read(ADMIN, '/rollups?as=signed_up'), {
    rows: [{ dims: ['user:u1'], count: 1 }],
    bucketed: false,
    truncated: false
  })
  t.match(await host.read(ADMIN, `/trace/${traceId}`), {
    items: [{ name: 'http.request', durationMs: 12 }]
  })
  t.match(await host.read(ADMIN, '/journey/user%3Au1'), {
    records: { length: 2 },
    milestones: [{ as: 'signed_up' }]
  })
  t.match(await host.read(ADMIN, '/distinct?as=daily_active'), { distinct: 2, interval: 'day' })
  t.match(await host.read(ADMIN, '/funnel?stages=signed_up'), { cohortSubjects: 1 })
  t.same((await host.read(GLOBEX, '/records')).items, [])
  t.match(await host.read(PLATFORM, '/records'), { items: { length: 4 } })
})

test('pages by cursor neither skip nor repeat', async (t) => {
  const host = await start(t)
  const at = Date.now() - DAY
  const sent = Array.from({ length: 25 }, (_, i) => viewed(at + Math.floor(i / 3), `u${i}`))
  await host.send(ADMIN, sent)
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Reply['body'] = await host.read(
      ADMIN,
      `/records?limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`
    )
    seen.push(...page.items.map(({ _id }: { _id: string }) => _id))
    cursor = page.nextCursor
  }
  t.equal(new Set(seen).size, 25)
  t.equal(seen.length, 25)
})

test('registry mistakes are answered in the words of the store', async (t) => {
  const host = await start(t)
  const cases = [
    ['/records?cursor=not-a-cursor', /cursor/],
    ['/distinct?as=signed_up', /signed_up/],
    ['/distinct?as=none', /none/],
    ['/funnel?stages=daily_active', /daily_active/]
  ] as const
  for (const [path, error] of cases) {
    const answer = await host.ask(ADMIN, 'GET', path)
    t.match(answer, { status: 400, body: { error } }, path)
  }
})

test('views are saved, listed and deleted by scope and owner', async (t) => {
  const host = await start(t, {
    views: [{ name: 'start', page: 'overview', query: { range: '24h' } }]
  })
  const spec = {
    name: 'mine',
    page: 'events',
    query: { range: '24h', filters: { $where: 1, 'a.b': 2 } }
  }
  const { status, body } = await host.ask(BOB, 'POST', '/views', { spec })
  t.equal(status, 200)
  const names = async (viewer: Viewer) =>
    (await host.read(viewer, '/views')).views.map(({ name }: { name: string }) => name)
  t.match(await host.read(BOB, '/views'), {
    views: [{ ...spec, id: body.id, ownerRef: 'user:bob', shared: false }]
  })
  t.ok((await names(BOB)).includes('start'))
  t.notOk((await names(ADMIN)).includes('mine'))
  t.same((await host.ask(GLOBEX, 'DELETE', `/views/${body.id}`)).body, { removed: 0 })
  t.same((await host.ask(ADMIN, 'DELETE', `/views/${body.id}`)).body, { removed: 1 })
})

test('saved views come oldest first, two hundred at most', async (t) => {
  const host = await start(t)
  for (let n = 0; n < 205; n++) {
    await host.ask(BOB, 'POST', '/views', { spec: { name: `v${n}`, page: 'events', query: {} } })
  }
  const { views } = await host.read(BOB, '/views')
  const saved = views.filter(({ origin }: { origin: string }) => origin === 'saved')
  t.same(
    saved.map(({ name }: { name: string }) => name),
    Array.from({ length: 200 }, (_, n) => `v${n}`)
  )
})

test('keys are minted, listed without a secret, and revoked in their own tenant', async (t) => {
  const host = await start(t)
  const minted = await host.ask(ADMIN, 'POST', '/system/keys', {
    label: 'check',
    kind: 'publishable',
    tenantMode: 'fixed',
    tenantId: 'acme',
    service: 'shop',
    env: 'prod'
  })
  t.equal(minted.status, 201)
  t.match(minted.body.key, /^pk_check_tk_/)
  const system = await host.read(ADMIN, '/system')
  t.match(system, {
    indexBudget: 24,
    role: 'admin',
    keys: [{ id: minted.body.id, service: 'shop', revokedAt: null }]
  })
  t.notMatch(JSON.stringify(system), /secretHash/)
  t.same(Object.keys(system.counters).sort(), [
    'capped',
    'deduped',
    'defaulted',
    'rejected',
    'rollupSkipped',
    'sampled',
    'truncated'
  ])
  t.same((await host.read(BOB, '/system')).keys, [])
  t.same((await host.read(GLOBEX, '/system')).keys, [])
  const revoke = (viewer: Viewer) =>
    host.ask(viewer, 'POST', `/system/keys/${minted.body.id}/revoke`)
  t.match(await revoke(BOB), { status: 403, body: { error: 'forbidden' } })
  t.same((await revoke(GLOBEX)).body, { revoked: 0 })
  t.same((await revoke(ADMIN)).body, { revoked: 1 })
  t.same((await revoke(ADMIN)).body, { revoked: 0 })
})

/** The arguments that a shell passes to curl, read as the request they send. */
function requestOf(command: string) {
  const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`])
  const [url = '', ...options] = printed.toString().split('\0')
  const valuesOf = (flag: string) => options.filter((_, at) => options[at - 1] === flag)
  const headers = valuesOf('-H').map((header) => header.split(': ') as [string, string])
  return {
    method: 'POST',
    url: new URL(url).pathname,
    headers: Object.fromEntries(headers),
    payload: valuesOf('-d')[0] ?? ''
  } as const
}

test('the first use that is shown with a secret key writes a record that arrives', async (t) => {
  const host = await start(t)
  const origin = { kind: 'secret', service: 'shop', env: 'prod' }
  const cases = [
    ['fixed', 'acme', { tenantId: 'acme' }],
    ['claimed', 'my-tenant', {}]
  ] as const
  for (const [tenantMode, tenantId, tenant] of cases) {
    const spec = { ...origin, tenantMode, ...tenant }
    const { body } = await host.ask(PLATFORM, 'POST', '/system/keys', spec)
    const request = requestOf(firstUse('https://a.example/ingest', body.key, tenantMode))
    t.equal((await host.kernel.app.inject(request)).statusCode, 200, tenantMode)
    const viewer: Viewer = { tenantId, role: 'viewer' }
    t.match(await host.read(viewer, '/records'), {
      items: { length: 1, 0: { name: 'otlp.log', service: 'shop', tenantId } }
    })
  }
})

test('a key that cannot be right is refused in the words of the store', async (t) => {
  const host = await start(t)
  const key = { kind: 'secret', tenantMode: 'fixed', tenantId: 'acme', service: 'web', env: 'prod' }
  const bad = [
    { tenantId: undefined },
    { tenantId: '*' },
    { kind: 'publishable', tenantMode: 'claimed', tenantId: undefined },
    { kind: 'publishable', allowedKinds: ['usage'] }
  ]
  for (const more of bad) {
    const { status, body } = await host.ask(PLATFORM, 'POST', '/system/keys', { ...key, ...more })
    t.equal(status, 400, JSON.stringify(more))
    t.type(body.error, 'string')
  }
})

test('an unknown filter changes nothing, whatever it says about the scope', async (t) => {
  const host = await start(t)
  for (const path of ['/records?tenantId=globex&scope=*', '/registry?x=1', '/views?name[$ne]=x']) {
    t.equal((await host.ask(BOB, 'GET', path)).status, 200, path)
  }
  t.match(await host.ask(BOB, 'GET', '/records?limit=many'), {
    status: 400,
    body: { error: /^limit /, code: 'validation_failed', fields: [{ path: 'limit' }] }
  })
})

test('an id in an address may be longer than the host allows for parameters', async (t) => {
  const host = await start(t)
  const long = `user:${'x'.repeat(150)}`
  for (const path of [`/trace/${long}`, `/journey/${encodeURIComponent(`${long}/y`)}`]) {
    t.equal((await host.ask(BOB, 'GET', path)).status, 200, path)
  }
  t.same((await host.ask(BOB, 'DELETE', `/views/${long}`)).body, { removed: 0 })
})

test("the kernel's own guards stand before the plugin's", async (t) => {
  const host = await start(t)
  for (const path of ['/registry', '/trace/x', '/journey/user%3Ax', '/system']) {
    t.match(
      await host.ask(null, 'GET', path),
      { status: 401, body: { error: 'unauthenticated' } },
      path
    )
  }
  host.kernel.signIn(BOB)
  const foreign = await host.kernel.app.inject({
    method: 'POST',
    url: '/telemetry/api/views',
    headers: { host: 'localhost', origin: 'https://evil.example', cookie: 's=1' },
    payload: { spec: { name: 'x', page: 'events', query: {} } }
  })
  t.equal(foreign.statusCode, 403)
  const unknown = await host.ask(BOB, 'GET', '/none')
  t.match(unknown, { status: 404, body: { error: 'not_found' } })
})

const none = async () => null

test('a refused access token is answered as the token guard answers it', async (t) => {
  const tokens = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'tokens',
      name: 'Tokens',
      version: '1.0.0',
      kernel: '*',
      description: 'Refuses every access token.',
      license: 'MIT',
      provides: ['oauth.protect/v1', 'oauth.people/v1']
    },
    register(host) {
      const body = { error: 'invalid_token', error_description: 'It is over.' }
      host.provide(oauthProtect, () => async (_request, reply) => reply.code(401).send(body))
      const people = { forget: none, revokeAll: none, leaveContext: none, viewerOf: none }
      host.provide(oauthPeople, people as unknown as OAuthPeople)
    }
  })
  const kernel = await createTestHost({
    plugin: dashboardPlugin,
    plugins: [telemetryPlugin, tokens],
    platform: { plugins: { telemetry: { config: { registry: REGISTRY } } } }
  })
  t.teardown(() => kernel.close())
  const headers = { authorization: 'Bearer old' }
  for (const path of ['/series', '/registry', '/views', '/trace/x', '/alerts']) {
    const answer = await kernel.app.inject({ url: `/telemetry/api${path}`, headers })
    t.match([answer.statusCode, answer.json()], [401, { error: 'invalid_token' }], path)
  }
})

test('what the viewer sees of an unreadable request is JSON', async (t) => {
  const host = await start(t)
  host.kernel.signIn(BOB)
  const post = (payload: string) =>
    host.kernel.app.inject({
      method: 'POST',
      url: '/telemetry/api/views',
      headers: {
        host: 'localhost',
        origin: 'http://localhost',
        'content-type': 'application/json'
      },
      payload
    })
  for (const [payload, status] of [
    ['{"spec":', 400],
    [`{"a":"${'x'.repeat(70_000)}"}`, 413]
  ] as const) {
    const answer = await post(payload)
    t.equal(answer.statusCode, status)
    t.type(answer.json().error, 'string')
  }
})

test('plugins give subjects their names', async (t) => {
  const people = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'people',
      name: 'People',
      version: '1.0.0',
      kernel: '*',
      description: 'Names people.',
      license: 'MIT',
      uses: ['telemetry.subject-labels/v1']
    },
    register(host) {
      host.extend(telemetrySubjectLabels, {
        describe: async (refs) =>
          Object.fromEntries(
            refs.map((ref) => [ref, { label: `Name of ${ref}`, href: `/people/${ref}` }])
          )
      })
    }
  })
  const kernel = await createTestHost({
    plugin: dashboardPlugin,
    plugins: [telemetryPlugin, people],
    platform: { plugins: { telemetry: { config: { registry: REGISTRY } } } }
  })
  t.teardown(() => kernel.close())
  const { refs } = await new Host(kernel).read(BOB, '/subjects/describe?refs=user:u1')
  t.same(refs, { 'user:u1': { label: 'Name of user:u1', href: '/people/user:u1' } })
})

test('a viewer takes all records that fit as a file, of the own tenant alone', async (t) => {
  const host = await start(t)
  const { app } = host.kernel
  host.kernel.signIn(BOB)
  const take = (query: string) =>
    app.inject({ url: `/telemetry/api/records/export?${query}`, headers: { host: 'localhost' } })
  const csv = await take('format=csv&isRoot=true&unknown=1')
  t.match([csv.statusCode, csv.headers['content-type']], [200, /text\/csv/])
  t.match(csv.body, /^_id,/)
  t.notMatch(csv.body, 'globex')
  t.equal((await take('format=xls')).statusCode, 400)
  host.kernel.signIn(null)
  t.equal((await take('format=csv')).statusCode, 401)
})
