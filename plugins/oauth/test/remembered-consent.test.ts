// Consent that needs no page: remembered for a time, and for trusted clients; never for what is new and sensitive.
import { test } from 'tap'
import type { ClientFields } from '../clients/client-fields.ts'
import { API, actor, back, CALLBACK, type Form, OTHER, startHost } from './flow.ts'

const DAYS = { consent: { rememberDays: 30 } }
const code = { code: String, state: String, iss: String }

test('a consent is remembered for its scopes and resources until it expires', async (t) => {
  const running = await startHost(t, DAYS)
  const app = actor(running, await running.client())
  const wanted = { scope: 'openid read', resource: API }
  const isAsked = async (more: Form) => {
    const { headers } = await app.authorize(more)
    return String(headers['location']).startsWith('/consent')
  }
  t.equal(await isAsked(wanted), true)
  await app.tokens(wanted)
  t.match(back(await app.authorize(wanted)), code)
  t.match(back(await app.authorize({ ...wanted, scope: 'read' })), code, 'less than before')
  t.equal(await isAsked({ ...wanted, scope: 'openid read write' }), true, 'another scope')
  t.equal(await isAsked({ ...wanted, resource: OTHER }), true, 'another resource')
  t.equal(await isAsked({ ...wanted, prompt: 'consent' }), true)
  t.equal(await isAsked({ ...wanted, prompt: 'select_account' }), false, 'it leads to sign-in')
  await app.tokens({ scope: 'write', resource: API })
  await app.tokens({ scope: 'read', resource: OTHER })
  t.equal(await isAsked({ scope: 'write read', resource: API }), true, 'never consented together')
  running.clock.advance(31 * 86_400)
  t.equal(await isAsked(wanted), true, 'it expired')
})

test('another person, a revoked grant and a callback on loopback are asked again', async (t) => {
  const running = await startHost(t, DAYS)
  const loopback = 'http://127.0.0.1/cb'
  const client = await running.client({ type: 'public', redirectUris: [CALLBACK, loopback] })
  const app = actor(running, client)
  await app.tokens({ scope: 'read' })
  const asked = async (who = app, more = {}) =>
    String((await who.authorize({ scope: 'read', ...more })).headers['location'])
  t.match(await asked(), /[?]code=/)
  t.match(await asked(actor(running, client, 'u2')), /^[/]consent/)
  t.match(await asked(app, { redirect_uri: loopback }), /^[/]consent/)
  const [grant] = (await running.host.grants.list()).items
  await running.host.grants.revoke(grant?.id ?? '')
  t.match(await asked(), /^[/]consent/)
})

test('a trusted client gets access without a page, except to sensitive scopes that are new', async (t) => {
  const running = await startHost(t)
  const trusted: Partial<ClientFields> = { trusted: true }
  const app = actor(running, await running.client(trusted))
  const { query, verifier } = app.query({ scope: 'openid read' })
  const answer = await running.call('GET', `/oauth/authorize?${query}`, { headers: app.browser() })
  t.match(back(answer), code)
  const { json } = await app.redeem({ code: back(answer)['code'] ?? '', verifier })
  t.equal(json.scope, 'openid read')
  t.equal(json.refresh_token, undefined, 'nobody asked for access while away')
  const { json: audit } = { json: await running.host.models.OAuthAudit.find().toArray() }
  t.match(
    audit.find(({ type }) => type === 'consent_granted'),
    { userId: 'u1', meta: { trusted: true } }
  )
  t.match((await app.authorize({ scope: 'read write' })).headers['location'], /^[/]consent/)
  await app.tokens({ scope: 'read write' })
  t.match(back(await app.authorize({ scope: 'read write' })), code, 'granted before')
  t.match(
    (await app.authorize({ scope: 'read', prompt: 'consent' })).headers['location'],
    /^[/]consent/
  )
  const loopback = await running.client({ ...trusted, redirectUris: ['http://localhost/cb'] })
  const local = actor(running, loopback, 'u1', 'http://localhost/cb')
  t.match((await local.authorize({ scope: 'read' })).headers['location'], /^[/]consent/)
})

test('until the host is ready a decision answers 503, whatever its body', async (t) => {
  const running = await startHost(t)
  const early = Object.assign(running.parts.services, { isReady: () => false })
  t.equal(early.isReady(), false)
  for (const json of [{ approve: true }, {}, { approve: 'yes' }]) {
    const headers = { 'x-user': 'u1' }
    const answer = await running.call('POST', '/oauth/consent/abc', { json, headers })
    t.equal(answer.status, 503, JSON.stringify(json))
  }
})
