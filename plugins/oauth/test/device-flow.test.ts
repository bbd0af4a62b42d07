// The device flow: one answer for one device, only after a person typed its code and allowed it; guesses are limited.
import fc from 'fast-check'
import { test } from 'tap'
import type { CreatedClient } from '../clients/client-store.ts'
import type { OAuthHostConfig } from '../config/schema.ts'
import { newUserCode, readUserCode, shownUserCode } from '../devices/user-code.ts'
import { API, actor, ISSUER, type Running, startHost } from './flow.ts'

const ON: Partial<OAuthHostConfig> = { deviceFlow: { enabled: true } }
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code' as const
const GRANTS = { grantTypes: [DEVICE, 'refresh_token'], redirectUris: [], type: 'public' } as const

async function started(t: Parameters<typeof startHost>[0], more: Partial<OAuthHostConfig> = {}) {
  const running = await startHost(t, { ...ON, ...more })
  const client = await running.client(GRANTS)
  const ask = async (form = {}) =>
    running.call('POST', '/oauth/device_authorization', {
      form: { client_id: client.clientId, scope: 'read offline_access', resource: API, ...form }
    })
  const poll = async (code: string, by: CreatedClient = client) =>
    actor(running, by).post('/token', { grant_type: DEVICE, device_code: code })
  return { running, client, ask, poll }
}

/** A person types a code; where that leads, with the cookie of the browser. */
async function type(running: Running, code: string, user = 'u1') {
  const headers = { 'x-user': user, origin: ISSUER }
  const form = { user_code: code }
  const answer = await running.call('POST', '/oauth/device', { form, headers })
  const location = String(answer.headers['location'] ?? '')
  const cookie = String([answer.headers['set-cookie']].flat()[0]).split(';')[0] ?? ''
  const requestId = location.includes('request_id')
    ? new URL(location, ISSUER).searchParams.get('request_id')
    : null
  const path = `/oauth/consent/${requestId}`
  return {
    answer,
    location,
    see: () => running.call('GET', path, { headers: { ...headers, cookie } }),
    decide: (json: object) => running.call('POST', path, { json, headers: { ...headers, cookie } })
  }
}

test('a device gets tokens after a person typed its code and allowed it, once', async (t) => {
  const { running, ask, poll, client } = await started(t)
  const { json: metadata } = await running.call('GET', '/.well-known/openid-configuration')
  t.equal(metadata.device_authorization_endpoint, `${ISSUER}/oauth/device_authorization`)
  t.ok(metadata.grant_types_supported.includes(DEVICE))
  const { json, status } = await ask()
  t.equal(status, 200)
  t.match(json, {
    device_code: /^.{43}$/,
    user_code: /^[A-Z]{4}-[A-Z]{4}$/,
    verification_uri: `${ISSUER}/oauth/device`,
    expires_in: 600,
    interval: 5
  })
  t.equal((await poll(json.device_code)).json.error, 'authorization_pending')
  const person = await type(running, ` ${json.user_code.toLowerCase().replace('-', ' ')} `)
  t.match(person.location, /^[/]consent/)
  t.match((await person.see()).json, { device: true, client: { name: 'Test client' } })
  const decided = await person.decide({ approve: true })
  t.equal(decided.json.redirectTo, `${ISSUER}/oauth/device/done?result=approved`)
  running.clock.advance(6)
  const other = await running.client(GRANTS)
  t.equal((await poll(json.device_code, other)).json.error, 'invalid_grant', 'another client')
  const answers = await Promise.all([1, 2, 3].map(() => poll(json.device_code)))
  const [tokens] = answers.filter((answer) => answer.status === 200)
  t.equal(answers.filter((answer) => answer.status === 200).length, 1)
  t.match(tokens?.json, {
    access_token: String,
    refresh_token: String,
    scope: 'read offline_access'
  })
  t.equal((await poll(json.device_code)).json.error, 'invalid_grant', 'used')
  t.equal((await actor(running, client).refresh(tokens?.json.refresh_token)).status, 200)
  const again = await type(running, json.user_code)
  t.equal(again.answer.status, 400, 'the code is gone')
})

test('a device that is denied, too late, or impatient learns so', async (t) => {
  const { running, ask, poll } = await started(t)
  const { json: denied } = await ask()
  const person = await type(running, denied.user_code)
  await person.decide({ approve: false })
  t.equal((await poll(denied.device_code)).json.error, 'access_denied')
  const { json: late } = await ask()
  t.equal((await poll(late.device_code)).json.error, 'authorization_pending')
  t.equal((await poll(late.device_code)).json.error, 'slow_down')
  running.clock.advance(6)
  t.equal((await poll(late.device_code)).json.error, 'slow_down', 'five seconds more')
  const slow = await type(running, late.user_code)
  running.clock.advance(601)
  t.equal((await poll(late.device_code)).json.error, 'expired_token')
  t.equal((await slow.decide({ approve: true })).status, 404)
  t.equal((await type(running, late.user_code)).answer.status, 400)
})

test('only clients with the grant may ask, within their scopes, and only while it is on', async (t) => {
  const { running, ask } = await started(t)
  t.equal((await ask({ scope: 'ghost' })).json.error, 'invalid_scope')
  t.equal((await ask({ resource: 'https://evil.test' })).json.error, 'invalid_target')
  const usual = await running.client({ type: 'public' })
  t.equal((await ask({ client_id: usual.clientId })).json.error, 'unauthorized_client')
  t.equal((await ask({ client_id: 'nobody' })).json.error, 'invalid_client')
  const off = await startHost(t)
  const form = { client_id: 'a' }
  t.equal((await off.call('POST', '/oauth/device_authorization', { form })).status, 404)
  t.equal((await off.call('GET', '/oauth/device')).status, 404)
})

test('the page asks for a sign-in, refuses foreign pages, and limits guesses', async (t) => {
  const { running, ask } = await started(t)
  const { json } = await ask()
  const path = `/oauth/device?user_code=${json.user_code}`
  const signedOut = await running.call('GET', path)
  t.match(signedOut.headers['location'], /^[/]login[?]next=%2Foauth%2Fdevice%3Fuser_code%3D/)
  const page = await running.call('GET', path, { headers: { 'x-user': 'u1' } })
  t.match(page.text, `value="${json.user_code}"`)
  t.match(page.headers['content-security-policy'], "frame-ancestors 'none'")
  const form = { user_code: json.user_code }
  const foreign = { 'x-user': 'u1', origin: 'https://evil.test' }
  t.equal((await running.call('POST', '/oauth/device', { form, headers: foreign })).status, 403)
  const markup = await type(running, '"><script>alert(1)</script>')
  t.equal(markup.answer.status, 400)
  t.notMatch(markup.answer.text, '<script>alert')
  const guesses = []
  for (let at = 0; at < 24; at++) {
    guesses.push((await type(running, newUserCode())).answer.status)
  }
  t.equal(guesses.at(-1), 429)
  const moved = []
  for (let at = 1; at < 9; at++) {
    const sent = await running.call('POST', '/oauth/device', {
      form: { user_code: newUserCode() },
      headers: { 'x-user': 'u1', origin: ISSUER },
      ip: `198.51.100.${at}`
    })
    moved.push(sent.status)
  }
  t.equal(moved.at(-1), 429, 'the same person from elsewhere')
})

test('what is revoked or forgotten meanwhile gives a device nothing', async (t) => {
  const { running, ask, poll, client } = await started(t)
  const { json: forgotten } = await ask()
  await (await type(running, forgotten.user_code)).decide({ approve: true })
  await running.host.users.forget('u1')
  t.equal((await poll(forgotten.device_code)).json.error, 'invalid_grant')
  const { json: blocked } = await ask()
  const person = await type(running, blocked.user_code)
  await running.host.clients.disable(client.clientId)
  t.equal((await person.decide({ approve: true })).status, 404)
  t.equal((await poll(blocked.device_code)).json.error, 'invalid_client')
})

test('a code is read as it was shown, whatever is typed around its letters', async () => {
  fc.assert(
    fc.property(fc.constant(null), fc.constantFrom('', ' ', '-', '.', ' - '), (_none, between) => {
      const code = newUserCode()
      const typed = `${between}${shownUserCode(code).replace('-', between)}${between}`
      return readUserCode(typed.toLowerCase()) === code && readUserCode(code.slice(1)) === undefined
    })
  )
})
