// Clients: how they prove themselves, what they may be, how their secrets and access end.
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { test } from 'tap'
import { requestedTarget } from '../authorize/scopes.ts'
import { createOAuthParts } from '../create-oauth-host.ts'
import type { OAuthClient } from '../storage/rows.ts'
import {
  API,
  actor,
  basic,
  CALLBACK,
  ISSUER,
  OTHER,
  type Running,
  random,
  startHost
} from './flow.ts'

const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

test('every authentication failure gets the same answer', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const open = await running.client({ type: 'public' })
  const disabled = await running.client()
  await running.host.clients.disable(disabled.clientId)
  const form = { grant_type: 'refresh_token', refresh_token: random() }
  const token = (headers: Record<string, string>, more = {}) =>
    running.call('POST', '/oauth/token', { form: { ...form, ...more }, headers })
  const answers = [
    await token(basic(client.clientId, 'wrong')),
    await token(basic('nobody', 'wrong')),
    await token(basic(open.clientId, 'a secret')),
    await token(basic(disabled.clientId, disabled.clientSecret ?? '')),
    await token({}, { client_id: client.clientId }),
    await token({}, { client_id: client.clientId, client_secret: 'wrong' }),
    await token({}),
    await token({ authorization: 'basic %%%' }),
    await token({ authorization: 'Basic eDolJQ==' })
  ]
  for (const { status, text, headers } of answers) {
    t.same([status, text], [401, answers[0]?.text])
    t.match(headers, { 'www-authenticate': /^Basic/, 'cache-control': 'no-store' })
  }
  const right = { client_id: client.clientId, client_secret: client.clientSecret ?? '' }
  t.equal((await token({}, right)).json.error, 'invalid_grant')
  t.equal(
    (await token(basic(client.clientId, client.clientSecret ?? ''), right)).json.error,
    'invalid_request'
  )
})

test('diagnostics say why a client could not authenticate', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const { clientId, clientSecret = '' } = client
  const open = await running.client({ type: 'public' })
  const app = actor(running, client)
  const pair = await app.toCode()
  const refresh = { grant_type: 'refresh_token', refresh_token: random() }
  const wrong = basic(clientId, 'wrong')
  t.equal((await app.redeem(pair, {}, wrong)).status, 401)
  await running.call('POST', '/oauth/introspect', { form: { token: 'x' }, headers: wrong })
  await running.call('POST', '/oauth/token', { form: { ...refresh, client_id: clientId } })
  const twice = { ...refresh, client_id: clientId, client_secret: clientSecret }
  await running.call('POST', '/oauth/token', {
    form: twice,
    headers: basic(clientId, clientSecret)
  })
  await running.call('POST', '/oauth/token', { form: refresh, headers: basic('nobody', 'wrong') })
  await running.call('POST', '/oauth/token', {
    form: refresh,
    headers: basic(open.clientId, 'secret')
  })
  await app.refresh(random(), {}, { dpop: 'no proof' })
  const { attempts } = running.parts.services
  const told = (await attempts.list(clientId)).map(({ steps }) => steps.at(-1))
  t.same(told.map((step) => `${step?.step} ${step?.outcome}: ${step?.detail}`).sort(), [
    'introspect refused: The client secret is wrong or retired.',
    'token refused: The DPoP proof has no valid signature.',
    'token refused: The client authenticates in more than one way.',
    'token refused: The client secret is wrong or retired.',
    'token refused: The client sent no secret, but is registered with client_secret_basic.'
  ])
  const withCode = (await attempts.list(clientId)).find(({ steps }) => steps.length > 1)
  t.same(
    withCode?.steps.map(({ step, outcome }) => `${step} ${outcome}`),
    ['request passed', 'consent waiting', 'consent passed', 'token refused'],
    'beside the steps of its code'
  )
  t.match(await attempts.list(open.clientId), [
    { steps: [{ detail: 'The client sent a secret in the header, but is registered with none.' }] }
  ])
  t.equal((await app.redeem(pair)).status, 200, 'the code is not used up')
  await running.host.clients.disable(clientId)
  await app.refresh(random())
  const details = (await attempts.list(clientId)).flatMap(({ steps }) => steps)
  t.ok(details.some(({ detail }) => detail === 'The client is disabled.'))
})

test('both secrets of parallel rotations work, and use is recorded hourly', async (t) => {
  const running = await startHost(t)
  const { clientId } = await running.client()
  const { clients } = running.host
  const rotated = await Promise.all(
    Array.from({ length: 5 }, () => clients.rotateSecret(clientId, { retireAfter: 60_000 }))
  )
  const use = (secret = '') =>
    running.call('POST', '/oauth/introspect', {
      form: { token: 'x' },
      headers: basic(clientId, secret)
    })
  for (const { clientSecret } of rotated) t.equal((await use(clientSecret)).status, 200)
  const stamps = async () =>
    (await clients.get(clientId))?.secrets.map(({ lastUsedAt }) => lastUsedAt?.getTime())
  const now = running.clock.now().getTime()
  t.same(await stamps(), [undefined, now, now, now, now, now])
  running.clock.advance(50)
  await use(rotated[0]?.clientSecret)
  t.same(new Set(await stamps()), new Set([undefined, now]))
})

test('a client has the resources that exist when it is made, and no later ones', async (t) => {
  const running = await startHost(t)
  const own = actor(running, await running.client({ allowedResources: [] }))
  const { clientId } = await running.client()
  t.same((await running.host.clients.get(clientId))?.allowedResources, [API, OTHER])
  const later = createOAuthParts({
    issuer: ISSUER,
    connection: running.db,
    resources: [API, OTHER, `${ISSUER}/payroll`],
    scopes: ['openid', 'profile', 'email', 'offline_access', 'read', 'write'],
    consentUrl: '/consent',
    resolveUser: () => ({ id: 'u1' })
  })
  const { settings, collections } = later.services
  const stored = await collections.clients.findOne({ clientId })
  const target = (resource: string) =>
    requestedTarget('read', [resource], stored as OAuthClient, settings)
  t.match(target(`${ISSUER}/payroll`), { ok: false, error: 'invalid_target' })
  t.match(target(API), { ok: true })
  await later.host.clients.update(clientId, { allowedResources: [`${ISSUER}/payroll`] })
  t.same((await later.host.clients.get(clientId))?.allowedResources, [`${ISSUER}/payroll`])
  for (const { clients } of [running.host, later.host]) {
    await t.rejects(clients.update(clientId, { allowedResources: [] }), {
      message: /allowedResources must name at least one resource/
    })
  }
  await running.host.clients.update(clientId, { name: 'Renamed' })
  t.same((await later.host.clients.get(clientId))?.allowedResources, [`${ISSUER}/payroll`])
  t.equal((await own.authorize({ resource: OTHER, scope: 'read' })).status, 302)
})

test('a client keeps its resources when the public address changes', async (t) => {
  const running = await startHost(t)
  const { clientId } = await running.client({ allowedResources: [API] })
  const moved = 'https://moved.example.test'
  const { host } = createOAuthParts({
    issuer: moved,
    connection: running.db,
    resources: [`${moved}/api`, `${moved}/other`],
    scopes: ['openid', 'read'],
    consentUrl: '/consent'
  })
  t.same((await host.clients.get(clientId))?.allowedResources, [`${moved}/api`])
})

test('an update writes only the changed fields', async (t) => {
  const running = await startHost(t)
  const { clientId } = await running.client()
  const { clients, models } = running.host
  const stored = models.OAuthClient
  const before = stored.updateOne.bind(stored)
  t.teardown(() => {
    stored.updateOne = before
  })
  stored.updateOne = (async (...args: Parameters<typeof before>) => {
    stored.updateOne = before
    await clients.disable(clientId)
    return before(...args)
  }) as never
  await clients.update(clientId, { name: 'Renamed' })
  t.match(await clients.get(clientId), { name: 'Renamed', status: 'disabled' })
  t.match(await models.OAuthAudit.findOne({ type: 'oauth.client_updated' }), {
    meta: { fields: ['name'] }
  })
})

test('a removed field is deleted: replaced keys no longer authenticate', async (t) => {
  const running = await startHost(t)
  const { client } = await signer(running)
  const { clients, models } = running.host
  const { clientId } = client
  const patch = { jwks: null, jwksUri: 'https://keys.test/jwks' } as object
  t.match(await clients.update(clientId, patch), {
    jwks: undefined,
    jwksUri: 'https://keys.test/jwks'
  })
  t.equal(await models.OAuthClient.countDocuments({ clientId, jwks: { $exists: false } }), 1)
  const secret = { tokenEndpointAuthMethod: 'client_secret_basic', jwksUri: undefined } as object
  await clients.update(clientId, secret)
  t.match(await clients.update(clientId, { name: 'With a secret' }), { name: 'With a secret' })
  await t.rejects(clients.update(clientId, { allowedResources: null } as object), {
    message: /allowedResources.*null/
  })
})

test('older secrets work for the given delay and no longer', async (t) => {
  const running = await startHost(t)
  const made = await running.client()
  const works = async (secret: string | undefined) => {
    const form = { grant_type: 'refresh_token', refresh_token: random() }
    const answer = await running.call('POST', '/oauth/token', {
      form,
      headers: basic(made.clientId, secret ?? '')
    })
    return answer.status === 400
  }
  const second = await running.host.clients.rotateSecret(made.clientId, { retireAfter: 60_000 })
  t.same([await works(made.clientSecret), await works(second.clientSecret)], [true, true])
  const third = await running.host.clients.rotateSecret(made.clientId, { retireAfter: 3_600_000 })
  running.clock.advance(61)
  t.same(
    [
      await works(made.clientSecret),
      await works(second.clientSecret),
      await works(third.clientSecret)
    ],
    [false, true, true]
  )
  await running.host.clients.rotateSecret(made.clientId)
  t.same([await works(second.clientSecret), await works(third.clientSecret)], [false, false])
  t.notMatch(JSON.stringify(await running.host.clients.list()), third.clientSecret ?? '-')
})

test('disable ends all access at once; enable allows new requests', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const app = actor(running, client)
  const tokens = await app.tokens()
  const pending = await app.toCode()
  const { requestId } = await app.toConsent()
  t.match(await running.host.clients.disable(client.clientId), {
    grantsRevoked: 1,
    tokensRevoked: 2
  })
  t.equal((await app.userinfo(tokens.access_token)).status, 401)
  t.equal((await app.redeem(pending)).json.error, 'invalid_client')
  t.equal((await app.decide(requestId, { approve: true })).status, 404)
  t.equal((await app.authorize()).json.error, 'invalid_client')
  await running.host.clients.enable(client.clientId)
  t.equal((await app.refresh(tokens.refresh_token)).json.error, 'invalid_grant')
  t.equal((await app.userinfo((await app.tokens()).access_token)).status, 200)
})

const STRICT = { requirePushedAuthorizationRequests: true, dpopBoundAccessTokens: true }

test('an invalid client field is named', async (t) => {
  const running = await startHost(t)
  const jwk = await exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey)
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ redirectUris: ['http://app.test/cb'] }, /http:\/\/app\.test\/cb/],
    [{ redirectUris: ['https://app.test/cb#x'] }, /fragment/],
    [{ redirectUris: ['https://u:p@app.test/cb'] }, /credentials/],
    [{ redirectUris: ['https://app.test/cb?iss=x'] }, /responses use/],
    [{ redirectUris: ['javascript:alert(1)'], type: 'public' }, /javascript/],
    [{ redirectUris: ['myapp:/cb'], type: 'public' }, /scheme myapp:.*com\.example\.app/],
    [{ redirectUris: ['cursor://x/cb'] }, /public clients/],
    [{ redirectUris: [] }, /redirectUris/],
    [{ allowedScopes: ['ghost'] }, /ghost/],
    [{ allowedScopes: [] }, /allowedScopes/],
    [{ allowedResources: ['https://ghost.test'] }, /ghost\.test/],
    [{ name: '' }, /name/],
    [{ type: 'secret' }, /secret/],
    [{ tokenEndpointAuthMethod: 'none', type: 'confidential' }, /confidential/],
    [{ tokenEndpointAuthMethod: 'private_key_jwt' }, /jwks/],
    [{ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [jwk] } }, /private members/],
    [{ tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: 'http://x.test' }, /https/],
    [{ jwksUri: 'https://x.test/jwks' }, /private_key_jwt/],
    [{ idTokenAlg: 'RS256' }, /RS256/],
    [{ ...STRICT, pkce: 'ifSent' }, /pkce must be required/],
    [{ branding: { logoUrl: 'http://x.test' } }, /logoUrl/],
    [{ postLogoutRedirectUris: ['http://x.test'] }, /postLogoutRedirectUris/],
    [{ clientId: null }, /clientId/],
    [{ clientId: ['listed'] }, /clientId/],
    [{ colour: 'red' }, /colour/]
  ]
  for (const [more, message] of wrong) {
    await t.rejects(running.client(more as object), { code: 'OAU_CLIENT_INVALID', message })
  }
  const made = await running.client()
  await t.rejects(running.client({ clientId: made.clientId } as object), { message: /is taken/ })
  await t.rejects(
    running.host.clients.update(made.clientId, { type: 'public', tokenEndpointAuthMethod: 'none' }),
    {
      message: /type/
    }
  )
  await t.rejects(running.host.clients.rotateSecret('nobody'), { code: 'OAU_CLIENT_UNKNOWN' })
  t.equal((await running.host.clients.update(made.clientId, { name: 'New' })).name, 'New')
})

async function signer(running: Running) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1' }
  const client = await running.client({
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwks: { keys: [jwk] }
  })
  const sign = (more: JWTPayload = {}, header: object = {}) => {
    const now = Math.floor(running.clock.now().getTime() / 1000)
    const claims = {
      iss: client.clientId,
      sub: client.clientId,
      aud: ISSUER,
      exp: now + 60,
      iat: now,
      jti: random(),
      ...more
    }
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'k1', ...header })
      .sign(privateKey)
  }
  const token = (assertion: string, form = {}) =>
    running.call('POST', '/oauth/token', {
      form: {
        grant_type: 'refresh_token',
        refresh_token: random(),
        client_assertion_type: ASSERTION,
        client_assertion: assertion,
        ...form
      }
    })
  return { client, sign, token }
}

test('an assertion authenticates once, for this server, and must be short-lived', async (t) => {
  const running = await startHost(t)
  const { client, sign, token } = await signer(running)
  const now = Math.floor(running.clock.now().getTime() / 1000)
  const right = await sign()
  t.equal((await token(right)).json.error, 'invalid_grant')
  t.equal((await token(right)).json.error, 'invalid_client', 'a second time')
  t.equal(
    (await token(await sign({ aud: `${ISSUER}/oauth/token` }), { client_id: client.clientId })).json
      .error,
    'invalid_grant'
  )
  for (const more of [
    { aud: 'https://other.test' },
    { exp: now - 60 },
    { exp: now + 7200 },
    { sub: 'other' },
    { iss: 'other' },
    { jti: '' }
  ]) {
    t.equal((await token(await sign(more))).json.error, 'invalid_client', JSON.stringify(more))
  }
  t.equal((await token(`${await sign()}x`)).json.error, 'invalid_client')
  t.equal((await token('x'.repeat(9000))).status, 401)
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ iss: client.clientId })).toString('base64url')}.`
  t.equal((await token(unsigned)).json.error, 'invalid_client')
  const { clientSecret: _none, ...withSecret } = client
  t.equal(withSecret.clientId, client.clientId)
  t.equal(
    (await running.call('POST', '/oauth/token', { form: {}, headers: basic(client.clientId, 'x') }))
      .status,
    401
  )
})

test('a client with an unreadable key is refused with the usual answer', async (t) => {
  const running = await startHost(t)
  const { token, client, sign } = await signer(running)
  const stored = running.host.models.OAuthClient
  for (const key of [
    { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'k1' },
    { kty: 'EC', crv: 7, x: {}, y: null, kid: 'k1' },
    { kty: 'RSA', n: 'AA', e: 'AQAB', kid: 'k1' },
    { kty: 'EC', kid: 'k1', alg: 'ES256' }
  ]) {
    const jwks = { keys: [key] } as never
    await stored.updateOne({ clientId: client.clientId }, { $set: { jwks } })
    const { status, json } = await token(await sign())
    t.same([status, json.error], [401, 'invalid_client'], JSON.stringify(key))
  }
})

test('registration is off by default and needs an initial access token', async (t) => {
  const off = await startHost(t)
  t.equal((await off.call('POST', '/oauth/register', { json: {} })).status, 404)
  const initial = 'an-initial-access-token-0001'
  const running = await startHost(t, {
    registration: { enabled: true, initialAccessTokens: [initial] }
  })
  const register = (json: object, token = initial) =>
    running.call('POST', '/oauth/register', { json, headers: { authorization: `Bearer ${token}` } })
  t.match((await running.call('GET', '/.well-known/openid-configuration')).json, {
    registration_endpoint: `${ISSUER}/oauth/register`
  })
  t.equal((await register({ redirect_uris: [CALLBACK] }, 'wrong')).status, 401)
  t.equal((await register({ redirect_uris: ['http://x.test'] })).json.error, 'invalid_redirect_uri')
  t.equal(
    (await register({ redirect_uris: [CALLBACK], scope: 'ghost' })).json.error,
    'invalid_client_metadata'
  )
  const made = await register({
    client_name: 'Mine',
    redirect_uris: [CALLBACK],
    scope: 'openid',
    token_endpoint_auth_method: 'none'
  })
  t.equal(made.status, 201)
  t.match(made.json, {
    client_id: String,
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: 'none'
  })
  t.equal(made.json.client_secret, undefined)
  t.equal((await running.host.clients.get(made.json.client_id))?.registration, 'dynamic')
  t.match(
    await running.host.models.OAuthAudit.findOne({ clientId: made.json.client_id }),
    { actor: 'client', ip: '127.0.0.1', requestId: String },
    'nobody else made it'
  )
})

test('a public client redeems, refreshes and revokes without a secret, on any loopback port', async (t) => {
  const running = await startHost(t)
  const redirectUris = ['http://127.0.0.1/cb', 'http://localhost/cb']
  const client = await running.client({ type: 'public', redirectUris })
  t.equal(client.clientSecret, undefined)
  for (const uri of [
    'http://127.0.0.1:49152/cb',
    'http://localhost:33418/cb',
    'http://localhost/cb'
  ]) {
    const app = actor(running, client, 'u1', uri)
    const tokens = await app.tokens()
    const next = await app.refresh(tokens.refresh_token)
    t.equal(next.status, 200, uri)
    t.equal((await app.post('/revoke', { token: next.json.refresh_token })).status, 200)
    t.equal((await app.refresh(next.json.refresh_token)).json.error, 'invalid_grant')
  }
})

test('introspection answers a confidential client about its own tokens and those for its resources', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const guest = actor(
    running,
    await running.client({
      allowedResources: [`${ISSUER}/other`],
      allowedScopes: ['read'],
      resourceServer: true
    })
  )
  const neighbour = actor(running, await running.client())
  const api = actor(running, await running.client({ resourceServer: true }))
  const open = actor(running, await running.client({ type: 'public' }))
  const tokens = await app.tokens({ scope: 'openid read' })
  const told = await app.post('/introspect', { token: tokens.access_token })
  t.match(told.json, {
    active: true,
    sub: 'u1',
    iss: ISSUER,
    aud: `${ISSUER}/api`,
    scope: 'openid read',
    token_type: 'Bearer',
    exp: Number
  })
  t.match((await app.post('/introspect', { token: tokens.refresh_token })).json, { active: true })
  t.same((await guest.post('/introspect', { token: tokens.access_token })).json, { active: false })
  t.same(
    (await neighbour.post('/introspect', { token: tokens.access_token })).json,
    { active: false },
    'a client is not a resource server'
  )
  t.match((await api.post('/introspect', { token: tokens.access_token })).json, { active: true })
  t.same((await api.post('/introspect', { token: tokens.refresh_token })).json, { active: false })
  t.equal(
    (await open.post('/introspect', { token: tokens.access_token })).json.error,
    'invalid_client'
  )
  t.same((await app.post('/introspect', { token: random() })).json, { active: false })
  t.equal((await app.post('/introspect', {})).json.error, 'invalid_request')
})

test('unreadable bodies get an OAuth error and never a 500', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const auth = basic(client.clientId, client.clientSecret ?? '')
  const post = (raw: string, headers: Record<string, string> = {}, path = '/oauth/token') =>
    running.call('POST', path, { raw, headers: { ...auth, ...headers } })
  const bodies = [
    '',
    '%',
    '%zz=%zz',
    'grant_type',
    '=',
    '&&&',
    'grant_type=a&grant_type=b',
    `x=${'y'.repeat(20_000)}`,
    '\u0000',
    'grant_type=%00'
  ]
  for (const raw of bodies) {
    const { status, json } = await post(raw)
    t.equal(status, 400, raw.slice(0, 20))
    t.match(json.error, /^(invalid_request|unsupported_grant_type)$/)
  }
  t.equal((await post(`x=${'y'.repeat(40_000)}`)).json.error, 'invalid_request')
  t.match((await post('{"grant_type":"x"}', { 'content-type': 'application/json' })).json, {
    error: 'invalid_request'
  })
  t.match((await post('{', { 'content-type': 'application/json' })).json, {
    error: 'invalid_request'
  })
  t.equal((await post('a', { 'content-type': 'text/xml' })).status, 415)
})
