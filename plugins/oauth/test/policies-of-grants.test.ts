// A policy of a tenant that is narrowed later holds for every grant type, from the next token on.
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { test } from 'tap'
import type { CreatedClient } from '../clients/client-store.ts'
import { createIdJagChecker } from '../tokens/id-jag.ts'
import {
  type Actor,
  type Answer,
  API,
  actor,
  ISSUER,
  type Running,
  random,
  startHost
} from './flow.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:'
const DEVICE = `${GRANT}device_code` as const
const JWT_BEARER = `${GRANT}jwt-bearer` as const
const EXCHANGE = `${GRANT}token-exchange` as const
const TYPE = 'urn:ietf:params:oauth:token-type:'
const IDP = 'https://idp.example.test'
const THERE = 'https://chat.example.test'
const SCOPE = 'read write'

interface Given {
  readonly running: Running
  readonly client: CreatedClient
  readonly person: Actor
}

/** Prepares a request for a token; the answer sends it, after the policy was narrowed. */
const WAYS: Readonly<Record<string, (given: Given) => Promise<() => Promise<Answer>>>> = {
  async authorization_code({ person }) {
    const code = await person.toCode({ scope: `openid ${SCOPE}` })
    return () => person.redeem(code)
  },
  async refresh_token({ person }) {
    const { refresh_token } = await person.tokens({ scope: `${SCOPE} offline_access` })
    return () => person.refresh(refresh_token)
  },
  async client_credentials({ person }) {
    return () => person.post('/token', { grant_type: 'client_credentials', scope: SCOPE })
  },
  async [DEVICE]({ running, person }) {
    const asked = await person.post('/device_authorization', { scope: SCOPE, resource: API })
    const headers = { 'x-user': 'acme-1', origin: ISSUER }
    const form = { user_code: asked.json.user_code }
    const typed = await running.call('POST', '/oauth/device', { form, headers })
    const to = new URL(String(typed.headers['location']), ISSUER).searchParams.get('request_id')
    const cookie = String([typed.headers['set-cookie']].flat()[0]).split(';')[0] ?? ''
    const json = { approve: true, scopes: ['read', 'write'] }
    const path = `/oauth/consent/${to}`
    await running.call('POST', path, { json, headers: { ...headers, cookie } })
    return () => person.post('/token', { grant_type: DEVICE, device_code: asked.json.device_code })
  },
  async [JWT_BEARER]({ running, client, person }) {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = { ...(await exportJWK(publicKey)), kid: 'idp-1' }
    const { services } = running.parts
    const idJag = createIdJagChecker(services.settings, services.replays, {
      addressOf: async () => `${IDP}/jwks`,
      source: { keysOf: async () => ({ keys: [jwk] }) }
    })
    Object.assign(services, { idJag })
    createLocalJWKSet({ keys: [jwk] })
    const iat = Math.floor(running.clock.now().getTime() / 1000)
    const about = { iss: IDP, sub: '1', aud: ISSUER, client_id: client.clientId, jti: random() }
    const assertion = await new SignJWT({
      ...about,
      iat,
      exp: iat + 300,
      resource: API,
      scope: SCOPE
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'idp-1', typ: 'oauth-id-jag+jwt' })
      .sign(privateKey)
    return () => person.post('/token', { grant_type: JWT_BEARER, assertion })
  },
  async [EXCHANGE]({ person }) {
    const { id_token } = await person.tokens({ scope: 'openid' })
    const types = { requested_token_type: `${TYPE}id-jag`, subject_token_type: `${TYPE}id_token` }
    return () =>
      person.post('/token', {
        ...types,
        grant_type: EXCHANGE,
        audience: THERE,
        scope: 'chat:read',
        subject_token: id_token
      })
  }
}

async function given(t: Parameters<typeof startHost>[0]): Promise<Given> {
  const running = await startHost(t, {
    tenantOf: (id) => /^(acme|globex)-/.exec(id)?.[1] ?? null,
    tenants: {},
    mapSubject: (subject, tenant) => `${tenant}-${subject}`,
    serviceAccounts: { enabled: true },
    deviceFlow: { enabled: true },
    idJag: { issuers: [{ issuer: IDP, tenant: 'acme' }] },
    tokenExchange: {
      audiences: [{ issuer: THERE, clients: [{ clientId: 'all' }], scopes: ['chat:read'] }]
    }
  })
  const grantTypes = Object.keys(WAYS)
  const client = await running.client({ clientId: 'all', grantTypes, owner: 'acme-1' } as object)
  return { running, client, person: actor(running, client, 'acme-1') }
}

test('every grant type that the server knows is among these', async (t) => {
  const { running } = await given(t)
  const { json } = await running.call('GET', '/.well-known/oauth-authorization-server')
  t.same([...json.grant_types_supported].sort(), Object.keys(WAYS).sort())
})

for (const [grant, prepare] of Object.entries(WAYS)) {
  test(`${grant}: a scope and a client that the tenant no longer allows are not given`, async (t) => {
    const { running, client, person } = await given(t)
    const { policies } = running.parts.services
    const scopesWith = async (policy: object) => {
      await policies.remove('acme')
      const send = await prepare({ running, client, person })
      await policies.set('acme', { ...policy, by: 'platform' })
      const { json } = await send()
      return json.error ?? json.scope
    }
    const all = await scopesWith({})
    if (grant !== EXCHANGE) {
      t.match(all, /read write/)
      const narrowed = await scopesWith({ scopes: ['read'] })
      t.match(narrowed, /read/)
      t.notMatch(narrowed, /write/)
    } else t.equal(all, 'chat:read')
    t.match(await scopesWith({ clients: ['all'] }), all, 'one that is listed')
    t.equal(await scopesWith({ clients: ['another'] }), 'invalid_grant')
    await policies.set('globex', { clients: [], by: 'platform' })
    t.match(await scopesWith({}), all, 'the policy of another tenant')
  })
}
