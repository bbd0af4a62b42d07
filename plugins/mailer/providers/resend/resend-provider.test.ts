// Resend: the call that is made, its idempotency key, and webhooks by Svix.
import { createHmac } from 'node:crypto'
import { test } from 'tap'
import { SEND_ID, sampleFiles, sampleMail, sampleSend } from '../test/sample-mail.ts'
import { vendorCases } from '../test/vendor-cases.ts'
import { answers, vendorServer } from '../test/vendor-server.ts'
import { createResendProvider } from './resend-provider.ts'

const apiKey = 're_very_secret'

vendorCases({
  name: 'Resend',
  secrets: [apiKey],
  create: ({ baseUrl }) => createResendProvider({ apiKey, baseUrl }),
  accepts: answers(200, { id: 'rs-1' }),
  errorBody: (message) => ({ statusCode: 422, name: 'validation_error', message })
})

test('Resend: every try of a mail has the same key and the same body', async (t) => {
  const { url, requests } = await vendorServer(t, answers(200, { id: 'rs-1' }))
  const provider = createResendProvider({ apiKey, baseUrl: url })
  const mail = {
    ...sampleMail,
    attachments: sampleFiles,
    messageMeta: { sendId: SEND_ID, note: 'ü' }
  }
  for (const attempt of [1, 2])
    await provider.send(mail, sampleSend({ messageId: `<${SEND_ID}.${attempt}@acme.test>` }))
  const [first, second] = requests
  t.same(first?.body, second?.body)
  t.match(requests, [
    { headers: { 'idempotency-key': SEND_ID } },
    { headers: { 'idempotency-key': SEND_ID } }
  ])
  t.match(JSON.parse(String(first?.body)), {
    from: '"Acme, Inc." <hello@acme.test>',
    to: ['ann@example.test'],
    reply_to: 'help@acme.test',
    headers: sampleMail.headers,
    tags: [{ name: 'sendId', value: SEND_ID }],
    attachments: [{ filename: 'invoice.pdf' }, { content_id: 'logo' }]
  })
  t.match(provider.capabilities, { idempotencyKeys: true, idempotencyHours: 24 })
})

test('Resend: a key that is in use is tried again, one of another body is unknown', async (t) => {
  const conflict = (name: string) => answers(409, { statusCode: 409, name, message: 'used' })
  const busy = await vendorServer(t, conflict('concurrent_idempotent_requests'))
  const other = await vendorServer(t, conflict('invalid_idempotent_request'))
  const send = (baseUrl: string) =>
    createResendProvider({ apiKey, baseUrl }).send(sampleMail, sampleSend())
  await t.rejects(send(busy.url), { code: 'MLR_MAIL_NOT_TAKEN' })
  t.match(await send(other.url), { status: 'unknown' })
})

// The test vector that the specification and its libraries publish.
const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const rawBody = Buffer.from('{"test": 2432232314}')
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
const now = new Date(1_614_265_330_000)
const vector = {
  'svix-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'svix-timestamp': '1614265330',
  'svix-signature': signature
}
const provider = createResendProvider({ apiKey, webhookSecret, clock: { now: () => now } })

test('Resend: the published test vector is genuine, by either name of its headers', async (t) => {
  t.equal(provider.verifyWebhook(rawBody, vector), true)
  const standard = Object.entries(vector).map(([name, value]) => [
    name.replace('svix', 'webhook'),
    value
  ])
  t.equal(provider.verifyWebhook(rawBody, Object.fromEntries(standard)), true)
  const several = { ...vector, 'svix-signature': `v1a,x v1,AAAA ${signature}` }
  t.equal(provider.verifyWebhook(rawBody, several), true)
})

test('Resend: anything that differs from the vector is refused', async (t) => {
  const headers = [
    {},
    { ...vector, 'svix-id': 'msg_other' },
    { ...vector, 'svix-timestamp': '1614265331' },
    { ...vector, 'svix-signature': signature.replace('v1', 'v2') },
    { ...vector, 'svix-signature': signature.slice(0, -2) },
    { ...vector, 'svix-signature': '' }
  ]
  for (const some of headers) t.equal(provider.verifyWebhook(rawBody, some), false)
  t.equal(provider.verifyWebhook(Buffer.from('{"test":2432232314}'), vector), false)
  t.equal(createResendProvider({ apiKey }).verifyWebhook(rawBody, vector), false, 'no key')
})

test('Resend: a genuine webhook is refused outside of its window', async (t) => {
  const key = Buffer.from(webhookSecret.slice(6), 'base64')
  const at = (seconds: number) => {
    const timestamp = String(now.getTime() / 1000 + seconds)
    const mac = createHmac('sha256', key).update(`id.${timestamp}.${rawBody}`).digest('base64')
    return { 'svix-id': 'id', 'svix-timestamp': timestamp, 'svix-signature': `v1,${mac}` }
  }
  const results = [-301, -300, 300, 301].map((seconds) =>
    provider.verifyWebhook(rawBody, at(seconds))
  )
  t.same(results, [false, true, true, false])
})

test('Resend: a secret that is not one throws at once', async (t) => {
  for (const secret of ['hunter2!', 'whsec_', 'whsec_c2hvcnQ='])
    t.throws(() => createResendProvider({ apiKey, webhookSecret: secret }), {
      code: 'MLR_PROVIDER_INVALID',
      message: /^(?!.*hunter2).*webhookSecret/s
    })
})

const read = (event: unknown, headers: object = vector) =>
  provider.parseWebhookEvents(event, headers as never)
const event = (type: string, more: object = {}) => ({
  type,
  created_at: '2026-03-01T10:00:00.000Z',
  data: { email_id: 'rs-1', to: ['Ann@Example.test'], tags: { sendId: SEND_ID }, ...more }
})

test('Resend: events have our types, named by the id of the request', async (t) => {
  const types = {
    delivered: 'delivered',
    opened: 'open',
    delivery_delayed: 'deferred',
    complained: 'spam_report',
    failed: 'dropped'
  }
  for (const [name, type] of Object.entries(types))
    t.match(await read(event(`email.${name}`)), [
      {
        type,
        providerEventId: vector['svix-id'],
        providerMessageId: 'rs-1',
        email: 'ann@example.test',
        details: { sendId: SEND_ID }
      }
    ])
  const click = { link: 'https://a.test/', userAgent: 'Reader', ipAddress: '192.0.2.1' }
  t.match(await read(event('email.clicked', { click })), [
    { type: 'click', details: { url: 'https://a.test/', userAgent: 'Reader', ip: '192.0.2.1' } }
  ])
  const tags = [{ name: 'sendId', value: SEND_ID }]
  t.match(await read(event('email.opened', { tags })), [{ details: { sendId: SEND_ID } }])
})

test('Resend: a bounce is hard, soft, or a mail that was never tried', async (t) => {
  const bounced = (type: string, subType: string, message = '550 5.1.1 no such user') =>
    read(event('email.bounced', { bounce: { type, subType, message } }))
  t.match(await bounced('Permanent', 'General'), [
    { type: 'bounce', details: { bounceType: 'hard', code: 550, enhancedCode: '5.1.1' } }
  ])
  t.match(await bounced('Transient', 'MailboxFull', '452 refused'), [
    { type: 'bounce', details: { bounceType: 'soft' } }
  ])
  t.match(await bounced('Permanent', 'Suppressed'), [
    { type: 'dropped', details: { bounceType: undefined } }
  ])
})

test('Resend: what cannot be read is left out', async (t) => {
  const odd = [
    null,
    7,
    [],
    {},
    event('email.sent'),
    event('contact.created'),
    event('email.opened', { to: [7] })
  ]
  for (const some of odd) t.same(await read(some), [])
  t.same(await read(event('email.opened'), {}), [], 'no id')
})
