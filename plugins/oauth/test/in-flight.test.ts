// What is under way while a person is forgotten, shut out, or taken out of a context: nothing of it stays.
import { test } from 'tap'
import { actor, type Running, startHost } from './flow.ts'

const PERSON = 'person-to-be-forgotten'

/** Names of the collections that still know the person. */
async function tracesOf(running: Running): Promise<readonly string[]> {
  await running.parts.services.attempts.settle()
  const traces: string[] = []
  for (const { name } of await running.db.listCollections().toArray()) {
    const text = JSON.stringify(await running.db.collection(name).find().toArray())
    if (text.includes(PERSON)) traces.push(name)
  }
  return traces
}

/** A host that can be stopped where it asks for a person's profile, just before it writes tokens. */
async function stoppable(t: Parameters<typeof startHost>[0]) {
  let atLoad: (() => Promise<unknown>) | undefined
  const running = await startHost(t, {
    loadUser: async (id) => {
      await atLoad?.()
      return { id }
    }
  })
  /** Does the one while the other is on its way. */
  const during = async <T>(work: () => Promise<T>, act: () => Promise<unknown>): Promise<T> => {
    atLoad = act
    const done = await work()
    atLoad = undefined
    return done
  }
  return { running, during }
}

test('tokens minted during the erasure of their person are deleted', async (t) => {
  const { running, during } = await stoppable(t)
  const app = actor(running, await running.client(), PERSON)
  const forget = () => running.host.users.forget(PERSON)
  const pair = await app.toCode()
  const exchanged = await during(() => app.redeem(pair), forget)
  t.same([exchanged.status, exchanged.json.error], [400, 'invalid_grant'])
  t.same(await tracesOf(running), [])
  const { tokens } = running.parts.services.collections
  const insertMany = tokens.insertMany.bind(tokens)
  tokens.insertMany = (async (...given: Parameters<typeof insertMany>) => {
    tokens.insertMany = insertMany
    await forget()
    return insertMany(...given)
  }) as never
  const used = await app.redeem(await app.toCode())
  t.same([used.status, used.json.error], [400, 'invalid_grant'])
  t.same(await tracesOf(running), [])
  const { refresh_token: token } = await app.tokens()
  const refreshed = await during(() => app.refresh(token), forget)
  t.same([refreshed.status, refreshed.json.error], [400, 'invalid_grant'])
  t.same(await tracesOf(running), [])
  const told = running.events.filter(({ type }) => type === 'oauth.token_refreshed')
  t.same(told, [], 'nobody is told of what did not happen')
})

test('revoking a token of a person who is being erased leaves no audit row', async (t) => {
  const { running } = await stoppable(t)
  const app = actor(running, await running.client(), PERSON)
  const { access_token: token } = await app.tokens()
  const { state } = running.parts.services.collections
  const raise = state.findOneAndUpdate.bind(state)
  state.findOneAndUpdate = (async (...given: Parameters<typeof raise>) => {
    state.findOneAndUpdate = raise
    await running.host.users.forget(PERSON)
    return raise(...given)
  }) as never
  t.equal((await app.post('/revoke', { token })).status, 200)
  t.same(await tracesOf(running), [])
})

test('a refresh that overlaps the end of its family is refused', async (t) => {
  const { running, during } = await stoppable(t)
  const app = actor(running, await running.client())
  const { refresh_token: token } = await app.tokens()
  const refreshed = await during(
    () => app.refresh(token),
    () => running.host.users.revokeAll('u1')
  )
  t.same([refreshed.status, refreshed.json.error], [400, 'invalid_grant'])
  t.equal(await running.host.models.OAuthToken.countDocuments({ revokedAt: null }), 0)
})

/** Lets something happen after a decision was taken, before its grant is written. */
function beforeGrant(running: Running, act: () => Promise<unknown>): void {
  const { grants } = running.parts.services.collections
  const before = grants.findOneAndUpdate.bind(grants)
  grants.findOneAndUpdate = (async (...given: Parameters<typeof before>) => {
    grants.findOneAndUpdate = before
    await act()
    return before(...given)
  }) as never
}

test('consent leaves nothing when the person is erased meanwhile', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client(), PERSON)
  const { requestId } = await app.toConsent()
  beforeGrant(running, () => running.host.users.forget(PERSON))
  t.equal((await app.decide(requestId, { approve: true })).status, 404)
  t.same(await tracesOf(running), [])
  t.equal((await app.userinfo((await app.tokens()).access_token)).status, 200, 'and who comes back')
})

test('consent grants nothing when the client is disabled meanwhile', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const app = actor(running, client)
  const { requestId } = await app.toConsent()
  beforeGrant(running, () => running.host.clients.disable(client.clientId))
  t.equal((await app.decide(requestId, { approve: true })).status, 404)
  await running.host.clients.enable(client.clientId)
  t.same((await running.host.grants.list()).items, [])
})

test('consent grants nothing when the person leaves the context meanwhile', async (t) => {
  const members = new Set(['org-1'])
  const running = await startHost(t, {
    grantContext: {
      list: () => [...members].map((id) => ({ id, label: id })),
      verify: (_user, id) => members.has(id)
    }
  })
  const app = actor(running, await running.client())
  const { requestId } = await app.toConsent()
  beforeGrant(running, async () => {
    members.delete('org-1')
    await running.host.contexts.revoked('u1', 'org-1')
  })
  const decision = { approve: true, contextId: 'org-1' }
  t.equal((await app.decide(requestId, decision)).status, 404)
  t.same((await running.host.grants.list()).items, [])
  t.equal(await running.host.models.OAuthCode.countDocuments(), 0)
})
