// Every route of the demo that takes access tokens: what it answers to tokens that it refuses.
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tap, { test } from 'tap'
import { configWithTokens } from '../hosts/demo-config.ts'
import { sharedDemo, startFreshDemo, stopSharedDemo } from '../hosts/fresh-demo.ts'
import { ROOT } from '../hosts/processes.ts'
import { type OAuthDemo, openOAuthDemo } from './oauth-demo.ts'

tap.teardown(stopSharedDemo)

const CALLBACK = 'http://127.0.0.1/callback'
const read = (...path: readonly string[]) => JSON.parse(readFileSync(join(ROOT, ...path), 'utf8'))

/** The resources whose routes take people's tokens. */
const RESOURCES = ['/telemetry', '/admin/mailer']

interface Route {
  readonly method: string
  readonly path?: string
  readonly at?: string
  readonly auth: string
  readonly scopes?: readonly string[]
}

interface Place {
  readonly method: string
  readonly address: string
  /** How the route is guarded. */
  readonly auth: string
}

/** All routes of the plugins of the demo that name scopes, at any address that they match. */
function placesWithScopes(): readonly Place[] {
  const { plugins } = read('examples/platform/keelson.config.json') as {
    plugins: Record<string, { package: string; mount?: string }>
  }
  return Object.values(plugins).flatMap(({ package: name, mount: configured }) => {
    const folder = name.startsWith('.') ? ['examples/platform', name] : ['node_modules', name]
    const {
      id,
      mount = `/${id}`,
      routes = []
    } = read(...folder, 'plugin.json') as {
      id: string
      mount?: string
      routes?: readonly Route[]
    }
    const below = (configured ?? mount).replace(/\/$/, '')
    return routes
      .filter(({ scopes = [], auth }) => scopes.length > 0 || auth === 'bearer')
      .map(({ method, path = '', at, auth }) => ({
        method,
        address: (at ?? `${below}${path}`).replace(/:[A-Za-z]+|\*/g, 'x'),
        auth
      }))
  })
}

async function tokenOf(
  demo: OAuthDemo,
  client: { readonly clientId: string },
  { scope, resource }: { readonly scope: string; readonly resource: string }
): Promise<string> {
  const verifier = randomBytes(32).toString('base64url')
  const address = new URL('/oauth/authorize', demo.url)
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: CALLBACK,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    scope,
    resource
  }).toString()
  const code = (await demo.approve(address)).searchParams.get('code') ?? ''
  const answer = await fetch(new URL('/oauth/token', demo.url), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: client.clientId,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
      code
    })
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

test('every route that takes access tokens refuses them as RFC 6750 and RFC 9449 say', async (t) => {
  const env = { KEELSON_CONFIG: await configWithTokens(), KEELSON_OAUTH_RATE_MAX: '10000' }
  const demo = await openOAuthDemo(await startFreshDemo(t, env), 'admin@acme.test')
  const client = await demo.createClient({
    name: 'Refused',
    type: 'public',
    redirectUris: [CALLBACK],
    allowedScopes: ['openid', 'telemetry:read', 'telemetry:write', 'mail:read', 'mail:write']
  })
  const at = (path: string) => ({ resource: `${demo.url}${path}` })
  const ofTools = await tokenOf(demo, client, { scope: 'telemetry:read mail:read', ...at('/mcp') })
  const narrow = new Map<string, string>()
  for (const path of RESOURCES)
    narrow.set(path, await tokenOf(demo, client, { scope: 'openid', ...at(path) }))
  const live = await tokenOf(demo, client, { scope: 'telemetry:read', ...at('/telemetry') })
  const dead = await tokenOf(demo, client, { scope: 'telemetry:read', ...at('/telemetry') })
  const revoked = new URLSearchParams({ token: dead, client_id: client.clientId })
  await fetch(`${demo.url}/oauth/revoke`, { method: 'POST', body: revoked })

  const places = placesWithScopes().filter(({ auth }) => auth === 'viewer' || auth === 'admin')
  const placesOf = (path: string) =>
    places.filter(({ address }) => address === path || address.startsWith(`${path}/`))
  for (const path of RESOURCES) t.ok(placesOf(path).length > 10, path)
  t.equal(RESOURCES.flatMap(placesOf).length, places.length, 'each has a resource in the demo')
  const ask = async ({ method, address }: Omit<Place, 'auth'>, authorization: string) => {
    const answer = await fetch(new URL(address, demo.url), { method, headers: { authorization } })
    const text = await answer.text()
    const challenge = answer.headers.get('www-authenticate') ?? ''
    const { error } = (text.startsWith('{') ? JSON.parse(text) : {}) as { error?: unknown }
    return { status: answer.status, error, challenge }
  }
  const invalid = { status: 401, error: 'invalid_token' }
  const refused: readonly (readonly [name: string, authorization: string, expected: object])[] = [
    ['revoked', `Bearer ${dead}`, invalid],
    ['of another resource', `Bearer ${ofTools}`, invalid],
    ['unknown', 'Bearer nope', invalid],
    ['malformed', 'Bearer no pe', invalid],
    ['not text of a token', 'Bearer {"a":1}', invalid],
    ['not bound to a key', `DPoP ${live}`, invalid],
    ['unknown, with a key', 'DPoP nope', invalid]
  ]
  const lacking = { status: 403, error: 'insufficient_scope' }
  for (const [resource, place] of RESOURCES.flatMap((path) =>
    placesOf(path).map((each) => [path, each] as const)
  )) {
    const narrowed = ['without the scope', `Bearer ${narrow.get(resource)}`, lacking] as const
    for (const [name, authorization, expected] of [...refused, narrowed]) {
      const { status, error, challenge } = await ask(place, authorization)
      t.same({ status, error }, expected, `${place.method} ${place.address}: ${name}`)
      const scheme = authorization.split(' ', 1)[0]
      t.match(challenge, new RegExp(`^${scheme} error="${error}".* resource_metadata="`), name)
    }
  }
  t.equal(
    (await ask({ method: 'GET', address: '/telemetry/api/registry' }, `Bearer ${live}`)).status,
    200
  )

  const dying = refused.filter(([name]) => !/resource|scope/.test(name))
  const others = [
    { method: 'POST', address: '/mcp', cases: [...dying, ['foreign', `Bearer ${live}`, invalid]] },
    {
      method: 'GET',
      address: '/oauth/userinfo',
      cases: [...dying, ['without openid', `Bearer ${live}`, lacking]]
    }
  ] as const
  for (const { cases, ...place } of others) {
    for (const [name, authorization, expected] of cases) {
      const { status, error, challenge } = await ask(place, authorization)
      t.same({ status, error }, expected, `${place.address}: ${name}`)
      t.match(challenge, new RegExp(`^(Bearer|DPoP) error="${error}"`), `${place.address}: ${name}`)
    }
  }
})

test('routes for agent tokens refuse access tokens with a challenge', async (t) => {
  const { url } = await sharedDemo()
  const places = placesWithScopes().filter(({ auth }) => auth === 'machine')
  t.ok(places.length > 0)
  for (const { method, address } of places) {
    const headers = { authorization: 'Bearer nope' }
    const answer = await fetch(new URL(address, url), { method, headers })
    await answer.text()
    t.equal(answer.status, 401, `${method} ${address}`)
    t.match(answer.headers.get('www-authenticate'), /^Bearer/, address)
  }
})
