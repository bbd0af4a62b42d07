// The policies of tenants as administrators set them: within the config, of the own tenant, in the audit.
import type { Viewer } from '@keelson/sdk'
import { test } from 'tap'
import { PLATFORM, person, type Started, start } from './platform-people.ts'

const BOSS = person('acme', 'boss', 'admin')

const CONFIG = {
  homeTenant: 'home',
  tenants: { policies: [{ tenant: 'acme', scopes: ['tools:read'] }] }
}

async function as(
  { host }: Started,
  viewer: Viewer,
  method: 'GET' | 'PUT' | 'DELETE',
  path = '',
  payload?: object
) {
  host.signIn(viewer)
  const url = `/oauth/admin/tenants${path}`
  const answer = await host.app.inject({ method, url, ...(payload && { payload }) })
  return { status: answer.statusCode, json: answer.json() }
}

test('an administrator sets what a tenant allows, beside the config, and takes it back', async (t) => {
  const started = await start(t, CONFIG)
  const policy = { clients: [started.clientId], hosts: ['app.example.test'] }
  const made = await as(started, PLATFORM, 'PUT', '/globex', policy)
  t.same(made, { status: 200, json: { tenant: 'globex', set: { ...policy, by: 'platform' } } })
  const { json } = await as(started, PLATFORM, 'GET')
  t.same(json, {
    mayAdd: true,
    next: null,
    items: [{ tenant: 'acme', configured: { scopes: ['tools:read'] } }, made.json]
  })
  const [first, second] = [
    await as(started, PLATFORM, 'GET', '?limit=1'),
    await as(started, PLATFORM, 'GET', '?limit=1&after=acme')
  ]
  t.match([first.json.next, second.json.items], ['acme', [{ tenant: 'globex' }]])
  t.same((await as(started, PLATFORM, 'DELETE', '/globex')).json, { tenant: 'globex' })
  const audit = started.host.db.collection('oauth_audit')
  t.match(await audit.findOne({ type: 'oauth.tenant_policy_set' }), {
    actor: 'admin',
    meta: { tenant: 'globex', ...policy }
  })
  t.ok(await audit.findOne({ type: 'oauth.tenant_policy_reset' }))
})

test('administrators of a tenant see and set its policy alone, and not one of the platform', async (t) => {
  const started = await start(t, CONFIG)
  await as(started, PLATFORM, 'PUT', '/globex', { scopes: [] })
  const own = await as(started, BOSS, 'PUT', '/acme', { scopes: ['openid'] })
  t.equal(own.json.set.by, 'tenant')
  t.same((await as(started, BOSS, 'GET')).json.items, [own.json], 'no other')
  t.equal((await as(started, BOSS, 'PUT', '/globex', {})).json.code, 'OAU_PLATFORM_ONLY')
  const audit = await started.host.app.inject('/oauth/admin/audit')
  const tenants = audit
    .json()
    .items.flatMap(({ meta }: { meta?: { tenant?: string } }) =>
      meta?.tenant === undefined ? [] : [meta.tenant]
    )
  t.same(tenants, ['acme'], 'nor in the audit')
  await as(started, PLATFORM, 'PUT', '/acme', { scopes: ['tools:read'] })
  for (const [method, payload] of [['PUT', {}], ['DELETE']] as const) {
    const refused = await as(started, BOSS, method, '/acme', payload)
    t.same([refused.status, refused.json.code], [403, 'OAU_PLATFORM_ONLY'], method)
  }
})

test('an invalid policy is refused, and the field named', async (t) => {
  const started = await start(t, CONFIG)
  for (const [payload, problem] of [
    [{ scopes: ['ghost'] }, /scopes has ghost/],
    [{ hosts: ['https://x'] }, /hosts has https/],
    [{ clients: Array.from({ length: 201 }, String) }, /clients/],
    [{ more: true }, /more is unknown/]
  ] as const) {
    const { status, json } = await as(started, PLATFORM, 'PUT', '/acme', payload)
    t.equal(status, 400)
    t.match(JSON.stringify(json), problem)
  }
})
