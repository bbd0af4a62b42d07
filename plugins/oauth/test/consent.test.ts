// Consent: what is shown, to whom, and the one decision.
import { test } from 'tap'
import { actor, CALLBACK, ISSUER, startHost } from './flow.ts'

test('the callback is shown, and a loopback one is marked', async (t) => {
  const running = await startHost(t)
  const uris = [CALLBACK, 'http://localhost/cb', 'cursor://anysphere.cursor-mcp/oauth/callback']
  const client = await running.client({ type: 'public', redirectUris: uris })
  const shown = async (uri: string) => {
    const app = actor(running, client, 'u1', uri)
    return (await app.consent((await app.toConsent()).requestId)).json.redirect
  }
  t.same(await shown(CALLBACK), { host: 'app.example.test', loopback: false })
  t.same(await shown('http://localhost:4711/cb'), { host: 'localhost:4711', loopback: true })
  t.same(await shown(uris[2] ?? ''), { host: 'cursor://anysphere.cursor-mcp', loopback: false })
})

test('consent works only for the person and browser of the request', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const app = actor(running, client)
  const { requestId } = await app.toConsent()
  const address = `/oauth/consent/${requestId}`
  t.equal((await running.call('GET', address)).status, 401)
  t.equal((await actor(running, client, 'u2').consent(requestId)).status, 403)
  t.equal((await actor(running, client).consent(requestId)).status, 403, 'another browser')
  t.equal((await app.consent(requestId)).status, 200)
  t.equal((await actor(running, client).decide(requestId, { approve: true })).status, 403)
  t.equal((await app.decide(requestId, { approve: true })).status, 200)
})

test('a decision must come from a page of this host, and is taken once', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const { requestId } = await app.toConsent({ scope: 'openid read' })
  for (const origin of ['https://evil.test', 'null', 'http://id.example.test.evil.test']) {
    t.equal((await app.decide(requestId, { approve: true }, { origin })).json.error, 'bad_origin')
  }
  for (const body of [
    {},
    [],
    { approve: 1 },
    { approve: true, scopes: [] },
    { approve: true, scopes: ['write'] },
    { approve: true, scopes: 'read' },
    { approve: true, contextId: 'x' }
  ]) {
    t.equal((await app.decide(requestId, body)).status, 400, JSON.stringify(body))
  }
  const answers = await Promise.all([1, 2, 3].map(() => app.decide(requestId, { approve: true })))
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  t.equal((await app.consent(requestId)).status, 404)
})

test('a consent request expires', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const { requestId } = await app.toConsent()
  running.clock.advance(601)
  t.equal((await app.consent(requestId)).status, 404)
  t.equal((await app.decide(requestId, { approve: true })).status, 404)
})

test('a scope is new unless it was granted in this context', async (t) => {
  const running = await startHost(t, {
    grantContext: {
      list: () => ['org-1', 'org-2'].map((id) => ({ id, label: `Org ${id}` })),
      verify: (_user, id) => id.startsWith('org-')
    }
  })
  const app = actor(running, await running.client())
  await app.tokens({ scope: 'openid read' }, { approve: true, contextId: 'org-1' })
  const { requestId } = await app.toConsent({ scope: 'openid write' })
  const isNew = async (query = '') => {
    const { json } = await running.call('GET', `/oauth/consent/${requestId}${query}`, {
      headers: app.browser()
    })
    return json.scopes.map((scope: { isNew: boolean }) => scope.isNew)
  }
  t.same(await isNew(), [true, true])
  t.same(await isNew('?contextId=org-1'), [false, true])
  t.same(await isNew('?contextId=org-2'), [true, true])
  t.equal((await app.decide(requestId, { approve: true })).status, 400, 'a context must be chosen')
  t.equal((await app.decide(requestId, { approve: true, contextId: 'ghost' })).status, 403)
})

test('a later grant extends the first, and only then its version rises', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const grant = () => running.host.models.OAuthGrant.findOne({ userId: 'u1' })
  await app.tokens({ scope: 'openid' })
  t.match(await grant(), { version: 1, scopes: ['openid'] })
  await app.tokens({ scope: 'openid' })
  t.match(await grant(), { version: 1 })
  const narrow = await app.tokens({ scope: 'openid read' })
  t.equal(narrow.scope, 'openid read')
  t.match(await grant(), { version: 2, scopes: ['openid', 'read'] })
  t.equal(await running.host.models.OAuthGrant.countDocuments(), 1)
})

test('parallel first consents make one grant', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  // Marks the browser, which the others are bound to.
  await app.toConsent()
  const requests = await Promise.all([1, 2, 3, 4, 5, 6].map(() => app.toConsent()))
  const answers = await Promise.all(
    requests.map(({ requestId }) => app.decide(requestId, { approve: true }))
  )
  t.same(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 200]
  )
  t.equal(await running.host.models.OAuthGrant.countDocuments({ revokedAt: null }), 1)
})

test('people see and end only their own grants', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const app = actor(running, client)
  const tokens = await app.tokens({ scope: 'openid read' })
  const other = actor(running, client, 'u2')
  await other.tokens()
  const list = (headers: Record<string, string>) =>
    running.call('GET', '/oauth/me/grants', { headers })
  t.equal((await list({})).status, 401)
  const { json } = await list(app.browser())
  t.match(json, {
    limit: 20,
    items: [{ client: { name: 'Test client' }, scopes: ['openid', 'read'], lastUsedAt: String }]
  })
  t.equal(json.items.length, 1)
  t.equal(json.items[0].userId, undefined)
  const address = `/oauth/me/grants/${json.items[0].id}`
  const end = (headers: Record<string, string>) =>
    running.call('DELETE', address, { headers: { origin: ISSUER, ...headers } })
  t.equal((await end(other.browser())).status, 404)
  t.equal((await end({ ...app.browser(), origin: 'https://evil.test' })).status, 403)
  t.match((await end(app.browser())).json, { revoked: true, tokensRevoked: 2 })
  t.equal((await end(app.browser())).status, 404)
  t.equal((await app.userinfo(tokens.access_token)).status, 401)
})
