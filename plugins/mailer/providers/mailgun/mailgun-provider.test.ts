// Mailgun: the call that is made, its webhooks, and its list of events.
import { createHmac } from 'node:crypto'
import { test } from 'tap'
import { Response } from 'undici'
import type { MailProvider } from '../../contracts/mailer-provider.ts'
import { SEND_ID, sampleFiles, sampleMail, sampleSend } from '../test/sample-mail.ts'
import { vendorCases } from '../test/vendor-cases.ts'
import { answers, vendorServer } from '../test/vendor-server.ts'
import { createMailgunProvider } from './mailgun-provider.ts'

const apiKey = 'key-very-secret'
const account = { apiKey, domain: 'mg.acme.test' }
const accepted = { id: '<abc.1@mg.acme.test>', message: 'Queued. Thank you.' }

vendorCases({
  name: 'Mailgun',
  secrets: [apiKey, Buffer.from(`api:${apiKey}`).toString('base64')],
  create: ({ baseUrl }) => createMailgunProvider({ ...account, baseUrl }),
  accepts: answers(200, accepted),
  errorBody: (message) => ({ message })
})

test('Mailgun: the form has our Message-ID and metadata, and no tracking', async (t) => {
  const { url, requests } = await vendorServer(t, answers(200, accepted))
  const provider = createMailgunProvider({ ...account, baseUrl: url })
  const result = await provider.send({ ...sampleMail, attachments: sampleFiles }, sampleSend())
  t.match(result, { status: 'accepted', providerId: 'abc.1@mg.acme.test' })
  const [request] = requests
  t.equal(request?.path, '/v3/mg.acme.test/messages')
  t.equal(
    request?.headers.authorization,
    `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}`
  )
  const headers = { 'content-type': request?.headers['content-type'] ?? '' }
  const form = await new Response(new Uint8Array(request?.body ?? []), { headers }).formData()
  const fields = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))
  t.match(fields, {
    from: '"Acme, Inc." <hello@acme.test>',
    to: 'ann@example.test',
    subject: sampleMail.subject,
    'h:Message-Id': sampleSend().messageId,
    'h:List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'h:Reply-To': 'help@acme.test',
    'v:sendId': SEND_ID,
    'o:tracking': 'no',
    'o:tracking-clicks': 'no',
    'o:tracking-opens': 'no'
  })
  t.match(form.get('attachment'), { name: 'invoice.pdf', type: 'application/pdf' })
  t.match(form.get('inline'), { name: 'logo', type: 'image/png' })
})

const webhookSigningKey = 'another-secret'
const now = new Date('2026-03-01T10:00:00Z')
const provider = createMailgunProvider({ ...account, webhookSigningKey, clock: { now: () => now } })

function signed(at = now.getTime(), key = webhookSigningKey) {
  const timestamp = String(Math.floor(at / 1000))
  const token = 'a'.repeat(50)
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex')
  return { timestamp, token, signature }
}
const body = (signature: unknown) => Buffer.from(JSON.stringify({ signature, 'event-data': {} }))

test('Mailgun: a webhook is genuine by the signature in its body', async (t) => {
  t.equal(provider.verifyWebhook(body(signed()), {}), true)
  const hour = 3_600_000
  const verdicts = [-9.1, -8.9, 8.9, 9.1].map((hours) =>
    provider.verifyWebhook(body(signed(now.getTime() + hours * hour)), {})
  )
  t.same(verdicts, [false, true, true, false], 'Mailgun repeats webhooks for 8 hours')
})

test('Mailgun: a token ends when its signature is too old, wherever time and token are divided', async (t) => {
  const { timestamp, token, signature } = signed()
  const of = (one: MailProvider, part: unknown) => one.webhookToken?.(body(part), {})
  t.same(of(provider, { timestamp, token, signature }), {
    token: timestamp + token,
    until: new Date(now.getTime() + 9 * 3_600_000)
  })
  const always = createMailgunProvider({
    ...account,
    webhookSigningKey,
    webhookToleranceSeconds: 0,
    clock: { now: () => now }
  })
  const moved = {
    timestamp: timestamp.slice(0, -1),
    token: timestamp.slice(-1) + token,
    signature
  }
  t.equal(always.verifyWebhook(body(moved), {}), true, 'it has the same signature')
  t.equal(of(always, moved)?.token, timestamp + token, 'and is the same token')
  t.ok(of(always, moved)?.until && Number(of(always, moved)?.until) > now.getTime())
})

test('Mailgun: any other webhook is refused', async (t) => {
  const genuine = signed()
  const others = [
    undefined,
    null,
    'x',
    {},
    { ...genuine, signature: '' },
    { ...genuine, token: 'b' },
    { ...genuine, timestamp: `${Number(genuine.timestamp) + 1}` },
    { ...genuine, timestamp: Number(genuine.timestamp) },
    signed(now.getTime(), 'stranger')
  ]
  for (const signature of others) t.equal(provider.verifyWebhook(body(signature), {}), false)
  t.equal(provider.verifyWebhook(Buffer.from('{'), {}), false)
  t.equal(createMailgunProvider(account).verifyWebhook(body(genuine), {}), false, 'no key')
})

const read = (event: object) =>
  provider.parseWebhookEvents(
    {
      'event-data': {
        id: 'e1',
        timestamp: 1_772_359_200.123,
        recipient: 'Ann@Example.test',
        message: { headers: { 'message-id': 'abc.1@mg.acme.test' } },
        'user-variables': { sendId: SEND_ID },
        ...event
      }
    },
    {}
  )

test('Mailgun: events have our types', async (t) => {
  const types = {
    delivered: 'delivered',
    opened: 'open',
    clicked: 'click',
    complained: 'spam_report',
    unsubscribed: 'unsubscribe',
    rejected: 'dropped'
  }
  for (const [event, type] of Object.entries(types))
    t.match(await read({ event }), [
      {
        type,
        providerEventId: 'e1',
        providerMessageId: 'abc.1@mg.acme.test',
        email: 'ann@example.test',
        occurredAt: new Date(1_772_359_200_123),
        details: { sendId: SEND_ID }
      }
    ])
})

test('Mailgun: a failure is a delay, a bounce, or a mail that was never tried', async (t) => {
  const failed = (severity: string, reason: string, code: number, message = '5.1.1 no such user') =>
    read({
      event: 'failed',
      severity,
      reason,
      'delivery-status': { code, message }
    })
  t.match(await failed('temporary', 'generic', 451), [{ type: 'deferred' }])
  t.match(await failed('permanent', 'bounce', 550), [
    {
      type: 'bounce',
      details: { bounceType: 'hard', code: 550, enhancedCode: '5.1.1', reason: /no such user/ }
    }
  ])
  t.match(await failed('permanent', 'old', 550, 'Too old'), [
    { type: 'bounce', details: { bounceType: 'soft' } }
  ])
  t.match(await failed('permanent', 'generic', 498), [
    { type: 'bounce', details: { bounceType: 'soft' } }
  ])
  t.match(await failed('permanent', 'suppress-unsubscribe', 605), [
    {
      type: 'dropped',
      details: { reason: /^suppress-unsubscribe/, bounceType: undefined, code: undefined }
    }
  ])
})

test('Mailgun: what cannot be read is left out', async (t) => {
  for (const payload of [null, 7, {}, { 'event-data': [] }, { 'event-data': { event: 'opened' } }])
    t.same(await provider.parseWebhookEvents(payload, {}), [])
  t.same(await read({ event: 'accepted' }), [])
  t.same(await read({ event: 'opened', timestamp: '1' }), [])
})

const attemptedAt = now
const lookUp = (baseUrl: string, hours: number) =>
  createMailgunProvider({
    ...account,
    baseUrl,
    clock: { now: () => new Date(now.getTime() + hours * 3_600_000) }
  }).lookUp?.({ ...sampleSend(), to: 'ann@example.test', attemptedAt })

test('Mailgun: the list of events says what became of a mail', async (t) => {
  const found = await vendorServer(
    t,
    answers(200, { items: [{ event: 'delivered' }, { event: 'accepted' }] })
  )
  t.match(await lookUp(found.url, 0), { status: 'accepted', providerId: `${SEND_ID}.1@acme.test` })
  t.equal(
    found.requests[0]?.path,
    `/v3/mg.acme.test/events?limit=25&message-id=${SEND_ID}.1%40acme.test`
  )
  const rejected = await vendorServer(
    t,
    answers(200, { items: [{ event: 'rejected', reject: { reason: 'virus' } }] })
  )
  t.match(await lookUp(rejected.url, 0), { status: 'rejected', reason: 'virus' })
  const none = await vendorServer(t, answers(200, { items: [] }))
  const missing = await Promise.all([0, 2, 30].map((hours) => lookUp(none.url, hours)))
  t.match(missing, [{ status: 'unknown' }, { status: 'absent' }, { status: 'unknown' }])
})
