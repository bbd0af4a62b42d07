// Viewer routes that name scopes: they take people who are signed in, and access tokens for their resource.
import { definePlugin, errorBodySchema, type Host, type Viewer } from '@keelson/sdk'
import { authViewer } from '@keelson/sdk/contracts/auth-viewer'
import { createTestHost } from '@keelson/sdk/testing'
import { type Test, test } from 'tap'
import { createOAuthParts } from '../create-oauth-host.ts'
import { hashOf } from '../crypto/handles.ts'
import oauthPlugin from '../plugin.ts'
import { bearer, random } from './flow.ts'

const ISSUER = 'http://localhost'
const ANN: Viewer = { tenantId: 'acme', role: 'viewer', viewerRef: 'user:ann' }

const reports = definePlugin({
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
      { method: 'POST', path: '/all', auth: 'viewer', summary: 'Change' }
    ]
  },
  register(host: Host) {
    const schema = { response: { '4xx': errorBodySchema } }
    for (const method of ['GET', 'POST'] as const) {
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
    scopes: ['openid', 'reports:read', 'tools:read'],
    homeTenant: 'acme'
  }
  const host = await createTestHost({ plugin: oauthPlugin, plugins: [accounts, reports], config })
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
  { id: '/reports', scopes: ['reports:read'] }
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
