// Agent tokens that administrators make: what they open, who may make them, and every way in which they open nothing.
import { createHash, randomBytes } from 'node:crypto'
import { type Test, test } from 'tap'
import type { TokenRow } from '../tokens/token-row.ts'
import { ANN, BEA, CONFIGURED, GIL, OUT, REA, ROOT, tokenPlatform, VIC } from './token-platform.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const READ = { scopes: ['mail:read'] }

const rowsOf = ({ db }: Awaited<ReturnType<typeof tokenPlatform>>) =>
  db.collection<TokenRow>('agent_tokens')

test('a token that an administrator made opens what a token of the config opens', async (t) => {
  const platform = await tokenPlatform(t)
  const { token, secret } = await platform.make({ name: 'Büro-Bot' })
  t.match(secret, /^ksa_[\w-]{43}$/)
  t.match(token, {
    actor: /^agent:buro-bot-[0-9a-f]{12}$/,
    ending: secret.slice(-4),
    scopes: ['mail:write'],
    owner: 'human:ann@acme.test',
    tenantId: 'acme',
    state: 'active'
  })
  t.match(await platform.use(secret), { status: 200, body: { actor: token.actor } })
  t.equal((await platform.use(secret, '/status')).status, 200)
  t.match(await platform.use(secret, '/api/me'), { status: 200, body: { actor: token.actor } })
  const { app } = platform
  const whoami = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami' } }
  for (const [bearer, actor] of [
    [secret, token.actor],
    [CONFIGURED, 'agent:config']
  ] as const) {
    const headers = {
      authorization: `Bearer ${bearer}`,
      accept: 'application/json, text/event-stream'
    }
    const reply = await app.inject({ method: 'POST', url: '/mcp', headers, payload: whoami })
    t.match(reply.json(), { result: { structuredContent: { actor } } })
    const foreign = { ...headers, origin: 'https://evil.test' }
    const refused = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: foreign,
      payload: whoami
    })
    t.match([refused.statusCode, refused.json()], [403, { error: 'foreign_origin' }])
  }
})

test('a secret is answered once, and is in no list, row, log or audit entry', async (t) => {
  const platform = await tokenPlatform(t)
  const { token, secret } = await platform.make()
  const rotated = await platform.as(ANN)('POST', `/${token.id}/rotate`, { retireAfter: HOUR })
  t.equal(rotated.status, 200)
  t.equal(rotated.headers['cache-control'], 'no-store')
  const secrets = [secret, rotated.body.secret]
  for (const one of secrets) t.equal((await platform.use(one)).status, 200)
  await platform.as(ANN)('GET', `/${token.id}`)
  const names = (await platform.db.listCollections().toArray()).map(({ name }) => name)
  const kept = await Promise.all(names.map((name) => platform.db.collection(name).find().toArray()))
  const everything = JSON.stringify([await platform.list(), kept, platform.logs])
  for (const one of secrets) t.notOk(everything.includes(one.slice(4)), 'nowhere')
  const audit = await platform.db.collection('mailer_audit_log').find().sort({ at: 1 }).toArray()
  const own = audit.filter(({ action }) => String(action).startsWith('agent.token.'))
  t.match(own, [
    { action: 'agent.token.create', actor: 'human:ann@acme.test', resource: { id: token.id } },
    { action: 'agent.token.rotate', actor: 'human:ann@acme.test', resource: { id: token.id } }
  ])
  const hash = createHash('sha256').update(secret).digest('base64url')
  t.notOk(JSON.stringify([audit, await platform.list()]).includes(hash), 'no hash either')
})

test('scopes and routes of a token bind it', async (t) => {
  const platform = await tokenPlatform(t)
  const reader = await platform.make({ ...READ, routes: ['/status', '/flows/*'] })
  t.equal((await platform.use(reader.secret, '/status')).status, 200)
  t.match(await platform.use(reader.secret, '/runs'), { body: { error: 'route_not_allowed' } })
  const free = await platform.make(READ)
  t.match(await platform.use(free.secret, '/tick', 'POST'), {
    body: { error: 'insufficient_scope' }
  })
})

test('a token ends when it expires, and when it is revoked, at once', async (t) => {
  const platform = await tokenPlatform(t)
  const { clock, use, as } = platform
  const expiresAt = new Date(clock.now().getTime() + HOUR).toISOString()
  const brief = await platform.make({ expiresAt })
  const revoked = await platform.make()
  t.equal((await use(revoked.secret)).status, 200)
  t.match((await as(BEA)('POST', `/${revoked.token.id}/revoke`)).body, {
    token: { state: 'revoked', revokedBy: 'human:bea@acme.test' }
  })
  t.match(await use(revoked.secret), { status: 401, body: { error: 'unauthorized' } })
  t.match((await as(ANN)('POST', `/${revoked.token.id}/revoke`)).body, {
    token: { revokedBy: 'human:bea@acme.test' }
  })
  t.equal((await use(brief.secret)).status, 200)
  await clock.advance(HOUR)
  t.equal((await use(brief.secret)).status, 401)
  for (const { token } of [brief, revoked]) {
    for (const [act, body] of [
      ['/rotate', {}],
      ['', { name: 'Again' }]
    ] as const) {
      const method = act === '' ? 'PATCH' : 'POST'
      const answer = await as(ANN)(method, `/${token.id}${act}`, body)
      t.match(answer, { status: 409, body: { error: 'token_over' } })
    }
  }
})

test('after a rotation the secret before works for the grace that was named', async (t) => {
  const { clock, use, as, make } = await tokenPlatform(t)
  const { token, secret: first } = await make()
  const rotate = async (retireAfter?: number) => {
    const body = retireAfter === undefined ? {} : { retireAfter }
    return (await as(ANN)('POST', `/${token.id}/rotate`, body)).body
  }
  const { secret: second, token: shown } = await rotate(HOUR)
  t.match(shown, { ending: second.slice(-4), before: { ending: first.slice(-4), until: String } })
  for (const secret of [first, second]) t.equal((await use(secret)).status, 200)
  await clock.advance(HOUR)
  t.equal((await use(first)).status, 401, 'after the grace')
  t.equal((await use(second)).status, 200)
  const { secret: third, token: alone } = await rotate()
  t.notOk('before' in alone)
  t.equal((await use(second)).status, 401, 'without a grace it ends at once')
  t.equal((await use(third)).status, 200)
  await rotate(HOUR)
  const { secret: last } = await rotate(HOUR)
  t.equal((await use(third)).status, 401, 'only the last one works on')
  await as(ANN)('POST', `/${token.id}/revoke`)
  t.equal((await use(last)).status, 401, 'a revocation ends all')
  for (const retireAfter of [-1, 0.5, 8 * DAY, 'day', null]) {
    const answer = await as(ANN)('POST', `/${token.id}/rotate`, { retireAfter })
    t.match(answer, { status: 400, body: { error: 'validation_failed' } }, String(retireAfter))
  }
})

test('a change narrows a token and never widens it', async (t) => {
  const { clock, as, make, use } = await tokenPlatform(t)
  const at = (days: number) => new Date(clock.now().getTime() + days * DAY).toISOString()
  const routes = ['/templates/*', '/status']
  const { token, secret } = await make({ routes, expiresAt: at(10) })
  const change = (body: object) => as(ANN)('PATCH', `/${token.id}`, body)
  for (const body of [{ routes: ['/*'] }, { routes: ['/templatesx'] }, { expiresAt: at(11) }])
    t.match(await change(body), { status: 409, body: { error: 'token_cannot_grow' } })
  const narrow = { name: ' Reader ', ...READ, routes: ['/templates/a'], expiresAt: at(5) }
  t.match(await change(narrow), {
    status: 200,
    body: { token: { ...narrow, name: 'Reader', actor: token.actor } }
  })
  t.match(await use(secret, '/status'), { status: 403, body: { error: 'route_not_allowed' } })
  for (const body of [{ scopes: ['mail:write'] }, { routes }, { expiresAt: at(6) }])
    t.match(await change(body), { status: 409, body: { error: 'token_cannot_grow' } })
})

test('input that no token can have is refused by its field', async (t) => {
  const { clock, as } = await tokenPlatform(t)
  const far = new Date(clock.now().getTime() + 367 * DAY).toISOString()
  const good = { name: 'Bot', ...READ }
  for (const [body, path] of [
    [{ ...good, name: '' }, 'name'],
    [{ ...good, name: '   ' }, 'name'],
    [{ ...good, name: 'x'.repeat(81) }, 'name'],
    [{ ...good, scopes: [] }, 'scopes'],
    [{ ...good, scopes: ['admin'] }, 'scopes[0]'],
    [{ ...good, scopes: ['mail:read', 'mail:read'] }, 'scopes'],
    [{ ...good, routes: [] }, 'routes'],
    [{ ...good, routes: ['status'] }, 'routes[0]'],
    [{ ...good, routes: [`/${'x'.repeat(200)}`] }, 'routes[0]'],
    [{ ...good, routes: Array.from({ length: 51 }, () => '/x') }, 'routes'],
    [{ ...good, expiresAt: 'soon' }, 'expiresAt'],
    [{ ...good, expiresAt: '2029-12-31T00:00:00Z' }, 'expiresAt'],
    [{ ...good, expiresAt: far }, 'expiresAt'],
    [{ ...good, token: 'chosen-by-the-caller-000001' }, 'token'],
    [{ ...good, tenantId: 'globex' }, 'tenantId']
  ] as const) {
    const { status, body: answer } = await as(ANN)('POST', '', body)
    t.equal(status, 400, JSON.stringify(answer))
    t.equal(answer.fields[0].path, path)
  }
  const large = await as(ANN)('POST', '', { ...good, name: 'x'.repeat(40_000) })
  t.equal(large.status, 413)
})

test('only administrators of the tenants that the config names make and see tokens', async (t) => {
  const { app, as, make } = await tokenPlatform(t)
  const { token, secret } = await make()
  for (const [who, status] of [
    [null, 401],
    [VIC, 403],
    [OUT, 403]
  ] as const) {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${token.id}`],
      ['PATCH', `/${token.id}`],
      ['POST', `/${token.id}/rotate`],
      ['POST', `/${token.id}/revoke`]
    ] as const)
      t.equal((await as(who)(method, path, method === 'GET' ? undefined : {})).status, status)
  }
  // A token makes no tokens, on any address of the agent API.
  for (const url of ['/agent/admin/tokens', '/agent/api/admin/tokens', '/agent/api/tokens']) {
    const headers = { authorization: `Bearer ${secret}` }
    const payload = { name: 'Child', ...READ }
    const reply = await app.inject({ method: 'POST', url, headers, payload })
    t.ok([401, 403, 404].includes(reply.statusCode), `${url} ${reply.statusCode}`)
  }
  t.equal((await as(ANN)('GET', '')).body.items.length, 1)
})

test('tokens of another tenant are not there for its administrators', async (t) => {
  const { as, list, make, use } = await tokenPlatform(t)
  const own = await make()
  const other = await make({}, GIL)
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'Mine' }],
    ['POST', '/rotate', {}],
    ['POST', '/revoke', {}]
  ] as const) {
    const answer = await as(ANN)(method, `/${other.token.id}${path}`, body)
    t.match(answer, { status: 404, body: { error: 'token_not_found' } })
  }
  t.equal((await use(other.secret)).status, 200)
  t.same(
    (await list()).items.map(({ id }) => id),
    [own.token.id]
  )
  t.same((await list(ROOT)).items.length, 2, 'the platform sees all')
  for (const id of ['nothing', '%00', '*', '{"$ne":null}'].map(encodeURIComponent))
    t.equal((await as(ANN)('GET', `/${id}`)).status, 404, id)
})

test('a person gives a token no more than they may do, now and later', async (t) => {
  const { as, clock, list, make, use, people, readers } = await tokenPlatform(t)
  t.match(await as(REA)('POST', '', { name: 'Bot', scopes: ['mail:write'] }), {
    status: 403,
    body: { error: 'forbidden', message: /mail:write/ }
  })
  const reader = await make(READ, REA)
  const writer = await make()
  t.match(await as(REA)('POST', `/${writer.token.id}/rotate`, {}), { status: 403 })
  t.same((await list(REA)).mayGive, ['mail:read'])
  t.same((await list(ANN)).mayGive, ['mail:read', 'mail:write'])
  t.equal((await use(writer.secret)).status, 200)
  // Ann may not publish any more.
  readers.add(ANN.viewerRef)
  await clock.advance(5000)
  t.equal((await use(writer.secret)).status, 401)
  const stateOf = async (id: string) => (await list(BEA)).items.find((one) => one.id === id)?.state
  t.equal(await stateOf(writer.token.id), 'held')
  // Bea makes it hers.
  const taken = await as(BEA)('POST', `/${writer.token.id}/rotate`, { retireAfter: HOUR })
  t.match(taken.body.token, { owner: 'human:bea@acme.test', state: 'active' })
  t.equal((await use(taken.body.secret)).status, 200)
  // Rea leaves, then is no administrator.
  t.equal((await use(reader.secret)).status, 200)
  people.delete(REA.viewerRef)
  await clock.advance(5000)
  t.equal((await use(reader.secret)).status, 401)
  people.set(REA.viewerRef, { ...REA, role: 'viewer' })
  await clock.advance(5000)
  t.equal((await use(reader.secret)).status, 401)
})

test('what a token let send stops when it is revoked, expires or has no owner', async (t) => {
  const { as, clock, make, maySend, people } = await tokenPlatform(t)
  const expiresAt = new Date(clock.now().getTime() + HOUR).toISOString()
  const [revoked, brief, owned] = [
    await make(),
    await make({ expiresAt }),
    await make({ name: 'Broadcasts' }, BEA)
  ]
  const reader = await make(READ)
  const may = () =>
    Promise.all([revoked, brief, owned, reader].map(({ token }) => maySend(token.actor)))
  t.same(await may(), [true, true, true, false])
  await as(ANN)('POST', `/${revoked.token.id}/revoke`)
  t.same(await may(), [false, true, true, false])
  people.delete(BEA.viewerRef)
  await clock.advance(HOUR)
  t.same(await may(), [false, false, false, false])
  t.equal(await maySend('agent:config'), true)
  t.equal(await maySend('agent:nothing-000000000000'), false)
})

test('guessed secrets, and secrets anywhere but in the header, open nothing', async (t) => {
  const { app, make, use } = await tokenPlatform(t)
  const { secret, token } = await make()
  const random = `ksa_${randomBytes(32).toString('base64url')}`
  const changed = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A')
  for (const guess of [
    random,
    changed,
    secret.slice(0, -1),
    `${secret}A`,
    secret.slice(4),
    secret.toUpperCase(),
    createHash('sha256').update(secret).digest('base64url'),
    token.id,
    token.actor,
    `ksa_${'x'.repeat(8000)}`
  ])
    t.equal((await use(guess)).status, 401, guess.slice(0, 60))
  for (const url of [`/agent?token=${secret}`, `/agent?access_token=${secret}`])
    t.equal((await app.inject({ url })).statusCode, 401)
  for (const headers of [
    { cookie: `token=${secret}` },
    { authorization: `Basic ${secret}` },
    { authorization: secret }
  ])
    t.equal((await app.inject({ url: '/agent', headers })).statusCode, 401)
})

test('a tenant has a hundred live tokens, also when they are made at once', async (t) => {
  const platform = await tokenPlatform(t)
  const { as, clock, make } = platform
  const { token: first } = await make()
  const rows = rowsOf(platform)
  const row = await rows.findOne({ _id: first.id })
  const expiresAt = new Date(clock.now().getTime() + HOUR)
  const used = row?.place ?? 0
  const copies = Array.from({ length: 100 }, (_, place) => place)
    .filter((place) => place !== used)
    .slice(0, 96)
    .map((place) => ({
      ...(row as TokenRow),
      _id: `copy-${place}`,
      secrets: [{ hash: `hash-${place}`, ending: 'abcd' }],
      expiresAt,
      place
    }))
  await rows.insertMany(copies)
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) => as(ANN)('POST', '', { name: `Bot ${at}`, ...READ }))
  )
  const statuses = answers.map(({ status }) => status).sort()
  t.same(statuses, [201, 201, 201, 409, 409, 409, 409, 409])
  t.equal(answers.find(({ status }) => status === 409)?.body.error, 'token_limit_reached')
  await make({}, GIL)
  await as(ANN)('POST', `/${first.id}/revoke`)
  await make()
  await clock.advance(HOUR)
  await make()
  t.equal(await rows.countDocuments({ tenantId: 'acme', place: { $exists: true } }), 5)
})

test('a thousand tokens are listed page by page, and found by an index', async (t) => {
  const platform = await tokenPlatform(t)
  const { as, make, use } = platform
  const { secret, token } = await make()
  const rows = rowsOf(platform)
  const row = (await rows.findOne({ _id: token.id })) as TokenRow
  const { place: _place, ...old } = row
  await rows.insertMany(
    Array.from({ length: 1000 }, (_, at) => ({
      ...old,
      _id: `old-${at}`,
      secrets: [{ hash: `hash-${at}`, ending: 'abcd' }],
      createdAt: new Date(row.createdAt.getTime() - at),
      revokedAt: row.createdAt
    }))
  )
  t.equal((await use(secret)).status, 200)
  const ids = new Set<string>()
  let cursor = ''
  do {
    const { body } = await as(ANN)('GET', `?limit=100${cursor && `&cursor=${cursor}`}`)
    for (const { id } of body.items) ids.add(id)
    cursor = body.nextCursor ?? ''
  } while (cursor !== '')
  t.equal(ids.size, 1001)
  t.match(await as(ANN)('GET', '?cursor=x'), { status: 400 })
  t.equal((await as(ANN)('GET', '?limit=101')).status, 400)
  await explained(t, rows)
})

async function explained(t: Test, rows: ReturnType<typeof rowsOf>): Promise<void> {
  const newest = { createdAt: -1, _id: -1 } as const
  for (const [name, cursor] of [
    ['secret', rows.find({ 'secrets.hash': 'x' })],
    ['tenant_place', rows.find({ tenantId: 'acme', place: { $exists: true } })],
    ['tenant_created', rows.find({ tenantId: 'acme' }).sort(newest).limit(51)],
    ['created', rows.find({}).sort(newest).limit(51)]
  ] as const) {
    const plan = JSON.stringify(await cursor.explain('queryPlanner'))
    t.match(plan, `"indexName":"${name}"`, name)
    t.notMatch(plan, 'COLLSCAN', name)
  }
}

test('a use is noted once in ten minutes', async (t) => {
  const { clock, list, make, use } = await tokenPlatform(t)
  const { secret, token } = await make()
  const lastUsed = async () => Date.parse((await list()).items[0]?.lastUsedAt ?? '')
  t.notOk('lastUsedAt' in token)
  await Promise.all([use(secret), use(secret)])
  const first = await lastUsed()
  t.ok(first <= clock.now().getTime())
  await clock.advance(9 * MINUTE)
  await use(secret)
  t.equal(await lastUsed(), first)
  await clock.advance(MINUTE)
  await use(secret)
  t.ok((await lastUsed()) >= first + 10 * MINUTE)
})

test('a token is deleted 90 days after its end', async (t) => {
  const platform = await tokenPlatform(t)
  const { as, clock, make } = platform
  const expiresAt = new Date(clock.now().getTime() + DAY)
  const { token } = await make({ expiresAt: expiresAt.toISOString() })
  const { token: lasting } = await make()
  const rowOf = (id: string) => rowsOf(platform).findOne({ _id: id })
  const after = (time: Date | undefined) => new Date((time?.getTime() ?? 0) + 90 * DAY)
  t.same((await rowOf(token.id))?.deleteAt, after(expiresAt))
  t.notOk('deleteAt' in ((await rowOf(lasting.id)) ?? {}))
  await as(ANN)('POST', `/${lasting.id}/revoke`)
  const revoked = await rowOf(lasting.id)
  t.same(revoked?.deleteAt, after(revoked?.revokedAt))
})
