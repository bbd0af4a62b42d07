// The context that a person chose: in introspection, tokens, claims, and for the claims adapter.
import { decodeJwt } from 'jose'
import { test } from 'tap'
import { API, actor, bearer, startHost } from './flow.ts'

const grantContext = {
  list: () => [
    { id: 'org-a', label: 'A' },
    { id: 'org-b', label: 'B' }
  ],
  verify: () => true
}
const chosen = { approve: true, contextId: 'org-a' }

test('introspection, identity token, userinfo and JWTs name the context', async (t) => {
  const running = await startHost(t, {
    grantContext,
    resources: [{ id: API, scopes: ['read', 'write'], accessTokenFormat: 'jwt' }]
  })
  const app = actor(running, await running.client())
  const tokens = await app.tokens({ scope: 'openid read' }, chosen)
  t.equal((await app.post('/introspect', { token: tokens.access_token })).json.context_id, 'org-a')
  t.equal(decodeJwt(tokens.access_token)['context_id'], 'org-a')
  t.equal(decodeJwt(tokens.id_token)['context_id'], 'org-a')
  t.equal((await app.userinfo(tokens.access_token)).json.context_id, 'org-a')
  const { json } = await app.refresh(tokens.refresh_token)
  t.equal(decodeJwt(json.access_token)['context_id'], 'org-a')
  t.equal((await app.post('/introspect', { token: json.refresh_token })).json.context_id, 'org-a')
  const read = await running.call('GET', '/api/read', { headers: bearer(json.access_token) })
  t.equal(read.json.contextId, 'org-a')
})

test('the claims adapter gets the context and the client without its secrets', async (t) => {
  const asked: { contextId: string | null; clientId: string; client: object }[] = []
  const claims = (_user: object, about: (typeof asked)[number]) => {
    asked.push(about)
    return { role: 'owner', context_id: 'forged' }
  }
  const running = await startHost(t, { grantContext, claims })
  const client = await running.client()
  const app = actor(running, client)
  const tokens = await app.tokens({ scope: 'openid' }, chosen)
  t.match(decodeJwt(tokens.id_token), { role: 'owner', context_id: 'org-a' })
  t.match((await app.userinfo(tokens.access_token)).json, { role: 'owner', context_id: 'org-a' })
  t.equal(asked.length, 2)
  for (const about of asked) {
    t.match(about, {
      contextId: 'org-a',
      clientId: client.clientId,
      client: { name: 'Test client', secrets: [{ createdAt: Date }] }
    })
    t.notMatch(JSON.stringify(about.client), 'hash')
  }
})

test('without contexts nothing names one', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const { access_token, id_token } = await app.tokens({ scope: 'openid' })
  for (const said of [
    decodeJwt(id_token),
    (await app.post('/introspect', { token: access_token })).json,
    (await app.userinfo(access_token)).json
  ]) {
    t.notOk('context_id' in said)
  }
})
