// Revocation, erasure and what is stored: access ends at once everywhere, people are forgotten, no secret lies around.
import { createHash } from 'node:crypto'
import { MongoClient, ObjectId } from 'mongodb'
import { test } from 'tap'
import type { OAuthHostConfig } from '../config/schema.ts'
import { createOAuthParts } from '../create-oauth-host.ts'
import { allHeard, CACHE_VERSION } from '../grants/tell-caches.ts'
import type { OAuthParts } from '../oauth-host.ts'
import { createBatchedLookup } from '../tokens/batched-lookup.ts'
import { API, actor, bearer, ISSUER, type Running, random, startHost } from './flow.ts'

test('no raw code, token, secret or handle is stored in any collection', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const app = actor(running, client)
  const { requestId } = await app.toConsent({ scope: 'openid read' })
  const open = await app.toCode()
  const pair = await app.toCode({ scope: 'openid read' })
  const { json } = await app.redeem(pair)
  const { json: next } = await app.refresh(json.refresh_token)
  const pushed = await app.post('/par', Object.fromEntries(new URLSearchParams(app.query().query)))
  const { requestId: form } = await app.toConsent({ response_mode: 'form_post' })
  const { json: posted } = await app.decide(form, { approve: true })
  await running.parts.services.attempts.settle()
  const secrets = {
    secret: client.clientSecret,
    request: requestId,
    code: open.code,
    used: pair.code,
    access: json.access_token,
    refresh: json.refresh_token,
    successor: next.refresh_token,
    idToken: json.id_token,
    verifier: pair.verifier,
    pushed: pushed.json.request_uri.split(':').pop(),
    cookie: app.browser()['cookie']?.split('=')[1],
    posted: posted.redirectTo.split('d=')[1]
  }
  for (const { name } of await running.db.listCollections().toArray()) {
    const text = JSON.stringify(await running.db.collection(name).find().toArray())
    for (const [what, value] of Object.entries(secrets)) {
      t.type(value, 'string', what)
      t.notOk(text.includes(String(value)), `${what} in ${name}`)
    }
  }
  t.notMatch(JSON.stringify([running.events, running.warnings]), json.access_token)
})

/** A host of the same database that shares nothing else with the first. */
const anotherProcess = (running: Running, more: Partial<OAuthHostConfig> = {}) =>
  createOAuthParts({
    issuer: ISSUER,
    connection: running.db,
    resources: [{ id: API, scopes: ['read', 'write'] }],
    scopes: ['openid', 'read', 'write'],
    consentUrl: '/consent',
    clock: running.clock,
    ...more
  })

/**
 * Asks until the process answers from memory: for that its stream must have been heard within the last
 * second, which a machine that is busy with other things may miss now and then.
 */
async function remembers({ services }: OAuthParts, token: string): Promise<void> {
  const { live, watch } = services
  do {
    watch.age()
    await watch.whenLive()
    await live.access(token)
  } while (live.remembered(token) === undefined)
}

test('a revocation clears the cache of another process before it resolves', async (t) => {
  const running = await startHost(t, { tokenCache: { ttlMs: 60_000 } })
  const second = anotherProcess(running, { tokenCache: { ttlMs: 60_000 } })
  t.teardown(() => second.close())
  second.services.watch.age()
  await Promise.all([second.services.watch.whenLive(), running.parts.services.watch.whenLive()])
  const app = actor(running, await running.client())
  const isLive = async (token: string) => (await second.services.live.access(token)) !== undefined
  const ends: readonly ((tokens: {
    access_token: string
    refresh_token: string
  }) => Promise<unknown>)[] = [
    ({ access_token }) => app.post('/revoke', { token: access_token }),
    ({ refresh_token }) => app.post('/revoke', { token: refresh_token }),
    async () => running.host.grants.revoke((await running.host.grants.list()).items[0]?.id ?? ''),
    () => running.host.users.revokeAll('u1'),
    () => running.host.users.forget('u1')
  ]
  for (const end of ends) {
    const tokens = await app.tokens({ scope: 'openid read' })
    const call = () => running.call('GET', '/api/read', { headers: bearer(tokens.access_token) })
    t.equal((await call()).status, 200)
    await remembers(second, tokens.access_token)
    await remembers(running.parts, tokens.access_token)
    await end(tokens)
    t.equal(running.parts.services.live.remembered(tokens.access_token), undefined)
    t.equal(second.services.live.remembered(tokens.access_token), undefined)
    t.equal(await isLive(tokens.access_token), false)
    t.equal((await call()).status, 401)
  }
  const last = await app.tokens({ scope: 'openid read' })
  t.equal(await isLive(last.access_token), true)
  running.clock.advance(3601)
  t.equal(await isLive(last.access_token), false, 'the cache does not outlive the token')
})

test('protect needs one read, and none from the cache', async (t) => {
  const start = async (config: object) => {
    const running = await startHost(t, config)
    const app = actor(running, await running.client())
    const { access_token: token } = await app.tokens({ scope: 'read' })
    await running.parts.services.attempts.settle()
    const cost = async () => {
      running.commands()
      const { status } = await running.call('GET', '/api/read', { headers: bearer(token) })
      t.equal(status, 200)
      return running.commands().filter((name) => name === 'find' || name === 'aggregate')
    }
    return { cost, parts: running.parts, token }
  }
  t.same(await (await start({})).cost(), ['aggregate'])
  const { cost, parts, token } = await start({ tokenCache: { ttlMs: 60_000 } })
  const reads: string[][] = []
  // Between asking and calling, a second may pass on a busy machine.
  do {
    await remembers(parts, token)
    reads.push(await cost())
  } while (reads.at(-1)?.length !== 0 && reads.length < 20)
  t.same(reads.at(-1), [])
})

test('a process killed during a revocation announces it at its next start', async (t) => {
  const running = await startHost(t, { tokenCache: { ttlMs: 60_000 } })
  const { live, collections } = running.parts.services
  const { access_token: token } = await actor(running, await running.client()).tokens({
    scope: 'read'
  })
  await remembers(running.parts, token)
  const told = async () => (await collections.state.findOne({ _id: CACHE_VERSION }))?.version ?? 0
  const before = await told()
  await collections.families.updateMany({}, { $set: { revokedAt: running.clock.now() } })
  t.equal(await told(), before, 'nobody told')
  await anotherProcess(running).prepare()
  const version = await told()
  t.equal(version, before + 1)
  await allHeard(version, collections.state, { holder: 'of nobody' })
  t.equal(live.remembered(token), undefined)
  t.equal(await live.access(token), undefined)
})

test('an interrupted revocation leaves no access without its grant', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const app = actor(running, client)
  const { access_token: token } = await app.tokens({ scope: 'openid read' })
  const { grants, clients } = running.parts.services.collections
  const breaking = async (
    rows: { updateMany?: unknown; updateOne?: unknown },
    act: () => Promise<unknown>
  ) => {
    const away = () => Promise.reject(new Error('away'))
    Object.assign(rows, { updateMany: away, updateOne: away })
    await t.rejects(act(), { message: 'away' })
    delete rows.updateMany
    delete rows.updateOne
  }
  const [grant] = (await running.host.grants.list()).items
  const id = grant?.id ?? ''
  await breaking(grants, () => running.host.grants.revoke(id))
  t.equal((await app.userinfo(token)).status, 401, 'the access is gone')
  t.equal((await running.host.grants.list()).items.length, 1, 'and the grant can be ended again')
  t.match(await running.host.grants.revoke(id), { tokensRevoked: 2 })
  const { access_token: next } = await app.tokens({ scope: 'openid read' })
  await breaking(clients, () => running.host.clients.disable(client.clientId))
  t.equal((await app.userinfo(next)).status, 401)
  t.match(await running.host.clients.get(client.clientId), { status: 'active' })
})

test('a repeated revocation is announced when the first announcement failed', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const tokens = await app.tokens({ scope: 'openid read' })
  const { state } = running.parts.services.collections
  const version = async () => (await state.findOne({ _id: CACHE_VERSION }))?.version ?? 0
  const before = await version()
  const raise = state.findOneAndUpdate.bind(state)
  state.findOneAndUpdate = (() => Promise.reject(new Error('away'))) as never
  t.equal((await app.post('/revoke', { token: tokens.refresh_token })).status, 500)
  state.findOneAndUpdate = raise
  t.equal(await version(), before)
  t.equal((await app.post('/revoke', { token: tokens.refresh_token })).status, 200)
  t.equal(await version(), before + 1)
})

test('waiting look-ups are batched, and none joins a read that was sent', async (t) => {
  const sent: string[][] = []
  const goOn: (() => void)[] = []
  const lookup = createBatchedLookup<string>(
    async (keys) => {
      sent.push([...keys])
      await new Promise<void>((resolve) => goOn.push(resolve))
      if (keys.includes('bad')) throw new Error('away')
      return new Map(keys.map((key) => [key, key.toUpperCase()]))
    },
    { parallel: 1, gapMs: 0 }
  )
  const first = [lookup.get('a'), lookup.get('b'), lookup.get('a')]
  await new Promise((resolve) => setImmediate(resolve))
  const second = [lookup.get('a'), lookup.get('c')]
  await new Promise((resolve) => setImmediate(resolve))
  t.same(sent, [['a', 'b']])
  goOn.shift()?.()
  t.same(await Promise.all(first), ['A', 'B', 'A'])
  await new Promise((resolve) => setImmediate(resolve))
  t.same(sent[1], ['a', 'c'])
  goOn.shift()?.()
  t.same(await Promise.all(second), ['A', 'C'])
  const failing = lookup.get('bad')
  await new Promise((resolve) => setImmediate(resolve))
  goOn.shift()?.()
  await t.rejects(failing, { message: 'away' })
})

test('erasure works for every type of user id', async (t) => {
  const id = new ObjectId()
  const running = await startHost(t, { resolveUser: () => ({ id, email: 'x@example.test' }) })
  const app = actor(running, await running.client())
  const tokens = await app.tokens({ scope: 'openid read' })
  await app.toConsent()
  t.match(await running.host.grants.list({ userId: id }), { items: [{ userId: id.toHexString() }] })
  const asAdministrator = { actorId: id.toHexString(), ip: '127.0.0.1', requestId: 'r' }
  const change = { actor: 'admin', clientId: 'of another' } as const
  await running.parts.services.journal.by(asAdministrator).audit('oauth.client_updated', change)
  t.match(await running.host.users.forget(id), { grants: 1, tokens: 2 })
  t.equal((await app.userinfo(tokens.access_token)).status, 401)
  for (const { name } of await running.db.listCollections().toArray()) {
    const text = JSON.stringify(await running.db.collection(name).find().toArray())
    t.notOk(text.includes(id.toHexString()), name)
  }
  const tombstones = await running.host.models.OAuthAudit.find({
    type: 'oauth.user_forgotten'
  }).toArray()
  t.match(await running.host.models.OAuthAudit.findOne(change), { ip: '127.0.0.1' }, 'it was done')
  t.match(tombstones, [{ actor: 'admin', meta: { grants: 1, tokens: 2 } }])
  const guess = createHash('sha256').update(`forgotten ${id.toHexString()}`).digest('base64url')
  t.not(tombstones[0]?.meta?.['tombstone'], guess, 'no guess of an id can be proven by it')
  t.same(await running.host.users.forget(id.toHexString()), { grants: 0, tokens: 0 })
})

test('leaving a context ends access in it only; audit rows have actor, address and request', async (t) => {
  const running = await startHost(t, {
    grantContext: {
      list: () => [
        { id: 'a', label: 'A' },
        { id: 'b', label: 'B' }
      ],
      verify: () => true
    }
  })
  const app = actor(running, await running.client())
  const [one, two] = [
    await app.tokens({}, { approve: true, contextId: 'a' }),
    await app.tokens({}, { approve: true, contextId: 'b' })
  ]
  t.match(await running.host.contexts.revoked('u1', 'a'), { grantsRevoked: 1, tokensRevoked: 2 })
  t.same(
    [(await app.userinfo(one.access_token)).status, (await app.userinfo(two.access_token)).status],
    [401, 200]
  )
  const rows = await running.host.models.OAuthAudit.find({ type: 'token_issued' }).toArray()
  t.match(rows[0], { actor: 'client', userId: 'u1', ip: '127.0.0.1', requestId: String })
})

test('grants are listed with the labels of their contexts, else with the ids', async (t) => {
  const asked: (readonly string[])[] = []
  let describe = (ids: readonly string[]): { id: string; label: string }[] => {
    asked.push(ids)
    return [{ id: 'a', label: 'Acme' }]
  }
  const running = await startHost(t, {
    grantContext: {
      list: () => [],
      verify: () => true,
      describe: (ids) => describe(ids)
    }
  })
  const app = actor(running, await running.client())
  await app.tokens({}, { approve: true, contextId: 'b' })
  running.clock.advance(1)
  await app.tokens({}, { approve: true, contextId: 'a' })
  const mine = async () => {
    const { json } = await running.call('GET', '/oauth/me/grants', { headers: app.browser() })
    return json.items.map((item: { contextId: string; contextLabel?: string }) => [
      item.contextId,
      item.contextLabel
    ])
  }
  t.same(await mine(), [
    ['a', 'Acme'],
    ['b', undefined]
  ])
  t.same(asked, [['a', 'b']])
  t.match((await running.host.grants.list()).items[0], { contextLabel: 'Acme' })
  describe = () => {
    throw new Error('away')
  }
  t.same(await mine(), [
    ['a', undefined],
    ['b', undefined]
  ])
  t.match(running.warnings, [{ err: { message: 'away' } }])
})

test('an error in track breaks nothing', async (t) => {
  const running = await startHost(t, {
    track: ({ type }) => {
      if (type.length % 2 === 0) throw new Error('no')
      return Promise.reject(new Error('no'))
    }
  })
  const app = actor(running, await running.client())
  const tokens = await app.tokens({ scope: 'openid offline_access' })
  t.equal((await app.refresh(tokens.refresh_token)).status, 200)
  t.ok(running.warnings.length > 0)
})

test('writing routes answer 503 until the indexes exist; a MongoClient opens its default database', async (t) => {
  const parts = createOAuthParts({
    issuer: ISSUER,
    connection: new MongoClient('mongodb://127.0.0.1:1/x'),
    resources: [API],
    scopes: ['openid'],
    consentUrl: '/consent'
  })
  t.equal(parts.host.ready, false)
  t.equal(parts.host.models.OAuthClient.collectionName, 'oauth_clients')
  t.equal(parts.host.models.OAuthClient.dbName, 'x')
  t.equal(Object.keys(parts.host.models).length, 7)
  t.type(random(), 'string')
})

test('the last attempts of a client are kept with their steps, the oldest are deleted', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const app = actor(running, client)
  await app.authorize({ scope: 'ghost' })
  running.clock.advance(1)
  const pair = await app.toCode()
  await app.redeem(pair, { code_verifier: random() })
  const { attempts } = running.parts.services
  const [latest, first] = await attempts.list(client.clientId)
  t.same(
    latest?.steps.map(({ step, outcome }) => `${step} ${outcome}`),
    ['request passed', 'consent waiting', 'consent passed', 'token refused']
  )
  t.match(latest?.steps.at(-1)?.detail, /code_verifier did not fit/)
  t.match(first?.steps[0], { step: 'request', outcome: 'refused', detail: /scope/ })
  for (let at = 0; at < 120; at++) await app.authorize({ scope: 'ghost' })
  await attempts.settle()
  t.equal((await attempts.list(client.clientId)).length, 100)
  t.ok((await running.parts.services.collections.attempts.countDocuments()) < 122)
})
