// Tokens of embeds on a running host: what they open, and every way in which they open nothing else.
import { randomBytes } from 'node:crypto'
import { definePlugin, type Host, operation, Type } from '@keelson/sdk'
import { embedsPages } from '@keelson/sdk/contracts/embed-grants'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import embeds from '../index.ts'

const MINUTE_MS = 60_000
const admin = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ann', email: 'ann@acme.test' }
const scopes = ['charts:read']

/** Operations of a plugin with two pages: one may be shared. */
const charts = (
  [
    ['charts.series.read', 'GET', '/api/series', 'read', 'viewer', scopes],
    ['charts.search.run', 'POST', '/api/search', 'read', 'viewer', scopes],
    [
      'charts.series.change',
      'POST',
      '/api/series',
      'change',
      'viewer',
      [...scopes, 'charts:write']
    ],
    ['charts.people.list', 'GET', '/api/people', 'read', 'viewer', scopes],
    ['charts.series.one', 'GET', '/api/series/:id', 'read', 'viewer', scopes],
    ['charts.costs.read', 'GET', '/api/costs', 'read', 'viewer', ['costs:read']],
    ['charts.keys.list', 'GET', '/api/keys', 'read', 'admin', scopes]
  ] as const
).map(([id, method, path, effect, auth, needed]) =>
  operation({
    id,
    method,
    path,
    summary: id,
    access: { auth, scopes: [...needed] },
    effect,
    query: Type.Object({
      name: Type.Optional(Type.String()),
      plan: Type.Optional(Type.String()),
      from: Type.Optional(Type.String())
    }),
    ...(path.includes(':') && { params: Type.Object({ id: Type.String() }) }),
    answer: Type.Object({ tenantId: Type.String(), role: Type.String() }),
    run: (_input, { actor }) => ({ tenantId: actor.tenantId, role: actor.role ?? '' })
  })
)

const plugin = definePlugin({
  manifest: {
    manifestVersion: 1,
    id: 'charts',
    name: 'Charts',
    version: '1.0.0',
    kernel: '^1.0.0',
    description: 'Two pages.',
    license: 'MIT',
    uses: ['embeds.pages/v1'],
    routes: charts.map(({ id, method, path, summary, effect, access }) => ({
      id,
      method,
      path,
      summary,
      effect,
      auth: access.auth,
      scopes: [...(access.scopes ?? [])]
    }))
  },
  operations: charts,
  register(host: Host) {
    host.serve(charts)
    // The list names too much: the kernel opens what reads under the scope, and nothing else.
    const operations = charts.map(({ id }) => id).filter((id) => id !== 'charts.people.list')
    const scope = 'charts:read'
    host.extend(embedsPages, [
      { page: 'chart', title: 'Chart', scope, operations },
      { page: 'one', title: 'One chart', scope, operations, varies: ['from'] }
    ])
  }
})

async function open(t: Test, config: object = {}) {
  const host = await createTestHost({
    plugin: embeds,
    plugins: [plugin],
    viewer: admin,
    config: { ...config }
  })
  t.teardown(() => host.close())
  const share = (more: object = {}) =>
    host.app.inject({
      method: 'POST',
      url: '/embeds/api/grants',
      payload: { plugin: 'charts', page: 'chart', ...more }
    })
  const tokenOf = async (more: object = {}) => (await share(more)).json().token as string
  const read = (
    token: string,
    url = '/charts/api/series',
    more: { method?: 'GET' | 'POST'; headers?: object } = {}
  ) =>
    host.app.inject({
      method: more.method ?? 'GET',
      url,
      headers: { authorization: `Bearer ${token}`, ...more.headers }
    })
  return { host, share, tokenOf, read }
}

test('a token reads what its page needs, in its tenant, and is never an administrator', async (t) => {
  const { share, read } = await open(t)
  const shared = await share({ minutes: 30, label: 'For Globex' })
  t.equal(shared.statusCode, 201)
  const { token, address, grant } = shared.json()
  t.equal(address, `/embed/charts/chart#${token}`)
  t.match(grant, { plugin: 'charts', page: 'chart', tenantId: 'acme', label: 'For Globex' })
  t.notMatch(shared.body, /tokenHash/)
  const answer = await read(token)
  t.same([answer.statusCode, answer.json()], [200, { tenantId: 'acme', role: 'embed' }])
  const search = await read(token, '/charts/api/search', { method: 'POST' })
  t.equal(search.statusCode, 200, 'a read by POST')
})

for (const [what, method, url] of [
  ['an operation of another page', 'GET', '/charts/api/people'],
  ['a change', 'POST', '/charts/api/series'],
  ['a read under another scope', 'GET', '/charts/api/costs'],
  ['a read of administrators', 'GET', '/charts/api/keys'],
  ['the API that gives tokens', 'GET', '/embeds/api/grants'],
  ['giving a token', 'POST', '/embeds/api/grants']
] as const) {
  test(`a token does not open ${what}, also beside the cookie of an administrator`, async (t) => {
    const { read, tokenOf } = await open(t)
    const headers = { cookie: 'session=admin' }
    t.equal((await read(await tokenOf(), url, { method, headers })).statusCode, 403)
  })
}

test('a token of one tenant reads as that tenant, whatever the request names', async (t) => {
  const { host, read, tokenOf } = await open(t)
  const acme = await tokenOf()
  host.signIn({ ...admin, tenantId: 'globex' })
  const globex = await tokenOf()
  const named = '/charts/api/series?tenantId=globex'
  const answer = await read(acme, named, { headers: { 'x-viewer': 'globex:admin' } })
  t.equal(answer.statusCode, 400, 'an operation takes no tenant')
  const headers = { 'x-viewer': 'globex:admin' }
  t.match((await read(acme, undefined, { headers })).json(), { tenantId: 'acme' })
  t.match((await read(globex)).json(), { tenantId: 'globex' })
})

test('administrators share and see their own tenant alone; those of the platform name one', async (t) => {
  const { host, share } = await open(t)
  t.match((await share({ tenantId: 'globex' })).json(), { error: 'other_tenant' })
  const { grant } = (await share()).json()
  const revoke = () =>
    host.app.inject({ method: 'POST', url: `/embeds/api/grants/${grant.id}/revoke` })
  host.signIn({ ...admin, tenantId: 'globex' })
  t.equal((await revoke()).statusCode, 404)
  t.same((await host.app.inject('/embeds/api/grants')).json(), { items: [] })
  host.signIn({ ...admin, tenantId: '*' })
  t.match((await share()).json(), { error: 'tenant_missing' })
  t.match((await share({ tenantId: '*' })).json(), { error: 'tenant_missing' })
  t.match((await share({ tenantId: 'globex' })).json(), { grant: { tenantId: 'globex' } })
})

/** A token of one chart: of sign-ups. */
const oneChart = { page: 'one', query: { name: 'signed_up' } }

test('a token of one chart reads that chart over any time, and its address says which', async (t) => {
  const { host, share, read } = await open(t)
  const { token, address, grant } = (await share(oneChart)).json()
  t.equal(address, `/embed/charts/one?name=signed_up#${token}`)
  t.match(grant, { page: 'one', query: { name: 'signed_up' }, tenantId: 'acme' })
  for (const from of ['', '&from=monday', '&from=friday']) {
    t.equal((await read(token, `/charts/api/series?name=signed_up${from}`)).statusCode, 200, from)
  }
  const { items } = (await host.app.inject('/embeds/api/audit')).json()
  t.match(items, [{ action: 'share', page: 'one', query: { name: 'signed_up' } }])
})

for (const [what, url, method] of [
  ['another chart', '/charts/api/series?name=paid'],
  ['all of them', '/charts/api/series'],
  ['a narrower one', '/charts/api/series?name=signed_up&plan=pro'],
  ['two at once', '/charts/api/series?name=signed_up&name=paid'],
  ['two at once, the other first', '/charts/api/series?name=paid&name=signed_up'],
  ['a list', '/charts/api/series?name[]=signed_up'],
  ['its name in another case', '/charts/api/series?Name=signed_up'],
  ['its name with a space', '/charts/api/series?name=signed_up%20'],
  ['a name of the prototype', '/charts/api/series?name=signed_up&constructor=x'],
  ['a chart that the path names', '/charts/api/series/paid?name=signed_up'],
  ['a read that a body says', '/charts/api/search?name=signed_up', 'POST'],
  ['an operation of another page', '/charts/api/people?name=signed_up'],
  ['a read under another scope', '/charts/api/costs?name=signed_up']
] as const) {
  test(`a token of one chart does not read ${what}`, async (t) => {
    const { read, tokenOf } = await open(t)
    const answer = await read(await tokenOf(oneChart), url, method === undefined ? {} : { method })
    t.equal(answer.statusCode, 403)
  })
}

test('a token of one chart is of one tenant, ends, and can be revoked', async (t) => {
  const { host, share, read } = await open(t)
  const url = '/charts/api/series?name=signed_up'
  const { token, grant } = (await share({ ...oneChart, minutes: 1 })).json()
  t.match((await read(token, url, { headers: { 'x-viewer': 'globex:admin' } })).json(), {
    tenantId: 'acme',
    role: 'embed'
  })
  await host.app.inject({ method: 'POST', url: `/embeds/api/grants/${grant.id}/revoke` })
  t.equal((await read(token, url)).statusCode, 401)
  const later = (await share({ ...oneChart, minutes: 1 })).json().token
  await host.clock.advance(MINUTE_MS)
  t.equal((await read(later, url)).statusCode, 401)
})

test('parameters are for a page that shows one thing of many, and never what varies', async (t) => {
  const { share } = await open(t)
  for (const more of [{ query: { name: 'x' } }, { page: 'one', query: { from: 'monday' } }]) {
    t.match((await share(more)).json(), { error: 'query_not_taken', fix: /varies/ })
  }
  t.equal((await share({ page: 'one', query: { 'a b': 'x' } })).statusCode, 400)
  t.equal((await share({ page: 'one', query: { name: 'x'.repeat(501) } })).statusCode, 400)
})

test('a token ends at its time, which is at most a day', async (t) => {
  const { host, share, read, tokenOf } = await open(t)
  t.equal((await share({ minutes: 1441 })).statusCode, 400)
  const token = await tokenOf({ minutes: 1440 })
  await host.clock.advance(1439 * MINUTE_MS)
  t.equal((await read(token)).statusCode, 200)
  await host.clock.advance(MINUTE_MS)
  t.equal((await read(token)).statusCode, 401)
})

test('a token that was changed, made up or cut is unknown', async (t) => {
  const { read, tokenOf } = await open(t)
  const token = await tokenOf()
  const last = token.endsWith('A') ? 'B' : 'A'
  const foreign = `kse_${randomBytes(32).toString('base64url')}`
  for (const wrong of [`${token.slice(0, -1)}${last}`, token.slice(0, -1), `${token}A`, foreign]) {
    t.equal((await read(wrong)).statusCode, 401, wrong)
  }
  t.equal((await read('kse_')).statusCode, 401)
})

test('a revoked token opens nothing from then on; the audit log names who did it', async (t) => {
  const { host, share, read } = await open(t)
  const { token, grant } = (await share()).json()
  const url = `/embeds/api/grants/${grant.id}/revoke`
  for (const _ of [1, 2]) {
    t.match((await host.app.inject({ method: 'POST', url })).json(), { revokedBy: /ann/ })
  }
  t.equal((await read(token)).statusCode, 401)
  await host.clock.advance(1)
  const { items } = (await host.app.inject('/embeds/api/audit')).json()
  t.match(items.map(({ action }: { action: string }) => action).sort(), ['revoke', 'share'])
  t.match(items[0], { actor: 'human:ann@acme.test', grantId: grant.id, tenantId: 'acme' })
})

test('only those whom the config names share, and only pages that plugins offer', async (t) => {
  const { share, host } = await open(t, { sharers: ['boss@acme.test'] })
  t.equal((await share()).statusCode, 403)
  host.signIn({ ...admin, email: 'boss@acme.test' })
  t.equal((await share()).statusCode, 201)
  t.match((await share({ page: 'other' })).json(), { error: 'page_not_shared' })
  const { pages } = (await host.app.inject('/embeds/api/pages')).json()
  const listed = { plugin: 'charts', scope: 'charts:read' }
  t.same(pages, [
    { ...listed, page: 'chart', title: 'Chart' },
    { ...listed, page: 'one', title: 'One chart', varies: ['from'] }
  ])
})

test('the database has no token, and each query its index', async (t) => {
  const { host, tokenOf } = await open(t)
  const token = await tokenOf()
  const grants = host.db.collection('embeds_grants')
  t.notOk(JSON.stringify(await grants.find().toArray()).includes(token.slice(4)))
  const cases = [
    [grants, { tokenHash: 'x' }, {}],
    [grants, {}, { createdAt: -1 }],
    [grants, { tenantId: 'acme' }, { createdAt: -1 }],
    [host.db.collection('embeds_audit'), {}, { at: -1 }],
    [host.db.collection('embeds_audit'), { tenantId: 'acme' }, { at: -1 }]
  ] as const
  for (const [collection, filter, sort] of cases) {
    const plan = JSON.stringify(await collection.find(filter).sort(sort).explain('queryPlanner'))
    t.match(plan, /IXSCAN/)
    t.notMatch(plan, /"stage":"SORT"|COLLSCAN/)
  }
})
