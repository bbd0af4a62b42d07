// Identity assertions (ID-JAG): only of trusted issuers, for this server, this client and a known person, once.
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { test } from 'tap'
import type { CreatedClient } from '../clients/client-store.ts'
import { createIdJagChecker } from '../tokens/id-jag.ts'
import { API, basic, bearer, type Form, ISSUER, OTHER, random, startHost } from './flow.ts'

const IDP = 'https://idp.example.test'
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer' as const

async function started(t: Parameters<typeof startHost>[0]) {
  const pair = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'idp-1' }
  const running = await startHost(t, {
    idJag: { issuers: [{ issuer: IDP, tenant: 'acme' }, 'https://other-idp.example.test'] },
    mapSubject: (subject, tenant) => (subject === 'stranger' ? null : `${tenant}-${subject}`),
    loadUser: (id) => (id.endsWith('-gone') ? null : { id })
  })
  const { services } = running.parts
  const idJag = createIdJagChecker(services.settings, services.replays, {
    addressOf: async ({ issuer }) => (issuer === IDP ? `${IDP}/jwks` : undefined),
    source: { keysOf: async () => ({ keys: [jwk] }) }
  })
  Object.assign(services, { idJag })
  const client = await running.client({ grantTypes: [JWT_BEARER], redirectUris: [] })
  const assertion = (
    claims: Record<string, unknown> = {},
    header: object = {},
    key = pair.privateKey
  ) => {
    const now = Math.floor(running.clock.now().getTime() / 1000)
    const usual = {
      iss: IDP,
      sub: 'ann',
      aud: ISSUER,
      client_id: client.clientId,
      jti: random(),
      iat: now,
      exp: now + 300,
      resource: API,
      scope: 'read'
    }
    return new SignJWT({ ...usual, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'idp-1', typ: 'oauth-id-jag+jwt', ...header })
      .sign(key)
  }
  const exchange = (text: string, more: Form = {}, by: CreatedClient = client) =>
    running.call('POST', '/oauth/token', {
      form: { grant_type: JWT_BEARER, assertion: text, ...more },
      headers: basic(by.clientId, by.clientSecret ?? '')
    })
  return { running, client, assertion, exchange, jwk }
}

test('an assertion gives a token for its person, without consent and without a refresh token', async (t) => {
  const { running, client, assertion, exchange, jwk } = await started(t)
  t.ok(createLocalJWKSet({ keys: [jwk] }))
  const { json: metadata } = await running.call('GET', '/.well-known/oauth-authorization-server')
  t.match(metadata, {
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag']
  })
  t.ok(metadata.grant_types_supported.includes(JWT_BEARER))
  const { status, json } = await exchange(await assertion())
  t.equal(status, 200)
  t.same(Object.keys(json).sort(), ['access_token', 'expires_in', 'scope', 'token_type'])
  const headers = bearer(json.access_token)
  t.match((await running.call('GET', '/api/read', { headers })).json, {
    userId: 'acme-ann',
    clientId: client.clientId
  })
  await running.host.users.revokeAll('acme-ann')
  t.equal((await running.call('GET', '/api/read', { headers })).status, 401)
})

test('an assertion that is forged, foreign, old, wide or used again is refused with the reason', async (t) => {
  const { running, assertion, exchange } = await started(t)
  const { privateKey: forged } = await generateKeyPair('ES256')
  const now = Math.floor(running.clock.now().getTime() / 1000)
  const wrong: readonly (readonly [string, Promise<string>, RegExp])[] = [
    ['another key', assertion({}, {}, forged), /signature/],
    ['another type', assertion({}, { typ: 'JWT' }), /type/],
    ['an unknown issuer', assertion({ iss: 'https://evil.test' }), /issuer is not trusted/],
    ['an issuer without keys', assertion({ iss: 'https://other-idp.example.test' }), /signature/],
    ['another server', assertion({ aud: 'https://elsewhere.test' }), /aud/],
    ['several servers', assertion({ aud: [ISSUER, 'https://elsewhere.test'] }), /aud/],
    ['the token endpoint', assertion({ aud: `${ISSUER}/oauth/token` }), /aud/],
    ['another client', assertion({ client_id: 'another' }), /client_id/],
    ['no client', assertion({ client_id: undefined }), /signature|client_id/],
    ['no jti', assertion({ jti: undefined }), /signature|jti/],
    ['expired', assertion({ exp: now - 60 }), /times/],
    ['from the future', assertion({ iat: now + 120 }), /iat is in the future/],
    ['a year', assertion({ exp: now + 31_536_000 }), /exp/],
    ['no person', assertion({ sub: '' }), /sub/],
    ['a key that is not proven', assertion({ cnf: { jkt: 'x' } }), /cnf/],
    ['a stranger', assertion({ sub: 'stranger' }), /unknown/],
    ['a person who is gone', assertion({ sub: 'gone' }), /unknown/],
    ['not a token', Promise.resolve('a.b.c'), /issuer/],
    ['too long', Promise.resolve('x'.repeat(9000)), /too long/]
  ]
  for (const [name, text, reason] of wrong) {
    const { status, json } = await exchange(await text)
    t.same([status, json.error], [400, 'invalid_grant'], name)
    t.match(json.error_description, reason, name)
  }
  const once = await assertion()
  const answers = await Promise.all([1, 2, 3].map(() => exchange(once)))
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
})

test('scopes and resources stay within the assertion, the client and the catalogue', async (t) => {
  const { running, assertion, exchange } = await started(t)
  for (const [more, claims, error] of [
    [{ scope: 'write' }, {}, 'invalid_scope'],
    [{ resource: OTHER }, {}, 'invalid_target'],
    [{}, { scope: 'ghost' }, 'invalid_scope'],
    [{}, { scope: 'openid read' }, 'invalid_scope'],
    [{}, { resource: 'https://evil.test' }, 'invalid_target']
  ] as const) {
    const { json } = await exchange(await assertion(claims), more)
    t.equal(json.error, error, JSON.stringify([more, claims]))
  }
  const narrowed = await exchange(await assertion({ scope: 'read write' }), { scope: 'read' })
  t.equal(narrowed.json.scope, 'read')
  const usual = await running.client()
  const { json } = await exchange(await assertion({ client_id: usual.clientId }), {}, usual)
  t.equal(json.error, 'unsupported_grant_type')
  await t.rejects(running.client({ grantTypes: [JWT_BEARER], redirectUris: [], type: 'public' }), {
    message: /confidential/
  })
})

test('an issuer must be an https address', async (t) => {
  for (const issuer of ['http://idp.test', 'idp', 'https://idp.test/', 'https://idp.test?x']) {
    await t.rejects(startHost(t, { idJag: { issuers: [issuer] } }), { message: /idJag/ })
    await t.rejects(startHost(t, { idJag: { issuers: [{ issuer }] } }), { message: /issuer/ })
  }
})
