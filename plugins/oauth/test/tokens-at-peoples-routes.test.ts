// Routes for people that name scopes: they take people who are signed in, and access tokens for their resource.
import {
  definePlugin,
  errorBodySchema,
  type Host,
  manifestRouteOf,
  operation,
  Type,
  type Viewer
} from '@keelson/sdk'
import { authViewer } from '@keelson/sdk/contracts/auth-viewer'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import { createOAuthParts } from '../create-oauth-host.ts'
import { hashOf } from '../crypto/handles.ts'
import oauthPlugin from '../plugin.ts'
import { bearer, random } from './flow.ts'

const ISSUER = 'http://localhost'
const ANN: Viewer = { tenantId: 'acme', role: 'viewer', viewerRef: 'user:ann' }

/** Answers who acts. */
const rename = operation({
  id: 'reports.all.rename',
  method: 'PATCH',
  path: '/all',
  summary: 'Rename',
  access: { auth: 'admin', scopes: ['reports:write'], tenants: '${tenants}' },
  effect: 'change',
  answer: Type.Object({ name: Type.String(), via: Type.String(), viewerRef: Type.String() }),
  errors: {},
  run: async (_input, { actor: { name, via, viewerRef = '' } }) => ({ name, via, viewerRef })
})

const reports = definePlugin({
  config: Type.Object({ tenants: Type.Optional(Type.Array(Type.String())) }),
  operations: [rename],
  manifest: {
    manifestVersion: 1,
    id: 'reports',
    name: 'Reports',
    version: '0.1.0',
    kernel: '^1.0.0',
    description: 'Reads for people and programs.',
    license: 'MIT',
    routes: [
      { method: 'GET', path: '/all', auth: 'viewer', scopes: ['reports:read'], summary: 'Read' },
      { method: 'POST', path: '/all', auth: 'viewer', summary: 'Change' },
      {
        method: 'PUT',
        path: '/all',
        auth: 'viewer',
        scopes: ['reports:write'],
        summary: 'Replace'
      },
      manifestRouteOf(rename)
    ]
  },
  register(host: Host) {
    const schema = { response: { '4xx': errorBodySchema } }
    host.serve([rename], host)
    for (const method of ['GET', 'POST', 'PUT'] as const) {
      host.route({
        method,
        path: '/all',
        schema,
        handler: async (_r, _p, { viewer }) => ({ viewer })
      })
    }
  }
})

async function start(t: Test, resources: readonly object[]) {
  const people = new Map([['user:ann', ANN]])
  const accounts = definePlugin({
    manifest: {
      manifestVersion: 1,
      id: 'accounts',
      name: 'Accounts',
      version: '0.1.0',
      kernel: '^1.0.0',
      description: 'Knows people.',
      license: 'MIT',
      provides: ['auth.viewer/v1']
    },
    register: (host: Host) =>
      host.provide(authViewer, {
        resolveViewer: () => null,
        loadViewer: (viewerRef) => people.get(viewerRef) ?? null
      })
  })
  const config = {
    issuer: ISSUER,
    resources,
    scopes: ['openid', 'reports:read', 'reports:write', 'tools:read'],
    homeTenant: 'acme'
  }
  const host = await createTestHost({
    plugin: oauthPlugin,
    plugins: [accounts, reports],
    config,
    platform: { plugins: { reports: { config: { tenants: ['acme'] } } } }
  })
  t.teardown(() => host.close())
  const { services } = createOAuthParts({
    issuer: ISSUER,
    resources: [`${ISSUER}/reports`],
    scopes: ['openid'],
    consentUrl: '/consent',
    connection: host.db
  })
  /** A live access token of Ann. */
  const token = async (scopes: readonly string[], audience = `${ISSUER}/reports`) => {
    const value = random()
    const now = host.clock.now()
    const later = new Date(now.getTime() + 60_000)
    const owner = { clientId: 'c', userId: 'ann', grantId: 'g', contextId: null }
    const familyId = random()
    await services.collections.families.insertOne({
      ...owner,
      _id: familyId,
      revokedAt: null,
      createdAt: now,
      expiresAt: later
    })
    await services.collections.tokens.insertOne({
      ...owner,
      _id: random(),
      kind: 'access',
      tokenHash: hashOf(value),
      scopes,
      audience: [audience],
      familyId,
      parentId: null,
      consumedAt: null,
      revokedAt: null,
      familyExpiresAt: later,
      expiresAt: later,
      createdAt: now
    })
    return value
  }
  return { host, people, token }
}

const RESOURCES = [
  { id: '/tools', scopes: ['tools:read'] },
  { id: '/reports', scopes: ['reports:read', 'reports:write'] }
]

test('a viewer route that names scopes takes the tokens of its resource', async (t) => {
  const { host, people, token } = await start(t, RESOURCES)
  const ask = (value: string) => host.app.inject({ url: '/reports/all', headers: bearer(value) })
  const right = await token(['openid', 'reports:read'])
  const answer = await ask(right)
  t.equal(answer.statusCode, 200)
  t.match(answer.json(), { viewer: { tenantId: 'acme', role: 'viewer', viewerRef: 'user:ann' } })
  t.equal((await ask(await token(['openid']))).statusCode, 403)
  t.equal((await ask(await token(['reports:read'], `${ISSUER}/tools`))).statusCode, 401)
  t.equal((await ask(random())).statusCode, 401)
  people.clear()
  const gone = await ask(right)
  t.same([gone.statusCode, gone.json().error], [401, 'invalid_token'], 'a person who is gone')
  t.match(gone.headers['www-authenticate'], /^Bearer error="invalid_token"/)
})

test('without credentials the route says what it takes; a change takes no token', async (t) => {
  const { host, token } = await start(t, RESOURCES)
  const asked = await host.app.inject('/reports/all')
  t.equal(asked.statusCode, 401)
  t.equal(asked.json().error, 'unauthenticated')
  t.match(
    asked.headers['www-authenticate'],
    `resource_metadata="${ISSUER}/.well-known/oauth-protected-resource/reports", scope="reports:read"`
  )
  const headers = bearer(await token(['reports:read']))
  const changed = await host.app.inject({ method: 'POST', url: '/reports/all', headers })
  t.equal(changed.statusCode, 401)
  host.signIn(ANN)
  t.equal((await host.app.inject('/reports/all')).statusCode, 200)
  t.equal((await host.app.inject({ method: 'POST', url: '/reports/all' })).statusCode, 200)
})

test('where the resource is not configured, the route is for people who are signed in', async (t) => {
  const { host, token } = await start(t, RESOURCES.slice(0, 1))
  const headers = bearer(await token(['reports:read'], `${ISSUER}/tools`))
  const asked = await host.app.inject({ url: '/reports/all', headers })
  t.equal(asked.statusCode, 401)
  t.equal(asked.headers['www-authenticate'], undefined)
  host.signIn(ANN)
  t.equal((await host.app.inject('/reports/all')).statusCode, 200)
})

test('a token with a scope for changing changes, whatever page it comes from', async (t) => {
  const { host, token } = await start(t, RESOURCES)
  const change = (value: string, headers: object = {}) =>
    host.app.inject({
      method: 'PUT',
      url: '/reports/all',
      headers: { ...bearer(value), origin: 'https://shop.example', ...headers }
    })
  const writing = await token(['reports:write'])
  t.equal((await change(writing)).statusCode, 200)
  t.equal((await change(writing, { cookie: 'session=1' })).statusCode, 200, 'cookies do not count')
  const reading = await change(await token(['reports:read']))
  t.same([reading.statusCode, reading.json().error], [403, 'insufficient_scope'])
  t.match(reading.headers['www-authenticate'], 'scope="reports:write"')
  const read = { url: '/reports/all', headers: bearer(writing) }
  t.equal((await host.app.inject(read)).statusCode, 403, 'one scope is not the other')
})

test('an admin route takes the token of an administrator of its tenants, as they are now', async (t) => {
  const { host, people, token } = await start(t, RESOURCES)
  const value = await token(['reports:write'])
  const change = () =>
    host.app.inject({ method: 'PATCH', url: '/reports/all', headers: bearer(value) })
  const asViewer = await change()
  t.same([asViewer.statusCode, asViewer.json().error], [403, 'forbidden'])
  people.set('user:ann', { ...ANN, role: 'admin' })
  t.equal((await change()).statusCode, 200)
  people.set('user:ann', { ...ANN, role: 'admin', tenantId: 'globex' })
  t.equal((await change()).statusCode, 401, 'a person of another tenant is another person')
  people.clear()
  t.equal((await change()).statusCode, 401)
})

test('an audit log learns the person and the client of a token', async (t) => {
  const { host, people, token } = await start(t, RESOURCES)
  people.set('user:ann', { ...ANN, role: 'admin', email: 'ann@acme.test' })
  const call = { method: 'PATCH', url: '/reports/all' } as const
  const headers = bearer(await token(['reports:write']))
  const byToken = await host.app.inject({ ...call, headers })
  t.same(byToken.json(), { name: 'oauth:c:ann', via: 'token', viewerRef: 'user:ann' })
  host.signIn({ ...ANN, role: 'admin', email: 'ann@acme.test' })
  const bySession = await host.app.inject(call)
  t.match(bySession.json(), { name: 'human:ann@acme.test', via: 'session' })
})
