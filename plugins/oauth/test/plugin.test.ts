// The plugin in the kernel: declared as it is, administration for the right people, commands.
import { fileURLToPath } from 'node:url'
import { definePlugin, type Host, type Viewer } from '@keelson/sdk'
import { createTestHost, type TestHost, type TestHostOptions } from '@keelson/sdk/testing'
import { test } from 'tap'
import manifest from '../plugin.json' with { type: 'json' }
import oauthPlugin from '../plugin.ts'
import { runCommand } from './run-command.ts'

const ISSUER = 'http://localhost'
const CONFIG = {
  issuer: ISSUER,
  resources: [{ id: '/tools/hello', label: 'Tools', scopes: ['tools:read'] }],
  scopes: [{ id: 'openid' }, { id: 'tools:read', label: 'Use the tools' }],
  adminTenants: ['acme'],
  rateLimits: { token: { max: 1000 } }
}
const PLATFORM: Viewer = { tenantId: '*', role: 'admin', viewerRef: 'user:p' }
const ACME: Viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:a', email: 'a@acme.test' }
const GLOBEX: Viewer = { tenantId: 'globex', role: 'admin', viewerRef: 'user:g' }

/** A plugin whose route needs a token, as a third party writes one. */
const tools = definePlugin({
  manifest: {
    manifestVersion: 1,
    id: 'tools',
    name: 'Tools',
    version: '0.1.0',
    kernel: '^1.0.0',
    description: 'Needs tokens.',
    license: 'MIT',
    uses: ['oauth.protect/v1'],
    routes: [
      { method: 'GET', path: '/hello', auth: 'bearer', scopes: ['tools:read'], summary: 'Hello' }
    ]
  },
  register: (host: Host) =>
    host.route({ method: 'GET', path: '/hello', handler: async () => ({ hello: true }) })
})

const start = (more: object = {}, mount?: string, around: Partial<TestHostOptions> = {}) =>
  createTestHost({
    plugin: oauthPlugin,
    ...around,
    ...(mount !== undefined && { mount }),
    plugins: [tools],
    config: { ...CONFIG, ...more },
    viewer: PLATFORM
  })

test('a bearer route of another plugin needs an access token', async (t) => {
  const host = await start()
  t.teardown(() => host.close())
  const answer = await host.app.inject('/tools/hello')
  t.equal(answer.statusCode, 401)
  t.match(
    answer.headers['www-authenticate'],
    'resource_metadata="http://localhost/.well-known/oauth-protected-resource/tools/hello"'
  )
  t.match((await host.app.inject('/.well-known/openid-configuration')).json(), {
    issuer: ISSUER,
    jwks_uri: `${ISSUER}/oauth/jwks`
  })
  const { keys } = (await host.app.inject('/oauth/jwks')).json()
  t.same(keys.map(({ alg }: { alg: string }) => alg).sort(), ['ES256', 'RS256'])
})

test('documents of clients are fetched by the host, from public addresses and loopback ones that are listed', async (t) => {
  const host = await start({
    clientIdMetadata: { enabled: true, allowedHosts: ['apps.example.test', '127.0.0.1:8443'] }
  })
  t.teardown(() => host.close())
  const document = (id: string) => ({
    client_id: id,
    client_name: 'Code',
    redirect_uris: ['https://apps.example.test/cb']
  })
  for (const origin of ['https://apps.example.test', 'https://127.0.0.1:8443']) {
    const id = `${origin}/client`
    host.outbound
      .get(origin)
      .intercept({ path: '/client' })
      .reply(200, document(id), { headers: { 'content-type': 'application/json' } })
    const answer = await host.app.inject({
      url: '/oauth/authorize',
      query: {
        response_type: 'code',
        client_id: id,
        redirect_uri: 'https://apps.example.test/cb',
        scope: 'openid',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256'
      }
    })
    t.ok([302, 303].includes(answer.statusCode), answer.body)
  }
  host.outbound.assertNoPendingInterceptors()
})

test('administration is for administrators of the platform and of named tenants', async (t) => {
  const host = await start()
  t.teardown(() => host.close())
  const call = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    payload?: object
  ) => {
    const answer = await host.app.inject({
      method,
      url: `/oauth/admin${path}`,
      ...(payload && { payload })
    })
    return { status: answer.statusCode, json: answer.json() }
  }
  for (const [viewer, status] of [
    [null, 401],
    [{ ...ACME, role: 'viewer' }, 403],
    [GLOBEX, 403],
    [ACME, 200],
    [PLATFORM, 200]
  ] as const) {
    host.signIn(viewer)
    t.equal((await call('GET', '/clients')).status, status)
  }
  const fields = { name: 'One', redirectUris: ['https://app.test/cb'], allowedScopes: ['openid'] }
  t.match(await call('POST', '/clients', { ...fields, redirectUris: ['x'] }), {
    status: 400,
    json: {
      error: 'validation_failed',
      code: 'OAU_CLIENT_INVALID',
      message: /redirectUris must be an absolute URL, but is "x"/,
      fix: 'Correct that value.',
      fields: [{ path: 'redirectUris', message: /absolute URL/ }]
    }
  })
  t.match(await call('POST', '/clients'), { status: 400, json: { error: 'validation_failed' } })
  t.match(await call('POST', '/clients', { ...fields, name: 7 }), {
    status: 400,
    json: { error: 'validation_failed', fields: [{ path: 'name', message: /string, but is 7/ }] }
  })
  t.match(await call('POST', '/clients', { ...fields, nmae: 'One' }), {
    status: 400,
    json: { message: /nmae is unknown/ }
  })
  t.match(await call('GET', '/clients?limit=many'), {
    status: 400,
    json: { fields: [{ path: 'limit' }] }
  })
  const made = await call('POST', '/clients', fields)
  t.match(made, { status: 201, json: { clientSecret: String } })
  const at = `/clients/${made.json.clientId}`
  t.match(await call('GET', at), { json: { client: { name: 'One' } } })
  t.equal((await call('GET', '/clients/nobody')).status, 404)
  t.match(await call('PATCH', at, { name: 'Two' }), { json: { client: { name: 'Two' } } })
  t.match(await call('POST', `${at}/rotate-secret`, { retireAfter: 1000, label: 'next' }), {
    json: { clientSecret: String }
  })
  t.equal((await call('POST', `${at}/rotate-secret`, { retireAfter: 'x' })).status, 400)
  t.match(await call('POST', `${at}/disable`), { json: { grantsRevoked: 0 } })
  t.match(await call('GET', '/clients?status=disabled'), { json: { items: [{ name: 'Two' }] } })
  t.match(await call('POST', `${at}/enable`), { json: { client: { status: 'active' } } })
  t.equal((await call('POST', '/clients/nobody/disable')).status, 404)
  t.match(await call('GET', '/grants?userId=u'), { json: { items: [] } })
  t.match(await call('DELETE', '/grants/none'), { json: { tokensRevoked: 0 } })
  t.match(await call('GET', `/audit?clientId=${made.json.clientId}&limit=2`), {
    json: { limit: 2, items: [{ type: 'oauth.client_enabled' }, {}] }
  })
  const changes = (await call('GET', '/audit?limit=200')).json.items
  t.same(
    [...new Set(changes.map(({ type }: { type: string }) => type))].sort(),
    [
      'client_created',
      'client_disabled',
      'client_enabled',
      'client_secret_rotated',
      'client_updated'
    ].map((type) => `oauth.${type}`)
  )
  for (const entry of changes) {
    t.match(entry, { actor: 'admin', actorId: 'p', ip: '127.0.0.1', requestId: String })
  }
  t.equal((await call('GET', '/audit?before=soon')).status, 400)
  t.match(await call('POST', '/keys/rotate', {}), { json: { key: { status: 'active' } } })
  const { items } = (await call('GET', '/keys')).json
  const kidOf = (status: string) =>
    items.find(
      (key: { status: string; alg: string }) => key.status === status && key.alg === 'ES256'
    ).kid
  t.equal(items.length, 3)
  t.match(await call('DELETE', `/keys/${kidOf('retiring')}`), { json: { removed: true } })
  t.equal((await call('DELETE', `/keys/${kidOf('active')}`)).status, 404)
  t.equal((await call('POST', '/keys/rotate', { alg: 'none' })).status, 400)
  const ofKeys = (await call('GET', '/audit')).json.items.filter(({ type }: { type: string }) =>
    type.startsWith('oauth.key_')
  )
  t.equal(ofKeys.length, 2)
  for (const entry of ofKeys) t.match(entry, { actor: 'admin', actorId: 'p', requestId: String })
  await host.app.inject('/oauth/authorize?client_id=nobody')
  t.match(await call('GET', '/attempts'), {
    json: { items: [{ steps: [{ outcome: 'refused' }, {}] }] }
  })
  t.match(await call('GET', '/options'), { json: { issuer: ISSUER, presets: [{ id: 'claude' }] } })
})

/** Where an authorization request leads that needs a person, and then one that needs consent. */
async function pagesOf(host: TestHost, base: string): Promise<string[]> {
  host.signIn(PLATFORM)
  const client = { name: 'One', redirectUris: ['https://app.test/cb'], allowedScopes: ['openid'] }
  const made = await host.app.inject({
    method: 'POST',
    url: `${base}/admin/clients`,
    headers: { 'content-type': 'application/json' },
    payload: client
  })
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: made.json().clientId,
    redirect_uri: 'https://app.test/cb',
    scope: 'openid',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256'
  })
  const led = async (viewer: Viewer | null) => {
    host.signIn(viewer)
    const { headers } = await host.app.inject(`${base}/authorize?${query}`)
    return new URL(String(headers.location), ISSUER).pathname
  }
  return [await led(null), await led(PLATFORM)]
}

test('people are sent to the sign-in and consent pages of the platform, below its prefix', async (t) => {
  const prefixed = await start({}, undefined, { prefix: '/platform' })
  t.teardown(() => prefixed.close())
  t.same(await pagesOf(prefixed, '/platform/oauth'), [
    '/platform/login',
    '/platform/account/consent'
  ])
  const own = await start({}, undefined, { platform: { auth: { signIn: '/enter' } } })
  t.teardown(() => own.close())
  t.same(await pagesOf(own, '/oauth'), ['/enter', '/account/consent'])
})

test('publicUrl replaces the issuer', async (t) => {
  const host = await start({ publicUrl: 'https://public.test/' })
  t.teardown(() => host.close())
  t.match((await host.app.inject('/.well-known/openid-configuration')).json(), {
    issuer: 'https://public.test'
  })
  t.equal((await host.app.inject('/id/.well-known/openid-configuration')).statusCode, 404)
})

test('an issuer may have a path of one segment, above the mount', async (t) => {
  const issuer = 'http://localhost/id'
  for (const [wrong, mount, message] of [
    [
      issuer,
      '/oauth',
      /mount must be \/id\/oauth and not \/oauth, but is "http:\/\/localhost\/id"/
    ],
    [`${issuer}/deep`, '/id/deep/oauth', /more than one segment/],
    [`${issuer}?x`, '/id/oauth', /query or a fragment/],
    ['HTTP://localhost', '/oauth', /normalised origin/],
    ['nowhere', '/oauth', /absolute URL/]
  ] as const) {
    await t.rejects(start({ issuer: wrong }, mount), { message })
  }
  const host = await start({ issuer }, '/id/oauth')
  t.teardown(() => host.close())
  const places = [
    '/.well-known/oauth-authorization-server/id',
    '/.well-known/openid-configuration/id',
    '/id/.well-known/openid-configuration'
  ]
  for (const place of places) {
    const { headers, statusCode, ...answer } = await host.app.inject(place)
    t.equal(statusCode, 200, place)
    t.equal(headers['access-control-allow-origin'], '*')
    t.match(answer.json(), {
      issuer,
      token_endpoint: `${issuer}/oauth/token`,
      jwks_uri: `${issuer}/oauth/jwks`
    })
  }
  t.equal((await host.app.inject('/other/.well-known/openid-configuration')).statusCode, 404)
  t.equal((await host.app.inject('/id/oauth/jwks')).json().keys.length, 2)
  const { headers } = await host.app.inject('/tools/hello')
  const described = String(headers['www-authenticate']).match(/resource_metadata="([^"]+)"/)?.[1]
  t.equal(described, 'http://localhost/.well-known/oauth-protected-resource/tools/hello')
  t.match((await host.app.inject(new URL(String(described)).pathname)).json(), {
    resource: 'http://localhost/tools/hello',
    authorization_servers: [issuer]
  })
})

test('every route is described in /openapi.json, and its band is the true one', async (t) => {
  const host = await start()
  t.teardown(() => host.close())
  const { paths } = (await host.app.inject('/openapi.json')).json()
  const own = Object.keys(paths).filter((path) => path.startsWith('/oauth/'))
  const declared = manifest.routes.flatMap((route) => ('path' in route ? [route.path] : []))
  t.equal(own.length, new Set(declared).size)
  for (const path of own) {
    for (const [method, { responses }] of Object.entries<{ responses: object }>(paths[path])) {
      const [answer] = Object.keys(responses).filter((status) => /^[2]/.test(status))
      t.ok(answer, `${method} ${path} says what it answers`)
    }
  }
  const { parameters } = paths['/oauth/admin/audit'].get
  t.same(
    parameters.map(({ name }: { name: string }) => name),
    ['limit', 'clientId', 'userId', 'before']
  )
  t.ok(
    paths['/oauth/token'].post.requestBody.content['application/x-www-form-urlencoded'].schema
      .properties.code_verifier
  )
  t.same(paths['/oauth/introspect'].post.security, [{ machine: [] }])
  t.same(paths['/oauth/userinfo'].get.security, [{ machine: [] }])
  t.same(paths['/oauth/token'].post.security, undefined, 'public clients have no credentials')
})

test('introspection and userinfo refuse a caller without credentials before the body', async (t) => {
  const host = await start()
  t.teardown(() => host.close())
  const introspect = await host.app.inject({
    method: 'POST',
    url: '/oauth/introspect',
    headers: { origin: 'https://elsewhere.test' },
    payload: { token: 'x' }
  })
  t.equal(introspect.statusCode, 401)
  t.match(introspect.json(), { error: 'invalid_client' })
  t.match(introspect.headers, { 'www-authenticate': /^Basic/, 'access-control-allow-origin': '*' })
  const asked = await host.app.inject({ method: 'GET', url: '/oauth/userinfo' })
  t.equal(asked.statusCode, 401)
  t.match(asked.headers, { 'www-authenticate': /^Bearer/, 'access-control-allow-origin': '*' })
  const inForm = await host.app.inject({
    method: 'POST',
    url: '/oauth/userinfo',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'access_token=dead'
  })
  t.match(inForm.json(), { error: 'invalid_token' })
})

test('the command line makes, lists and disables clients and rotates secrets', async (t) => {
  const host = await start()
  t.teardown(() => host.close())
  const run = (
    name: string,
    args: string[] = [],
    options: Record<string, string | boolean | string[]> = {}
  ) => runCommand({ host, config: CONFIG }, name, { args, options })
  const typed = { name: 'CLI', 'redirect-uri': ['https://app.test/cb'], scope: ['openid'] }
  const created = (await run('clients create', [], typed)) as {
    json: { clientId: string; clientSecret: string }
    text: string
  }
  t.match(created.json, { type: 'confidential', clientSecret: /^[\w-]{43}$/ })
  t.match(JSON.parse(created.text), { clientId: created.json.clientId })
  t.match(await run('clients create', [], { ...typed, public: true }), { json: { type: 'public' } })
  for (const missing of ['name', 'redirect-uri', 'scope'] as const) {
    const { [missing]: _left, ...rest } = typed
    t.match(await run('clients create', [], rest), { wrongUse: new RegExp(missing) })
  }
  t.match(await run('clients create', [], { ...typed, resource: ['https://ghost.test'] }), {
    wrongUse: /ghost\.test/
  })
  t.match(
    await run('clients create', [], {
      ...typed,
      'auth-method': 'private_key_jwt',
      'jwks-uri': 'https://x.test/jwks',
      'post-logout-redirect-uri': ['https://x.test/bye']
    }),
    { json: { tokenEndpointAuthMethod: 'private_key_jwt' } }
  )
  for (const jwks of ['/nowhere/keys.json', fileURLToPath(import.meta.url)]) {
    const keyed = { ...typed, 'auth-method': 'private_key_jwt', jwks }
    t.match(await run('clients create', [], keyed), { wrongUse: jwks })
  }
  const service = { name: 'Robot', scope: ['openid'], 'grant-type': ['client_credentials'] }
  t.match(await run('clients create', [], service), { wrongUse: /grants that are on/ })
  t.match(await run('clients create', [], { ...typed, pkce: 'ifSent', 'id-token-alg': 'RS256' }), {
    json: { type: 'confidential' }
  })
  t.match(await run('clients create', [], { ...typed, pkce: 'ifSent', public: true }), {
    wrongUse: /pkce must be required/
  })
  t.match(await run('clients list'), { json: { items: Array }, text: /CLI/ })
  t.match(await run('clients list', [], { status: 'disabled' }), { text: 'No clients.' })
  t.match(await run('clients list', [], { status: 'x' }), { wrongUse: /active/ })
  const id = created.json.clientId
  t.match(await run('clients rotate-secret', [id], { 'retire-after': '60' }), {
    json: { clientId: id, clientSecret: String }
  })
  t.match(await run('clients rotate-secret', [id], { 'retire-after': 'x' }), {
    wrongUse: /seconds/
  })
  t.match(await run('clients rotate-secret'), { wrongUse: /id/ })
  t.match(await run('clients rotate-secret', ['nobody']), { failed: true, text: /nobody/ })
  t.match(await run('clients disable', [id]), { json: { grantsRevoked: 0, tokensRevoked: 0 } })
  t.match(await run('clients disable'), { wrongUse: /id/ })
})
