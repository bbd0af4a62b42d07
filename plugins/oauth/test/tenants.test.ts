// Tenants: whose people may connect a client, with which scopes, and what tokens say of them.
import { decodeJwt } from 'jose'
import { test } from 'tap'
import type { ClientFields } from '../clients/client-fields.ts'
import type { OAuthHostConfig } from '../config/schema.ts'
import { API, actor, back, bearer, formOf, ISSUER, OTHER, type Running, startHost } from './flow.ts'

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

/** People of acme are `acme-…`, of globex `globex-…`; others have no tenant. */
const tenantOf = (userId: string) => /^(acme|globex)-/.exec(userId)?.[1] ?? null

const start = (
  t: Parameters<typeof startHost>[0],
  tenants: OAuthHostConfig['tenants'] = {},
  more: Partial<OAuthHostConfig> = {}
) => startHost(t, { tenantOf, tenants, serviceAccounts: { enabled: true }, ...more })

const ofAcme = (running: Running, more: Partial<ClientFields> = {}) =>
  running.client({ type: 'public', tenants: ['acme'], ...more })

test('tokens name the tenant where that is on, and nowhere else', async (t) => {
  const resources = [
    { id: API, scopes: ['read'], accessTokenFormat: 'jwt' as const },
    { id: OTHER, scopes: ['read'] }
  ]
  for (const claim of [true, false]) {
    const claims = () => ({ tenant_id: 'forged' })
    const running = await start(t, { claim }, { resources, claims })
    const own = await running.client({ type: 'confidential', resourceServer: true })
    const person = actor(running, own, 'acme-1')
    const jwt = await person.tokens({ scope: 'openid read', resource: API })
    const { access_token: opaque } = await person.tokens({ scope: 'openid read', resource: OTHER })
    const wanted = claim ? 'acme' : undefined
    t.equal(decodeJwt(jwt.access_token)['tenant_id'], wanted)
    t.equal(decodeJwt(jwt.id_token)['tenant_id'], wanted)
    t.equal((await person.userinfo(opaque)).json.tenant_id, wanted)
    t.equal((await person.post('/introspect', { token: opaque })).json.tenant_id, wanted)
    const nobody = await actor(running, own, 'u1').tokens({ scope: 'openid read' })
    t.equal(decodeJwt(nobody.access_token)['tenant_id'], undefined)
    const { json } = await running.call('GET', '/.well-known/openid-configuration')
    t.equal(json.claims_supported.includes('tenant_id'), claim)
  }
})

test('a service account without an owner is of the one tenant of its client', async (t) => {
  const running = await start(t, { claim: true })
  const account = { grantTypes: ['client_credentials' as const], redirectUris: [] }
  const client = await running.client({ ...account, tenants: ['acme'] })
  const { json } = await actor(running, client).post('/token', {
    grant_type: 'client_credentials'
  })
  const about = await actor(running, client).post('/introspect', { token: json.access_token })
  t.match(about.json, { active: true, sub: client.clientId, tenant_id: 'acme' })
})

test('a client of a tenant is closed to people of others, at every door', async (t) => {
  const running = await start(t, {}, { deviceFlow: { enabled: true } })
  const client = await ofAcme(running, {
    grantTypes: ['authorization_code', 'refresh_token', DEVICE]
  })
  t.ok((await actor(running, client, 'acme-1').tokens({ scope: 'read' })).access_token)
  for (const person of ['globex-1', 'u1']) {
    const stranger = actor(running, client, person)
    for (const prompt of [undefined, 'none']) {
      const refused = await stranger.authorize({ prompt })
      t.match(back(refused), { error: 'access_denied', iss: ISSUER }, `${person} ${prompt}`)
    }
    const { json: asked } = await stranger.post('/device_authorization', { scope: 'read' })
    const page = await running.call('POST', '/oauth/device', {
      raw: formOf({ user_code: asked.user_code }),
      headers: {
        'x-user': person,
        origin: ISSUER,
        'content-type': 'application/x-www-form-urlencoded'
      }
    })
    t.equal(page.status, 403)
    t.match(page.text, /other organisations/)
  }
  const foreign = await running.client({
    grantTypes: ['client_credentials'],
    redirectUris: [],
    tenants: ['acme'],
    owner: 'globex-1'
  })
  const service = await actor(running, foreign).post('/token', {
    grant_type: 'client_credentials'
  })
  t.match(service, { status: 400, json: { error: 'invalid_grant' } })
  t.equal(await running.db.collection('oauth_grants').countDocuments({ userId: 'globex-1' }), 0)
})

test('giving a client to a tenant ends the access of everyone else, and no other', async (t) => {
  const running = await start(t)
  const client = await running.client({ type: 'public' })
  const own = actor(running, client, 'acme-1')
  const other = actor(running, client, 'globex-1')
  const kept = await own.tokens({ scope: 'read offline_access' })
  const ended = await other.tokens({ scope: 'read offline_access' })
  const waiting = await other.toCode({ scope: 'read' })
  await running.host.clients.update(client.clientId, { tenants: ['acme'] })
  const use = async ({ access_token }: { access_token: string }) =>
    (await running.call('GET', '/api/read', { headers: bearer(access_token) })).status
  t.same([await use(kept), await use(ended)], [200, 401])
  t.equal((await other.redeem(waiting)).json.error, 'invalid_grant')
  t.equal((await other.refresh(ended.refresh_token)).json.error, 'invalid_grant')
  t.equal((await own.refresh(kept.refresh_token)).status, 200)
  await running.host.clients.update(client.clientId, { tenants: null })
  t.ok((await other.tokens({ scope: 'read' })).access_token)
})

test('a code and a refresh token are worth nothing when the tenant changes its mind', async (t) => {
  let allowed = 'acme'
  const running = await startHost(t, { tenantOf: () => allowed, tenants: {} })
  const client = await ofAcme(running)
  const person = actor(running, client, 'p')
  const tokens = await person.tokens({ scope: 'read offline_access' })
  const code = await person.toCode({ scope: 'read' })
  allowed = 'globex'
  t.match((await person.redeem(code)).json, { error: 'invalid_grant', error_description: /other/ })
  t.equal((await person.refresh(tokens.refresh_token)).json.error, 'invalid_grant')
})

test('a tenant allows clients and scopes by its policy', async (t) => {
  const running = await start(t, {
    policies: [
      { tenant: 'acme', clients: ['listed'], scopes: ['read'] },
      { tenant: 'globex', scopes: [] }
    ]
  })
  const listed = await running.client({ type: 'public', clientId: 'listed' } as object)
  const other = await running.client({ type: 'public' })
  const own = await ofAcme(running)
  const ask = async (client: typeof listed, person: string) => {
    const answer = await actor(running, client, person).authorize({ scope: 'openid read write' })
    const { error } = back(answer)
    if (error !== undefined) return error
    const made = await actor(running, client, person).tokens({ scope: 'openid read write' })
    return made.scope
  }
  t.equal(await ask(listed, 'acme-1'), 'openid read', 'without the scope that is not allowed')
  t.equal(await ask(own, 'acme-1'), 'openid read', 'its own clients need no list')
  t.equal(await ask(other, 'acme-1'), 'access_denied')
  t.equal(await ask(other, 'globex-1'), 'openid')
  t.equal(await ask(other, 'u1'), 'openid read write')
  const refused = await actor(running, other, 'globex-1').authorize({ scope: 'read' })
  t.equal(back(refused)['error'], 'access_denied', 'nothing is left')
})

test('a host of metadata documents is allowed by the policy of a tenant', async (t) => {
  const running = await start(t, { policies: [{ tenant: 'acme', hosts: ['app.example.test'] }] })
  const { clientId } = await running.client({ type: 'public' })
  const { clients } = running.parts.services.collections
  for (const [host, isAllowed] of [
    ['app.example.test', true],
    ['evil.example.test', false]
  ] as const) {
    const id = `https://${host}/client`
    const row = await clients.findOne({ clientId })
    if (row === null) throw new Error('no client')
    await clients.insertOne({ ...row, _id: host, clientId: id, registration: 'cimd' })
    const client = { client: row, clientId: id, type: 'public' } as never
    const { error } = back(await actor(running, client, 'acme-1').authorize())
    t.equal(error, isAllowed ? undefined : 'access_denied', host)
  }
})

test('lifetimes of a client take the place of those of the server', async (t) => {
  const running = await startHost(t)
  const lifetimes = { accessTokenTtl: 120, refreshTokenTtl: 600, refreshAbsoluteTtl: 900 }
  const client = await running.client({ type: 'public', ...lifetimes })
  const person = actor(running, client)
  const first = await person.tokens({ scope: 'read offline_access' })
  t.equal(first.expires_in, 120)
  running.clock.advance(500)
  const { json: second } = await person.refresh(first.refresh_token)
  running.clock.advance(601)
  t.equal((await person.refresh(second.refresh_token)).json.error, 'invalid_grant', 'unused')
  const again = await person.tokens({ scope: 'read offline_access' })
  running.clock.advance(500)
  const { json: next } = await person.refresh(again.refresh_token)
  running.clock.advance(401)
  t.equal((await person.refresh(next.refresh_token)).json.error, 'invalid_grant', 'too old')
})

test('settings and fields of tenants need a host that knows them', async (t) => {
  await t.rejects(startHost(t, { tenants: { claim: true } }), {
    code: 'OAU_CONFIG_INVALID',
    message: /tenants needs tenantOf/
  })
  for (const [policies, path] of [
    [[{ tenant: 'acme', scopes: ['ghost'] }], /policies\.0\.scopes/],
    [[{ tenant: 'acme' }, { tenant: 'acme' }], /policies\.1\.tenant/]
  ] as const) {
    await t.rejects(start(t, { policies }), { code: 'OAU_CONFIG_INVALID', message: path })
  }
  const running = await startHost(t)
  await t.rejects(running.client({ tenants: ['acme'] }), {
    code: 'OAU_CLIENT_INVALID',
    message: /tenants needs/
  })
})
