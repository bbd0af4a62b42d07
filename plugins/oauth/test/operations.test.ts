// OAuth's own API as operations: on the platform, and on an app without the kernel.
import type { Viewer } from '@keelson/sdk'
import { createTestHost } from '@keelson/sdk/testing'
import { test } from 'tap'
import oauthPlugin from '../plugin.ts'
import { actor, ISSUER, startHost } from './flow.ts'

const ANN: Viewer = { tenantId: 'acme', role: 'admin', viewerRef: 'user:ann' }
const SEALED = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

type Teardown = { teardown(fn: () => Promise<void>): void }

async function startPlatform(t: Teardown, viewer = ANN) {
  const host = await createTestHost({
    plugin: oauthPlugin,
    config: {
      issuer: 'http://localhost',
      resources: ['/tools'],
      scopes: ['openid'],
      adminTenants: ['acme']
    },
    viewer
  })
  t.teardown(() => host.close())
  return {
    host,
    async call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) {
      const url = `/oauth${path}`
      const answer = await host.app.inject({ method, url, ...(payload && { payload }) })
      return { status: answer.statusCode, headers: answer.headers, json: answer.json() }
    }
  }
}

const NEW_CLIENT = {
  name: 'One',
  redirectUris: ['https://app.test/cb'],
  allowedScopes: ['openid']
}

test('unknown parameters of a list are refused with the nearest name, and so are malformed ones', async (t) => {
  const { call } = await startPlatform(t)
  t.match(await call('GET', '/admin/clients?serch=one'), {
    status: 400,
    json: {
      error: 'validation_failed',
      fields: [{ path: 'serch', message: /did you mean search/ }]
    }
  })
  for (const query of ['limit=0', 'limit=1.5', 'limit=x', 'skip=-1', 'status=gone', 'cursor=x']) {
    const [name = ''] = query.split('=')
    t.match(
      await call('GET', `/admin/clients?${query}`),
      { status: 400, json: { error: 'validation_failed', fields: [{ path: name }] } },
      query
    )
  }
  t.match(await call('GET', '/admin/clients?limit=9999'), { status: 200, json: { limit: 200 } })
  t.match(await call('GET', '/me/grants?limit=9999'), { status: 200, json: { limit: 100 } })
  t.match(await call('GET', '/admin/audit?clinetId=a'), { status: 400 })
})

test('no answer with a secret or personal data stays in a cache', async (t) => {
  const { call } = await startPlatform(t)
  const made = await call('POST', '/admin/clients', NEW_CLIENT)
  t.match(made, { status: 201, headers: SEALED, json: { clientSecret: String } })
  const client = `/admin/clients/${made.json.clientId}`
  t.match(await call('POST', `${client}/rotate-secret`), { status: 200, headers: SEALED })
  for (const path of [
    client,
    '/admin/clients',
    '/admin/grants',
    '/admin/audit',
    '/admin/keys',
    '/admin/attempts',
    '/admin/options',
    '/me/grants'
  ]) {
    t.match(await call('GET', path), { status: 200, headers: SEALED }, path)
  }
})

test('an error of the table keeps its code, beside the word for its status', async (t) => {
  const { call } = await startPlatform(t, { ...ANN, tenantId: '*' })
  for (const [method, path, code] of [
    ['GET', '/admin/clients/none', 'OAU_CLIENT_UNKNOWN'],
    ['PATCH', '/admin/clients/none', 'OAU_CLIENT_UNKNOWN'],
    ['DELETE', '/admin/clients/none', 'OAU_CLIENT_UNKNOWN'],
    ['POST', '/admin/clients/none/enable', 'OAU_CLIENT_UNKNOWN'],
    ['DELETE', '/admin/keys/none', 'OAU_KEY_UNKNOWN']
  ] as const) {
    t.match(
      await call(method, path),
      { status: 404, json: { error: 'not_found', code, message: String, fix: String } },
      `${method} ${path}`
    )
  }
  const open = { ...NEW_CLIENT, type: 'public' }
  const { clientId } = (await call('POST', '/admin/clients', open)).json
  t.match(await call('POST', `/admin/clients/${clientId}/rotate-secret`), {
    status: 400,
    json: {
      error: 'validation_failed',
      code: 'OAU_CLIENT_NO_SECRET',
      fields: [{ path: 'clientId', message: 'has no secret' }]
    }
  })
})

test('administrators of a tenant that the config does not name are kept out before the body is looked at', async (t) => {
  const { call } = await startPlatform(t, { ...ANN, tenantId: 'globex' })
  t.match(await call('POST', '/admin/clients', { nonsense: true }), {
    status: 403,
    json: { error: 'forbidden' }
  })
})

test('a viewer that is not a person has no grants of its own', async (t) => {
  const { call } = await startPlatform(t, { ...ANN, viewerRef: 'agent:x' })
  t.match(await call('GET', '/me/grants'), { status: 401, json: { error: 'login_required' } })
})

test('an answer about a client leaves out how its document was fetched', async (t) => {
  const { call, host } = await startPlatform(t)
  const { clientId } = (await call('POST', '/admin/clients', NEW_CLIENT)).json
  const rows = host.db.collection('oauth_clients')
  await rows.updateOne(
    { clientId },
    { $set: { metadataEtag: '"1"', metadataUrl: 'https://a.test' } }
  )
  const { client } = (await call('GET', `/admin/clients/${clientId}`)).json
  t.equal(client.metadataUrl, 'https://a.test')
  for (const name of ['metadataEtag', 'searchWords', '_id']) t.notOk(name in client, name)
})

test('the documents name each operation, its answer and its refusals', async (t) => {
  const { host } = await startPlatform(t)
  const { paths, components } = (await host.app.inject('/openapi.json')).json()
  const read = paths['/oauth/admin/clients/{clientId}'].get
  t.match(read, { operationId: 'oauth.clients.read', responses: { 200: {}, 404: {} } })
  t.ok(components.schemas.OAuthClient)
  t.ok(components.schemas.OAuthAuditEntry)
  t.match(paths['/oauth/me/grants/{id}'].delete, { operationId: 'oauth.myGrants.revoke' })
})

test('an app without the kernel serves the grants of people, and checks who asks and from where', async (t) => {
  const running = await startHost(t)
  const app = actor(running, await running.client())
  await app.tokens({ scope: 'openid read' })
  const listed = await running.call('GET', '/oauth/me/grants?limit=999', { headers: app.browser() })
  t.match(listed, { status: 200, headers: SEALED, json: { limit: 100, items: [{ id: String }] } })
  t.notOk('userId' in listed.json.items[0])
  t.match(await running.call('GET', '/oauth/me/grants'), {
    status: 401,
    json: { error: 'login_required', code: 'login_required', message: 'Sign in first.' }
  })
  t.match(await running.call('GET', '/oauth/me/grants?limt=1', { headers: app.browser() }), {
    status: 400,
    json: { error: 'validation_failed', fields: [{ message: /did you mean limit/ }] }
  })
  const address = `/oauth/me/grants/${listed.json.items[0].id}`
  const end = (origin: string) =>
    running.call('DELETE', address, { headers: { ...app.browser(), origin } })
  t.match(await end('https://evil.test'), {
    status: 403,
    headers: SEALED,
    json: { error: 'bad_origin', message: String }
  })
  t.match(await end(ISSUER), { status: 200, headers: SEALED, json: { revoked: true } })
  t.match(await end(ISSUER), { status: 404, json: { error: 'not_found' } })
  const audit = running.db.collection('oauth_audit')
  t.match(await audit.findOne({ type: 'grant_revoked' }), {
    actor: 'user',
    userId: 'u1',
    ip: '127.0.0.1',
    requestId: String
  })
  t.equal((await running.call('GET', '/oauth/admin/clients')).status, 404, 'no administration')
})

test('an app without the kernel does not tell people why it failed', async (t) => {
  const running = await startHost(t, {
    resolveUser: () => {
      throw new Error('the directory is away')
    }
  })
  const answer = await running.call('GET', '/oauth/me/grants')
  t.match(answer, { status: 500, headers: SEALED, json: { error: 'server_error' } })
  t.notMatch(answer.text, 'directory')
  t.match(running.warnings, [{ err: { message: 'the directory is away' } }])
})
