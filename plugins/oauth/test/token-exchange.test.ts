// Token exchange: an identity token becomes an assertion for another server, for the clients that may have one.
import { createLocalJWKSet, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { test } from 'tap'
import type { ClientFields } from '../clients/client-fields.ts'
import type { OAuthHostConfig } from '../config/schema.ts'
import { actor, type Form, ISSUER, startHost } from './flow.ts'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange' as const
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag'
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token'
const THERE = 'https://chat.example.test'
const GRANTS: Partial<ClientFields> = {
  grantTypes: ['authorization_code', 'refresh_token', EXCHANGE]
}

async function started(t: Parameters<typeof startHost>[0], more: Partial<OAuthHostConfig> = {}) {
  const running = await startHost(t, {
    tokenExchange: {
      audiences: [
        {
          issuer: THERE,
          clients: [{ clientId: 'wiki', clientIdThere: 'wiki-there' }],
          scopes: ['chat:read'],
          resources: [`${THERE}/api`]
        }
      ]
    },
    ...more
  })
  const client = await running.client({ ...GRANTS, clientId: 'wiki' } as object)
  const person = actor(running, client)
  const exchange = (subject_token: string, form: Form = {}, by = person) =>
    by.post('/token', {
      grant_type: EXCHANGE,
      requested_token_type: ID_JAG,
      subject_token_type: ID_TOKEN,
      audience: THERE,
      subject_token,
      ...form
    })
  return { running, client, person, exchange }
}

test('an identity token becomes an assertion about its person for the other server', async (t) => {
  const { running, person, exchange } = await started(t)
  const { id_token } = await person.tokens({ scope: 'openid' })
  const { status, headers, json } = await exchange(id_token, {
    scope: 'chat:read',
    resource: `${THERE}/api`
  })
  t.equal(status, 200)
  t.equal(headers['cache-control'], 'no-store')
  t.match(json, {
    issued_token_type: ID_JAG,
    token_type: 'N_A',
    expires_in: 300,
    scope: 'chat:read'
  })
  t.notOk('refresh_token' in json)
  const keys = createLocalJWKSet((await running.call('GET', '/oauth/jwks')).json)
  const { payload } = await jwtVerify(json.access_token, keys, {
    typ: 'oauth-id-jag+jwt',
    issuer: ISSUER,
    audience: THERE,
    currentDate: running.clock.now()
  })
  t.match(payload, {
    sub: 'u1',
    client_id: 'wiki-there',
    scope: 'chat:read',
    resource: `${THERE}/api`,
    jti: String,
    auth_time: Number
  })
  t.equal(running.events.at(-1)?.type, 'oauth.assertion_issued')
  const here = await running.call('GET', '/api/read', {
    headers: { authorization: `Bearer ${json.access_token}` }
  })
  t.equal(here.status, 401, 'it is no access token here')
})

test('what is asked for beyond the limits of the audience is refused', async (t) => {
  const { person, exchange } = await started(t)
  const { id_token, access_token } = await person.tokens({ scope: 'openid' })
  const cases: readonly (readonly [Form, string])[] = [
    [{ audience: 'https://evil.example.test' }, 'invalid_target'],
    [{ audience: undefined }, 'invalid_target'],
    [{ resource: 'https://evil.example.test/api' }, 'invalid_target'],
    [{ scope: 'chat:write' }, 'invalid_scope'],
    [{ requested_token_type: 'urn:ietf:params:oauth:token-type:access_token' }, 'invalid_request'],
    [{ requested_token_type: undefined }, 'invalid_request'],
    [{ subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' }, 'invalid_request'],
    [{ subject_token: access_token }, 'invalid_request'],
    [{ subject_token: undefined }, 'invalid_request'],
    [{ subject_token: 'x'.repeat(20_000) }, 'invalid_request'],
    [{ actor_token: id_token }, 'invalid_request']
  ]
  for (const [form, error] of cases) {
    const { status, json } = await exchange(id_token, form)
    t.same([status, json.error], [400, error], JSON.stringify(form).slice(0, 100))
  }
})

test('an identity token of another client, another server or an earlier time is refused', async (t) => {
  const { running, person, exchange } = await started(t)
  const other = actor(running, await running.client(GRANTS))
  const { id_token: foreign } = await other.tokens({ scope: 'openid' })
  const { id_token } = await person.tokens({ scope: 'openid' })
  t.equal((await exchange(foreign)).json.error, 'invalid_request')
  t.equal((await exchange(id_token, {}, other)).json.error, 'invalid_target', 'not listed')
  const { privateKey } = await generateKeyPair('ES256')
  const forged = await new SignJWT({ iss: ISSUER, sub: 'u1', aud: 'wiki', exp: 4_000_000_000 })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .sign(privateKey)
  t.equal((await exchange(forged)).json.error, 'invalid_request')
  const { json } = await exchange(id_token)
  t.equal((await exchange(json.access_token)).json.error, 'invalid_request', 'an assertion')
  running.clock.advance(3_700)
  t.match((await exchange(id_token)).json, { error_description: /expired/ })
})

test('no assertion is made when access has ended', async (t) => {
  const { running, person, exchange } = await started(t, { tenantOf: () => null })
  const { id_token } = await person.tokens({ scope: 'openid' })
  t.equal((await exchange(id_token)).status, 200)
  await running.host.clients.update('wiki', { tenants: ['acme'] })
  t.equal((await exchange(id_token)).json.error, 'invalid_grant', 'of another tenant')
  await running.host.clients.update('wiki', { tenants: null })
  await person.tokens({ scope: 'openid' })
  t.equal((await exchange(id_token)).status, 200)
  await running.host.users.revokeAll('u1')
  t.equal((await exchange(id_token)).json.error, 'invalid_grant')
})

test('the grant is off until it is configured, and for confidential clients that have it', async (t) => {
  const off = await startHost(t)
  const metadata = async (running: typeof off) =>
    (await running.call('GET', '/.well-known/oauth-authorization-server')).json
  t.notOk((await metadata(off)).grant_types_supported.includes(EXCHANGE))
  await t.rejects(off.client(GRANTS), { code: 'OAU_CLIENT_INVALID' })
  const { running, exchange } = await started(t)
  const on = await metadata(running)
  t.ok(on.grant_types_supported.includes(EXCHANGE))
  t.same(on.identity_chaining_requested_token_types_supported, [ID_JAG])
  await t.rejects(running.client({ ...GRANTS, type: 'public' }), { code: 'OAU_CLIENT_INVALID' })
  const usual = actor(running, await running.client())
  const { id_token } = await usual.tokens({ scope: 'openid' })
  t.equal((await exchange(id_token, {}, usual)).json.error, 'unsupported_grant_type')
  await t.rejects(started(t, { subjectMode: 'pairwise', pairwiseSalt: 'a salt' }), {
    code: 'OAU_CONFIG_INVALID',
    message: /tokenExchange/
  })
})
