// What leaves the server by itself: events for plugins and webhooks, and logout tokens for clients.
import { newWebhookSecret, readWebhookSecret, webhookSignature } from '@keelson/sdk'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { test } from 'tap'
import { startHost } from './flow.ts'
import { CONFIG, PLATFORM, person, type Started, start, tokensOf } from './platform-people.ts'
import { runCommand } from './run-command.ts'

const HOOK = 'https://hooks.example.test'
const CLIENT = 'https://app.example.test'

interface Sent {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What is posted to an origin; `status`: what it answers. */
function receiver({ host }: Started, origin: string, status: () => number = () => 204) {
  const sent: Sent[] = []
  host.outbound
    .get(origin)
    .intercept({ path: () => true, method: 'POST' })
    .reply((given) => {
      sent.push({
        path: given.path,
        headers: given.headers as unknown as Record<string, string>,
        body: String(given.body)
      })
      return { statusCode: status() }
    })
    .persist()
  return sent
}

const admin = (started: Started, path: string, payload?: object) => {
  started.host.signIn(PLATFORM)
  const method = payload === undefined ? 'POST' : 'PATCH'
  return started.host.app.inject({
    method,
    url: `/oauth/admin/${path}`,
    ...(payload && { payload })
  })
}

async function keySetOf({ host }: Started) {
  return createLocalJWKSet((await host.app.inject('/oauth/jwks')).json())
}

test('another plugin receives events, with the tenant of the person', async (t) => {
  const started = await start(t, { homeTenant: 'acme' })
  await tokensOf(started, person('globex', '1'))
  await admin(started, 'users/globex%3A%3A1/revoke-all')
  const types = started.signing.events.map(({ type }) => type)
  t.same(types, [
    'oauth.authorization_requested',
    'oauth.consent_granted',
    'oauth.token_issued',
    'oauth.user_access_revoked'
  ])
  const { clientId } = started
  t.match(started.signing.events[1], { userId: 'globex::1', tenantId: 'globex', clientId })
  t.equal(new Set(started.signing.events.map(({ id }) => id)).size, 4)
  t.equal(await started.host.db.collection('oauth_deliveries').countDocuments(), 0)
})

test('a webhook gets signed events, again until it takes them, and each once', async (t) => {
  const secret = newWebhookSecret()
  const webhooks = [{ url: `${HOOK}/all`, secret }]
  const started = await start(t, { homeTenant: 'acme', events: { webhooks } })
  let status = 500
  const sent = receiver(started, HOOK, () => status)
  const tokens = await tokensOf(started, person('acme', '1'))
  await admin(started, 'users/1/revoke-all')
  await started.host.clock.advance(1000)
  t.equal(sent.length, 2, 'consent and revocation, and not the token')
  t.equal(await started.host.db.collection('oauth_deliveries').countDocuments(), 2)
  status = 200
  await started.host.clock.advance(3_600_000)
  await started.host.clock.advance(3_600_000)
  t.equal(sent.length, 4)
  const ids = new Set(sent.map(({ headers }) => headers['webhook-id']))
  t.equal(ids.size, 2, 'the same id at each try')
  for (const { headers, body } of sent) {
    const id = String(headers['webhook-id'])
    const seconds = String(headers['webhook-timestamp'])
    const signature = webhookSignature(readWebhookSecret(secret), { id, seconds, body })
    t.equal(headers['webhook-signature'], signature)
    t.notMatch(body, tokens.access_token)
  }
  const messages = sent.map(({ body }) => JSON.parse(body))
  t.match(
    messages.find(({ type }) => type === 'oauth.user_access_revoked'),
    { issuer: CONFIG.issuer, userId: '1', meta: { grantsRevoked: 1 } }
  )
})

test('what a command ends is sent by the running platform', async (t) => {
  const events = { webhooks: [{ url: `${HOOK}/all` }] }
  const started = await start(t, { homeTenant: 'acme', events })
  const sent = receiver(started, HOOK)
  await tokensOf(started, person('acme', '1'))
  await started.host.clock.advance(1000)
  sent.splice(0)
  const config = { ...CONFIG, homeTenant: 'acme', events }
  await runCommand({ host: started.host, config }, 'users revoke-all', { args: ['1'] })
  await started.host.clock.advance(60_000)
  const types = sent.map(({ body }) => JSON.parse(body).type)
  t.same(types, ['oauth.user_access_revoked'])
})

test('webhooks get the types and the tenant that they are for', async (t) => {
  const webhooks = [
    { url: `${HOOK}/types`, types: ['oauth.token_issued'] },
    { url: `${HOOK}/tenant`, tenant: 'globex' }
  ]
  const started = await start(t, { events: { webhooks }, homeTenant: 'acme' })
  const sent = receiver(started, HOOK)
  await tokensOf(started, person('acme', '1'))
  await tokensOf(started, person('globex', '1'))
  await started.host.clock.advance(1000)
  const of = (path: string) =>
    sent.filter((one) => one.path === path).map(({ body }) => JSON.parse(body))
  t.same(
    of('/types').map(({ type }) => type),
    ['oauth.token_issued', 'oauth.token_issued']
  )
  t.same([...new Set(of('/tenant').map(({ userId }) => userId))], ['globex::1'])
})

test('the end of access is sent as session-revoked of CAEP, in a signed token', async (t) => {
  const webhooks = [{ url: `${HOOK}/set`, format: 'caep', audience: 'https://siem.example.test' }]
  const started = await start(t, { homeTenant: 'acme', events: { webhooks } })
  const sent = receiver(started, HOOK)
  await tokensOf(started, person('acme', '1'))
  await admin(started, 'users/1/revoke-all')
  await started.host.clock.advance(1000)
  t.equal(sent.length, 1)
  t.equal(sent[0]?.headers['content-type'], 'application/secevent+jwt')
  const { payload } = await jwtVerify(sent[0]?.body ?? '', await keySetOf(started), {
    issuer: CONFIG.issuer,
    audience: 'https://siem.example.test',
    typ: 'secevent+jwt',
    currentDate: started.host.clock.now()
  })
  t.match(payload, {
    jti: String,
    sub_id: { format: 'iss_sub', iss: CONFIG.issuer, sub: '1' },
    events: {
      'https://schemas.openid.net/secevent/caep/event-type/session-revoked': {
        initiating_entity: 'admin',
        event_timestamp: Number
      }
    }
  })
  t.equal(payload.sub, undefined, 'it cannot be taken for a token of the person')
})

test('a client with a back channel gets a logout token when access ends, and no other', async (t) => {
  const started = await start(t, { homeTenant: 'acme', backChannelLogout: { enabled: true } })
  const sent = receiver(started, CLIENT)
  const uri = `${CLIENT}/backchannel?x=1`
  const changed = await admin(started, `clients/${started.clientId}`, {
    backchannelLogoutUri: uri
  })
  t.equal(changed.statusCode, 200)
  await tokensOf(started, person('acme', '1'))
  await tokensOf(started, person('acme', '2'))
  await admin(started, 'users/1/revoke-all')
  await started.host.clock.advance(1000)
  t.equal(sent.length, 1)
  const [{ path, headers, body }] = sent as [Sent]
  t.equal(path, '/backchannel?x=1')
  t.equal(headers['content-type'], 'application/x-www-form-urlencoded')
  const token = new URLSearchParams(body).get('logout_token') ?? ''
  const { payload } = await jwtVerify(token, await keySetOf(started), {
    issuer: CONFIG.issuer,
    audience: started.clientId,
    typ: 'logout+jwt',
    currentDate: started.host.clock.now(),
    requiredClaims: ['iat', 'exp', 'jti', 'sub', 'events']
  })
  t.match(payload, {
    sub: '1',
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} }
  })
  t.notOk('nonce' in payload, 'it is no identity token')
  t.ok(Number(payload.exp) - Number(payload.iat) <= 120)
  await admin(started, 'users/1/forget')
  await started.host.clock.advance(1000)
  t.equal(sent.length, 1, 'nothing is live any more')
  await admin(started, 'users/2/forget')
  await started.host.clock.advance(1000)
  t.equal(decodeJwt(new URLSearchParams(sent[1]?.body).get('logout_token') ?? '').sub, '2')
})

test('a token that is tried again late is a fresh one with the same id', async (t) => {
  const started = await start(t, { homeTenant: 'acme', backChannelLogout: { enabled: true } })
  let status = 503
  const sent = receiver(started, CLIENT, () => status)
  await admin(started, `clients/${started.clientId}`, { backchannelLogoutUri: `${CLIENT}/out` })
  await tokensOf(started, person('acme', '1'))
  await admin(started, 'users/1/revoke-all')
  await started.host.clock.advance(1000)
  status = 200
  await started.host.clock.advance(3_600_000)
  const claims = sent.map(({ body }) =>
    decodeJwt(new URLSearchParams(body).get('logout_token') ?? '')
  )
  const [first, last] = [claims[0], claims.at(-1)]
  t.ok(claims.length >= 2)
  t.equal(first?.jti, last?.jti)
  t.ok(Number(last?.iat) > Number(first?.iat))
})

test('the back channel is off until it is configured, and advertised then', async (t) => {
  const off = await startHost(t)
  const uri = `${CLIENT}/out`
  await t.rejects(off.client({ backchannelLogoutUri: uri }), {
    code: 'OAU_CLIENT_INVALID',
    message: /backChannelLogout, which is off/
  })
  const on = await startHost(t, { backChannelLogout: { enabled: true } })
  for (const [running, isOn] of [
    [off, undefined],
    [on, true]
  ] as const) {
    const { json } = await running.call('GET', '/.well-known/openid-configuration')
    t.equal(json.backchannel_logout_supported, isOn)
  }
  for (const bad of ['http://app.example.test/out', `${uri}#x`, 'javascript:1']) {
    await t.rejects(on.client({ backchannelLogoutUri: bad }), { code: 'OAU_CLIENT_INVALID' }, bad)
  }
})

test('an invalid webhook is named', async (t) => {
  for (const [webhook, path] of [
    [{ url: 'hooks' }, 'url'],
    [{ url: HOOK, secret: 'short' }, 'secret'],
    [{ url: HOOK, tenant: 'acme' }, 'tenant'],
    [{ url: HOOK, format: 'xml' }, 'format']
  ] as const) {
    const events = { webhooks: [webhook] } as never
    await t.rejects(
      startHost(t, { events }),
      { code: 'OAU_CONFIG_INVALID', message: new RegExp(`webhooks\\.0\\.${path}`) },
      path
    )
  }
})

test('what waits to be sent about a person is erased with them', async (t) => {
  const webhooks = [{ url: `${HOOK}/all` }]
  const started = await start(t, { homeTenant: 'acme', events: { webhooks } })
  receiver(started, HOOK, () => 500)
  await tokensOf(started, person('acme', '1'))
  const waiting = started.host.db.collection('oauth_deliveries')
  t.equal(await waiting.countDocuments({ 'event.userId': '1' }), 1)
  await admin(started, 'users/1/forget')
  const left = await waiting.find({ 'event.userId': '1' }).toArray()
  t.same(
    left.map(({ event }) => event.type),
    ['oauth.user_forgotten'],
    'receivers still learn that the person is gone'
  )
})
