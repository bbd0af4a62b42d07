// Relay plugin beside a stand-in for the mailer; the tests answer for the vendor.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ProviderResult } from '@keelson/mailer/contracts'
import { createMailerStandIn } from '@keelson/mailer/testing'
import { createTestHost } from '@keelson/sdk/testing'
import plugin from '../index.ts'
import { signatureOf } from '../relay/webhooks.ts'

const config = { apiUrl: 'https://api.relay.test', apiKey: 'k-1', webhookKey: 'w-1' }
const mail = {
  to: 'ada@example.test',
  fromName: 'Acme',
  fromEmail: 'hello@acme.test',
  subject: 'Hello',
  text: 'Hello, Ada.',
  messageMeta: { sendId: 's1' }
}

async function open(t: TestContext, given: Readonly<Record<string, string>> = config) {
  const mailer = createMailerStandIn()
  const host = await createTestHost({ plugin, plugins: [mailer.plugin], config: given })
  t.after(() => host.close())
  const relay = mailer.provider('relay-plugin')
  const { signal } = new AbortController()
  const send = (): Promise<ProviderResult> =>
    relay.send(mail, { messageId: '<s1@acme.test>', idempotencyKey: 's1', signal })
  const vendor = host.outbound.get('https://api.relay.test')
  const answer = (status: number, body: object) =>
    vendor.intercept({ path: '/messages', method: 'POST' }).reply(status, body)
  return { host, relay, send, vendor, answer }
}

test('a mail is handed over with its key, its Message-ID and what comes back with events', async (t) => {
  const { send, vendor } = await open(t)
  let asked: Readonly<Record<string, unknown>> = {}
  vendor.intercept({ path: '/messages', method: 'POST' }).reply(202, ({ body, headers }) => {
    asked = { ...JSON.parse(String(body)), sent: new Headers(headers as never) }
    return { id: 'v-1' }
  })
  assert.deepEqual(await send(), { status: 'accepted', providerId: 'v-1' })
  assert.equal(asked['to'], 'ada@example.test')
  assert.deepEqual(asked['headers'], { 'Message-ID': '<s1@acme.test>' })
  assert.deepEqual(asked['meta'], { sendId: 's1' })
  const headers = asked['sent'] as Headers
  assert.equal(headers.get('authorization'), 'Bearer k-1')
  assert.equal(headers.get('idempotency-key'), 's1')
})

test('a mail that is refused is not tried again; a closed mailbox bounces hard', async (t) => {
  const { send, answer } = await open(t)
  answer(422, { reason: 'The text is too long.' })
  assert.deepEqual(await send(), { status: 'rejected', reason: 'The text is too long.' })
  answer(422, { reason: 'No such mailbox.', mailboxClosed: true })
  const closed = await send()
  assert.equal(closed.status === 'rejected' && closed.bounce, 'hard')
})

for (const status of [401, 403, 429]) {
  test(`with ${status} all mail waits, and no try is counted`, async (t) => {
    const { send, answer } = await open(t)
    answer(status, { reason: 'Not now.' })
    await assert.rejects(send, { code: 'RELA_NOT_TAKEN', fault: 'provider', message: /Not now/ })
  })
}

test('a vendor that cannot be reached does not have the mail', async (t) => {
  const { send, vendor } = await open(t)
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  vendor.intercept({ path: '/messages', method: 'POST' }).replyWithError(refused)
  await assert.rejects(send, { fault: 'provider' })
})

test('where the answer is lost, the vendor may have the mail', async (t) => {
  const { send, vendor, answer } = await open(t)
  const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
  vendor.intercept({ path: '/messages', method: 'POST' }).replyWithError(reset)
  assert.equal((await send()).status, 'unknown')
  answer(503, {})
  assert.equal((await send()).status, 'unknown')
  answer(200, {})
  assert.equal((await send()).status, 'unknown')
})

test('only requests that the vendor has signed, and that are fresh, are taken', async (t) => {
  const { host, relay } = await open(t)
  const body = Buffer.from('[]')
  const seconds = String(Math.floor(host.clock.now().getTime() / 1000))
  const signed = (key: string, at = seconds) => ({
    'x-relay-timestamp': at,
    'x-relay-signature': signatureOf(key, at, body)
  })
  assert.equal(await relay.verifyWebhook(body, signed('w-1')), true)
  assert.equal(await relay.verifyWebhook(body, signed('w-2')), false)
  assert.equal(await relay.verifyWebhook(Buffer.from('[1]'), signed('w-1')), false)
  assert.equal(await relay.verifyWebhook(body, signed('w-1', String(Number(seconds) - 600))), false)
  assert.equal(await relay.verifyWebhook(body, {}), false)
})

test('without a key no webhook is taken', async (t) => {
  const { relay } = await open(t, { ...config, webhookKey: '' })
  const body = Buffer.from('[]')
  const headers = { 'x-relay-timestamp': '0', 'x-relay-signature': signatureOf('', '0', body) }
  assert.equal(await relay.verifyWebhook(body, headers), false)
})

test('events are read, and one that cannot be read loses no other', async (t) => {
  const { relay } = await open(t)
  const event = {
    id: 'e1',
    type: 'bounced',
    messageId: 'v-1',
    email: 'ada@example.test',
    at: '2026-03-01T10:00:00Z',
    hard: true
  }
  const read = await relay.parseWebhookEvents(
    [{ id: 7 }, event, { ...event, id: 'e2', type: 'x' }],
    {}
  )
  assert.deepEqual(
    read.map(({ type, providerEventId, details }) => [type, providerEventId, details.bounceType]),
    [['bounce', 'e1', 'hard']]
  )
})

test('it starts where there is no mailer', async (t) => {
  const host = await createTestHost({ plugin })
  t.after(() => host.close())
  assert.equal((await host.app.inject('/health/ready')).statusCode, 200)
})
