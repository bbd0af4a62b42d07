// Keys and sign-out: rotation without restart, no algorithm but ours, sessions ended for the right client.
import { generateKeyPairSync } from 'node:crypto'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { test } from 'tap'
import { createKeyRing } from '../keys/key-ring.ts'
import { createServerSecret } from '../keys/server-secret.ts'
import { actor, back, ISSUER, startHost } from './flow.ts'

test('a new key signs when older key sets have expired; the old key verifies until it is removed', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const { keys } = running.parts.services
  const jwks = async () => (await running.call('GET', '/oauth/jwks')).json
  const before = await app.tokens()
  const old = (await keys.list())[0]?.kid ?? ''
  await keys.rotate('ES256')
  t.equal((await jwks()).keys.length, 2)
  const kidOf = (token: string) => decodeProtectedHeader(token).kid
  t.equal(kidOf((await app.tokens()).id_token), old, 'not before every process publishes it')
  const { headers } = await running.call('GET', '/oauth/jwks')
  const kept = Number(/max-age=([0-9]+)/.exec(String(headers['cache-control']))?.[1])
  running.clock.advance(kept + 5)
  t.equal(kidOf((await app.tokens()).id_token), old, 'nor while a client may keep the set')
  running.clock.advance(6)
  const after = await app.tokens()
  const set = createLocalJWKSet(await jwks())
  const options = { currentDate: running.clock.now() }
  t.equal((await jwtVerify(before.id_token, set, options)).protectedHeader.kid, old)
  t.not((await jwtVerify(after.id_token, set, options)).protectedHeader.kid, old)
  t.notMatch(JSON.stringify(await jwks()), '"d"')
  const active = (await keys.list()).find(({ status }) => status === 'active')?.kid ?? ''
  t.same(await keys.remove(active), { removed: false }, 'an active key stays')
  t.same(await keys.remove(old), { removed: true })
  t.equal((await jwks()).keys.length, 1)
})

test('parallel rotations leave one active key', async (t) => {
  const running = await startHost(t)
  const { keys } = running.parts.services
  await Promise.all(Array.from({ length: 6 }, () => keys.rotate('ES256')))
  const statuses = (await keys.list()).map(({ status }) => status)
  t.equal(statuses.length, 7)
  t.equal(statuses.filter((status) => status === 'active').length, 1)
})

test('of two parallel rotations the later key stays active', async (t) => {
  const { keys, collections, settings } = (await startHost(t)).parts.services
  const update = collections.keys.updateMany.bind(collections.keys)
  const overtaken: typeof collections.keys = Object.assign(Object.create(collections.keys), {
    updateMany: async (...given: Parameters<typeof update>) => {
      await keys.rotate('ES256')
      return update(...given)
    }
  })
  const { kid } = await createKeyRing(overtaken, settings).rotate('ES256')
  const active = (await keys.list()).filter(({ status }) => status === 'active')
  t.equal(active.length, 1)
  t.not(active[0]?.kid, kid)
})

test('processes that start together keep one active key and sign with a published one', async (t) => {
  const running = await startHost(t, { signing: {} })
  const { settings, collections } = running.parts.services
  const able = { ...settings, autoGenerateKeys: true }
  const rings = Array.from({ length: 5 }, () => createKeyRing(collections.keys, able))
  await Promise.all(rings.map((ring) => ring.prepare()))
  const statuses = (await createKeyRing(collections.keys, able).list()).map(({ status }) => status)
  t.equal(statuses.filter((status) => status === 'active').length, 1)
  running.clock.advance(311)
  const claims = { iss: ISSUER, sub: 'u1' }
  const sign = (ring: (typeof rings)[number]) => ring.sign(claims, { alg: 'ES256', typ: 'JWT' })
  const signed = await Promise.all(rings.map(sign))
  t.equal(new Set(signed.map((token) => decodeProtectedHeader(token).kid)).size, 1)
})

test('a key that was replaced within its first minutes never signs', async (t) => {
  const running = await startHost(t)
  const { keys } = running.parts.services
  running.clock.advance(600)
  const [old] = await keys.list()
  await keys.rotate('ES256')
  await keys.rotate('ES256')
  const token = await keys.sign({ iss: ISSUER }, { alg: 'ES256', typ: 'JWT' })
  t.equal(decodeProtectedHeader(token).kid, old?.kid)
})

test('the active key is read even after many have retired', async (t) => {
  const running = await startHost(t)
  const { keys, collections } = running.parts.services
  const [row] = await collections.keys.find().toArray()
  if (row === undefined) throw new Error('no key')
  const createdAt = new Date(row.createdAt.getTime() - 1000)
  const retired = Array.from({ length: 60 }, (_, at) => ({
    _id: `r${at}`,
    kid: `!${at}`,
    createdAt
  }))
  await collections.keys.insertMany(
    retired.map((more) => ({ ...row, ...more, status: 'retiring' }))
  )
  running.clock.advance(311)
  t.ok((await keys.list()).some(({ kid }) => kid === row.kid))
  const token = await keys.sign({ iss: ISSUER }, { alg: 'ES256', typ: 'JWT' })
  t.equal(decodeProtectedHeader(token).kid, row.kid)
})

test('configured keys come first; retiring ones sign nothing', async (t) => {
  const pem = () =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
      type: 'pkcs8',
      format: 'pem'
    }) as string
  const running = await startHost(t, {
    signing: {
      keys: [
        { kid: 'old', privateKeyPem: pem(), status: 'retiring' },
        { kid: 'new', privateKeyPem: pem() }
      ]
    }
  })
  const app = actor(running, await running.client())
  const { id_token: token } = await app.tokens()
  const set = createLocalJWKSet((await running.call('GET', '/oauth/jwks')).json)
  const { protectedHeader } = await jwtVerify(token, set, { currentDate: running.clock.now() })
  t.same(protectedHeader, { alg: 'ES256', typ: 'JWT', kid: 'new' })
  t.same(
    (await running.parts.services.keys.list()).map(({ kid, isConfigured }) => [kid, isConfigured]),
    [
      ['old', true],
      ['new', true]
    ]
  )
  const retired = await startHost(t, {
    signing: { keys: [{ privateKeyPem: pem(), status: 'retiring' }] }
  })
  const late = actor(retired, await retired.client())
  t.equal((await late.redeem(await late.toCode())).json.error, 'server_error')
})

test('an id_token_hint that is unsigned, foreign or an access token is refused', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const { id_token: token } = await app.tokens()
  const [head = '', body = '', signature = ''] = token.split('.')
  const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${body}.`
  const changed = `${head}.${Buffer.from(JSON.stringify({ iss: ISSUER, sub: 'u1' })).toString('base64url')}.${signature}`
  for (const hint of [none, changed, 'x', 'x'.repeat(10_000)]) {
    t.equal(await running.parts.services.keys.readIdToken(hint, ISSUER), undefined)
  }
  t.equal(await running.parts.services.keys.readIdToken(token, 'https://other.test'), undefined)
  running.clock.advance(7200)
  t.match(
    await running.parts.services.keys.readIdToken(token, ISSUER),
    { sub: 'u1' },
    'also when it is over'
  )
})

test('sealed claims open on this server, for their purpose, until they expire', async (t) => {
  const running = await startHost(t)
  const { secret, collections } = running.parts.services
  const now = new Date()
  const sealed = await secret.seal({ a: 1 }, 'one', now, 60)
  t.match(await secret.open(sealed, 'one', now), { a: 1 })
  t.equal(await secret.open(sealed, 'two', now), undefined)
  t.equal(await secret.open(sealed, 'one', new Date(now.getTime() + 61_000)), undefined)
  t.equal(await secret.open('x'.repeat(20_000), 'one', now), undefined)
  const second = createServerSecret(undefined, collections.state)
  t.match(await second.open(sealed, 'one', now), { a: 1 }, 'every process has the same key')
  const other = createServerSecret('a secret of more than 32 characters', collections.state)
  t.equal(await other.open(sealed, 'one', now), undefined)
})

test('logout needs confirmation unless id_token_hint names the signed-in person', async (t) => {
  const ended: string[] = []
  const running = await startHost(t, {
    endSession: (request) => void ended.push(String(request.headers['x-user']))
  })
  const client = await running.client({ postLogoutRedirectUris: ['https://app.example.test/bye'] })
  const app = actor(running, client)
  const { id_token: hint } = await app.tokens()
  const logout = (fields: Record<string, string>, headers = app.browser()) =>
    running.call('GET', `/oauth/logout?${new URLSearchParams(fields)}`, { headers })
  const to = { post_logout_redirect_uri: 'https://app.example.test/bye', state: 's' }
  const answer = await logout({ id_token_hint: hint, ...to })
  t.same([answer.status, answer.headers['location']], [302, 'https://app.example.test/bye?state=s'])
  t.same(ended, ['u1'])
  t.equal(
    (await logout({ id_token_hint: hint, post_logout_redirect_uri: 'https://evil.test' })).status,
    400
  )
  t.equal((await logout({ id_token_hint: 'x' })).status, 400)
  t.equal((await logout({ id_token_hint: hint, client_id: 'other' })).status, 400)
  const page = await logout({ client_id: client.clientId, ...to })
  t.match(page.text, 'Sign out?')
  t.equal(ended.length, 1, 'nobody is signed out by a link')
  const fields = Object.fromEntries(
    [...page.text.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value
    ])
  )
  const cookie =
    String([page.headers['set-cookie'] ?? app.browser()['cookie']].flat()[0]).split(';')[0] ?? ''
  const press = (headers: Record<string, string>) =>
    running.call('POST', '/oauth/logout', { form: fields as Record<string, string>, headers })
  t.equal((await press({ 'x-user': 'u1' })).status, 200, 'another browser is asked again')
  const pressed = await press({ 'x-user': 'u1', cookie })
  t.same(
    [pressed.status, pressed.headers['location']],
    [303, 'https://app.example.test/bye?state=s']
  )
  t.equal(ended.length, 2)
  t.match((await running.call('GET', '/oauth/logout')).text, 'signed out')
  t.type(back(answer), 'object')
})

test('by default keys for ES256 and RS256 are made, and a client may have either', async (t) => {
  const running = await startHost(t, { signing: { autoGenerate: true } })
  const { json } = await running.call('GET', '/.well-known/openid-configuration')
  t.same(json.id_token_signing_alg_values_supported, ['ES256', 'RS256'])
  const set = createLocalJWKSet((await running.call('GET', '/oauth/jwks')).json)
  for (const alg of [undefined, 'RS256'] as const) {
    const client = await running.client(alg === undefined ? {} : { idTokenAlg: alg })
    const { id_token } = await actor(running, client).tokens()
    const options = { currentDate: running.clock.now() }
    const { protectedHeader } = await jwtVerify(id_token, set, options)
    t.equal(protectedHeader.alg, alg ?? 'ES256')
  }
  const strict = { requirePushedAuthorizationRequests: true, dpopBoundAccessTokens: true }
  await t.rejects(running.client({ ...strict, idTokenAlg: 'RS256' }), {
    message: /idTokenAlg must not be RS256/
  })
})

test('a host whose keys are configured offers ES256 alone', async (t) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const privateKeyPem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const running = await startHost(t, { signing: { keys: [{ privateKeyPem }] } })
  t.same(running.parts.services.settings.algorithms, ['ES256'])
})
