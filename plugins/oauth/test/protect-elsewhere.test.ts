// @keelson/protect against this server: a service elsewhere takes and refuses the tokens that it should.
import { createHash } from 'node:crypto'
import { createProtect as createExpressProtect } from '@keelson/protect/express'
import { accessOf, createProtect } from '@keelson/protect/fastify'
import { createProtect as createFetchProtect } from '@keelson/protect/fetch'
import express from 'express'
import Fastify from 'fastify'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { test } from 'tap'
import { API, actor, ISSUER, OTHER, type Running, random, startHost } from './flow.ts'

/** The service's way to the server, which counts what it asks for. */
function wayTo({ app }: Running) {
  const asked: string[] = []
  const way: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input))
    asked.push(pathname)
    const { statusCode, payload } = await app.inject({
      method: init?.method === 'POST' ? 'POST' : 'GET',
      url: pathname,
      headers: { host: 'id.example.test', ...(init?.headers as Record<string, string>) },
      ...(init?.body !== undefined && { payload: String(init.body) })
    })
    return new Response(payload, { status: statusCode })
  }
  return { asked, fetch: way }
}

type Service = Awaited<ReturnType<typeof startService>>

/** A service for the first resource, in a Fastify app. */
async function startService(running: Running, more: object = {}) {
  const { fetch: way, asked } = wayTo(running)
  const now = () => running.clock.now()
  const options = {
    issuer: ISSUER,
    resource: API,
    scopes: ['read', 'write'],
    name: 'API',
    now,
    ...more
  }
  const { protect, metadata } = createProtect({ ...options, fetch: way })
  const app = Fastify()
  await app.register(metadata)
  app.get('/api/read', { preHandler: protect(['read']) }, async (request) => accessOf(request))
  app.get('/api/write', { preHandler: protect(['read', 'write']) }, async () => ({}))
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await app.inject({ url: path, headers })
    return { status: answer.statusCode, headers: answer.headers, json: answer.json() }
  }
  return { get, asked, options: { ...options, fetch: way } }
}

const JWT_RESOURCES = {
  resources: [
    { id: API, label: 'API', scopes: ['read', 'write'], accessTokenFormat: 'jwt' as const },
    { id: OTHER, label: 'Other', scopes: ['read'], accessTokenFormat: 'jwt' as const }
  ]
}

async function introspecting(running: Running, more: object = {}): Promise<Service> {
  const { clientId, clientSecret = '' } = await running.client({ resourceServer: true })
  return startService(running, { introspection: { clientId, clientSecret, ...more } })
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('a JWT is verified by the key set alone, also after a rotation', async (t) => {
  const running = await startHost(t, JWT_RESOURCES)
  const person = actor(running, await running.client({ type: 'public' }))
  const service = await startService(running)
  const { access_token: first } = await person.tokens({ scope: 'read' })
  const { status, json } = await service.get('/api/read', bearer(first))
  t.equal(status, 200)
  t.match(json, { subject: 'u1', scopes: ['read'], audience: [API], contextId: null })
  await service.get('/api/read', bearer(first))
  t.same(service.asked, ['/.well-known/oauth-authorization-server', '/oauth/jwks'], 'keys are kept')
  await running.parts.services.keys.rotate('ES256')
  running.clock.advance(360)
  const { access_token: second } = await person.tokens({ scope: 'read' })
  t.equal((await service.get('/api/read', bearer(second))).status, 200, 'the new key is found')
  t.equal((await service.get('/api/read', bearer(first))).status, 200, 'the old one counts')
})

test('an opaque token is introspected, and its answer counts for ten seconds', async (t) => {
  const running = await startHost(t)
  const person = actor(running, await running.client({ type: 'public' }))
  const service = await introspecting(running)
  const { access_token: token } = await person.tokens({ scope: 'read' })
  const use = async () => (await service.get('/api/read', bearer(token))).status
  t.same(await Promise.all([use(), use(), use()]), [200, 200, 200])
  t.equal(service.asked.filter((path) => path === '/oauth/introspect').length, 1)
  await person.post('/revoke', { token })
  t.equal(await use(), 200, 'until the answer is old')
  running.clock.advance(11)
  t.equal(await use(), 401)
})

test('a JWT that is revoked ends at once where the service always introspects', async (t) => {
  const running = await startHost(t, JWT_RESOURCES)
  const person = actor(running, await running.client({ type: 'public' }))
  const service = await introspecting(running, { always: true, cacheMs: 0 })
  const { access_token: token } = await person.tokens({ scope: 'read' })
  t.equal((await service.get('/api/read', bearer(token))).status, 200)
  await person.post('/revoke', { token })
  t.equal((await service.get('/api/read', bearer(token))).status, 401)
})

test('a service answers a refused request as the platform does', async (t) => {
  const running = await startHost(t)
  const person = actor(running, await running.client({ type: 'public' }))
  const service = await introspecting(running)
  const { access_token: read } = await person.tokens({ scope: 'read' })
  const { access_token: other } = await person.tokens({ scope: 'read', resource: OTHER })
  const requests: readonly (readonly [string, Record<string, string>])[] = [
    ['/api/read', {}],
    ['/api/read', bearer('nope')],
    ['/api/read', bearer('not a token')],
    ['/api/read', bearer(read)],
    ['/api/read', { authorization: `DPoP ${read}` }],
    ['/api/read', bearer(other)],
    ['/api/write', bearer(read)],
    ['/api/write', { authorization: 'Basic YTpi' }]
  ]
  for (const [path, headers] of requests) {
    const own = await running.call('GET', path, { headers })
    const elsewhere = await service.get(path, headers)
    t.equal(elsewhere.status, own.status, `${path} ${JSON.stringify(headers)}`)
    if (own.status === 200) continue
    t.same(elsewhere.json, own.json)
    t.equal(elsewhere.headers['www-authenticate'], own.headers['www-authenticate'])
  }
  const path = '/.well-known/oauth-protected-resource/api'
  t.same((await service.get(path)).json, (await running.call('GET', path)).json)
})

test('no token that is made up, expired or of another is taken', async (t) => {
  const running = await startHost(t, JWT_RESOURCES)
  const person = actor(running, await running.client({ type: 'public' }))
  const service = await startService(running)
  const tokens = await person.tokens({ scope: 'openid read' })
  const { access_token: other } = await person.tokens({ scope: 'read', resource: OTHER })
  const [head = '', body = '', signature = ''] = tokens.access_token.split('.')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as JWTPayload
  const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
  const stranger = await generateKeyPair('ES256')
  const sign = (more: object, header: object = {}) =>
    new SignJWT({ ...claims, ...more })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...header })
      .sign(stranger.privateKey)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const keySet = (await running.call('GET', '/oauth/jwks')).text
  const symmetric = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
    .sign(new TextEncoder().encode(keySet))
  const refused: Readonly<Record<string, string>> = {
    'of another resource': other,
    'an identity token': tokens.id_token,
    'a refresh token': tokens.refresh_token ?? 'none',
    'signed by a stranger': await sign({}),
    'with a key of its own': await sign({}, { jwk: await exportJWK(stranger.publicKey) }),
    'of an unknown key': await sign({}, { kid: 'unknown' }),
    'of another issuer': await sign({ iss: 'https://evil.example.test' }),
    unsigned: `${part({ alg: 'none', typ: 'at+jwt' })}.${body}.`,
    'signed with the public key': symmetric,
    'with other claims': `${head}.${part({ ...claims, scope: 'read write' })}.${signature}`,
    'too large': `${head}.${'A'.repeat(9000)}.${signature}`,
    opaque: random()
  }
  for (const [what, token] of Object.entries(refused)) {
    const { status, json } = await service.get('/api/read', bearer(token))
    t.same([status, json.error], [401, 'invalid_token'], what)
  }
  t.equal((await service.get('/api/read', bearer(tokens.access_token))).status, 200)
  running.clock.advance(3700)
  t.equal((await service.get('/api/read', bearer(tokens.access_token))).status, 401, 'expired')
  t.ok(service.asked.length < 8, 'made-up keys do not become requests')
})

test('a bound token needs the proof of its key, for this request and once', async (t) => {
  const running = await startHost(t, JWT_RESOURCES)
  const person = actor(running, await running.client({ type: 'public' }))
  const service = await startService(running)
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  const prove = (htu: string, htm: string, token?: string, more: object = {}) => {
    const iat = Math.floor(running.clock.now().getTime() / 1000)
    const ath = token && { ath: createHash('sha256').update(token).digest('base64url') }
    return new SignJWT({ jti: random(), iat, htm, htu, ...ath, ...more })
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk })
      .sign(privateKey)
  }
  const code = await person.toCode({ scope: 'read' })
  const dpop = await prove(`${ISSUER}/oauth/token`, 'POST')
  const { access_token: token } = (await person.redeem(code, {}, { dpop })).json
  const use = (proof?: string) =>
    service.get('/api/read', {
      authorization: `DPoP ${token}`,
      ...(proof !== undefined && { dpop: proof })
    })
  const right = await prove(`${API}/read`, 'GET', token)
  t.equal((await use(right)).status, 200)
  const refused: Readonly<Record<string, string | undefined>> = {
    'a second time': right,
    'without a proof': undefined,
    'without ath': await prove(`${API}/read`, 'GET'),
    'for another method': await prove(`${API}/read`, 'POST', token),
    'for another address': await prove(`${API}/write`, 'GET', token),
    'for another origin': await prove('https://evil.example.test/api/read', 'GET', token),
    'too old': await prove(`${API}/read`, 'GET', token, {
      iat: Math.floor(running.clock.now().getTime() / 1000) - 600
    })
  }
  for (const [what, proof] of Object.entries(refused)) {
    const { status, headers } = await use(proof)
    t.equal(status, 401, what)
    t.match(headers['www-authenticate'], /^DPoP .*resource_metadata=.*algs=/, what)
  }
  t.equal((await service.get('/api/read', bearer(token))).status, 401, 'as a bearer token')
})

test('a service that asks for nonces gives one and takes it', async (t) => {
  const running = await startHost(t, JWT_RESOURCES)
  const person = actor(running, await running.client({ type: 'public' }))
  const service = await startService(running, { dpop: { nonceSecret: random() } })
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  const prove = (claims: object) =>
    new SignJWT({
      jti: random(),
      iat: Math.floor(running.clock.now().getTime() / 1000),
      ...claims
    })
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk })
      .sign(privateKey)
  const code = await person.toCode({ scope: 'read' })
  const dpop = await prove({ htu: `${ISSUER}/oauth/token`, htm: 'POST' })
  const { access_token: token } = (await person.redeem(code, {}, { dpop })).json
  const ath = createHash('sha256').update(token).digest('base64url')
  const at = { htu: `${API}/read`, htm: 'GET', ath }
  const use = async (claims: object) =>
    service.get('/api/read', { authorization: `DPoP ${token}`, dpop: await prove(claims) })
  const asked = await use(at)
  t.same([asked.status, asked.json.error], [401, 'use_dpop_nonce'])
  const nonce = String(asked.headers['dpop-nonce'])
  t.equal((await use({ ...at, nonce })).status, 200)
  running.clock.advance(300)
  t.equal((await use({ ...at, nonce })).json.error, 'use_dpop_nonce', 'an old one')
})

test('Express and fetch handlers decide as Fastify does', async (t) => {
  const running = await startHost(t, JWT_RESOURCES)
  const person = actor(running, await running.client({ type: 'public' }))
  const { get, options } = await startService(running)
  const { access_token: read } = await person.tokens({ scope: 'read' })
  const { access_token: other } = await person.tokens({ scope: 'read', resource: OTHER })

  const ofExpress = createExpressProtect(options)
  const app = express()
  app.use(ofExpress.metadata)
  const api = express.Router()
  api.get('/read', ofExpress.protect(['read']), (request, response) => {
    response.json(accessOf(request))
  })
  api.get('/write', ofExpress.protect(['read', 'write']), (_request, response) => {
    response.json({})
  })
  app.use('/api', api)
  const server = app.listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }

  const ofFetch = createFetchProtect(options)
  const readHandler = ofFetch.protect(['read'], (_request, access) => Response.json(access))
  const writeHandler = ofFetch.protect(['read', 'write'], () => Response.json({}))
  const handle = async (request: Request) =>
    ofFetch.metadata(request) ??
    (request.url.endsWith('/write') ? writeHandler(request) : readHandler(request))

  const paths = ['/api/read', '/api/write', '/.well-known/oauth-protected-resource/api']
  for (const path of paths) {
    for (const headers of [{}, bearer(read), bearer(other), bearer('nope')]) {
      const fastify = await get(path, headers)
      const answers = [
        await fetch(`http://127.0.0.1:${port}${path}`, { headers }),
        await handle(new Request(`${ISSUER}${path}`, { headers }))
      ]
      for (const answer of answers) {
        t.equal(answer.status, fastify.status, `${path} ${JSON.stringify(headers)}`)
        t.equal(
          answer.headers.get('www-authenticate') ?? undefined,
          fastify.headers['www-authenticate']
        )
        t.same(await answer.json(), fastify.json)
      }
    }
  }
})
