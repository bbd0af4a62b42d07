// What administrators of one tenant see and change of the people of others: nothing.
import { assert, constantFrom, property, string } from 'fast-check'
import type { Filter } from 'mongodb'
import { test } from 'tap'
import type { OAuthGrant } from '../storage/rows.ts'
import { peopleOfTenant } from '../users/people-of-tenant.ts'
import { personId } from '../viewers.ts'
import { PLATFORM, person, refresh, start, tokensOf } from './platform-people.ts'

type Started = Awaited<ReturnType<typeof start>>

const BOSSES = { acme: person('acme', 'boss', 'admin'), globex: person('globex', 'chief', 'admin') }

async function call(
  { host }: Started,
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH',
  path: string,
  payload?: object
) {
  const url = `/oauth/admin/${path}`
  const answer = await host.app.inject({ method, url, ...(payload && { payload }) })
  return { status: answer.statusCode, json: answer.json() }
}

/** A person of each tenant with access; administrators of both tenants are let in. */
async function startWithBoth(t: Parameters<typeof start>[0]) {
  const started = await start(t, { homeTenant: 'acme', adminTenants: ['acme', 'globex'] })
  const acme = await tokensOf(started, person('acme', '1'))
  const globex = await tokensOf(started, person('globex', '1'))
  return { started, acme, globex }
}

const usersOf = ({ items }: { items: readonly { userId?: string }[] }) =>
  [...new Set(items.map(({ userId }) => userId))].sort()

test('grants, audit and attempts are those of the own tenant; the platform sees all', async (t) => {
  const { started } = await startWithBoth(t)
  const { host, clientId } = started
  const seen = async () => ({
    grants: usersOf((await call(started, 'GET', 'grants')).json),
    ofClient: usersOf((await call(started, 'GET', `grants?clientId=${clientId}`)).json),
    audit: usersOf((await call(started, 'GET', 'audit')).json).filter(Boolean),
    attempts: usersOf((await call(started, 'GET', `attempts?clientId=${clientId}`)).json)
  })
  const only = (id: string) => ({ grants: [id], ofClient: [id], audit: [id], attempts: [id] })
  host.signIn(BOSSES.acme)
  t.same(await seen(), only('1'))
  host.signIn(BOSSES.globex)
  t.same(await seen(), only('globex::1'))
  host.signIn(PLATFORM)
  const both = ['1', 'globex::1']
  t.same(await seen(), { grants: both, ofClient: both, audit: both, attempts: both })
})

test('a host that was refused is offered to those who may allow it alone', async (t) => {
  const clientIdMetadata = { hosts: ['claude.ai'] }
  const started = await start(t, { adminTenants: ['acme'], clientIdMetadata })
  const id = encodeURIComponent('https://vscode.dev/oauth/client-metadata.json')
  await started.host.app.inject(`/oauth/authorize?client_id=${id}`)
  const hosts = async () => {
    const { items } = (await call(started, 'GET', `attempts?clientId=${id}`)).json
    return items.map(({ refusedHost }: { refusedHost?: string }) => refusedHost)
  }
  started.host.signIn(PLATFORM)
  t.same(await hosts(), ['vscode.dev'])
  started.host.signIn(BOSSES.acme)
  t.same(await hosts(), [undefined])
  const body = { host: 'vscode.dev' }
  t.match(await call(started, 'POST', 'metadata-hosts', body), { status: 403 })
})

test('shared entries do not say which person of another tenant acted, or from where', async (t) => {
  const { started } = await startWithBoth(t)
  const made = async () => {
    const { items } = (await call(started, 'GET', 'audit')).json
    return items.find(({ type }: { type: string }) => type === 'oauth.client_created')
  }
  started.host.signIn(PLATFORM)
  t.match(await made(), { actorId: '*::p', ip: String })
  started.host.signIn(BOSSES.acme)
  const shown = await made()
  t.equal(shown.actor, 'admin')
  t.same([shown.actorId, shown.actorName, shown.ip, shown.requestId], Array(4).fill(undefined))
})

test('the ids of foreign people and grants are refused wherever they are given', async (t) => {
  const { started, globex } = await startWithBoth(t)
  const { host } = started
  host.signIn(PLATFORM)
  const { items } = (await call(started, 'GET', 'grants')).json
  const grantOf = (user: string) =>
    items.find(({ userId }: { userId: string }) => userId === user).id
  host.signIn(BOSSES.acme)
  const foreign = { status: 403, json: { code: 'OAU_PERSON_FOREIGN' } }
  const user = encodeURIComponent('globex::1')
  for (const path of [`grants?userId=${user}`, `audit?userId=${user}`]) {
    t.match(await call(started, 'GET', path), foreign, path)
  }
  for (const act of ['revoke-all', 'forget', 'leave-context']) {
    const body = act === 'leave-context' ? { contextId: 'c' } : undefined
    t.match(await call(started, 'POST', `users/${user}/${act}`, body), foreign, act)
  }
  t.match(await call(started, 'DELETE', `grants/${grantOf('globex::1')}`), {
    status: 403,
    json: { code: 'OAU_GRANT_FOREIGN' }
  })
  t.equal(await refresh(started, globex), 200, 'the access goes on')
  t.match(await call(started, 'DELETE', `grants/${grantOf('1')}`), {
    status: 200,
    json: { tokensRevoked: 2 }
  })
  host.signIn(PLATFORM)
  t.match(await call(started, 'DELETE', `grants/${grantOf('globex::1')}`), { status: 200 })
})

test('a person that no row and no sign-in knows is 404, for every call', async (t) => {
  const { started } = await startWithBoth(t)
  const unknown = { status: 404, json: { error: 'not_found', code: 'OAU_PERSON_UNKNOWN' } }
  for (const [viewer, ids] of [
    [BOSSES.acme, ['u-admin-globex', 'nobody']],
    [PLATFORM, ['nobody', 'globex::nobody', '%::1', '::', 'a::b::c']]
  ] as const) {
    started.host.signIn(viewer)
    for (const id of ids) {
      const at = `users/${encodeURIComponent(id)}`
      t.match(await call(started, 'POST', `${at}/revoke-all`), unknown, id)
      t.match(await call(started, 'POST', `${at}/forget`), unknown, id)
      const left = await call(started, 'POST', `${at}/leave-context`, { contextId: 'c' })
      t.match(left, unknown, id)
    }
  }
  started.signing.known.clear()
  t.match(
    await call(started, 'POST', 'users/1/revoke-all'),
    { status: 200, json: { grantsRevoked: 1 } },
    'access of a person who left can be ended'
  )
})

test('a client that people of other tenants use is changed by the platform alone', async (t) => {
  const { started, acme, globex } = await startWithBoth(t)
  const { host, clientId } = started
  const changes = [
    ['PATCH', `clients/${clientId}`, { redirectUris: ['https://evil.test/cb'] }],
    ['POST', `clients/${clientId}/rotate-secret`, {}],
    ['POST', `clients/${clientId}/disable`, undefined],
    ['DELETE', `clients/${clientId}`, undefined]
  ] as const
  for (const boss of [BOSSES.acme, BOSSES.globex]) {
    host.signIn(boss)
    for (const [method, path, body] of changes) {
      const answer = await call(started, method, path, body)
      t.match(answer, { status: 403, json: { code: 'OAU_CLIENT_SHARED' } }, `${method} ${path}`)
    }
  }
  t.same([await refresh(started, acme), await refresh(started, globex)], [200, 200])
  host.signIn(BOSSES.globex)
  t.match(await call(started, 'POST', 'users/globex%3A%3A1/revoke-all'), { status: 200 })
  host.signIn(BOSSES.acme)
  t.match(await call(started, 'POST', `clients/${clientId}/disable`), {
    status: 200,
    json: { grantsRevoked: 1 }
  })
})

test('a tenant cannot undo what the platform disabled: not by enabling, deleting or disabling it', async (t) => {
  const started = await start(t, { homeTenant: 'acme', adminTenants: ['acme', 'globex'] })
  const { host, clientId } = started
  const at = `clients/${clientId}`
  const only = { status: 403, json: { code: 'OAU_PLATFORM_ONLY' } }
  host.signIn(PLATFORM)
  t.equal((await call(started, 'POST', `${at}/disable`)).status, 200)
  host.signIn(BOSSES.acme)
  t.equal((await call(started, 'POST', `${at}/disable`)).status, 200, 'again, by a tenant')
  t.match(await call(started, 'POST', `${at}/enable`), only)
  t.match(await call(started, 'DELETE', at), only)
  host.signIn(PLATFORM)
  t.match(await call(started, 'POST', `${at}/enable`), {
    status: 200,
    json: { client: { status: 'active' } }
  })
  host.signIn(BOSSES.acme)
  t.equal((await call(started, 'POST', `${at}/disable`)).status, 200)
  host.signIn(BOSSES.globex)
  t.equal((await call(started, 'POST', `${at}/enable`)).status, 200, 'what a tenant disabled')
})

test('an administrator of a tenant makes service accounts with their own rights alone', async (t) => {
  const started = await start(t, {
    homeTenant: 'acme',
    adminTenants: ['acme'],
    serviceAccounts: { enabled: true }
  })
  const { host } = started
  const account = (owner: string) => ({
    name: 'Robot',
    redirectUris: [],
    allowedScopes: ['tools:read'],
    grantTypes: ['client_credentials'],
    owner
  })
  host.signIn(BOSSES.acme)
  const foreign = { status: 403, json: { code: 'OAU_OWNER_FOREIGN' } }
  t.match(await call(started, 'POST', 'clients', account('root')), foreign)
  const own = await call(started, 'POST', 'clients', account('boss'))
  t.equal(own.status, 201)
  const at = `clients/${own.json.clientId}`
  t.match(await call(started, 'PATCH', at, { owner: 'root' }), foreign)
  host.signIn(person('acme', 'other', 'admin'))
  t.match(await call(started, 'POST', `${at}/rotate-secret`, {}), foreign)
  t.match(await call(started, 'PATCH', at, { name: 'Mine' }), foreign)
  t.equal((await call(started, 'POST', `${at}/disable`)).status, 200, 'stopping it is allowed')
  t.match(await call(started, 'POST', `${at}/enable`), foreign)
  host.signIn(PLATFORM)
  t.equal((await call(started, 'POST', `${at}/rotate-secret`, {})).status, 200)
})

test('signing keys are shown to administrators of tenants and changed by the platform alone', async (t) => {
  const started = await start(t, { homeTenant: 'acme', adminTenants: ['acme'] })
  const only = { status: 403, json: { code: 'OAU_PLATFORM_ONLY' } }
  started.host.signIn(BOSSES.acme)
  t.match(await call(started, 'GET', 'keys'), { status: 200, json: { mayChange: false } })
  t.match(await call(started, 'POST', 'keys/rotate', {}), only)
  t.match(await call(started, 'DELETE', 'keys/none'), only)
  started.host.signIn(PLATFORM)
  t.match(await call(started, 'GET', 'keys'), { json: { mayChange: true } })
  t.equal((await call(started, 'POST', 'keys/rotate', {})).status, 200)
})

test('the filters of a tenant find exactly the people that it has', async (t) => {
  const { started } = await startWithBoth(t)
  const rows = started.host.db.collection<OAuthGrant>('oauth_audit')
  const tenants = ['acme', 'acme:', 'acm', 'globex', 'a::b', '*', 'ü/%', '%']
  const ids = ['1', 'b::1', 'a:b', 'globex::1', '::', ':', ';']
  const all = tenants.flatMap((tenantId) =>
    ids.map((id) => ({
      tenantId,
      userId: personId({ tenantId, viewerRef: `user:${id}` }, 'acme') ?? ''
    }))
  )
  await rows.deleteMany({})
  await rows.insertMany(all.map(({ userId }, at) => ({ _id: String(at), userId }) as OAuthGrant))
  const found = async (filter: object) =>
    (await rows.find(filter as Filter<OAuthGrant>).toArray()).map(({ userId }) => userId).sort()
  for (const tenant of tenants.filter((one) => one !== '*')) {
    const { own, foreign, has } = peopleOfTenant(tenant, 'acme')
    const mine = all.filter(({ tenantId }) => tenantId === tenant).map(({ userId }) => userId)
    const others = all.filter(({ tenantId }) => tenantId !== tenant).map(({ userId }) => userId)
    t.same(await found(own), mine.sort(), tenant)
    t.same(await found(foreign ?? {}), others.sort(), tenant)
    t.same([mine.every(has), others.some(has)], [true, false], tenant)
  }
})

test('whose a person is does not depend on how the id is written', async (t) => {
  const tenants = constantFrom('acme', 'globex', 'a:b', '%')
  assert(
    property(tenants, tenants, string({ minLength: 1 }), (one, other, id) => {
      const userId = personId({ tenantId: one, viewerRef: `user:${id}` }, 'acme') ?? ''
      return peopleOfTenant(other, 'acme').has(userId) === (one === other)
    })
  )
  t.pass()
})
