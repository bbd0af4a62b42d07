// Audiences and scopes: every token is for resources, every scope is one of theirs; challenges say what is missing.
import { Type } from '@keelson/sdk'
import Fastify from 'fastify'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { test } from 'tap'
import { API, actor, bearer, ISSUER, OTHER, random, startHost } from './flow.ts'

const word = (header: unknown, name: string) =>
  new RegExp(`[ ,]${name}="([^"]*)"`).exec(String(header))?.[1]

test('resource at the token endpoint narrows audience and scopes, and never widens', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const both = { resource: [API, OTHER], scope: 'openid read write' }
  const one = await app.redeem(await app.toCode(both), { resource: OTHER })
  t.equal(one.json.scope, 'openid read')
  const call = (path: string, token: string) =>
    running.call('GET', path, { headers: bearer(token) })
  t.equal((await call('/other', one.json.access_token)).status, 200)
  t.equal((await call('/api/read', one.json.access_token)).status, 401)
  const whole = await app.refresh(one.json.refresh_token)
  t.same(
    [whole.json.scope, (await call('/api/write', whole.json.access_token)).status],
    ['openid read write', 200]
  )
  const wrong = await app.redeem(await app.toCode({ resource: API, scope: 'read' }), {
    resource: OTHER
  })
  t.equal(wrong.json.error, 'invalid_target')
  const ghost = await app.redeem(await app.toCode(), { resource: 'https://ghost.test' })
  t.equal(ghost.json.error, 'invalid_target')
})

test('a client is limited to its scopes and resources; the default resource is its first', async (t) => {
  const running = await startHost(t)
  const client = await running.client({
    allowedResources: [OTHER],
    allowedScopes: ['openid', 'read']
  })
  const app = actor(running, client)
  t.match((await app.authorize({ resource: API })).headers['location'], /error=invalid_target/)
  const { access_token: token } = await app.tokens({ scope: 'read' })
  t.equal((await running.call('GET', '/other', { headers: bearer(token) })).status, 200)
  t.equal((await running.call('GET', '/api/read', { headers: bearer(token) })).status, 401)
})

test('challenges name metadata, error and all the scopes that are needed', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const call = (headers = {}) => running.call('GET', '/api/write', { headers })
  const none = await call()
  const metadata = `${ISSUER}/.well-known/oauth-protected-resource/api`
  t.equal(none.status, 401)
  t.equal(word(none.headers['www-authenticate'], 'resource_metadata'), metadata)
  t.equal(word(none.headers['www-authenticate'], 'scope'), 'read write')
  t.equal(word(none.headers['www-authenticate'], 'error'), undefined)
  t.match(none.headers['access-control-expose-headers'], 'WWW-Authenticate')
  for (const authorization of ['Bearer', 'Bearer  ', 'Basic eDp5']) {
    t.equal((await call({ authorization })).json.error, 'invalid_request')
  }
  for (const [authorization, scheme] of [
    ['Bearer a b', 'Bearer'],
    ['bearer "a"', 'Bearer'],
    ['DPoP a,b', 'DPoP'],
    ['DPoP dead', 'DPoP']
  ] as const) {
    const { status, json, headers } = await call({ authorization })
    t.same([status, json.error], [401, 'invalid_token'], authorization)
    t.ok(String(headers['www-authenticate']).startsWith(`${scheme} error="invalid_token"`))
  }
  const dead = await call(bearer('dead'))
  t.equal(word(dead.headers['www-authenticate'], 'error'), 'invalid_token')
  const { access_token: token } = await app.tokens({ scope: 'openid read' })
  const short = await call(bearer(token))
  t.same([short.status, word(short.headers['www-authenticate'], 'scope')], [403, 'read write'])
  t.equal((await running.call('GET', `/api/read?access_token=${token}`)).status, 401)
})

test('JWT access tokens of a resource can be revoked like opaque ones', async (t) => {
  const running = await startHost(t, {
    resources: [{ id: API, scopes: ['read'], accessTokenFormat: 'jwt' }]
  })
  const client = await running.client({ allowedScopes: ['openid', 'read'] })
  const app = actor(running, client)
  const tokens = await app.tokens({ scope: 'openid read' })
  const jwks = createLocalJWKSet((await running.call('GET', '/oauth/jwks')).json)
  const { payload } = await jwtVerify(tokens.access_token, jwks, {
    typ: 'at+jwt',
    issuer: ISSUER,
    audience: API
  })
  t.match(payload, { sub: 'u1', client_id: client.clientId, scope: 'openid read', jti: String })
  const call = () => running.call('GET', '/api/read', { headers: bearer(tokens.access_token) })
  t.equal((await call()).status, 200)
  await app.post('/revoke', { token: tokens.access_token })
  t.equal((await call()).status, 401)
})

test('metadata is served at every address, for path issuers and several hosts', async (t) => {
  const running = await startHost(t, {
    issuer: `${ISSUER}/tenant/a`,
    resources: [
      { id: 'https://one.test/api', scopes: ['read'] },
      { id: 'https://two.test/api', scopes: ['write'] },
      { id: 'urn:example:thing' }
    ]
  })
  const get = async (url: string, host = 'id.example.test') =>
    (await running.call('GET', url, { headers: { host } })).json
  const places = [
    '/.well-known/oauth-authorization-server/tenant/a',
    '/.well-known/openid-configuration/tenant/a',
    '/tenant/a/.well-known/openid-configuration'
  ]
  for (const place of places) {
    const document = await get(place)
    t.equal(document.issuer, `${ISSUER}/tenant/a`)
    t.same(document.ui_locales_supported, ['de', 'en'])
  }
  t.equal((await get('/.well-known/oauth-authorization-server/tenant/b')).error, 'not_found')
  const resource = '/.well-known/oauth-protected-resource'
  t.equal((await get(resource)).resource, 'https://one.test/api')
  t.equal((await get(`${resource}/api`, 'two.test')).resource, 'https://two.test/api')
  t.same((await get(`${resource}/api`, 'one.test')).scopes_supported, ['read'])
  t.equal(
    (await get(`${resource}/${encodeURIComponent('urn:example:thing')}`)).resource,
    'urn:example:thing'
  )
  t.notOk((await get(resource)).scopes_supported.includes('offline_access'))
})

test('userinfo takes the token from the header or a form, never from the query', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const { access_token: token } = await app.tokens()
  const [form, headers] = [{ access_token: token }, bearer(token)]
  const query = `/oauth/userinfo?access_token=${token}`
  const post = (options: Parameters<typeof running.call>[2], url = '/oauth/userinfo') =>
    running.call('POST', url, options)
  t.match(await post({ form }), { status: 200, json: { sub: 'u1' } })
  t.match(await post({ headers }), { status: 200 })
  t.match(await post({ headers, form: { other: 'x' } }), { status: 200 })
  t.match(await post({ form: { access_token: random() } }), { json: { error: 'invalid_token' } })
  t.match(await post({ form: { access_token: '' } }), { status: 401 })
  const plain = { 'content-type': 'text/plain' }
  t.match(await post({ raw: `access_token=${token}`, headers: plain }), { status: 401 })
  t.match(await running.call('GET', query), { status: 401, json: { error: 'invalid_request' } })
  t.match(await post({}, query), { status: 401 })
  const twice = [
    await post({ form, headers }),
    await post({ form }, query),
    await running.call('GET', query, { headers }),
    await post({ form: { access_token: [token, token] } }),
    await post({ raw: `access_token=${token}${'&a=b'.repeat(200)}` })
  ]
  for (const answer of twice) {
    t.match(answer, {
      status: 400,
      json: { error: 'invalid_request' },
      headers: {
        'www-authenticate': /^Bearer error="invalid_request"/,
        'cache-control': 'no-store'
      }
    })
  }
})

test('only public endpoints allow other origins, without cookies', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const origin = 'https://app.example.test'
  for (const url of ['/oauth/jwks', '/oauth/userinfo', '/.well-known/openid-configuration']) {
    const { headers } = await running.call('GET', url, { headers: { origin } })
    t.equal(headers['access-control-allow-origin'], '*', url)
    t.equal(headers['access-control-allow-credentials'], undefined)
    t.equal((await running.call('OPTIONS', url, { headers: { origin } })).status, 204)
  }
  const token = await app.post('/token', {}, { origin })
  t.equal(token.headers['access-control-allow-origin'], '*')
  t.equal((await app.authorize({}, { origin })).headers['access-control-allow-origin'], undefined)
  const narrow = await startHost(t, { cors: { origins: [origin] } })
  const asked = (from: string) => narrow.call('GET', '/oauth/jwks', { headers: { origin: from } })
  t.equal((await asked(origin)).headers['access-control-allow-origin'], origin)
  t.equal((await asked('https://evil.test')).headers['access-control-allow-origin'], undefined)
})

test('an empty list of origins allows no page of another origin to call', async (t) => {
  const running = await startHost(t, { cors: { origins: [] } })
  const headers = { origin: 'https://app.example.test' }
  for (const url of ['/oauth/jwks', '/oauth/userinfo', '/api/read']) {
    const answer = await running.call('GET', url, { headers })
    t.same(
      Object.keys(answer.headers).filter((name) => name.startsWith('access-control-')),
      [],
      url
    )
    t.equal((await running.call('OPTIONS', url, { headers })).status, 404, url)
  }
})

test('identity tokens carry the protocol claims, which the host cannot override', async (t) => {
  const running = await startHost(t, {
    signing: { autoGenerate: true, algorithms: ['ES256', 'RS256'] },
    claims: () => ({ sub: 'evil', iss: 'evil', role: 'admin' })
  })
  const client = await running.client({ idTokenAlg: 'RS256' })
  const app = actor(running, client)
  const tokens = await app.tokens({ scope: 'openid profile email', nonce: 'n-1', max_age: '9999' })
  const jwks = createLocalJWKSet((await running.call('GET', '/oauth/jwks')).json)
  const { payload, protectedHeader } = await jwtVerify(tokens.id_token, jwks, {
    issuer: ISSUER,
    audience: client.clientId,
    currentDate: running.clock.now()
  })
  t.equal(protectedHeader.alg, 'RS256')
  t.match(payload, {
    sub: 'u1',
    nonce: 'n-1',
    name: 'User u1',
    email: 'u1@example.test',
    role: 'admin',
    auth_time: Number,
    at_hash: String
  })
  const next = await app.refresh(tokens.refresh_token)
  t.equal(
    (await jwtVerify(next.json.id_token, jwks, { currentDate: running.clock.now() })).payload[
      'nonce'
    ],
    undefined
  )
  t.match((await app.userinfo(tokens.access_token)).json, { sub: 'u1', role: 'admin' })
})

test('pairwise subjects differ by sector and are never stored', async (t) => {
  const running = await startHost(t, {
    subjectMode: 'pairwise',
    pairwiseSalt: 'a long enough salt'
  })
  const at = async (uri: string, user = 'u1') => {
    const app = actor(running, await running.client({ redirectUris: [uri] }), user, uri)
    return (await app.userinfo((await app.tokens()).access_token)).json.sub
  }
  const one = await at('https://one.test/a')
  t.equal(await at('https://one.test/b'), one)
  t.not(await at('https://two.test/a'), one)
  t.not(await at('https://one.test/a', 'u2'), one)
  t.notMatch(one, 'u1')
})

test('a challenge keeps the shape of the standard, whatever the route says of its own answers', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const running = await startHost(t)
  const own = Type.Object({ reason: Type.Integer() }, { additionalProperties: false })
  app.get('/api/strict', {
    schema: { response: { 401: own, 403: own, '4xx': own, default: own } },
    preHandler: running.parts.host.protect(['read', 'write']),
    handler: async () => ({ reason: 1 })
  })
  const { access_token: narrow } = await actor(running, await running.client()).tokens({
    scope: 'read'
  })
  for (const [authorization, status, error] of [
    [undefined, 401, 'invalid_request'],
    ['Bearer dead', 401, 'invalid_token'],
    ['DPoP dead', 401, 'invalid_token'],
    [`DPoP ${narrow}`, 401, 'invalid_token'],
    [`Bearer ${narrow}`, 403, 'insufficient_scope']
  ] as const) {
    const headers = authorization === undefined ? {} : { authorization }
    const answer = await app.inject({ url: '/api/strict', headers })
    t.equal(answer.statusCode, status, String(authorization))
    t.match(answer.json(), { error, error_description: String })
    t.match(answer.headers, {
      'content-type': /^application\/json/,
      'cache-control': 'no-store',
      'www-authenticate': /^(Bearer|DPoP) .*resource_metadata="/
    })
  }
})

test('a challenge names the scopes that its resource has, and the protection says which it lacks', async (t) => {
  const { host } = await startHost(t)
  const options = { resource: OTHER, challengeScopes: ['read', 'write', 'mail:read'] }
  const protection = host.protect([], options)
  t.match(protection.challenge, /scope="read"/)
  t.same(protection.missingScopes, ['write', 'mail:read'])
  t.throws(() => host.protect('read' as never), {
    code: 'OAU_PROTECT_INVALID',
    message: /must be an array/
  })
})
