// DPoP, pushed requests and the strict profile: tokens that are worth nothing without a key.
import { createHash } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { test } from 'tap'
import {
  actor,
  back,
  basic,
  CALLBACK,
  challengeOf,
  formOf,
  ISSUER,
  type Running,
  random,
  startHost
} from './flow.ts'

async function holder(running: Running, alg = 'ES256') {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = await exportJWK(publicKey)
  const proof = (
    path: string,
    htm: string,
    more: JWTPayload & { accessToken?: string } = {},
    header: object = {}
  ) => {
    const { accessToken, ...claims } = more
    const iat = Math.floor(running.clock.now().getTime() / 1000)
    const ath = accessToken && { ath: createHash('sha256').update(accessToken).digest('base64url') }
    return new SignJWT({ jti: random(), iat, htm, htu: `${ISSUER}${path}`, ...ath, ...claims })
      .setProtectedHeader({ typ: 'dpop+jwt', alg, jwk, ...header })
      .sign(privateKey)
  }
  return { jwk, proof, privateKey, jkt: await calculateJwkThumbprint(jwk) }
}

test('a proof binds the token to its key, at every use', async (t) => {
  const running = await startHost(t)
  const client = await running.client({ type: 'public' })
  const app = actor(running, client)
  const key = await holder(running)
  const other = await holder(running)
  const dpop = await key.proof('/oauth/token', 'POST')
  const { json } = await app.redeem(await app.toCode({ scope: 'openid read' }), {}, { dpop })
  t.equal(json.token_type, 'DPoP')
  const use = async (headers: Record<string, string>) =>
    running.call('GET', '/api/read', {
      headers: { authorization: `DPoP ${json.access_token}`, ...headers }
    })
  const at = { accessToken: json.access_token }
  const right = await key.proof('/api/read', 'GET', at)
  t.equal((await use({ dpop: right })).status, 200)
  const again = await use({ dpop: right })
  t.same([again.status, again.json.error], [401, 'invalid_dpop_proof'], 'a proof counts once')
  t.match(again.headers['www-authenticate'], /^DPoP .*algs=/)
  t.equal((await use({})).status, 401)
  t.equal(
    (await use({ dpop: await other.proof('/api/read', 'GET', at) })).json.error,
    'invalid_token'
  )
  t.equal((await use({ dpop: await key.proof('/api/read', 'GET') })).status, 401, 'without ath')
  t.equal((await use({ dpop: await key.proof('/api/write', 'GET', at) })).status, 401)
  t.equal((await use({ authorization: `Bearer ${json.access_token}` })).status, 401)
  const unbound = await app.tokens({ scope: 'read' })
  t.equal(
    (
      await use({
        authorization: `DPoP ${unbound.access_token}`,
        dpop: await key.proof('/api/read', 'GET', { accessToken: unbound.access_token })
      })
    ).status,
    401
  )
  t.equal((await app.refresh(json.refresh_token)).json.error, 'invalid_grant', 'bound as well')
  const next = await app.refresh(
    json.refresh_token,
    {},
    { dpop: await key.proof('/oauth/token', 'POST') }
  )
  t.equal(next.json.token_type, 'DPoP')
  const resource = running.parts.services
  t.match(
    await resource.collections.tokens.findOne({
      kind: 'access',
      familyId: { $exists: true },
      jkt: key.jkt
    }),
    { jkt: key.jkt }
  )
})

test('every invalid proof is refused with its reason', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const key = await holder(running)
  const now = Math.floor(running.clock.now().getTime() / 1000)
  const proofs = [
    'not.a.proof',
    'x'.repeat(9000),
    `${await key.proof('/oauth/token', 'POST')},${await key.proof('/oauth/token', 'POST')}`,
    await key.proof('/oauth/token', 'GET'),
    await key.proof('/oauth/other', 'POST'),
    await key.proof('/oauth/token', 'POST', { iat: now - 600 }),
    await key.proof('/oauth/token', 'POST', { iat: now + 600 }),
    await key.proof('/oauth/token', 'POST', { jti: '' }),
    await key.proof('/oauth/token', 'POST', { htu: 'https://evil.test/oauth/token' }),
    await key.proof('/oauth/token', 'POST', {}, { typ: 'JWT' }),
    await key.proof('/oauth/token', 'POST', {}, { jwk: await exportJWK(key.privateKey) }),
    `${(await key.proof('/oauth/token', 'POST')).slice(0, -4)}AAAA`
  ]
  for (const dpop of proofs) {
    const answer = await app.redeem(await app.toCode(), {}, { dpop })
    t.same([answer.status, answer.json.error], [400, 'invalid_dpop_proof'], dpop.slice(0, 30))
  }
  const query = await key.proof('/oauth/token', 'POST', { htu: `${ISSUER}/oauth/token?x=1#y` })
  t.equal((await app.redeem(await app.toCode(), {}, { dpop: query })).status, 200)
})

test('a required nonce must come from this server and be recent', async (t) => {
  const running = await startHost(t, { dpop: { requireNonce: true } })
  const app = actor(running, await running.client())
  const key = await holder(running)
  const redeem = async (more = {}) =>
    app.redeem(await app.toCode(), {}, { dpop: await key.proof('/oauth/token', 'POST', more) })
  const first = await redeem()
  t.same([first.status, first.json.error], [400, 'use_dpop_nonce'])
  const nonce = String(first.headers['dpop-nonce'])
  t.equal((await redeem({ nonce })).status, 200)
  t.equal((await redeem({ nonce: random() })).json.error, 'use_dpop_nonce')
  running.clock.advance(600)
  t.equal((await redeem({ nonce })).json.error, 'use_dpop_nonce')
})

test('at a resource the nonce is asked for in the challenge', async (t) => {
  const running = await startHost(t, { dpop: { requireNonce: true } })
  const app = actor(running, await running.client())
  const key = await holder(running)
  const asked = await app.redeem(
    await app.toCode(),
    {},
    { dpop: await key.proof('/oauth/token', 'POST') }
  )
  const nonce = String(asked.headers['dpop-nonce'])
  const dpop = await key.proof('/oauth/token', 'POST', { nonce })
  const { json } = await app.redeem(await app.toCode({ scope: 'read' }), {}, { dpop })
  const accessToken = json.access_token
  const use = async (more = {}) =>
    running.call('GET', '/api/read', {
      headers: {
        authorization: `DPoP ${accessToken}`,
        dpop: await key.proof('/api/read', 'GET', { accessToken, ...more })
      }
    })
  const refused = await use()
  t.same([refused.status, refused.json.error], [401, 'use_dpop_nonce'])
  t.match(refused.headers['www-authenticate'], /^DPoP error="use_dpop_nonce"/)
  t.match(refused.headers['access-control-expose-headers'], /DPoP-Nonce/)
  t.equal((await use({ nonce: String(refused.headers['dpop-nonce']) })).status, 200)
})

test('a code can be bound to the DPoP key of its request', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  const [key, other] = [await holder(running), await holder(running)]
  const redeem = async (by: typeof key) =>
    app.redeem(
      await app.toCode({ dpop_jkt: key.jkt }),
      {},
      { dpop: await by.proof('/oauth/token', 'POST') }
    )
  t.equal((await redeem(other)).json.error, 'invalid_grant')
  t.equal((await app.redeem(await app.toCode({ dpop_jkt: key.jkt }))).json.error, 'invalid_grant')
  t.equal((await redeem(key)).status, 200)
})

test('pushed requests are proven, checked, and for their client', async (t) => {
  const running = await startHost(t)
  const client = await running.client()
  const app = actor(running, client)
  const stranger = await running.client()
  const { query, verifier } = app.query({ scope: 'openid read' })
  const auth = basic(client.clientId, client.clientSecret ?? '')
  const push = (raw: string, headers: Record<string, string> = auth) =>
    running.call('POST', '/oauth/par', { raw, headers })
  t.equal((await push(query, {})).json.error, 'invalid_client')
  t.equal(
    (await push(app.query({ redirect_uri: 'https://evil.test' }).query)).json.error,
    'invalid_request'
  )
  t.equal((await push(app.query({ scope: 'ghost' }).query)).json.error, 'invalid_scope')
  t.equal((await push(app.query({ request_uri: 'urn:x' }).query)).json.error, 'invalid_request')
  const pushed = await push(query)
  t.same([pushed.status, pushed.json.expires_in], [201, 90])
  const open = (client_id: string, request_uri: string) =>
    running.call('GET', `/oauth/authorize?${formOf({ client_id, request_uri })}`, {
      headers: app.browser()
    })
  t.equal((await open(stranger.clientId, pushed.json.request_uri)).status, 400)
  t.equal(
    (await open(client.clientId, `urn:ietf:params:oauth:request_uri:${random()}`)).status,
    400
  )
  await app.toConsent()
  const consent = await open(client.clientId, pushed.json.request_uri)
  const requestId =
    new URL(String(consent.headers['location']), ISSUER).searchParams.get('request_id') ?? ''
  const { json } = await app.decide(requestId, { approve: true })
  const code = new URL(json.redirectTo).searchParams.get('code') ?? ''
  t.equal((await app.redeem({ code, verifier })).json.scope, 'openid read')
  t.equal(
    (await open(client.clientId, pushed.json.request_uri)).status,
    400,
    'one request, one consent'
  )
  const late = await push(app.query().query)
  running.clock.advance(91)
  t.equal((await open(client.clientId, late.json.request_uri)).status, 400)
})

test('a pushed request outlives a long sign-in', async (t) => {
  const running = await startHost(t)
  const client = await running.client({ requirePushedAuthorizationRequests: true })
  const app = actor(running, client)
  const pushed = await running.call('POST', '/oauth/par', {
    raw: app.query({ prompt: 'login' }).query,
    headers: basic(client.clientId, client.clientSecret ?? '')
  })
  const { request_uri } = pushed.json
  const query = formOf({ client_id: client.clientId, request_uri })
  const sent = await running.call('GET', `/oauth/authorize?${query}`)
  const next = new URL(String(sent.headers['location']), ISSUER).searchParams.get('next') ?? ''
  running.clock.advance(600)
  const headers = { 'x-user': 'u1', 'x-auth-time': String(running.clock.now().getTime()) }
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => running.call('GET', next, { headers }))
  )
  const consents = answers.filter(({ status }) => status === 302)
  t.equal(consents.length, 1, 'one request, one consent')
  t.match(consents[0]?.headers['location'], /^\/consent\?request_id=/)
  t.equal(answers.filter(({ status }) => status === 400).length, 4)
})

test('the strict profile holds: pushed, signed assertions, bound tokens, no rotation', async (t) => {
  const running = await startHost(t)
  const pair = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'c1' }
  const client = await running.client({
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwks: { keys: [jwk] },
    requirePushedAuthorizationRequests: true,
    dpopBoundAccessTokens: true,
    rotateRefreshTokens: false
  })
  const app = actor(running, client)
  const key = await holder(running)
  const proven = async () => {
    const now = Math.floor(running.clock.now().getTime() / 1000)
    const id = client.clientId
    const assertion = await new SignJWT({
      iss: id,
      sub: id,
      aud: ISSUER,
      exp: now + 60,
      jti: random()
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'c1' })
      .sign(pair.privateKey)
    return {
      client_id: id,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion
    }
  }
  t.match(back(await app.authorize()), { error: 'invalid_request' }, 'not pushed')
  const verifier = random()
  const request = {
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope: 'openid offline_access read',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256'
  }
  const dpop = await key.proof('/oauth/par', 'POST')
  const pushed = await running.call('POST', '/oauth/par', {
    form: { ...request, ...(await proven()) },
    headers: { dpop }
  })
  t.equal(pushed.status, 201)
  const first = await running.call(
    'GET',
    `/oauth/authorize?${formOf({ client_id: client.clientId, request_uri: pushed.json.request_uri })}`,
    { headers: app.browser() }
  )
  const requestId =
    new URL(String(first.headers['location']), ISSUER).searchParams.get('request_id') ?? ''
  const cookie = String([first.headers['set-cookie']].flat()[0]).split(';')[0] ?? ''
  const { json } = await running.call('POST', `/oauth/consent/${requestId}`, {
    json: { approve: true },
    headers: { 'x-user': 'u1', cookie, origin: ISSUER }
  })
  const code = new URL(json.redirectTo).searchParams.get('code') ?? ''
  const token = async (form: Record<string, string>, headers: Record<string, string> = {}) =>
    running.call('POST', '/oauth/token', { form: { ...form, ...(await proven()) }, headers })
  const exchange = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: verifier
  }
  t.equal(
    (await token({ ...exchange, code: random() })).json.error,
    'invalid_dpop_proof',
    'a key is demanded'
  )
  const tokens = await token(exchange, { dpop: await key.proof('/oauth/token', 'POST') })
  t.equal(tokens.json.token_type, 'DPoP', tokens.text)
  const rows = await running.parts.services.collections.tokens.find().toArray()
  t.same(
    rows.map(({ isStrict }) => isStrict),
    [true, true]
  )
  const refreshed = await token(
    { grant_type: 'refresh_token', refresh_token: tokens.json.refresh_token },
    { dpop: await key.proof('/oauth/token', 'POST') }
  )
  t.equal(refreshed.json.refresh_token, tokens.json.refresh_token, 'bound, so it may stay')
})

test('a strict client proves its key with the algorithms of FAPI alone, at every endpoint', async (t) => {
  const running = await startHost(t)
  const { services } = running.parts
  const client = await running.client({
    requirePushedAuthorizationRequests: true,
    dpopBoundAccessTokens: true
  })
  const lax = await running.client()
  const app = actor(running, client)
  const key = await holder(running, 'RS256')
  const request = { ...Object.fromEntries(new URLSearchParams(app.query().query)) }
  const push = async (by: typeof client) =>
    running.call('POST', '/oauth/par', {
      form: { ...request, client_id: by.clientId },
      headers: {
        ...basic(by.clientId, by.clientSecret ?? ''),
        dpop: await key.proof('/oauth/par', 'POST')
      }
    })
  t.match((await push(client)).json, {
    error: 'invalid_dpop_proof',
    error_description: 'The DPoP proof must not be signed with RS256.'
  })
  t.equal((await push(lax)).status, 201)
  const form = { grant_type: 'authorization_code', code: random() }
  const dpop = await key.proof('/oauth/token', 'POST')
  t.equal((await app.post('/token', form, { dpop })).json.error, 'invalid_dpop_proof')
  // At a resource: the token knows that its client is strict.
  const proof = async (isStrict: boolean) =>
    services.dpop.check({
      header: await key.proof('/api/read', 'GET'),
      method: 'GET',
      addresses: [`${ISSUER}/api/read`],
      isStrict
    })
  t.equal((await proof(true)).kind, 'refused')
  t.equal((await proof(false)).kind, 'proven')
})
