// A protector whose authorization server is slow, wrong or gone.
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { test } from 'tap'
import { ProtectError } from './errors.ts'
import type { ProtectorOptions } from './options.ts'
import { createProtector } from './protector.ts'
import { createMemoryReplays } from './tokens/replays.ts'

const ISSUER = 'https://id.example.test'
const RESOURCE = 'https://api.example.test/v1'
const INTROSPECTION = {
  clientId: 'a service',
  clientSecret: 'a secret:',
  url: `${ISSUER}/introspect`
}

const LIVE = {
  active: true,
  sub: 'u1',
  client_id: 'app',
  aud: RESOURCE,
  scope: 'read',
  exp: 4_000_000_000
}

interface Outside {
  readonly fetch: typeof fetch
  readonly calls: { readonly url: string; readonly init: RequestInit | undefined }[]
}

const outside = (answer: (url: string) => Response | Promise<Response>): Outside => {
  const calls: Outside['calls'] = []
  return {
    calls,
    fetch: async (input, init) => {
      calls.push({ url: String(input), init })
      return answer(String(input))
    }
  }
}

const statusOf = async (options: Partial<ProtectorOptions>, token = 'opaque'): Promise<number> => {
  const protector = createProtector({ issuer: ISSUER, resource: RESOURCE, ...options })
  return use(protector.check(['read']), token)
}

async function use(check: ReturnType<ReturnType<typeof createProtector>['check']>, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const verdict = await check({ method: 'GET', url: '/v1', headers })
  return verdict.kind === 'admitted' ? 200 : verdict.refusal.status
}

test('what introspection may answer, and what follows', async (t) => {
  const json = (value: unknown, status = 200) => new Response(JSON.stringify(value), { status })
  const answers: Readonly<Record<string, readonly [() => Response, number]>> = {
    live: [() => json(LIVE), 200],
    'without issuer or token id': [() => json({ ...LIVE, iss: undefined }), 200],
    'in an array of audiences': [() => json({ ...LIVE, aud: ['x', RESOURCE] }), 200],
    inactive: [() => json({ active: false }), 401],
    'active as text': [() => json({ ...LIVE, active: 'true' }), 401],
    'of another issuer': [() => json({ ...LIVE, iss: 'https://evil.example.test' }), 401],
    'for another resource': [() => json({ ...LIVE, aud: 'https://api.example.test' }), 401],
    'without audience': [() => json({ ...LIVE, aud: undefined }), 401],
    'without end': [() => json({ ...LIVE, exp: undefined }), 401],
    expired: [() => json({ ...LIVE, exp: 1 }), 401],
    'bound to a certificate': [() => json({ ...LIVE, cnf: { 'x5t#S256': 'x' } }), 401],
    'bound to a key': [() => json({ ...LIVE, cnf: { jkt: 'x' } }), 401],
    'without the scope': [() => json({ ...LIVE, scope: 'write' }), 403],
    'no answer to this client': [() => json({ error: 'invalid_client' }, 401), 503],
    'broken JSON': [() => new Response('{'), 503],
    'a list': [() => json([LIVE]), 503],
    'too large': [() => json({ ...LIVE, more: 'x'.repeat(70_000) }), 503],
    'an error': [
      () => {
        throw new TypeError('fetch failed')
      },
      503
    ]
  }
  for (const [what, [answer, status]] of Object.entries(answers)) {
    const { fetch } = outside(answer)
    t.equal(await statusOf({ fetch, introspection: INTROSPECTION }), status, what)
  }
})

test('a call to introspection carries the encoded secret, follows no redirect and ends', async (t) => {
  const { fetch, calls } = outside(() => Response.json(LIVE))
  await statusOf({ fetch, introspection: INTROSPECTION }, 'a+b/c==')
  const { init } = calls[0] ?? {}
  const { authorization = '' } = (init?.headers ?? {}) as { authorization?: string }
  t.equal(Buffer.from(authorization.slice(6), 'base64').toString(), 'a+service:a+secret%3A')
  t.equal(init?.body, 'token=a%2Bb%2Fc%3D%3D&token_type_hint=access_token')
  t.equal(init?.redirect, 'error')
  t.ok(init?.signal)
})

test('more tokens at once than may be introspected get a 503', async (t) => {
  const waiting: (() => void)[] = []
  const { fetch, calls } = outside(
    () => new Promise((resolve) => waiting.push(() => resolve(Response.json(LIVE))))
  )
  const options = { issuer: ISSUER, resource: RESOURCE, fetch, introspection: INTROSPECTION }
  const check = createProtector(options).check()
  const all = Array.from({ length: 300 }, (_, at) => use(check, `token${at}`))
  const late = await use(check, 'one-more')
  t.equal(late, 503)
  for (const answer of waiting) answer()
  const statuses = await Promise.all(all)
  t.equal(statuses.filter((status) => status === 200).length, 256)
  t.equal(calls.length, 256)
})

test('keys count while the server is gone, and it is asked again at intervals', async (t) => {
  let now = 1_800_000_000_000
  let isUp = true
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }]
  const server = outside((url) => {
    if (!isUp) throw new TypeError('fetch failed')
    return Response.json(
      url.endsWith('/jwks') ? { keys } : { issuer: ISSUER, jwks_uri: `${ISSUER}/jwks` }
    )
  })
  const options = { issuer: ISSUER, resource: RESOURCE, fetch: server.fetch }
  const check = createProtector({ ...options, now: () => new Date(now) }).check()
  const sign = (kid: string) =>
    new SignJWT({ client_id: 'app', scope: '' })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
      .setIssuer(ISSUER)
      .setAudience(RESOURCE)
      .setSubject('u1')
      .setJti('x')
      .setIssuedAt(now / 1000)
      .setExpirationTime(now / 1000 + 86_400 * 3)
      .sign(privateKey)
  isUp = false
  const token = await sign('one')
  t.equal(await use(check, token), 503, 'no keys yet')
  isUp = true
  t.equal(await use(check, token), 503, 'it is not asked again at once')
  now += 31_000
  t.equal(await use(check, token), 200)
  const asked = server.calls.length
  isUp = false
  now += 3_600_000
  t.equal(await use(check, token), 200, 'old keys')
  for (let at = 0; at < 20; at++) await use(check, await sign(`unknown${at}`))
  t.ok(server.calls.length - asked <= 2, `${server.calls.length - asked} requests`)
  now += 86_400_000
  t.equal(await use(check, token), 503, 'for a day')
})

test('metadata of another issuer is not believed', async (t) => {
  const { fetch } = outside(() =>
    Response.json({ issuer: 'https://evil.example.test', introspection_endpoint: `${ISSUER}/x` })
  )
  const { clientId, clientSecret } = INTROSPECTION
  t.equal(await statusOf({ fetch, introspection: { clientId, clientSecret } }), 503)
})

test('a full memory of proofs refuses, and forgets what is over', async (t) => {
  let now = 1000
  const replays = createMemoryReplays(() => new Date(now), 2)
  t.equal(replays.isFirst('a', new Date(2000)), true)
  t.equal(replays.isFirst('a', new Date(2000)), false)
  t.equal(replays.isFirst('b', new Date(2000)), true)
  t.throws(() => replays.isFirst('c', new Date(2000)))
  now = 2001
  t.equal(replays.isFirst('c', new Date(3000)), true)
})

test('an invalid option is named', (t) => {
  const invalid: readonly (readonly [object, string])[] = [
    [{ issuer: 'id.example.test' }, 'issuer'],
    [{ issuer: 'http://id.example.test' }, 'issuer'],
    [{ resource: 'urn:api' }, 'resource'],
    [{ resource: `${RESOURCE}#x` }, 'resource'],
    [{ jwt: { algorithms: ['HS256'] } }, 'jwt.algorithms'],
    [{ jwt: { keySetUrl: '/jwks' } }, 'jwt.keySetUrl'],
    [{ jwt: false }, 'introspection'],
    [{ introspection: { ...INTROSPECTION, url: 'ftp://x' } }, 'introspection.url'],
    [{ introspection: { ...INTROSPECTION, cacheMs: -1 } }, 'introspection.cacheMs'],
    [{ dpop: { nonceSecret: 'short' } }, 'dpop.nonceSecret'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs']
  ]
  for (const [more, path] of invalid) {
    const make = () => createProtector({ issuer: ISSUER, resource: RESOURCE, ...more })
    t.throws(make, { code: 'PRO_OPTION_INVALID', message: new RegExp(`^The option ${path} `) })
  }
  const protector = createProtector({ issuer: ISSUER, resource: RESOURCE })
  t.throws(() => protector.check('read' as unknown as string[]), ProtectError)
  t.end()
})
