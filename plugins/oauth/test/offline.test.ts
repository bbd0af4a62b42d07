// Access while the person is away: a refresh token only where the person allowed it.
import { test } from 'tap'
import { type Actor, actor, back, bearer, startHost } from './flow.ts'

const SCOPE = 'openid offline_access read'

test('without consent to stay, a client gets no refresh token', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const tokensOf = (scope: string, decision: object) => app.tokens({ scope }, decision)
  const left = [
    await tokensOf(SCOPE, { approve: true, scopes: ['openid', 'read'] }),
    await tokensOf(SCOPE, { approve: true, offline: false }),
    await tokensOf('openid read', { approve: true, offline: false }),
    await tokensOf(SCOPE, { approve: true, offline: true, scopes: ['read'] })
  ]
  for (const { refresh_token, scope, access_token } of left) {
    t.equal(refresh_token, undefined)
    t.notMatch(scope, 'offline_access', 'the scope would promise what is not given')
    const { status } = await running.call('GET', '/api/read', { headers: bearer(access_token) })
    t.equal(status, 200)
  }
  t.equal(await running.host.models.OAuthToken.countDocuments({ kind: 'refresh' }), 0)
})

test('a decision that says nothing of it keeps access', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const kept = [
    await app.tokens({ scope: 'openid read' }),
    await app.tokens({ scope: SCOPE }),
    await app.tokens({ scope: SCOPE }, { approve: true, scopes: ['openid', 'offline_access'] }),
    await app.tokens({ scope: 'openid' }, { approve: true, offline: true })
  ]
  for (const { refresh_token } of kept) t.equal((await app.refresh(refresh_token)).status, 200)
})

test('a silent request keeps to what the person decided last', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  await app.tokens({ scope: SCOPE }, { approve: true, offline: false })
  t.match(back(await app.authorize({ scope: SCOPE, prompt: 'none' })), {
    error: 'consent_required'
  })
  t.equal((await silent(app)).refresh_token, undefined)
  await app.tokens({ scope: SCOPE })
  t.type((await silent(app)).refresh_token, 'string')
  await app.tokens({ scope: 'read' }, { approve: true, offline: false })
  t.equal((await silent(app)).refresh_token, undefined)
})

/** The tokens of a request without the person. */
async function silent(app: Actor) {
  const { query, verifier } = app.query({ scope: 'read', prompt: 'none' })
  const answer = await app.authorize(Object.fromEntries(new URLSearchParams(query)))
  return (await app.redeem({ code: back(answer)['code'] ?? '', verifier })).json
}

test('consent says whether access is asked for and how long it lasts otherwise', async (t) => {
  const running = await startHost(t, { ttl: { accessToken: 900 } })
  const app = actor(running, await running.client())
  const shown = async (scope: string) =>
    (await app.consent((await app.toConsent({ scope })).requestId)).json.offline
  t.same(await shown(SCOPE), { isRequested: true, accessSeconds: 900 })
  t.same(await shown('read'), { isRequested: false, accessSeconds: 900 })
})

test('a decision about access alone, or of another type, is refused', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const { requestId } = await app.toConsent({ scope: 'offline_access' })
  for (const offline of [false, 'yes', null]) {
    t.equal((await app.decide(requestId, { approve: true, offline })).status, 400, String(offline))
  }
  t.equal((await app.decide(requestId, { approve: true })).status, 200)
})
