// Registration by clients themselves: open within limits, public only, deleted when unused, managed by its token.
import { test } from 'tap'
import type { OAuthHostConfig } from '../config/schema.ts'
import {
  CHATGPT_CONNECTOR_REDIRECT_URI_PATTERN,
  CLAUDE_CODE_REDIRECT_URIS,
  CLAUDE_CONNECTOR_REDIRECT_URI,
  CURSOR_REDIRECT_URIS,
  VSCODE_REDIRECT_URIS
} from '../vendors.ts'
import { API, actor, bearer, CALLBACK, ISSUER, type Running, random, startHost } from './flow.ts'

const OPEN: Partial<OAuthHostConfig> = { registration: { open: true } }
const METADATA = { redirect_uris: ['http://127.0.0.1/callback'], client_name: 'Editor' }

const register = (running: Running, more: object = {}, ip?: string) =>
  running.call('POST', '/oauth/register', {
    json: { ...METADATA, ...more },
    ...(ip !== undefined && { ip })
  })

test('a client registers without a token, whatever method it asks for, and signs a person in', async (t) => {
  const running = await startHost(t, OPEN)
  const { json } = await running.call('GET', '/.well-known/oauth-authorization-server')
  t.equal(json.registration_endpoint, `${ISSUER}/oauth/register`)
  for (const method of [undefined, 'none', 'client_secret_basic', 'client_secret_post']) {
    const made = await register(running, { token_endpoint_auth_method: method, scope: 'read' })
    t.match(made, {
      status: 201,
      json: {
        client_id: String,
        token_endpoint_auth_method: 'none',
        registration_access_token: String,
        registration_client_uri: `${ISSUER}/oauth/register/${made.json.client_id}`
      }
    })
    t.equal(made.json.client_secret, undefined)
  }
  const made = await register(running, { redirect_uris: [CALLBACK] })
  const app = actor(running, { clientId: made.json.client_id } as never)
  t.type((await app.tokens({ scope: 'read offline_access', resource: API })).access_token, 'string')
})

test('open registration takes callbacks on https and loopback alone, and names what it refuses', async (t) => {
  const running = await startHost(t, OPEN)
  for (const uri of [
    'javascript:alert(1)',
    'http://evil.test/cb',
    'com.example.app:/cb',
    'data:text/html,x',
    'not a uri'
  ]) {
    const { status, json } = await register(running, { redirect_uris: [CALLBACK, uri] })
    t.same([status, json.error], [400, 'invalid_redirect_uri'], uri)
    t.match(json.error_description, /redirect_uris/)
  }
  for (const more of [
    { redirect_uris: undefined },
    { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [] } },
    { client_name: 'Good\u202Eppa' },
    { logo_uri: 'http://app.test/logo.png' }
  ]) {
    t.equal((await register(running, more)).status, 400, JSON.stringify(more))
  }
  t.match((await register(running, { client_name: 'a\u202Eb' })).json, {
    error: 'invalid_client_metadata',
    error_description: /client_name/
  })
  const cursor = ['cursor://anysphere.cursor-mcp/oauth/callback']
  t.equal((await register(running, { redirect_uris: cursor })).status, 201, 'a well-known client')
  t.equal((await running.host.clients.list()).items.length, 1, 'nothing else was stored')
})

test('registrations are limited by address and in all', async (t) => {
  const running = await startHost(t, { registration: { open: true, perHour: 2 } })
  const statuses = []
  for (let at = 0; at < 4; at++) statuses.push((await register(running, {}, '192.0.2.1')).status)
  t.same(statuses, [201, 201, 429, 429])
  for (let at = 0; at < 60; at++) await register(running, {}, `198.51.100.${at}`)
  t.equal((await register(running, {}, '203.0.113.1')).status, 429)
  t.ok((await running.host.clients.list({ limit: 200 })).items.length <= 50)
  running.clock.advance(3601)
  t.equal((await register(running, {}, '192.0.2.1')).status, 201)
})

test('a client without access is unknown after some days; one that is used stays', async (t) => {
  const running = await startHost(t, OPEN)
  const [used, unused] = [
    await register(running, { redirect_uris: [CALLBACK] }),
    await register(running, { redirect_uris: [CALLBACK] })
  ].map(({ json }) => actor(running, { clientId: json.client_id } as never))
  await used?.tokens({ scope: 'read' })
  await unused?.toConsent({ scope: 'read' })
  running.clock.advance(8 * 86_400)
  t.match((await used?.authorize({ scope: 'read' }))?.headers['location'], /^[/]consent/)
  t.equal((await unused?.authorize({ scope: 'read' }))?.json.error, 'invalid_client')
  const indexes = await running.host.models.OAuthClient.indexes()
  t.match(
    indexes.find(({ key }) => 'unusedUntil' in key),
    { expireAfterSeconds: 0 }
  )
})

test('a registration is read, replaced and deleted with its token alone', async (t) => {
  const running = await startHost(t, OPEN)
  const { json: made } = await register(running)
  const { json: other } = await register(running)
  const path = `/oauth/register/${made.client_id}`
  const as = (token: string) => ({ headers: bearer(token) })
  const token = made.registration_access_token
  t.match((await running.app.inject({ url: path, ...as(token) })).json(), {
    client_id: made.client_id,
    redirect_uris: METADATA.redirect_uris
  })
  for (const wrong of [random(), other.registration_access_token, 'x']) {
    const { statusCode } = await running.app.inject({ url: path, ...as(wrong) })
    t.equal(statusCode, 401)
  }
  const unknown = await running.app.inject({ url: '/oauth/register/none', ...as(token) })
  t.equal(unknown.statusCode, 401, 'the same as for a wrong token')
  const put = (payload: object) =>
    running.app.inject({ method: 'PUT', url: path, payload, ...as(token) })
  t.equal((await put(METADATA)).statusCode, 400, 'without client_id')
  const evil = { ...METADATA, client_id: made.client_id, redirect_uris: ['http://evil.test/cb'] }
  t.equal((await put(evil)).json().error, 'invalid_redirect_uri')
  const next = { ...METADATA, client_id: made.client_id, redirect_uris: [CALLBACK] }
  t.match((await put(next)).json(), { redirect_uris: [CALLBACK], client_id: made.client_id })
  const deleted = await running.app.inject({ method: 'DELETE', url: path, ...as(token) })
  t.equal(deleted.statusCode, 204)
  t.equal((await running.app.inject({ url: path, ...as(token) })).statusCode, 401)
  t.notMatch(JSON.stringify(await running.host.clients.list()), 'registrationTokenHash')
})

test('what an administrator narrows, blocks or must approve, no registration undoes', async (t) => {
  const registration = { open: true, approval: 'once' } as const
  const running = await startHost(t, { registration })
  const { json: made } = await register(running, { redirect_uris: [CALLBACK] })
  const id = made.client_id
  const path = `/oauth/register/${id}`
  const headers = bearer(made.registration_access_token)
  t.equal((await running.app.inject({ url: path, headers })).statusCode, 403, 'not approved yet')
  const app = actor(running, { clientId: id } as never)
  t.equal((await app.authorize()).json.error, 'access_denied')
  await running.host.clients.enable(id)
  await running.host.clients.update(id, { allowedScopes: ['read'] })
  const payload = { ...METADATA, client_id: id, redirect_uris: [CALLBACK], scope: 'read write' }
  const put = await running.app.inject({ method: 'PUT', url: path, headers, payload })
  t.equal(put.json().scope, 'read')
  await running.host.clients.disable(id)
  t.equal((await running.app.inject({ url: path, headers })).statusCode, 403)
})

test('a back channel is registered where it is on, by an initial access token alone', async (t) => {
  const initial = 'an-initial-access-token-of-a-test'
  const registration = { open: true, initialAccessTokens: [initial] }
  const back = { backchannel_logout_uri: 'https://app.example.test/out' }
  const asked = { redirect_uris: [CALLBACK], client_name: 'App', ...back }
  const made = (running: Running, more: object = {}) =>
    running.call('POST', '/oauth/register', {
      json: { ...asked, ...more },
      headers: { authorization: `Bearer ${initial}` }
    })
  const on = await startHost(t, { registration, backChannelLogout: { enabled: true } })
  const { status, json } = await made(on, { backchannel_logout_session_required: false })
  t.match([status, json], [201, { ...back, backchannel_logout_session_required: false }])
  t.match((await made(on, { backchannel_logout_session_required: true })).json, {
    error: 'invalid_client_metadata',
    error_description: /backchannel_logout_session_required must be false/
  })
  t.match((await made(on, { backchannel_logout_uri: 'http://app.example.test/out' })).json, {
    error: 'invalid_client_metadata',
    error_description: /backchannel_logout_uri/
  })
  const put = await on.call('PUT', `/oauth/register/${json.client_id}`, {
    json: { client_id: json.client_id, redirect_uris: [CALLBACK] },
    headers: { authorization: `Bearer ${json.registration_access_token}` }
  })
  t.match([put.status, put.json.backchannel_logout_uri], [200, undefined])
  const open = await register(on, back)
  t.match([open.status, open.json.backchannel_logout_uri], [201, undefined])
  const off = await startHost(t, { registration })
  const ignored = await made(off, { backchannel_logout_session_required: true })
  t.match([ignored.status, ignored.json.backchannel_logout_uri], [201, undefined])
})

test('connectors register as they do today, and sign a person in at their callback', async (t) => {
  const running = await startHost(t, OPEN)
  const chatgpt = CHATGPT_CONNECTOR_REDIRECT_URI_PATTERN.replace('{callback_id}', 'q_tmvzIq1e8V')
  const apim = 'https://global.consent.azure-apim.net/redirect/platform-tools'
  const table: readonly (readonly [string, readonly string[], string, object])[] = [
    [
      'Gemini CLI',
      ['http://localhost:7777/oauth/callback'],
      'http://localhost:7777/oauth/callback',
      {}
    ],
    [
      'n8n',
      ['https://oauth.n8n.cloud/oauth2/callback'],
      'https://oauth.n8n.cloud/oauth2/callback',
      BASIC
    ],
    ['Copilot Studio', [apim], apim, BASIC],
    ['Cursor', CURSOR_REDIRECT_URIS, 'http://localhost:8787/callback', {}],
    ['Cursor, older', CURSOR_REDIRECT_URIS, 'cursor://anysphere.cursor-mcp/oauth/callback', {}],
    ['VS Code', VSCODE_REDIRECT_URIS, 'http://127.0.0.1:59656/', {}],
    ['Claude', [CLAUDE_CONNECTOR_REDIRECT_URI], CLAUDE_CONNECTOR_REDIRECT_URI, BASIC],
    ['Claude Code', CLAUDE_CODE_REDIRECT_URIS, 'http://localhost:53218/callback', {}],
    ['ChatGPT', [chatgpt], chatgpt, BASIC]
  ]
  for (const [name, redirect_uris, callback, more] of table) {
    const made = await register(running, { client_name: name, redirect_uris, ...more })
    t.match([made.status, made.json.token_endpoint_auth_method], [201, 'none'], name)
    const app = actor(running, { clientId: made.json.client_id } as never, 'u1', callback)
    const tokens = await app.tokens({ scope: 'read offline_access', resource: API })
    t.type(tokens.refresh_token, 'string', name)
  }
})

/** Some ask for a secret; what they get is a public client, which the answer says. */
const BASIC = { token_endpoint_auth_method: 'client_secret_basic' }
