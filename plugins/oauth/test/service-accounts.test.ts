// Service accounts: tokens without a person, for those that prove who they are, within scopes, owner and expiry.
import { test } from 'tap'
import type { ClientFields } from '../clients/client-fields.ts'
import type { CreatedClient } from '../clients/client-store.ts'
import type { OAuthHostConfig } from '../config/schema.ts'
import { API, actor, basic, bearer, type Form, OTHER, type Running, startHost } from './flow.ts'

const ON: Partial<OAuthHostConfig> = { serviceAccounts: { enabled: true } }
const ACCOUNT: Partial<ClientFields> = { grantTypes: ['client_credentials'], redirectUris: [] }

const ask = (running: Running, { clientId, clientSecret }: CreatedClient, more: Form = {}) =>
  running.call('POST', '/oauth/token', {
    form: { grant_type: 'client_credentials', ...more },
    headers: basic(clientId, clientSecret ?? '')
  })

test('a service account gets a token for itself, and nothing else', async (t) => {
  const running = await startHost(t, ON)
  const { json } = await running.call('GET', '/.well-known/oauth-authorization-server')
  t.ok(json.grant_types_supported.includes('client_credentials'))
  const client = await running.client(ACCOUNT)
  const answer = await ask(running, client, { scope: 'read', resource: API })
  t.match(answer, { status: 200, json: { token_type: 'Bearer', scope: 'read', expires_in: 3600 } })
  t.same(Object.keys(answer.json).sort(), ['access_token', 'expires_in', 'scope', 'token_type'])
  const headers = bearer(answer.json.access_token)
  t.match(await running.call('GET', '/api/read', { headers }), {
    status: 200,
    json: { clientId: client.clientId, userId: `client:${client.clientId}`, scopes: ['read'] }
  })
  t.equal((await running.call('GET', '/api/write', { headers })).status, 403)
  const about = await actor(running, client).post('/introspect', {
    token: answer.json.access_token
  })
  t.match(about.json, { active: true, sub: client.clientId, aud: API })
  const sent = await actor(running, client, 'u1', 'https://a.test/cb').authorize()
  t.equal(sent.status, 400, 'no person signs in for it')
})

test('requests of service accounts are held to scopes, resources and the rules of the grant', async (t) => {
  const running = await startHost(t, ON)
  const narrow = { ...ACCOUNT, allowedScopes: ['read'], allowedResources: [API] }
  const client = await running.client(narrow)
  for (const [more, error] of [
    [{ scope: 'write' }, 'invalid_scope'],
    [{ scope: 'ghost' }, 'invalid_scope'],
    [{ scope: 'read', resource: OTHER }, 'invalid_target'],
    [{ scope: 'read', resource: 'https://evil.test' }, 'invalid_target'],
    [{ client_id: 'another' }, 'invalid_request']
  ] as const) {
    t.equal((await ask(running, client, more)).json.error, error, JSON.stringify(more))
  }
  t.match((await ask(running, client)).json, { scope: 'read' }, 'all that it may have')
  const personal = await running.client(ACCOUNT)
  for (const scope of ['openid', 'email', 'offline_access read']) {
    t.equal((await ask(running, personal, { scope })).json.error, 'invalid_scope', scope)
  }
  const bound = await running.client({ ...ACCOUNT, dpopBoundAccessTokens: true })
  t.equal((await ask(running, bound)).json.error, 'invalid_dpop_proof')
  const wrong = { ...client, clientSecret: 'x' }
  t.equal((await ask(running, wrong)).json.error, 'invalid_client')
})

test('only confidential clients with the grant get it, and only while it is on', async (t) => {
  const running = await startHost(t, ON)
  const usual = await running.client()
  t.equal((await ask(running, usual)).json.error, 'unsupported_grant_type')
  const other = await running.client({ grantTypes: ['authorization_code'] })
  t.equal((await ask(running, other)).json.error, 'unauthorized_client')
  t.equal((await actor(running, other).refresh('x')).json.error, 'unauthorized_client')
  await t.rejects(running.client({ ...ACCOUNT, type: 'public' }), { message: /confidential/ })
  await t.rejects(running.client({ redirectUris: [] }), { message: /redirectUris/ })
  await t.rejects(running.client({ owner: 'u1' }), { message: /owner/ })
  const off = await startHost(t)
  await t.rejects(off.client(ACCOUNT), { message: /grants that are on/ })
  const { json } = await off.call('GET', '/.well-known/oauth-authorization-server')
  t.same(json.grant_types_supported, ['authorization_code', 'refresh_token'])
})

test('an account with an owner acts as the owner, and ends when the owner is gone or forgotten', async (t) => {
  const gone = new Set<string>()
  const running = await startHost(t, {
    ...ON,
    loadUser: (id) => (gone.has(id) ? null : { id, email: `${id}@example.test` })
  })
  const client = await running.client({ ...ACCOUNT, owner: 'u7' })
  const first = await ask(running, client, { scope: 'read' })
  const headers = bearer(first.json.access_token)
  t.match((await running.call('GET', '/api/read', { headers })).json, { userId: 'u7' })
  gone.add('u7')
  t.equal((await ask(running, client, { scope: 'read' })).json.error, 'invalid_grant')
  gone.delete('u7')
  await running.host.users.forget('u7')
  t.equal((await running.call('GET', '/api/read', { headers })).status, 401)
  t.equal((await ask(running, client)).json.error, 'invalid_client')
  t.notMatch(JSON.stringify(await running.host.clients.list()), 'u7')
})

test('an account ends at its expiry, tokens live as long as the client says, and revocation ends them', async (t) => {
  const running = await startHost(t, ON)
  const expiresAt = new Date(running.clock.now().getTime() + 600_000).toISOString()
  const client = await running.client({ ...ACCOUNT, expiresAt, accessTokenTtl: 120 })
  const { json } = await ask(running, client, { scope: 'read' })
  t.equal(json.expires_in, 120)
  const [grant] = (await running.host.grants.list({ clientId: client.clientId })).items
  await running.host.grants.revoke(grant?.id ?? '')
  const headers = bearer(json.access_token)
  t.equal((await running.call('GET', '/api/read', { headers })).status, 401)
  running.clock.advance(590)
  const last = (await ask(running, client, { scope: 'read' })).json
  t.equal(last.expires_in, 10, 'no token outlives its account')
  running.clock.advance(11)
  t.equal((await ask(running, client)).json.error, 'invalid_client')
  await running.host.clients.update(client.clientId, { expiresAt: null })
  t.equal((await ask(running, client)).status, 200)
  const entry = { type: 'token_issued', clientId: client.clientId }
  t.match(await running.host.models.OAuthAudit.findOne(entry), {
    actor: 'client',
    meta: { grantType: 'client_credentials' }
  })
})
