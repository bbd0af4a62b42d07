// Refresh: one successor however often it is asked for in time, the end of the family when too late.
import { test } from 'tap'
import { API, actor, OTHER, startHost } from './flow.ts'

const SCOPE = { scope: 'openid offline_access read write' }

test('within the grace the same token gives the same successor, in every process', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const first = await app.tokens(SCOPE)
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => app.refresh(first.refresh_token))
  )
  t.same(new Set(answers.map(({ status }) => status)), new Set([200]))
  t.equal(new Set(answers.map(({ json }) => json.refresh_token)).size, 1)
  t.equal(new Set(answers.map(({ json }) => json.access_token)).size, 8)
  running.clock.advance(29)
  t.equal(
    (await app.refresh(first.refresh_token)).json.refresh_token,
    answers[0]?.json.refresh_token
  )
})

test('after the grace reuse of a refresh token ends the family', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const first = await app.tokens(SCOPE)
  const { json: second } = await app.refresh(first.refresh_token)
  running.clock.advance(31)
  t.equal((await app.refresh(first.refresh_token)).json.error, 'invalid_grant')
  t.equal((await app.userinfo(second.access_token)).status, 401)
  t.equal((await app.refresh(second.refresh_token)).json.error, 'invalid_grant')
  const event = running.events.find(({ type }) => type === 'oauth.refresh_reuse_detected')
  t.match(event, { userId: 'u1', meta: { tokensRevoked: Number } })
})

test('without a grace the second of two is a reuse', async (t) => {
  const running = await startHost(t, { ttl: { refreshGrace: 0 } })
  const app = actor(running, await running.client())
  const first = await app.tokens(SCOPE)
  t.equal((await app.refresh(first.refresh_token)).status, 200)
  t.equal((await app.refresh(first.refresh_token)).json.error, 'invalid_grant')
})

test('a refused refresh uses nothing up, and the next token keeps the scope', async (t) => {
  let isBroken = false
  const running = await startHost(t, {
    loadUser: async (id) => {
      if (isBroken) throw new Error('the directory is away')
      return { id }
    }
  })
  const app = actor(running, await running.client())
  const first = await app.tokens({ ...SCOPE, resource: API })
  t.equal((await app.refresh(first.refresh_token, { scope: 'email' })).json.error, 'invalid_scope')
  t.equal(
    (await app.refresh(first.refresh_token, { resource: OTHER })).json.error,
    'invalid_target'
  )
  isBroken = true
  t.same((await app.refresh(first.refresh_token)).json, { error: 'server_error' })
  isBroken = false
  const stored = await running.host.models.OAuthToken.countDocuments({ consumedAt: { $ne: null } })
  t.equal(stored, 0)
  const narrowed = await app.refresh(first.refresh_token, { scope: 'read' })
  t.equal(narrowed.json.scope, 'read')
  t.equal((await app.refresh(narrowed.json.refresh_token)).json.scope, SCOPE.scope)
})

test('a refresh token slides up to the absolute lifetime of its family', async (t) => {
  const ttl = { refreshToken: 100, refreshAbsolute: 150 }
  const running = await startHost(t, { ttl })
  const app = actor(running, await running.client())
  const first = await app.tokens(SCOPE)
  running.clock.advance(90)
  const { json: second } = await app.refresh(first.refresh_token)
  running.clock.advance(55)
  const { json: third } = await app.refresh(second.refresh_token)
  t.type(third.refresh_token, 'string')
  running.clock.advance(10)
  t.equal((await app.refresh(third.refresh_token)).json.error, 'invalid_grant')
})

test('no access token outlives its family', async (t) => {
  const running = await startHost(t, { ttl: { accessToken: 100, refreshAbsolute: 150 } })
  const app = actor(running, await running.client())
  const first = await app.tokens(SCOPE)
  t.equal(first.expires_in, 100)
  running.clock.advance(90)
  t.equal((await app.refresh(first.refresh_token)).json.expires_in, 60)
})

test('a refresh drops scopes that the client lost', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const app = actor(running, client)
  const both = { ...SCOPE, resource: [API, OTHER] }
  const first = await app.tokens(both)
  const allowedScopes = ['openid', 'offline_access', 'read']
  await running.host.clients.update(client.clientId, { allowedScopes, allowedResources: [API] })
  const { json } = await app.refresh(first.refresh_token)
  t.equal(json.scope, 'openid offline_access read')
  t.same((await running.parts.services.live.access(json.access_token))?.audience, [API])
  t.equal((await app.refresh(json.refresh_token, { scope: 'write' })).json.error, 'invalid_scope')
  t.equal((await app.refresh(json.refresh_token, { resource: OTHER })).json.error, 'invalid_target')
})

test('a refresh token presented by another client ends the family', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const thief = actor(running, await running.client())
  const first = await app.tokens(SCOPE)
  t.equal((await thief.refresh(first.refresh_token)).json.error, 'invalid_grant')
  t.equal((await app.refresh(first.refresh_token)).json.error, 'invalid_grant')
})

test('a refresh in a context that the person left is refused', async (t) => {
  const members = new Set(['org-1', 'org-2'])
  const running = await startHost(t, {
    grantContext: {
      list: () => [...members].map((id) => ({ id, label: id })),
      verify: (_user, id) => members.has(id)
    }
  })
  const app = actor(running, await running.client())
  const tokens = await app.tokens(SCOPE, { approve: true, contextId: 'org-1' })
  const kept = await app.tokens(SCOPE, { approve: true, contextId: 'org-2' })
  members.delete('org-1')
  t.equal((await app.refresh(tokens.refresh_token)).json.error, 'invalid_grant')
  t.equal((await app.userinfo(tokens.access_token)).status, 401)
  t.equal((await app.refresh(kept.refresh_token)).status, 200)
})

test('only a client with DPoP-bound tokens can switch off rotation', async (t) => {
  const running = await startHost(t)
  await t.rejects(running.client({ rotateRefreshTokens: false }), {
    message: /dpopBoundAccessTokens/
  })
  await running.client({ rotateRefreshTokens: false, dpopBoundAccessTokens: true })
})
