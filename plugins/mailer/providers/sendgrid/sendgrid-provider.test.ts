// SendGrid: the call that is made, what its answers mean, and its webhooks.
import { createSign, generateKeyPairSync } from 'node:crypto'
import { test } from 'tap'
import { MockAgent, fetch as undiciFetch } from 'undici'
import { SEND_ID, sampleFiles, sampleMail, sampleSend } from '../test/sample-mail.ts'
import { vendorCases } from '../test/vendor-cases.ts'
import { createSendGridProvider } from './sendgrid-provider.ts'

const apiKey = 'SG.very-secret'

vendorCases({
  name: 'SendGrid',
  secrets: [apiKey],
  create: ({ baseUrl }) => createSendGridProvider({ apiKey, baseUrl }),
  accepts: (response) => void response.writeHead(202, { 'x-message-id': 'sg-1' }).end(),
  errorBody: (message) => ({ errors: [{ message, field: 'to' }] })
})

test('the call has the text before the HTML, our metadata and ids, and the tracking of SendGrid off', async (t) => {
  const agent = new MockAgent()
  agent.disableNetConnect()
  let body: unknown
  agent
    .get('https://api.sendgrid.com')
    .intercept({
      path: '/v3/mail/send',
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` }
    })
    .reply(
      202,
      (call) => {
        body = JSON.parse(String(call.body))
        return ''
      },
      { headers: { 'x-message-id': 'abc' } }
    )
  const fetch: typeof undiciFetch = (input, init) =>
    undiciFetch(input, { ...init, dispatcher: agent })
  const provider = createSendGridProvider({ apiKey, fetch })
  const mail = { ...sampleMail, attachments: sampleFiles }
  t.match(await provider.send(mail, sampleSend()), { status: 'accepted', providerId: 'abc' })
  t.match(body, {
    personalizations: [{ to: [{ email: 'ann@example.test' }] }],
    from: { email: 'hello@acme.test', name: 'Acme, Inc.' },
    reply_to: { email: 'help@acme.test' },
    subject: sampleMail.subject,
    content: [
      { type: 'text/plain', value: sampleMail.text },
      { type: 'text/html', value: sampleMail.html }
    ],
    headers: { ...sampleMail.headers, 'Message-ID': sampleSend().messageId },
    custom_args: { sendId: SEND_ID },
    attachments: [{ disposition: 'attachment' }, { disposition: 'inline', content_id: 'logo' }],
    tracking_settings: {
      click_tracking: { enable: false, enable_text: false },
      open_tracking: { enable: false },
      subscription_tracking: { enable: false }
    }
  })
})

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const now = new Date('2026-03-01T10:00:00Z')
const clock = { now: () => now }
const webhookVerificationKey = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string
const rawBody = Buffer.from('[{"event":"delivered"}]')

function signed(body: Buffer, at = now.getTime(), key = privateKey) {
  const timestamp = String(Math.floor(at / 1000))
  return {
    'x-twilio-email-event-webhook-timestamp': timestamp,
    'x-twilio-email-event-webhook-signature': createSign('sha256')
      .update(timestamp)
      .update(body)
      .sign(key, 'base64')
  }
}

test('a webhook is genuine with the key in any form', async (t) => {
  for (const form of [webhookVerificationKey, pem, pem.replaceAll('\n', '\\n')]) {
    const provider = createSendGridProvider({ apiKey, clock, webhookVerificationKey: form })
    t.equal(provider.verifyWebhook(rawBody, signed(rawBody)), true)
  }
})

test('a webhook that was changed, is not signed, or is signed by another is refused', async (t) => {
  const provider = createSendGridProvider({ apiKey, clock, webhookVerificationKey })
  const genuine = signed(rawBody)
  const signature = 'x-twilio-email-event-webhook-signature'
  const timestamp = 'x-twilio-email-event-webhook-timestamp'
  const stranger = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey
  const headers = [
    {},
    { ...genuine, [signature]: '' },
    { ...genuine, [signature]: 'nonsense' },
    { ...genuine, [signature]: [genuine[signature], genuine[signature]] },
    { ...genuine, [timestamp]: `${Number(genuine[timestamp]) + 1}` },
    { ...genuine, [timestamp]: 'never' },
    signed(rawBody, now.getTime(), stranger),
    signed(Buffer.from(`${rawBody} `))
  ]
  for (const [at, some] of headers.entries())
    t.equal(provider.verifyWebhook(rawBody, some as never), false, `case ${at}`)
  t.equal(
    createSendGridProvider({ apiKey, clock }).verifyWebhook(rawBody, genuine),
    false,
    'no key'
  )
})

test('a webhook is fresh for 300 s either way, or as long as configured', async (t) => {
  const at = (seconds: number) => signed(rawBody, now.getTime() + seconds * 1000)
  const verify = (seconds: number, webhookToleranceSeconds?: number) =>
    createSendGridProvider({
      apiKey,
      clock,
      webhookVerificationKey,
      ...(webhookToleranceSeconds !== undefined && { webhookToleranceSeconds })
    }).verifyWebhook(rawBody, at(seconds))
  t.same(
    [-301, -300, 300, 301].map((seconds) => verify(seconds)),
    [false, true, true, false]
  )
  t.equal(verify(-400_000, 0), true)
  t.equal(verify(-61, 60), false)
})

test('a key that is not one throws at once', async (t) => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
  for (const key of ['not a key', rsa.export({ type: 'spki', format: 'pem' }) as string])
    t.throws(() => createSendGridProvider({ apiKey, webhookVerificationKey: key }), {
      code: 'MLR_PROVIDER_INVALID'
    })
  t.throws(() => createSendGridProvider({} as never), { message: /apiKey is missing/ })
})

const read = (events: unknown) => createSendGridProvider({ apiKey }).parseWebhookEvents(events, {})
const base = {
  email: 'Ann@Example.test ',
  timestamp: 1_772_359_200,
  sg_event_id: 'e1',
  sg_message_id: 'abc.filterdrecv-p3iad2-8ddf98858-jc4jc-18-5D9E2-0.0',
  sendId: SEND_ID
}

test('events have our types, the message id without its routing, and the address in lower case', async (t) => {
  const types = [
    'delivered',
    'open',
    'click',
    'bounce',
    'dropped',
    'deferred',
    'spamreport',
    'unsubscribe',
    'group_unsubscribe'
  ]
  const events = (await read(
    types.map((event, at) => ({ ...base, event, sg_event_id: `e${at}` }))
  )) as readonly { type: string }[]
  t.same(
    events.map(({ type }) => type),
    [
      'delivered',
      'open',
      'click',
      'bounce',
      'dropped',
      'deferred',
      'spam_report',
      'unsubscribe',
      'unsubscribe'
    ]
  )
  t.match(events[0], {
    providerEventId: 'e0',
    providerMessageId: 'abc',
    email: 'ann@example.test',
    occurredAt: new Date('2026-03-01T10:00:00Z'),
    details: { sendId: SEND_ID }
  })
})

test('a message id with points keeps them', async (t) => {
  const sg_message_id = '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0'
  t.match(await read([{ ...base, event: 'open', sg_message_id }]), [
    { providerMessageId: '14c5d75ce93.dfd.64b469' }
  ])
})

test('a bounce is hard, a block is soft, and a dropped mail keeps its reason', async (t) => {
  const [hard, soft, dropped] = await read([
    { ...base, event: 'bounce', type: 'bounce', status: '5.1.1', reason: '550 5.1.1 no such user' },
    { ...base, event: 'bounce', type: 'blocked', status: '4.7.1', reason: '451 try later' },
    { ...base, event: 'dropped', reason: 'Unsubscribed Address' }
  ])
  t.match(hard, {
    details: { bounceType: 'hard', code: 550, enhancedCode: '5.1.1', reason: /no such user/ }
  })
  t.match(soft, { details: { bounceType: 'soft', code: 451, enhancedCode: '4.7.1' } })
  t.match(dropped, {
    type: 'dropped',
    details: { reason: 'Unsubscribed Address', bounceType: undefined }
  })
})

test('events that cannot be read never lose their neighbours', async (t) => {
  const good = { ...base, event: 'delivered' }
  const odd = [
    null,
    7,
    'text',
    [],
    {},
    { event: 'bounce' },
    { ...good, timestamp: 'never' },
    { ...good, timestamp: 1e300 },
    { ...good, email: { a: 1 } },
    { ...good, email: 'no address' },
    { ...good, sg_event_id: undefined },
    { ...good, event: 'constructor' },
    { ...good, event: 'processed' }
  ]
  const events = await read(odd.flatMap((event) => [event, good]))
  t.equal(events.length, odd.length)
  for (const payload of [null, {}, 'x', undefined]) t.same(await read(payload), [])
})
